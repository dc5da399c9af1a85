package bound

import (
	"math/big"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/objective"
)

// cutBounds returns the bounds by node sets, that of the separator first.
func cutBounds(t *testing.T, p core.Placement) []objective.Bound {
	return []objective.Bound{separator(t.Context(), p), slab(p), bisection(t.Context(), p)}
}

// TestCutBoundsHold compares the bounds by node sets with the naive evaluator
// under random routings of every family.
func TestCutBoundsHold(t *testing.T) {
	cases := 2000
	if testing.Short() {
		cases = 400
	}
	for i := range cases {
		in := coretest.Random(coretest.Rng(41, i), 32)
		most, _ := objective.Naive(in.Routing, in.Placement).Max()
		for _, b := range cutBounds(t, in.Placement) {
			if b.Value.Cmp(most) > 0 {
				t.Fatalf("%s: %s is %s, E_max %s", in, b.Name, b.Value.RatString(), most.RatString())
			}
			if in.Placement.Size() >= 2 && (b.Value.Sign() == 0 || b.Witness.Links == 0) {
				t.Fatalf("%s: %s is %s by %d links", in, b.Name, b.Value.RatString(), b.Witness.Links)
			}
		}
	}
}

// TestSeparatorIsBest: no other bound by node sets is above the separator.
func TestSeparatorIsBest(t *testing.T) {
	for i := range cases(300, 50) {
		rng := coretest.Rng(42, i)
		torus := coretest.Torus(rng, 80)
		p := coretest.Placement(rng, torus)
		bounds := cutBounds(t, p)
		for _, b := range bounds[1:] {
			if s := bounds[0]; b.Value.Cmp(s.Value) > 0 {
				t.Fatalf("%s, nodes %v: %s %s above separator %s", torus, p.Nodes(), b.Name, b.Value.RatString(),
					s.Value.RatString())
			}
		}
	}
}

// TestCutBoundsByHand has values worked out on paper.
func TestCutBoundsByHand(t *testing.T) {
	for _, c := range []struct {
		torus, placement, separator, slab, bisection string
	}{
		{"4x4", "full", "8", "8", "8"},                // 8*8/8: two rows, by 8 links
		{"4", "nodes:0+2", "1/2", "1/2", "1/2"},       // 1*1/2
		{"2", "full", "1", "1", "1"},                  // one link
		{"2x2x2", "full", "4", "4", "4"},              // 4*4/4: a face
		{"5", "full", "3", "3", "3"},                  // 2*3/2: an arc
		{"3x3", "nodes:1,1", "0", "0", "0"},           // nobody to send to
		{"12x12", "nodes:0,0+0,1", "1/4", "1/24", ""}, // a node has 4 links, a slab 24
	} {
		torus := coretest.Must(core.ParseTorus(c.torus))
		p := coretest.Must(family.Parse(torus, c.placement))
		for i, b := range cutBounds(t, p) {
			if want := []string{c.separator, c.slab, c.bisection}[i]; want != "" && b.Value.RatString() != want {
				t.Errorf("%s %s: %s is %s, want %s", c.torus, c.placement, b.Name, b.Value.RatString(), want)
			}
		}
	}
}

// TestCutBoundsOnLargeTori repeats the arithmetic of the bounds from their sets on the
// largest tori for which they look hard.
func TestCutBoundsOnLargeTori(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, sides := range []string{"64x64", "16^3", "10x10", "4^3", "2x2048", "2^12"} {
		torus := coretest.Must(core.ParseTorus(sides))
		p := family.Random(torus, torus.N()/4, 3)
		for _, b := range cutBounds(t, p) {
			if want := setBound(p, b.Witness.Set); b.Value.Sign() <= 0 || b.Value.Cmp(want) != 0 {
				t.Errorf("%s: %s is %s, its set gives %s", torus, b.Name, b.Value.RatString(), want.RatString())
			}
		}
	}
}

// setBound returns what must leave a set, spread over the links that leave it.
func setBound(p core.Placement, set [][]int) *big.Rat {
	torus, inside, within, out := p.Torus(), core.NewSet(p.Torus().N()), 0, 0
	for _, coords := range set {
		v := coretest.Must(torus.Node(coords...))
		inside.Add(v)
		if p.Set().Has(v) {
			within++
		}
	}
	for l := range torus.M() {
		if from, to := torus.LinkEnds(core.Link(l)); inside.Has(from) && !inside.Has(to) {
			out++
		}
	}
	return big.NewRat(int64(within*(p.Size()-within)), int64(out))
}
