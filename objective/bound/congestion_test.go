package bound

import (
	"math/big"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
)

// TestCongestionHolds: below E_max of every routing, and by its own arithmetic
// at least the mean, since equal weights are weights too.
func TestCongestionHolds(t *testing.T) {
	cases := 400
	if testing.Short() {
		cases = 100
	}
	for i := range cases {
		in := coretest.Random(coretest.Rng(51, i), 24)
		b := congestionBound(t.Context(), in.Placement)
		if most, _ := objective.Naive(in.Routing, in.Placement).Max(); b.Value.Cmp(most) > 0 {
			t.Fatalf("case %d, %s: congestion %s, E_max %s", i, in, b.Value.RatString(), most.RatString())
		}
		total := int64(0)
		for _, p := range in.Placement.Nodes() {
			for _, q := range in.Placement.Nodes() {
				total += int64(in.Torus.LeeDistance(p, q))
			}
		}
		if mean := big.NewRat(total, int64(in.Torus.M())); b.Value.Cmp(mean) < 0 {
			t.Fatalf("case %d, %s: congestion %s below the mean %s", i, in, b.Value.RatString(), mean.RatString())
		}
	}
}

// TestCongestionRepeats: the same placement gives the same weights, and a
// reflected one the same value where it is solved exactly.
func TestCongestionRepeats(t *testing.T) {
	torus := core.MustTorus(5, 4)
	p := family.Random(torus, 6, 3)
	var mirrored []int
	for _, v := range p.Nodes() {
		node := coretest.Must(torus.Node(4-torus.Coord(v, 0), torus.Coord(v, 1)))
		mirrored = append(mirrored, node)
	}
	a, b := congestionBound(t.Context(), p), congestionBound(t.Context(), p)
	c := congestionBound(t.Context(), core.MustPlacement(torus, mirrored))
	if len(a.Witness.Weights) == 0 || len(a.Witness.Weights) != len(b.Witness.Weights) || a.Value.Cmp(c.Value) != 0 {
		t.Errorf("%s with %d weights, again %d, mirrored %s", a.Value.RatString(), len(a.Witness.Weights),
			len(b.Witness.Weights), c.Value.RatString())
	}
	for i := range a.Witness.Weights {
		if a.Witness.Weights[i].Weight != b.Witness.Weights[i].Weight {
			t.Fatalf("weight %d differs", i)
		}
	}
}

// TestCongestionLimits: nothing is claimed for placements past the limits.
func TestCongestionLimits(t *testing.T) {
	for _, in := range []struct{ k, m, n int }{{5, 5, 0}, {5, 5, 1}, {40, 40, 1500}, {60000, 2, 4}, {120, 120, 900}} {
		b := congestionBound(t.Context(), family.Random(core.MustTorus(in.k, in.m), in.n, 1))
		if b.Name != objective.BoundCongestion || b.Value.Sign() != 0 || len(b.Witness.Weights) != 0 {
			t.Errorf("%dx%d n=%d: %s with %d weights", in.k, in.m, in.n, b.Value.RatString(), len(b.Witness.Weights))
		}
	}
}

// TestCongestionOfShiftedDiagonal: seed 001 meets the degree bound (k-1)/4 there.
func TestCongestionOfShiftedDiagonal(t *testing.T) {
	for k := 3; k <= 9; k++ {
		torus := core.MustTorus(k, k)
		p := coretest.Must(family.Parse(torus, "linear"))
		most, _ := objective.Naive(routing.NewUDR(torus, routing.TieBoth), p).Max()
		if b := congestionBound(t.Context(), p); b.Value.Cmp(big.NewRat(int64(k-1), 4)) != 0 || b.Value.Cmp(most) != 0 {
			t.Errorf("k=%d: %s, E_max %s", k, b.Value.RatString(), most.RatString())
		}
	}
}
