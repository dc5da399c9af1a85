package local

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/objective"
	"leeway/objective/fast"
)

// excess is the overload from the naive evaluator, in units of 1/den.
func excess(p objective.Problem, nodes core.Set, den, limit int64) (cost, most int64) {
	loads := objective.Naive(p.Routing, core.MustPlacement(p.Torus(), nodes.Nodes()))
	for l := range p.Torus().M() {
		v := new(big.Rat).Mul(loads.Load(core.Link(l)), big.NewRat(den, 1))
		w := v.Num().Int64() // whole, as den is a denominator of all loads
		cost += max(0, w-limit)
		most = max(most, w)
	}
	return cost, most
}

// swapOf draws a processor and a free node.
func swapOf(rng *rand.Rand, set core.Set, n int) (out, in int) {
	for out = rng.IntN(n); !set.Has(out); out = rng.IntN(n) {
	}
	for in = rng.IntN(n); set.Has(in); in = rng.IntN(n) {
	}
	return out, in
}

// TestOverloadEqualsNaive makes thousands of random swaps and compares every cost
// with the naive evaluation of the placement.
func TestOverloadEqualsNaive(t *testing.T) {
	cases, compared := 150, 0
	if testing.Short() {
		cases = 25
	}
	for i := range cases {
		rng := coretest.Rng(11, i)
		in := coretest.Random(rng, 30)
		n := in.Torus.N()
		p := objective.Problem{Routing: in.Routing, Size: in.Placement.Size()}
		m, ok := newOverload(p)
		if !ok || p.Size == 0 || p.Size == n {
			continue
		}
		den, _ := m.unit()
		set := in.Placement.Set()
		m.reset(set.Nodes())
		for range 12 {
			_, most := excess(p, set, den, 0)
			limit := rng.Int64N(most + 2)
			m.aim(limit)
			out, to := swapOf(rng, set, n)
			after, without := m.swapCost(out, to, math.MaxInt64), m.dropCost(out)
			set.Remove(out)
			if want, _ := excess(p, set, den, limit); without != want {
				t.Fatalf("%s, %v, limit %d: without gives %d, naive %d", in, set.Nodes(), limit, without, want)
			}
			set.Add(to)
			want, most := excess(p, set, den, limit)
			enough := rng.Int64N(want + 2)
			if cut := m.swapCost(out, to, enough); cut != want && (cut <= enough || want <= enough) {
				t.Fatalf("%s, limit %d: %d for enough %d, naive %d", in, limit, cut, enough, want)
			}
			m.swap(out, to)
			if m.cost() != want || after != want || m.most() != most {
				t.Fatalf("%s, %v, limit %d: cost %d, announced %d, most %d, naive %d and %d", in, set.Nodes(), limit, m.cost(),
					after, m.most(), want, most)
			}
			compared++
		}
	}
	if compared < 4*cases {
		t.Errorf("only %d swaps compared in %d cases", compared, cases)
	}
}

// TestPeakOrdersPlacements checks that the cost of the other model is 0 exactly
// within the limit and otherwise orders by load, then by links.
func TestPeakOrdersPlacements(t *testing.T) {
	for i := range 40 {
		rng := coretest.Rng(12, i)
		in := coretest.Random(rng, 16)
		p := objective.Problem{Routing: in.Routing, Size: in.Torus.N() - 1}
		inc := coretest.Must(fast.NewIncremental(objective.Problem{Routing: p.Routing}, p.Size))
		m := newPeak(inc, p)
		den, exact := m.unit()
		if !exact || p.Size < 2 {
			continue
		}
		type seen struct {
			cost, most int64
			links      int
		}
		m.aim(den)
		var before *seen
		for range 10 {
			placement := coretest.Placement(rng, in.Torus)
			if placement.Size() < 2 || placement.Size() > p.Size {
				continue
			}
			m.reset(placement.Nodes())
			v, links := objective.Naive(p.Routing, placement).Max()
			now := &seen{m.cost(), new(big.Rat).Mul(v, big.NewRat(den, 1)).Num().Int64(), links}
			if (now.cost == 0) != (now.most <= den) {
				t.Fatalf("%s: cost %d of load %d with limit %d", in, now.cost, now.most, den)
			}
			if before != nil && now.cost > 0 && before.cost > 0 && m.scale > 1 {
				less := now.most < before.most || now.most == before.most && now.links < before.links
				if less != (now.cost < before.cost) {
					t.Fatalf("%s: %+v against %+v", in, *now, *before)
				}
			}
			before = now
		}
	}
}
