package joint_test

import (
	"context"
	"math/big"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/search"
	"leeway/search/family"
	"leeway/search/joint"
	"leeway/search/local"
	"leeway/search/orbit"
	"leeway/search/portfolio"
	"leeway/search/restrict"
)

// twoPhases looks for placements under all paths, then for the best table of each,
// with half of the evaluations for either: what package joint has to be worth.
func twoPhases(t *testing.T, p search.Params, methods []search.Method) *big.Rat {
	t.Helper()
	torus, single := p.Problem.Torus(), p.Problem.Free.Single
	placing := search.Params{Problem: p.Problem.Given(), Goal: p.Goal, Seed: p.Seed, Evaluations: p.Evaluations / 2,
		Workers: 1}
	out := coretest.Must(portfolio.Run(context.Background(), methods, placing, portfolio.Options{}))
	var best *big.Rat
	for _, e := range out.State.Archive {
		r := coretest.Must(restrict.Run(context.Background(),
			restrict.Params{Placement: core.MustPlacement(torus, e.Nodes), Single: single, Goal: p.Goal, Seed: p.Seed,
				Evaluations: p.Evaluations / 2 / int64(len(out.State.Archive)), Workers: 1}))
		if best == nil || r.Value.Cmp(best) < 0 {
			best = r.Value
		}
	}
	return best
}

// TestAgainstTwoPhases holds the search against the two phases, with the same methods
// and evaluations, and the best of three seeds for either: never worse, better where it says so, and at the value that
// is to be reached, a lower bound but on 4x4 and with 10 processors.
func TestAgainstTwoPhases(t *testing.T) {
	swaps := []search.Method{family.Method{}, local.Method{}}
	for _, c := range []struct {
		sides       []int
		size        int
		single      bool
		finders     []search.Method
		evaluations int64
		better      bool
		reach       string
	}{
		{[]int{4, 4}, 9, false, swaps, 6_000, false, "5/2"},
		{[]int{4, 4}, 5, true, swaps, 30_000, true, "1"},
		{[]int{3, 3, 3}, 7, true, swaps, 50_000, false, "1"},
		{[]int{3, 3, 3}, 12, true, swaps, 200_000, false, "2"},
		{[]int{5, 5}, 7, false, []search.Method{orbit.Method{}}, 20_000, false, "3/2"},
		{[]int{5, 5}, 10, false, swaps, 50_000, false, "5/2"},
	} {
		if testing.Short() && !c.better {
			continue
		}
		free := routing.Free{Single: c.single, MinPaths: 1}
		p := search.Params{Problem: problem(core.MustTorus(c.sides...), c.size, free), Evaluations: c.evaluations, Workers: 1}
		p.Goal, _ = new(big.Rat).SetString(c.reach)
		var best, bestOfTwo *big.Rat
		for p.Seed = 1; p.Seed <= 3; p.Seed++ {
			r := run(t, joint.Method{Finders: c.finders}, p, portfolio.Options{})
			sound(t, free, r)
			best, bestOfTwo = less(best, r.Value), less(bestOfTwo, twoPhases(t, p, c.finders))
		}
		if compared := best.Cmp(bestOfTwo); compared > 0 || c.better && compared == 0 {
			t.Errorf("%s, %d processors: %s, two phases %s", p.Problem.Torus(), c.size, best.RatString(), bestOfTwo.RatString())
		}
		if best.Cmp(p.Goal) > 0 {
			t.Errorf("%s, %d processors: %s, want %s", p.Problem.Torus(), c.size, best.RatString(), c.reach)
		}
	}
}

// less returns the smaller of two values, of which the first may be nil.
func less(a, b *big.Rat) *big.Rat {
	if a != nil && a.Cmp(b) <= 0 {
		return a
	}
	return b
}
