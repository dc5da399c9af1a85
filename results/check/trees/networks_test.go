package trees

import (
	"context"
	"math/big"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results/check/census"
	"leeway/results/check/meter"
)

// TestNetworksAndConditions compares on random networks and tori, most with fixed and forbidden nodes, with the naive
// evaluation of all placements: the full count meets as many as there are and finds one below a value exactly if there
// is one, the count of orbits has all placements within the optimum, and the walk of the tree finds one below a value
// exactly if there is one; that of the tree margin visits what its twin does.
func TestNetworksAndConditions(t *testing.T) {
	compared := int64(0)
	for i := range coretest.Cases(300, 100) {
		rng := coretest.Rng(912, i)
		torus := coretest.AnyNetwork(rng, 10)
		if i%3 == 0 {
			torus = coretest.Torus(rng, 10)
		}
		r := routing.Routing(coretest.Orders(rng, torus))
		if i%4 == 0 {
			r = routing.NewAvoid(torus, routing.Tie(rng.IntN(2)))
		}
		order, a := rng.Perm(torus.N()), rng.IntN(torus.N()/2)
		b := a + rng.IntN(torus.N()-a)
		var c census.Conditions
		if a > 0 {
			c.Fixed = core.MustPlacement(torus, order[:a]).Set()
		}
		if b > a {
			c.Forbidden = core.MustPlacement(torus, order[a:b]).Set()
		}
		n := a + 1 + rng.IntN(torus.N()-b)
		var best *big.Rat
		looked, optima := int64(0), int64(0)
		for mask := uint64(0); mask < 1<<torus.N(); mask++ {
			s := core.MustPlacement(torus, core.Set{mask}.Nodes())
			if s.Size() != n || c.Problem(s) != "" {
				continue
			}
			if c.Any() || !torus.Closed() || mask&1 != 0 {
				looked++
			}
			switch most, _ := objective.Naive(r, s).Max(); {
			case best == nil || most.Cmp(best) < 0:
				best, optima = most, 1
			case most.Cmp(best) == 0:
				optima++
			}
		}
		m := meter.Unlimited(context.Background())
		above := new(big.Rat).Add(best, big.NewRat(1, 1000000))
		p := objective.Problem{Routing: r}
		if count, problem := census.NoneBelow(m, p, n, c, best); problem != "" || count.Int64() != looked {
			t.Errorf("%s %s n=%d %v: %s counted, %q, there are %d", torus, r, n, c, count, problem, looked)
		}
		if _, problem := census.NoneBelow(m, p, n, c, above); problem == "" {
			t.Errorf("%s %s n=%d %v: nothing found at %s", torus, r, n, c, best.RatString())
		}
		if count, err := Orbits(m, r, n, c, best, 2); err != nil || count.Placements.Int64() != optima {
			t.Errorf("%s %s n=%d %v: %+v, %v, there are %d optima", torus, r, n, c, count, err, optima)
		}
		for j, below := range []*big.Rat{best, above, best, above} {
			engine, split := "orderly", 1
			if j > 1 {
				if engine, split = treeMargin, 0; torus.D() != 2 || r.DependsOnPlacement() || torus.Twisted() {
					continue
				}
			}
			w, err := New(m, r, n, c, below, engine, split)
			if err != nil {
				t.Fatal(err)
			}
			if j > 1 {
				compared += sameAsTwin(t, r.(*routing.Orders), n, c, below)
			}
			found := w.Run(m, 0, len(w.Prefixes()), 1<<40).Found
			if (found != nil) != (below == above) {
				t.Errorf("%s %s n=%d %v below %s, %s: %v found", torus, r, n, c, below.RatString(), engine, found)
			}
			if found == nil {
				continue
			}
			s := core.MustPlacement(torus, found)
			if most, _ := objective.Naive(r, s).Max(); most.Cmp(below) >= 0 || c.Problem(s) != "" || s.Size() != n {
				t.Errorf("%s %s n=%d %v: found %v", torus, r, n, c, found)
			}
		}
	}
	if compared < 100 {
		t.Errorf("only %d nodes of the tree margin were compared", compared)
	}
}
