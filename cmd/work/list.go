package work

import (
	"context"
	"fmt"
	"math/big"

	"leeway/core"
	"leeway/encode"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/results"
	"leeway/results/compose"
)

// RestOf returns the formula "some placement has E_max at most a value, and neither it nor an image of it is listed",
// images being those under the group of the problem. Its refutation says that the list is complete, and no E_max less.
// Errors are those of the formula, and a *core.InputError for more than results.MaxCertified images.
func RestOf(ctx context.Context, p objective.Problem, value *big.Rat, listed []core.Placement) (*Clauses, error) {
	group, err := fast.Group(ctx, p)
	if err != nil {
		return nil, err
	}
	count := int64(0)
	for _, o := range compose.OrbitsOf(group, listed) {
		count += o.Size
	}
	if count > results.MaxCertified {
		return nil, core.Invalid(fmt.Sprint(count),
			"a certificate lists at most %d optimal placements, each with all its images", results.MaxCertified)
	}
	sets := make([][]int, len(listed))
	for i, s := range listed {
		sets[i] = s.Nodes()
	}
	model, err := encode.NewModel(ctx, p, encode.Options{})
	if err != nil {
		return nil, err
	}
	formula, err := model.Formula(ctx, value)
	if err != nil {
		return nil, err
	}
	all := group.Orbits(sets)
	title := fmt.Sprintf("leeway prove --all %s: E_max at most %s, but none of %d placements", p, value.RatString(),
		len(all))
	rest := newClauses(ctx, title, p.Torus(), formula.Except(all))
	rest.Labelled = len(all)
	return rest, nil
}
