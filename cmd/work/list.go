package work

import (
	"context"
	"fmt"
	"io"
	"math/big"

	"leeway/core"
	"leeway/encode"
	"leeway/encode/dimacs"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/results"
	"leeway/results/compose"
)

// A Rest is the formula "some placement has E_max at most a value and is none of those listed": refuted, it says that
// the list is complete, and that no placement has less.
type Rest struct {
	*encode.Rest
	Labelled int // placements that are listed, with all their images
	write    func(io.Writer) error
}

// RestOf returns the rest without some placements and all their images under the group of the problem. Errors are those
// of the formula, and a *core.InputError for more than results.MaxCertified images.
func RestOf(ctx context.Context, p objective.Problem, value *big.Rat, listed []core.Placement) (*Rest, error) {
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
	r := &Rest{Rest: formula.Except(all), Labelled: len(all)}
	title := fmt.Sprintf("leeway prove --all %s: E_max at most %s, but none of %d placements", p, value.RatString(),
		len(all))
	r.write = func(w io.Writer) error {
		return dimacs.Write(stopper{ctx, w}, append([]string{title}, dimacs.Names(p.Torus(), "")...), r)
	}
	return r, nil
}

// WriteFile writes the formula as a file in DIMACS CNF, with the question in its first comment.
func (r *Rest) WriteFile(w io.Writer) error { return r.write(w) }
