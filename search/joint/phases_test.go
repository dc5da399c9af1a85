package joint_test

import (
	"context"
	"math/big"
	"testing"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
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
func twoPhases(t *testing.T, p joint.Params) *big.Rat {
	t.Helper()
	problem := objective.Problem{Routing: routing.NewUDR(p.Torus, routing.TieBoth), Size: p.Size}
	out, err := portfolio.Run(context.Background(), p.Feeders, search.Params{Problem: problem, Goal: p.Goal, Seed: p.Seed, Evaluations: p.Evaluations / 2, Workers: 1},
		portfolio.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var best *big.Rat
	for _, e := range out.State.Archive {
		r, err := restrict.Run(context.Background(), restrict.Params{Placement: core.MustPlacement(p.Torus, e.Nodes), Single: p.Free.Single, Goal: p.Goal, Seed: p.Seed,
			Evaluations: p.Evaluations / 2 / int64(len(out.State.Archive)), Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		if best == nil || r.Value.Cmp(best) < 0 {
			best = r.Value
		}
	}
	return best
}

// TestAgainstTwoPhases holds the search against the two phases, with the same methods
// and evaluations: never worse, better where it says so, and at the value that is to be
// reached, a lower bound but on 4x4 and with 10 processors.
func TestAgainstTwoPhases(t *testing.T) {
	swaps := []search.Method{family.Method{}, local.Method{}}
	for _, c := range []struct {
		sides       []int
		size        int
		single      bool
		feeders     []search.Method
		evaluations int64
		better      bool
		reach       string
	}{
		{[]int{4, 4}, 9, false, swaps, 6_000, false, "5/2"},
		{[]int{4, 4}, 5, true, swaps, 30_000, true, "1"},
		{[]int{3, 3, 3}, 7, true, swaps, 50_000, false, "1"},
		{[]int{3, 3, 3}, 12, true, swaps, 200_000, false, "2"},
		{[]int{5, 5}, 7, false, []search.Method{orbit.New()}, 20_000, false, "3/2"},
		{[]int{5, 5}, 10, false, swaps, 50_000, false, "5/2"},
	} {
		if testing.Short() && !c.better {
			continue
		}
		p := joint.Params{Torus: core.MustTorus(c.sides...), Size: c.size, Free: routing.Free{Single: c.single, MinPaths: 1}, Walk: true,
			Feeders: c.feeders, Seed: 1, Evaluations: c.evaluations, Workers: 1}
		p.Goal, _ = new(big.Rat).SetString(c.reach)
		two, r := twoPhases(t, p), run(t, p)
		sound(t, p.Free, r.Found)
		if compared := r.Value.Cmp(two); compared > 0 || c.better && compared == 0 {
			t.Errorf("%s, %d processors: %s, two phases %s", p.Torus, c.size, r.Value.RatString(), two.RatString())
		}
		if r.Value.Cmp(p.Goal) > 0 {
			t.Errorf("%s, %d processors: %s, want %s", p.Torus, c.size, r.Value.RatString(), c.reach)
		}
	}
}
