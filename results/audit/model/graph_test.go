package model

import (
	"maps"
	"testing"
)

// TestConnectedGraphs counts graphs up to renaming: sequence A001349 of the OEIS.
func TestConnectedGraphs(t *testing.T) {
	count := map[int]int{}
	for _, g := range SmallGraphs(5) {
		count[g.N]++
	}
	if want := map[int]int{1: 1, 2: 1, 3: 2, 4: 6, 5: 21}; !maps.Equal(count, want) {
		t.Errorf("connected graphs by nodes: %v, want %v", count, want)
	}
}

// TestFewestSteps has the optima that are clear by hand: an edge swaps; in a triangle
// each step is a rotation; the middle of a path sends two blocks of its own and two of
// the ends, one at a time.
func TestFewestSteps(t *testing.T) {
	for _, c := range []struct {
		g    Graph
		want int
	}{{Path(1), 0}, {Path(2), 1}, {Complete(3), 2}, {Path(3), 4}} {
		if got := FewestSteps(c.g); got != c.want {
			t.Errorf("%s: %d steps, want %d", c.g, got, c.want)
		}
	}
}

// TestGroups checks that the tables are groups.
func TestGroups(t *testing.T) {
	for _, g := range []Group{cyclicGroup(6), turnedGroup(4, false), turnedGroup(4, true),
		directProduct(cyclicGroup(2), cyclicGroup(4))} {
		involutions := 0
		for x := range g.n {
			if g.product(0, x) != x || g.product(x, 0) != x || g.inverse(x) < 0 {
				t.Errorf("%s: element %d", g.name, x)
			}
			if g.product(x, x) == 0 {
				involutions++
			}
			for y := range g.n {
				for z := range g.n {
					if g.product(g.product(x, y), z) != g.product(x, g.product(y, z)) {
						t.Fatalf("%s: %d %d %d", g.name, x, y, z)
					}
				}
			}
		}
		if want := map[string]int{"Z_6": 2, "D_4": 6, "Q_8": 2, "Z_2 x Z_4": 4}[g.name]; involutions != want {
			t.Errorf("%s: %d square roots of the identity, want %d", g.name, involutions, want)
		}
	}
}

// TestStepsAreJudged has the checker refuse what is not an exchange: A2 without its last step.
func TestStepsAreJudged(t *testing.T) {
	list := Packed([]Graph{Path(2), Path(3)})
	whole := ProductA2(list...)
	if v := whole.In[:len(whole.In)-1].Judge(list...); v.Verdict != "wrong" || v.Fault.Rule != "delivery" {
		t.Errorf("without its last step: %+v", v)
	}
	if got := whole.In[:0].Undelivered(whole.N); got != 30 {
		t.Errorf("without steps %d blocks are not at home", got)
	}
}

// TestHalves has two cuts by hand: a ring needs two edges, a complete graph of four 2*2.
func TestHalves(t *testing.T) {
	if a, b := Halves(Ring(6)), Halves(Complete(4)); a != 2 || b != 4 {
		t.Errorf("halves %d and %d, want 2 and 4", a, b)
	}
}
