package search

import (
	"fmt"
	"math/big"

	"leeway/core"
	"leeway/objective"
)

// BestStart returns the best of the starts with its E_max, the placement of the
// first nodes if there is none. It fails with an *core.InputError when a start is
// no placement of the problem.
func (p Params) BestStart() (best core.Placement, value *big.Rat, err error) {
	starts := p.Starts
	if len(starts) == 0 {
		nodes := make([]int, p.Problem.Size)
		for i := range nodes {
			nodes[i] = i * p.Problem.Torus().N() / p.Problem.Size
		}
		starts = []core.Placement{core.MustPlacement(p.Problem.Torus(), nodes)}
	}
	for _, s := range starts {
		if s.Size() != p.Problem.Size || !s.Torus().Equal(p.Problem.Torus()) {
			return best, value, &core.InputError{Text: fmt.Sprint(s.Nodes()), Problem: "a start is no placement of " + p.Problem.String()}
		}
		if v, _ := objective.Evaluate(p.Problem.Routing, s).Max(); value == nil || v.Cmp(value) < 0 {
			best, value = s, v
		}
	}
	return best, value, nil
}
