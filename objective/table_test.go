package objective_test

import (
	"math/big"
	"testing"

	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/objective"
)

// TestTablesEqualNaive holds every evaluator against the definition on random
// tables, by displacement and by pair.
func TestTablesEqualNaive(t *testing.T) {
	for i := range 200 {
		rng := coretest.Rng(93, i)
		torus := coretest.Torus(rng, 24)
		table, p := coretest.Table(rng, torus, i%2 == 0), coretest.Placement(rng, torus)
		in := coretest.Instance{Torus: torus, Routing: table, Placement: p}
		naive := objective.Naive(table, p)
		sameLoads(t, in.String(), objective.Evaluate(table, p), naive)
		pairwise, err := objective.PairwiseWithin(func() error { return nil }, table, p)
		if err != nil {
			t.Fatal(err)
		}
		sameLoads(t, in.String(), pairwise, naive)
		inc, err := objective.NewIncremental(table, torus.N())
		if err != nil {
			if routing.Invariant(table) {
				t.Fatalf("%s: %v", in, err)
			}
			continue // a table by pair may be refused, but not be wrong
		}
		inc.Reset(p.Nodes())
		most, _ := inc.Peak()
		if want, _ := naive.Max(); inc.Exact() && big.NewRat(most, inc.Den()).Cmp(want) != 0 {
			t.Fatalf("%s: incremental peak %d/%d, naive %s", in, most, inc.Den(), want.RatString())
		}
	}
}
