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
	"leeway/results/resultstest"
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
	for name, changes := range map[string]string{
		"value":          `Value="501/1000"`,
		"no weights":     "-Witness.weights",
		"one weight":     `Witness.weights.1.weight="2"`,
		"negative":       `Witness.weights.0.weight="-1"`,
		"not a number":   `Witness.weights.0.weight="1/2"`,
		"leading zero":   `Witness.weights.0.weight="01"`,
		"very large":     `Witness.weights.0.weight="99999999999999999999"`,
		"twice":          `Witness.weights.1.dir="+"`,
		"node outside":   "Witness.weights.0.from=[4]",
		"node too long":  "Witness.weights.0.from=[0,0]",
		"dimension":      "Witness.weights.0.dim=1",
		"direction":      `Witness.weights.0.dir="up"`,
		"one link short": "-Witness.weights.0",
		"all zero": `Witness.weights.0.weight="0"; Witness.weights.1.weight="0"; Witness.weights.2.weight="0"; ` +
			`Witness.weights.3.weight="0"`,
	} {
		p, b := ringWitness()
		b = resultstest.Changed(b, changes)
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
