package local_test

import (
	"context"
	"math/big"
	"slices"
	"testing"

	"leeway/core"
	"leeway/objective"
	"leeway/search"
	"leeway/search/local"
	"leeway/search/searchtest"
)

func TestConform(t *testing.T) { searchtest.Conform(t, local.Method{}) }

func run(t *testing.T, p search.Params) search.Outcome {
	t.Helper()
	out, err := local.Method{}.Run(context.Background(), p)
	if err != nil {
		t.Fatalf("%s: %v", p.Problem, err)
	}
	if exact, _ := objective.Naive(p.Problem.Routing, out.Best).Max(); exact.Cmp(out.Value) != 0 {
		t.Fatalf("%s: reports %s for %v, naive %s", p.Problem, out.Value.RatString(), out.Best.Nodes(), exact.RatString())
	}
	return out
}

// TestFindsOptimaOfSmallTori holds the method against the brute force over all
// placements, and in a long run also on 12 nodes.
func TestFindsOptimaOfSmallTori(t *testing.T) {
	problems := searchtest.Small()
	for n := 1; n <= 12 && !testing.Short(); n++ {
		problems = append(problems, searchtest.Problem("3x4", "udr:tie=both", n), searchtest.Problem("3x4", "orders:10", n))
	}
	for i, p := range problems {
		if testing.Short() && i%7 != 3 {
			continue
		}
		out := run(t, search.Params{Problem: p, Seed: 2, Evaluations: 3000, Workers: 1})
		if want := searchtest.Optimum(p); out.Value.Cmp(want) != 0 {
			t.Errorf("%s: %s, optimum %s", p, out.Value.RatString(), want.RatString())
		}
	}
}

// TestReachesProvedOptima starts from random placements and looks for values that
// other engines prove optimal, under several seeds.
func TestReachesProvedOptima(t *testing.T) {
	for _, c := range []struct {
		torus, routing string
		n              int
		want           *big.Rat
	}{
		{"8x8", "udr:tie=both", 16, big.NewRat(4, 1)},
		{"8x8", "odr", 9, big.NewRat(3, 1)},
		{"6x6", "udr:tie=both", 18, big.NewRat(27, 4)},
		{"6x6", "odr", 18, big.NewRat(12, 1)},
		{"4x4x4", "udr:tie=both", 16, big.NewRat(8, 3)},
		{"4x4", "odr:tie=both", 4, big.NewRat(1, 1)},
	} {
		seeds := uint64(3)
		if testing.Short() {
			seeds = 1
		}
		for seed := range seeds {
			p := searchtest.Problem(c.torus, c.routing, c.n)
			out := run(t, search.Params{Problem: p, Seed: seed, Evaluations: 1_000_000, Workers: 2, Goal: c.want})
			if out.Value.Cmp(c.want) != 0 {
				t.Errorf("%s, seed %d: %s after %d evaluations, want %s", p, seed, out.Value.RatString(), out.Evaluations,
					c.want.RatString())
			}
		}
	}
}

// TestLargeTori goes through the sampled steps of the peak model, on a torus that has no vectors.
func TestLargeTori(t *testing.T) {
	if testing.Short() {
		t.Skip("some hundred evaluations of a torus of 4096 nodes")
	}
	p := searchtest.Problem("16^3", "odr", 100)
	first := run(t, search.Params{Problem: p, Seed: 1, Evaluations: 1, Workers: 1})
	out := run(t, search.Params{Problem: p, Seed: 1, Evaluations: 3000, Workers: 2})
	if out.Value.Cmp(first.Value) >= 0 {
		t.Errorf("%s after 3000 evaluations, %s after one", out.Value.RatString(), first.Value.RatString())
	}
}

// TestKeepsAGoodStart gives an optimal start: it is returned though the chain leaves it, and with a goal at once.
func TestKeepsAGoodStart(t *testing.T) {
	p := searchtest.Problem("8x8", "udr:tie=both", 16)
	start := run(t, search.Params{Problem: p, Seed: 1, Goal: big.NewRat(4, 1), Workers: 1}).Best
	for _, goal := range []*big.Rat{nil, big.NewRat(4, 1)} {
		out := run(t, search.Params{Problem: p, Seed: 9, Starts: []core.Placement{start}, Goal: goal, Evaluations: 400,
			Workers: 1})
		if !slices.Equal(out.Best.Nodes(), start.Nodes()) {
			t.Errorf("goal %v: %v, start %v", goal, out.Best.Nodes(), start.Nodes())
		}
		if goal != nil && out.Evaluations != 1 {
			t.Errorf("%d evaluations to see that the start is good enough", out.Evaluations)
		}
	}
}

// TestGoalsDoNotDependOnWorkers stops in the middle of rounds at goals of several depths.
func TestGoalsDoNotDependOnWorkers(t *testing.T) {
	p := searchtest.Problem("6x6", "udr:tie=both", 12)
	seeds := uint64(8)
	if testing.Short() {
		seeds = 2
	}
	for seed := range seeds {
		for _, goal := range []*big.Rat{big.NewRat(4, 1), big.NewRat(7, 2), big.NewRat(3, 1)} {
			params := search.Params{Problem: p, Seed: seed, Goal: goal, Evaluations: 200_000, Workers: 1}
			one := run(t, params)
			for _, workers := range []int{2, 8} {
				params.Workers = workers
				many := run(t, params)
				if many.Evaluations != one.Evaluations || many.Reason != one.Reason ||
					!slices.Equal(many.Best.Nodes(), one.Best.Nodes()) {
					t.Errorf("seed %d, goal %s: %v after %d evaluations with %d workers, %v after %d with one", seed, goal.RatString(),
						many.Best.Nodes(), many.Evaluations, workers, one.Best.Nodes(), one.Evaluations)
				}
			}
		}
	}
}
