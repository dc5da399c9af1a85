package peers_test

import (
	"context"
	"math/big"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/objective"
	"leeway/search"
	"leeway/search/genetic"
	"leeway/search/local"
	"leeway/search/orbit"
	"leeway/search/portfolio"
	"leeway/search/searchtest"
)

// A runner looks until the goal or the end of the context and returns the best.
type runner func(ctx context.Context, p objective.Problem, goal *big.Rat, seed uint64) (core.Placement, error)

var runners = []struct {
	name string
	run  runner
}{
	{"eaopt", runPlain},
	{"annealing", runAnnealing},
	{"genetic", runnerOf(genetic.Method{})},
	{"local", runnerOf(local.Method{})},
	{"portfolio", func(ctx context.Context, p objective.Problem, goal *big.Rat, seed uint64) (core.Placement, error) {
		out, err := portfolio.Run(ctx, []search.Method{orbit.Lattice{}, orbit.Method{}, local.Method{}, genetic.Method{}},
			search.Params{Problem: p, Goal: goal, Seed: seed, Workers: 1}, portfolio.Options{})
		return out.Best, err
	}},
}

// runnerOf runs a method of this project, with one worker and no starts.
func runnerOf(m search.Method) runner {
	return func(ctx context.Context, p objective.Problem, goal *big.Rat, seed uint64) (core.Placement, error) {
		out, err := m.Run(ctx, search.Params{Problem: p, Goal: goal, Seed: seed, Workers: 1})
		return out.Best, err
	}
}

// TestReachOptima holds every runner against the brute force over all placements:
// none is better than the optimum, all reach it.
func TestReachOptima(t *testing.T) {
	for _, c := range []struct {
		torus, routing string
		n              int
	}{{"3x3", "odr", 4}, {"3x4", "udr:tie=both", 5}, {"2x2x3", "udr", 4}, {"10", "odr:tie=both", 3}} {
		p := searchtest.Problem(c.torus, c.routing, c.n)
		want := searchtest.Optimum(p)
		for _, r := range runners {
			best := coretest.Must(r.run(context.Background(), p, want, 1))
			if got, _ := objective.Naive(p.Routing, best).Max(); got.Cmp(want) != 0 {
				t.Errorf("%s on %s: %s, optimum %s", r.name, p, got.RatString(), want.RatString())
			}
		}
	}
}

// TestAnnealerLoads compares the loads that the annealer keeps with the naive evaluator after random swaps.
func TestAnnealerLoads(t *testing.T) {
	for _, routing := range []string{"odr", "udr:tie=both", "udr"} {
		p := searchtest.Problem("3x4x2", routing, 7)
		a := newAnnealer(p, 1)
		a.draw()
		for range 50 {
			a.swap(a.rng.IntN(len(a.nodes)), a.rng.IntN(len(a.free)))
			loads := objective.Naive(p.Routing, core.MustPlacement(p.Torus(), slices.Sorted(slices.Values(a.nodes))))
			most := new(big.Rat)
			for l, w := range a.load {
				got := big.NewRat(int64(w), a.den)
				if want := loads.Load(core.Link(l)); got.Cmp(want) != 0 {
					t.Fatalf("%s: link %d has %s, naive %s", p, l, got, want)
				}
				if got.Cmp(most) > 0 {
					most = got
				}
			}
			if got := big.NewRat(int64(a.most()), a.den); got.Cmp(most) != 0 {
				t.Fatalf("%s: most %s, largest load %s", p, got, most)
			}
		}
	}
}
