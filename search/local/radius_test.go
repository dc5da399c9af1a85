package local

import (
	"math"
	"math/big"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/objective"
	"leeway/search"
	"leeway/search/searchtest"
)

// TestNearbyEqualsDefinition makes random swaps with a radius and compares every cost with that of the loads alone and
// with the nodes that are too far from all processors and the links that are too many, by distances.
func TestNearbyEqualsDefinition(t *testing.T) {
	compared := 0
	for i := range coretest.Cases(150, 40) {
		rng := coretest.Rng(13, i)
		in := coretest.Random(rng, 30)
		n := in.Torus.N()
		p := objective.Problem{Routing: in.Routing, Size: in.Placement.Size(),
			Terms: objective.Terms{Near: objective.Near{Radius: rng.IntN(4), Distance: 1 + rng.IntN(2*n)}}}
		if i%2 == 0 {
			p.Near = objective.Near{Radius: 1 + rng.IntN(3)}
		}
		if p.Size == 0 || p.Size == n {
			continue
		}
		m := coretest.Must(newModel(t.Context(), p)).(*nearby)
		free := p
		free.Near = objective.Near{}
		bare := coretest.Must(newModel(t.Context(), free))
		set := in.Placement.Set()
		far := func() (far int64) {
			total, none := 0, m.deep+1 // links where there is no processor
			for v := range n {
				nearest := none
				for _, w := range set.Nodes() {
					nearest = min(nearest, in.Torus.LeeDistance(v, w))
				}
				if total += nearest; p.Radius > 0 && nearest > p.Radius {
					far++
				}
			}
			if p.Distance > 0 {
				far += int64(max(0, total-p.Distance))
			}
			return far
		}
		m.reset(set.Nodes())
		for range 12 {
			limit := rng.Int64N(m.over)
			m.aim(limit)
			bare.aim(limit)
			out, to := swapOf(rng, set, n)
			after, without := m.swapCost(out, to, math.MaxInt64), m.dropCost(out)
			bare.reset(set.Nodes())
			alone := bare.dropCost(out)
			set.Remove(out)
			if want := alone + far()*m.price; without != want {
				t.Fatalf("%s: without gives %d, not %d", in, without, want)
			}
			set.Add(to)
			bare.reset(set.Nodes())
			cost, most := bare.cost()+far()*m.price, bare.most()+far()*m.over
			enough := rng.Int64N(cost + 2)
			cut := m.swapCost(out, to, enough)
			m.swap(out, to)
			if after != cost || m.cost() != cost || m.most() != most || cut != cost && (cut <= enough || cost <= enough) {
				t.Fatalf("%s: announced %d, for enough %d %d, is %d and most %d, not %d and %d", in, after, enough, cut,
					m.cost(), m.most(), cost, most)
			}
			if load, _ := p.Naive(core.MustPlacement(in.Torus, set.Nodes())).Max(); far() > 0 {
				if den, exact := m.unit(); exact && objective.Numerator(load, big.NewInt(den)).Int64() > m.over {
					t.Fatalf("%s: a load is above %d", in, m.over)
				}
			}
			compared++
		}
	}
	if compared < 200 {
		t.Errorf("only %d swaps", compared)
	}
}

// TestRadiusEndsWithTheContext: the nodes around every node are listed before the first chain begins.
func TestRadiusEndsWithTheContext(t *testing.T) {
	p := searchtest.Problem("20x20", "udr", 30)
	p.Near = objective.Near{Radius: 4}
	ctx := coretest.EndsAfter(10)
	if out, err := (Method{}).Run(ctx, search.Params{Problem: p, Workers: 1}); err != nil ||
		out.Reason != search.Stopped || out.Value != nil || ctx.Looks() > 20 {
		t.Errorf("%+v, %v after %d looks", out, err, ctx.Looks())
	}
}
