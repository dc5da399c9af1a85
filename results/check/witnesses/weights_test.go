package witnesses

import (
	"context"
	"math/big"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/linkname"
	"leeway/core/routing"
	"leeway/objective/lowerbound"
	"leeway/results/check/meter"
)

// ringWitness is worked out by hand: on a ring of 4 with processors 0 and 2, weight 1 on the two links out of 0 and
// those into 0. From 0 to 2 both ways cost 1, so does the way back: (1 + 1) / 4.
func ringWitness() (core.Placement, lowerbound.Bound) {
	p := core.MustPlacement(core.MustTorus(4), []int{0, 2})
	link := func(from int, dir string) lowerbound.LinkWeight {
		return lowerbound.LinkWeight{Name: linkname.Name{From: []int{from}, Dim: 0, Dir: dir}, Weight: "1"}
	}
	return p, lowerbound.Bound{Name: lowerbound.Congestion, Value: big.NewRat(1, 2),
		Witness: lowerbound.Witness{Weights: []lowerbound.LinkWeight{link(0, "+"), link(0, "-"), link(3, "+"), link(1, "-")}}}
}

func TestWeightsAccepted(t *testing.T) {
	p, b := ringWitness()
	if problem := weightsProblem(meter.Unlimited(context.Background()), p.Torus(), b, p.Nodes(), each); problem != "" {
		t.Error(problem)
	}
	if problem := weightsProblem(meter.Unlimited(context.Background()), p.Torus(),
		lowerbound.Bound{Value: new(big.Rat)}, p.Nodes(), each); problem != "" {
		t.Errorf("value 0 without weights: %s", problem)
	}
}

// TestWeightsNearMisses changes one thing of a right witness.
func TestWeightsNearMisses(t *testing.T) {
	cases := map[string]func(*lowerbound.Bound){
		"value":          func(b *lowerbound.Bound) { b.Value = big.NewRat(501, 1000) },
		"no weights":     func(b *lowerbound.Bound) { b.Witness.Weights = nil },
		"one weight":     func(b *lowerbound.Bound) { b.Witness.Weights[1].Weight = "2" },
		"negative":       func(b *lowerbound.Bound) { b.Witness.Weights[0].Weight = "-1" },
		"not a number":   func(b *lowerbound.Bound) { b.Witness.Weights[0].Weight = "1/2" },
		"leading zero":   func(b *lowerbound.Bound) { b.Witness.Weights[0].Weight = "01" },
		"very large":     func(b *lowerbound.Bound) { b.Witness.Weights[0].Weight = "99999999999999999999" },
		"twice":          func(b *lowerbound.Bound) { b.Witness.Weights[1] = b.Witness.Weights[0] },
		"node outside":   func(b *lowerbound.Bound) { b.Witness.Weights[0].From = []int{4} },
		"node too long":  func(b *lowerbound.Bound) { b.Witness.Weights[0].From = []int{0, 0} },
		"dimension":      func(b *lowerbound.Bound) { b.Witness.Weights[0].Dim = 1 },
		"direction":      func(b *lowerbound.Bound) { b.Witness.Weights[0].Dir = "up" },
		"one link short": func(b *lowerbound.Bound) { b.Witness.Weights = b.Witness.Weights[1:] },
		"all zero": func(b *lowerbound.Bound) {
			for i := range b.Witness.Weights {
				b.Witness.Weights[i].Weight = "0"
			}
		},
	}
	for name, change := range cases {
		p, b := ringWitness()
		change(&b)
		if problem := weightsProblem(meter.Unlimited(context.Background()), p.Torus(), b, p.Nodes(), each); problem == "" {
			t.Errorf("%s: accepted", name)
		}
	}
}

// TestWeightsOnSideTwo refuses the direction that a side of 2 does not have.
func TestWeightsOnSideTwo(t *testing.T) {
	p := core.MustPlacement(core.MustTorus(2), []int{0, 1})
	weight := lowerbound.LinkWeight{Name: linkname.Name{From: []int{0}, Dim: 0, Dir: "+"}, Weight: "1"}
	b := lowerbound.Bound{Value: big.NewRat(1, 1), Witness: lowerbound.Witness{Weights: []lowerbound.LinkWeight{weight}}}
	if problem := weightsProblem(meter.Unlimited(context.Background()), p.Torus(), b, p.Nodes(), each); problem != "" {
		t.Error(problem)
	}
	b.Witness.Weights[0].Dir = "-"
	if problem := weightsProblem(meter.Unlimited(context.Background()), p.Torus(), b, p.Nodes(), each); problem == "" {
		t.Error("direction - accepted on a side of 2")
	}
}

// TestCheapestFromAgainstPaths compares with every shortest path, listed.
func TestCheapestFromAgainstPaths(t *testing.T) {
	for i := range 150 {
		rng := coretest.Rng(31, i)
		torus := coretest.AnyNetwork(rng, 40)
		weights := make([]int64, torus.M())
		for l := range weights {
			weights[l] = rng.Int64N(6)
		}
		from := rng.IntN(torus.N())
		all := routing.NewMinimal(torus, routing.TieBoth)
		for to, got := range cheapestFrom(meter.Unlimited(context.Background()), torus, from, weights) {
			if to == from {
				continue
			}
			want := int64(1 << 60)
			for path := range all.Paths(from, to, nil) {
				sum := int64(0)
				for _, l := range path {
					sum += weights[l]
				}
				want = min(want, sum)
			}
			if got != want {
				t.Fatalf("case %d, %s: from %d to %d costs %d, the cheapest path %d", i, torus, from, to, got, want)
			}
		}
	}
}
