package work

import (
	"context"
	"math/big"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/objective"
	"leeway/results/check"
	"leeway/search/clients"
)

// TestClientsTreeTwice: engine and checker, whose codes have nothing in common, list the same prefixes of the tree
// clients and meet the same nodes below each, on random networks of up to 36 nodes with conditions.
func TestClientsTreeTwice(t *testing.T) {
	coretest.Alone(t)
	nodes, prefixes := int64(0), 0
	for i := range coretest.Cases(600, 80) {
		rng := coretest.Rng(70, i)
		torus := coretest.Network(rng, 36)
		for torus.D() != 2 {
			torus = coretest.Network(rng, 36)
		}
		traffic := objective.Traffic{Request: 1 + rng.IntN(3), Reply: 1 + rng.IntN(3)}
		if rng.IntN(2) == 0 {
			traffic.Replies = coretest.Orders(rng, torus)
		}
		p := coretest.Must(objective.Problem{Routing: coretest.Orders(rng, torus), Size: 1}.WithTraffic(traffic))
		order := rng.Perm(torus.N())
		n, forbidden := 1+rng.IntN(min(10, torus.N()/2)), rng.IntN(torus.N()/2)
		p = coretest.Must(p.At(n).WithNodes(order[:rng.IntN(min(n, 3))], order[torus.N()-forbidden:]))
		var below *big.Rat // the least of some placements that need not keep to the conditions
		for range 30 {
			s := family.Draw(torus, n, rng)
			if v, _ := p.Evaluate(s).Max(); below == nil || v.Cmp(below) < 0 {
				below = v
			}
		}
		q := coretest.Must(clients.Engine{}.Plan(context.Background(), p, below, 1))
		w := coretest.Must(check.NewRewalk(context.Background(), p, below, "clients", 0))
		if !slices.EqualFunc(q.Prefixes(), w.Prefixes(), slices.Equal) {
			t.Fatalf("case %d, %s below %s: %d prefixes, the checker has %d", i, p, below.RatString(), len(q.Prefixes()),
				len(w.Prefixes()))
		}
		walker := q.Walker()
		for j := range q.Prefixes() {
			a := walker.Walk(j, func(int64) bool { return true })
			b := w.Walk(context.Background(), j, j+1, 1<<40)
			switch {
			case (a.Found.Size() > 0) != (b.Found != nil):
				t.Fatalf("case %d, %s below %s: found %v and %v", i, p, below.RatString(), a.Found.Nodes(), b.Found)
			case b.Found != nil:
				s := core.MustPlacement(torus, b.Found)
				if v, _ := p.Naive(s).Max(); v.Cmp(below) >= 0 || !p.Admits(s) {
					t.Fatalf("case %d, %s: the checker found %v with %s, not below %s", i, p, b.Found, v.RatString(),
						below.RatString())
				}
			case a.Nodes != b.Nodes || a.Sum != b.Sum:
				t.Fatalf("case %d, %s below %s, prefix %v: %d nodes, sum %x; the checker %d, %x", i, p, below.RatString(),
					q.Prefixes()[j], a.Nodes, a.Sum, b.Nodes, b.Sum)
			default:
				nodes += a.Nodes
			}
			prefixes++
		}
	}
	if t.Logf("%d prefixes, %d nodes", prefixes, nodes); nodes < 1000 || prefixes < 1000 {
		t.Errorf("only %d prefixes and %d nodes", prefixes, nodes)
	}
}
