package clients_test

import (
	"math"
	"math/big"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/objective"
	"leeway/results/check/census"
	"leeway/results/check/clients"
	"leeway/results/check/meter"
)

// TestWalkFindsTheOptimum tries all placements, under conditions too, with the naive evaluator: the walk finds one of
// the best when the value is above their load and none when it is not.
func TestWalkFindsTheOptimum(t *testing.T) {
	m := meter.Unlimited(t.Context())
	for i := range coretest.Cases(400, 80) {
		rng := coretest.Rng(1420, i)
		sides := [][]int{{3, 3}, {2, 5}, {4, 3}, {3, 2}, {2, 6}}[i%5]
		p := objective.Problem{Routing: coretest.Orders(rng, coretest.Opened(rng, core.MustTorus(sides...)))}
		traffic := objective.Traffic{Request: 1 + rng.IntN(3), Reply: rng.IntN(3)}
		if traffic.Reply > 0 && rng.IntN(2) == 0 {
			traffic.Replies = coretest.Orders(rng, p.Torus())
		}
		p = coretest.Must(p.WithTraffic(traffic))
		torus := p.Torus()
		n, c, order := 1+rng.IntN(torus.N()-2), census.Conditions{}, rng.Perm(torus.N())
		if rng.IntN(2) == 0 {
			c.Fixed = core.MustPlacement(torus, order[:1]).Set()
			c.Forbidden = core.MustPlacement(torus, order[1:2]).Set()
		}
		var best *big.Rat
		for set := range uint64(1) << torus.N() {
			s := core.MustPlacement(torus, core.Set{set}.Nodes())
			if s.Size() != n || c.Problem(s) != "" {
				continue
			}
			if most, _ := p.Naive(s).Max(); best == nil || most.Cmp(best) < 0 {
				best = most
			}
		}
		w := coretest.Must(clients.New(m, p, n, c, best, "clients", 0))
		if met := w.Run(m, 0, len(w.Prefixes()), math.MaxInt64); met.Found != nil || met.Ended {
			t.Fatalf("%s n=%d %v: %+v below the optimum %s", p, n, c, met, best.RatString())
		}
		w = coretest.Must(clients.New(m, p, n, c, new(big.Rat).Add(best, big.NewRat(1, 1000)), "clients", 0))
		found := w.Run(m, 0, len(w.Prefixes()), math.MaxInt64).Found
		if found == nil {
			t.Fatalf("%s n=%d %v: no placement has E_max %s", p, n, c, best.RatString())
		}
		s := core.MustPlacement(torus, found)
		if most, _ := p.Naive(s).Max(); s.Size() != n || c.Problem(s) != "" || most.Cmp(best) != 0 {
			t.Fatalf("%s n=%d %v: found %v with E_max %s, the least is %s", p, n, c, found, most.RatString(), best.RatString())
		}
	}
}
