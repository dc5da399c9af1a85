package check

import (
	"math/big"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/objective"
)

// TestOrbitCensusEqualsCensus asks both counts, which share nothing but the
// paths, for limits around the optimum.
func TestOrbitCensusEqualsCensus(t *testing.T) {
	for _, dims := range [][]int{{3, 3}, {2, 5}, {2, 2, 3}, {12}, {3, 4}, {4, 4}} {
		torus := core.MustTorus(dims...)
		for i := range 6 {
			rng := coretest.Rng(31, i)
			var r routing.Routing = coretest.Orders(rng, torus)
			if i == 0 {
				r = routing.NewMinimal(torus, coretest.Tie(rng))
			}
			for n := 1; n <= torus.N(); n++ {
				if torus.N() > 12 && n%3 != i%3 {
					continue
				}
				best := big.NewRat(1_000_000, 1)
				for { // lower the limit until the plain count finds nothing
					_, found := census(r, n, best)
					if found == nil {
						break
					}
					best, _ = objective.Naive(r, *found).Max()
				}
				above := new(big.Rat).Add(best, big.NewRat(1, 1000))
				if found, complete, err := orbitCensus(r, n, best); found != nil || !complete || err != nil {
					t.Fatalf("%s %s n=%d below %s: %v, complete %v, %v", torus, r, n, best.RatString(), found, complete, err)
				}
				found, complete, err := orbitCensus(r, n, above)
				if found == nil || !complete || err != nil {
					t.Fatalf("%s %s n=%d below %s: nothing found, complete %v, %v", torus, r, n, above.RatString(), complete, err)
				}
				if load, _ := objective.Naive(r, *found).Max(); load.Cmp(best) != 0 {
					t.Fatalf("%s %s n=%d: found E_max %s, least is %s", torus, r, n, load.RatString(), best.RatString())
				}
			}
		}
	}
}
