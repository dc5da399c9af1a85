package trees

import (
	"context"
	"math/big"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results/check/meter"
)

// TestCensusAgainstNaive evaluates every placement with the naive evaluator, without using symmetry.
func TestCensusAgainstNaive(t *testing.T) {
	for i := range 60 {
		rng := coretest.Rng(22, i)
		torus := coretest.Torus(rng, 9)
		r := coretest.Routing(rng, torus)
		n := 1 + rng.IntN(torus.N())
		var best *big.Rat
		for set := uint64(0); set < 1<<torus.N(); set++ {
			s := core.Set{set}
			if s.Count() != n {
				continue
			}
			if most, _ := objective.Naive(r, core.MustPlacement(torus, s.Nodes())).Max(); best == nil || most.Cmp(best) < 0 {
				best = most
			}
		}
		count, found := census(meter.Unlimited(context.Background()), r, n, Conditions{}, best)
		if want := new(big.Int).Binomial(int64(torus.N()-1), int64(n-1)).Int64(); found != nil || count != want {
			t.Fatalf("%s %s n=%d: below the optimum %s found %v, count %d, want %d",
				torus, r, n, best.RatString(), found, count, want)
		}
		above := new(big.Rat).Add(best, big.NewRat(1, 1000000))
		if _, found := census(meter.Unlimited(context.Background()), r, n, Conditions{}, above); found == nil {
			t.Fatalf("%s %s n=%d: the optimum %s was not found", torus, r, n, best.RatString())
		}
	}
}

// TestCensusOfTheLargest runs the longest counts there are.
func TestCensusOfTheLargest(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, text := range []string{"udr:tie=both", "avoid:tie=both"} {
		r, err := routing.Parse(core.MustTorus(4, 5), text)
		if err != nil {
			t.Fatal(err)
		}
		if count, _ := census(meter.Unlimited(context.Background()), r, 10, Conditions{}, big.NewRat(1, 1)); count != 92378 {
			t.Errorf("%s: count %d, C(19,9) is 92378", text, count)
		}
		if most, found := censusOptimum(r, 10); found != 92378 {
			t.Errorf("%s: count %d at the optimum %s", text, found, most.RatString())
		}
	}
}

// censusOptimum lowers the limit to the load of what is found until nothing is.
func censusOptimum(r routing.Routing, n int) (*big.Rat, int64) {
	limit := big.NewRat(1000, 1)
	for {
		count, found := census(meter.Unlimited(context.Background()), r, n, Conditions{}, limit)
		if found == nil {
			return limit, count
		}
		limit, _ = objective.Naive(r, *found).Max()
	}
}
