package genetic_test

import (
	"context"
	"math/big"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/search"
	"leeway/search/genetic"
	"leeway/search/searchtest"
)

func TestConform(t *testing.T) { searchtest.Conform(t, genetic.Method{}) }

// TestFindsOptimaOfSmallTori holds the method against the brute force over all placements.
func TestFindsOptimaOfSmallTori(t *testing.T) {
	for _, torus := range []string{"3x3", "2x5", "2x2x2", "11", "3x4"} {
		for _, r := range []string{"odr", "udr:tie=both", "orders:10", "minimal", "avoid"} {
			parsed, _ := core.ParseTorus(torus)
			if parsed.D() != 2 && r == "orders:10" || parsed.N() > 10 && (testing.Short() || r == "minimal" || r == "avoid") {
				continue
			}
			step := 1
			if testing.Short() {
				step = 3
			}
			for n := 1; n <= parsed.N(); n += step {
				p := searchtest.Problem(torus, r, n)
				want := searchtest.Optimum(p)
				out := coretest.Must(genetic.Method{}.Run(context.Background(),
					search.Params{Problem: p, Seed: 2, Evaluations: 4000, Workers: 2, Goal: want}))
				if out.Value.Cmp(want) != 0 {
					t.Errorf("%s: %s, optimum %s", p, out.Value.RatString(), want.RatString())
				}
			}
		}
	}
}

// TestReachesKnownValues asks for values that exhaustive programs have proved optimal, from no
// starting placement at all.
func TestReachesKnownValues(t *testing.T) {
	for _, c := range []struct {
		torus, routing string
		n              int
		want           *big.Rat
	}{
		{"8x8", "udr:tie=both", 16, big.NewRat(4, 1)},
		{"4x4x4", "udr:tie=both", 16, big.NewRat(8, 3)},
		{"6x6", "odr", 6, big.NewRat(2, 1)},
		{"4x4", "odr:tie=both", 4, big.NewRat(1, 1)},
	} {
		p := searchtest.Problem(c.torus, c.routing, c.n)
		out := coretest.Must(genetic.Method{}.Run(context.Background(),
			search.Params{Problem: p, Seed: 1, Evaluations: 300_000, Workers: 2, Goal: c.want}))
		if out.Value.Cmp(c.want) > 0 {
			t.Errorf("%s: %s after %d evaluations, want %s", p, out.Value.RatString(), out.Evaluations, c.want.RatString())
		}
	}
}
