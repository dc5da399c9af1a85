package witnesses

import (
	"context"
	"math/big"
	"slices"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective/bound"
	"leeway/objective/lowerbound"
	"leeway/results/check/meter"
)

// TestCutsOfBounds accepts what package bound says on random placements.
func TestCutsOfBounds(t *testing.T) {
	for i := range coretest.Cases(200, 80) {
		rng := coretest.Rng(51, i)
		torus := coretest.Torus(rng, 60)
		if i%2 == 1 {
			torus = coretest.Opened(rng, torus)
		}
		p := coretest.Placement(rng, torus)
		bounds := coretest.Must(bound.PlacementBounds(context.Background(), routing.NewUDR(torus, routing.TieBoth), p))
		for _, name := range []string{lowerbound.Separator, lowerbound.Slab, lowerbound.Bisection} {
			b := named(bounds, name)
			if problem := cutProblem(meter.Unlimited(context.Background()), torus, p, b); problem != "" {
				t.Fatalf("%s, nodes %v: %s", torus, p.Nodes(), problem)
			}
		}
	}
}

// TestCutsOnNetworks changes one thing at a time in what is right on a mesh of two bandwidths: 8 processors pass to the
// other 8 by the 4 links of bandwidth 3 between rows 1 and 2.
func TestCutsOnNetworks(t *testing.T) {
	torus := coretest.Must(core.ParseNetwork("4x4:open=0:bandwidth=3,2"))
	p := coretest.Must(family.Parse(torus, "full"))
	dim := 0
	for _, c := range []struct {
		what    string
		rows    []int
		value   *big.Rat
		links   int
		across  int64
		problem string // "" if valid
	}{
		{"two rows at an end", []int{0, 1}, big.NewRat(16, 3), 4, 12, ""},
		{"two rows at the other end", []int{2, 3}, big.NewRat(16, 3), 4, 12, ""},
		{"two rows between", []int{1, 2}, big.NewRat(8, 3), 8, 24, ""},
		{"both ends", []int{0, 3}, big.NewRat(8, 3), 8, 24, ""},
		{"the links of a ring", []int{0, 1}, big.NewRat(8, 3), 8, 24, "4 links leave"},
		{"bandwidth 1", []int{0, 1}, big.NewRat(16, 1), 4, 0, "have bandwidth 12"},
		{"the other bandwidth", []int{0, 1}, big.NewRat(8, 1), 4, 8, "have bandwidth 12"},
		{"links in place of bandwidth", []int{0, 1}, big.NewRat(16, 1), 4, 12, "gives 16/3"},
		{"rows apart", []int{0, 2}, big.NewRat(16, 9), 12, 36, "not between two cuts"},
	} {
		b := lowerbound.Bound{Name: lowerbound.Slab, Value: c.value,
			Witness: lowerbound.Witness{Links: c.links, Capacity: c.across, Dim: &dim}}
		for _, row := range c.rows {
			for column := range 4 {
				b.Witness.Set = append(b.Witness.Set, []int{row, column})
			}
		}
		if problem := cutProblem(meter.Unlimited(t.Context()), torus, p, b); (problem == "") != (c.problem == "") ||
			!strings.Contains(problem, c.problem) {
			t.Errorf("%s: %q, want %q", c.what, problem, c.problem)
		}
	}
}

// half is a valid bound by hand: on a full 4x4 torus the rows 1 and 2 hold 8 of 16 processors, and each of their 8
// nodes has one link to row 0 or 3.
func half(name string) lowerbound.Bound {
	dim := 0
	var set [][]int
	for _, row := range []int{1, 2} {
		for column := range 4 {
			set = append(set, []int{row, column})
		}
	}
	return lowerbound.Bound{Name: name, Value: big.NewRat(8, 1),
		Witness: lowerbound.Witness{Set: set, Links: 8, Dim: &dim}}
}

// TestCutNearMisses changes one thing at a time.
func TestCutNearMisses(t *testing.T) {
	torus := core.MustTorus(4, 4)
	p, err := family.Parse(torus, "full")
	if err != nil {
		t.Fatal(err)
	}
	one := 1
	for _, c := range []struct {
		what    string
		name    string
		change  func(b *lowerbound.Bound)
		problem string // "" if still valid
	}{
		{"nothing", lowerbound.Separator, func(*lowerbound.Bound) {}, ""},
		{"nothing", lowerbound.Bisection, func(*lowerbound.Bound) {}, ""},
		{"nothing", lowerbound.Slab, func(*lowerbound.Bound) {}, ""},
		{"nothing, but named degree", lowerbound.Degree, func(*lowerbound.Bound) {}, "not one processor"},
		{"0 without a set", lowerbound.Slab,
			func(b *lowerbound.Bound) { *b = lowerbound.Bound{Name: b.Name, Value: new(big.Rat)} }, ""},
		{"no value", lowerbound.Slab, func(b *lowerbound.Bound) { b.Value = nil }, "no value"},
		{"value a little higher", lowerbound.Separator, func(b *lowerbound.Bound) { b.Value = big.NewRat(65, 8) },
			"gives 8, not 65/8"},
		{"value a little lower", lowerbound.Separator, func(b *lowerbound.Bound) { b.Value = big.NewRat(63, 8) },
			"gives 8, not 63/8"},
		{"one link less", lowerbound.Separator,
			func(b *lowerbound.Bound) { b.Witness.Links = 7; b.Value = big.NewRat(64, 7) }, "8 links leave"},
		{"one node less", lowerbound.Bisection, func(b *lowerbound.Bound) { b.Witness.Set = b.Witness.Set[1:] },
			"10 links leave"},
		{"a node twice", lowerbound.Separator, func(b *lowerbound.Bound) { b.Witness.Set[0] = b.Witness.Set[1] }, "twice"},
		{"a node outside", lowerbound.Separator, func(b *lowerbound.Bound) { b.Witness.Set[0] = []int{4, 0} }, "outside"},
		{"a coordinate less", lowerbound.Separator, func(b *lowerbound.Bound) { b.Witness.Set[0] = []int{1} },
			"coordinates"},
		{"all nodes", lowerbound.Separator, func(b *lowerbound.Bound) { b.Witness.Set = p.Coords(); b.Witness.Links = 0 },
			"no link leaves"},
		{"no node", lowerbound.Separator, func(b *lowerbound.Bound) { b.Witness.Set = nil }, "0 links leave"},
		{"three rows, right value", lowerbound.Bisection, rows(1, 2, 3), "12 of 16"},
		{"two rows apart, right value", lowerbound.Slab, rows(0, 2), "not between two cuts"},
		{"three rows of a band", lowerbound.Slab, rows(3, 0, 1), ""},
		{"the other dimension", lowerbound.Slab, func(b *lowerbound.Bound) { b.Witness.Dim = &one }, "a part of slab"},
		{"no dimension", lowerbound.Slab, func(b *lowerbound.Bound) { b.Witness.Dim = nil }, "no dimension"},
	} {
		b := half(c.name)
		b.Witness.Set = slices.Clone(b.Witness.Set)
		c.change(&b)
		if problem := cutProblem(meter.Unlimited(context.Background()), torus, p, b); (problem == "") != (c.problem == "") ||
			!strings.Contains(problem, c.problem) {
			t.Errorf("%s, %s: %q, want %q", c.name, c.what, problem, c.problem)
		}
	}
}

// rows replaces the set by rows of 4x4, with the links and the value by hand.
func rows(list ...int) func(*lowerbound.Bound) {
	return func(b *lowerbound.Bound) {
		b.Witness.Set, b.Witness.Links = nil, 8
		for _, row := range list {
			for column := range 4 {
				b.Witness.Set = append(b.Witness.Set, []int{row, column})
			}
		}
		if len(list) == 2 { // two rows apart: both border on two other rows
			b.Witness.Links = 16
		}
		b.Value = big.NewRat(int64(4*len(list)*(16-4*len(list))), int64(b.Witness.Links))
	}
}

// TestSideOfTwo: the two nodes of a ring of two have one link each way.
func TestSideOfTwo(t *testing.T) {
	torus := core.MustTorus(2)
	p, err := family.Parse(torus, "full")
	if err != nil {
		t.Fatal(err)
	}
	b := lowerbound.Bound{Name: lowerbound.Bisection, Value: big.NewRat(1, 1),
		Witness: lowerbound.Witness{Set: [][]int{{1}}, Links: 1}}
	if problem := cutProblem(meter.Unlimited(context.Background()), torus, p, b); problem != "" {
		t.Error(problem)
	}
	b.Value, b.Witness.Links = big.NewRat(1, 2), 2
	if problem := cutProblem(meter.Unlimited(context.Background()), torus, p, b); problem == "" {
		t.Error("two links out of one node of a ring of two were accepted")
	}
}

// named returns the bound of that name.
func named(bounds []lowerbound.Bound, name string) lowerbound.Bound {
	return bounds[slices.IndexFunc(bounds, func(b lowerbound.Bound) bool { return b.Name == name })]
}
