package bisect

import (
	"fmt"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
)

// TestSparsestAgainstAllSets compares with every set on small tori, also when the
// exact engine gets no help but a single processor.
func TestSparsestAgainstAllSets(t *testing.T) {
	cases, nodes := 200, 18
	if testing.Short() {
		cases, nodes = 120, 13
	}
	for i := range cases {
		rng := coretest.Rng(33, i)
		torus := coretest.Torus(rng, nodes)
		p := coretest.Placement(rng, torus)
		set, exact := Sparsest(t.Context(), p)
		if p.Size() < 2 {
			if set != nil || !exact {
				t.Fatalf("case %d: a cut %v for %d processors", i, set, p.Size())
			}
			continue
		}
		alone := &sparse{graph: newGraph(torus), placement: p, processors: p.Set()}
		alone.take(alone.setOf(p.Nodes()[:1]))
		if !exact || !alone.exact(t.Context()) {
			t.Fatalf("case %d, %s, nodes %v: not exact", i, torus, p.Nodes())
		}
		for _, got := range []core.Set{set, alone.set} {
			if problem := notSparsest(p, got); problem != "" {
				t.Fatalf("case %d, %s, nodes %v: %s", i, torus, p.Nodes(), problem)
			}
		}
	}
}

// notSparsest says why a set is not the sparsest of all, "" if it is.
func notSparsest(p core.Placement, set core.Set) string {
	n, count, out := p.Size(), inside(p, set), Out(p.Torus(), set)
	reached := false
	for c, least := range narrowest(p) {
		if least == 0 { // the empty set or all nodes
			continue
		}
		switch sign := c*(n-c)*out - count*(n-count)*least; {
		case sign > 0:
			return fmt.Sprintf("%d|%d by %d links, but %d|%d by %d is sparser", count, n-count, out, c, n-c, least)
		case sign == 0:
			reached = true
		}
	}
	if !reached {
		return fmt.Sprintf("%d|%d by %d links is sparser than any set", count, n-count, out)
	}
	return ""
}

// TestBoxes counts processors and links of the best box anew.
func TestBoxes(t *testing.T) {
	for i := range 100 {
		rng := coretest.Rng(34, i)
		torus := coretest.Torus(rng, 60)
		p := coretest.Placement(rng, torus)
		if p.Size() < 2 {
			continue
		}
		s := &sparse{graph: newGraph(torus), placement: p, processors: p.Set()}
		s.boxes()
		if inside(p, s.set) != s.count || Out(torus, s.set) != s.out {
			t.Fatalf("case %d, %s, nodes %v: box %v has %d processors and %d links, said to have %d and %d",
				i, torus, p.Nodes(), s.set.Nodes(), inside(p, s.set), Out(torus, s.set), s.count, s.out)
		}
	}
}

// TestSparsestBlock has two blocks of 2x2 processors far apart: one block leaves by
// 8 links, and no set of fewer links holds two processors or more.
func TestSparsestBlock(t *testing.T) {
	torus := core.MustTorus(12, 12)
	p, err := core.PlacementFromCoords(torus, [][]int{{3, 3}, {3, 4}, {4, 3}, {4, 4}, {9, 9}, {9, 10}, {10, 9},
		{10, 10}})
	if err != nil {
		t.Fatal(err)
	}
	set, _ := Sparsest(t.Context(), p)
	if got := 8 * inside(p, set) * (8 - inside(p, set)); got != 16*Out(torus, set) {
		t.Errorf("%d processors by %d links, want 4 by 8", inside(p, set), Out(torus, set))
	}
}
