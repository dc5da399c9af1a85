package routing_test

import (
	"math/big"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/core/routing"
)

// orderOf returns the dimensions of a path in the order in which it takes them.
func orderOf(torus *core.Torus, path []core.Link) []int {
	var order []int
	for _, l := range path {
		if _, port := torus.LinkFrom(l); len(order) == 0 || order[len(order)-1] != port.Dim {
			order = append(order, port.Dim)
		}
	}
	return order
}

// shiftedDiagonal is Definition 3.1 of seed 001. Its coordinates (a2,a1,a0) are
// ours in the order in which both are written: a2 is dimension 0.
func shiftedDiagonal(t testing.TB) core.Placement {
	t.Helper()
	p := coretest.Must(family.Parse(core.MustTorus(5, 5, 5), "linear"))
	for _, c := range p.Coords() {
		if (c[0]+c[1]+c[2])%5 != 0 {
			t.Fatalf("%v is not on the shifted diagonal", c)
		}
	}
	return p
}

// TestBruckFigure4 is the example of section 3 and Figure 4 of seed 001: all six
// paths from (0,0,0) to (2,1,2), and four from (3,3,4) to (4,4,2), where the
// orders that correct a1 or a2 first and a0 second pass through a processor.
func TestBruckFigure4(t *testing.T) {
	p := shiftedDiagonal(t)
	torus := p.Torus()
	r := parse(t, torus, "avoid")
	if n := countPaths(r, node(torus, 0, 0, 0), node(torus, 2, 1, 2), p.Set()); n != 6 {
		t.Errorf("(0,0,0) to (2,1,2): %d paths, the paper has 6", n)
	}
	var orders [][]int
	for path := range r.Paths(node(torus, 3, 3, 4), node(torus, 4, 4, 2), p.Set()) {
		orders = append(orders, orderOf(torus, path))
	}
	slices.SortFunc(orders, slices.Compare)
	// Dimension 0 is a2, 1 is a1, 2 is a0: without 021 and 120.
	want := [][]int{{0, 1, 2}, {1, 0, 2}, {2, 0, 1}, {2, 1, 0}}
	if !slices.EqualFunc(orders, want, slices.Equal) {
		t.Errorf("(3,3,4) to (4,4,2): orders %v, the paper has %v", orders, want)
	}
}

// TestBruckTheorem31 checks on the shifted diagonal that no path that avoid
// takes passes over a third processor (seed 001, Theorem 3.1).
func TestBruckTheorem31(t *testing.T) {
	p := shiftedDiagonal(t)
	torus, set := p.Torus(), p.Set()
	r := parse(t, torus, "avoid")
	for _, to := range p.Nodes() {
		if to == 0 {
			continue
		}
		for path := range r.Paths(0, to, set) {
			for _, l := range path[1:] {
				if from, _ := torus.LinkEnds(l); set.Has(from) {
					t.Errorf("to %v: path %v passes over %v", torus.Coords(to), path, torus.Coords(from))
				}
			}
		}
	}
}

// TestAvoidByHand marks the processors of small cases and writes out the paths
// that remain. Where every path meets processors, those with the fewest stay.
func TestAvoidByHand(t *testing.T) {
	for _, c := range []struct {
		what       string
		dims       []int
		processors [][]int
		routing    string
		from, to   []int
		want       [][][]int
	}{
		{"one of two corners is taken", []int{5, 5}, [][]int{{0, 0}, {1, 1}, {1, 0}}, "avoid", []int{0, 0}, []int{1, 1},
			[][][]int{{{0, 0}, {0, 1}, {1, 1}}}},
		{"both corners are taken", []int{5, 5}, [][]int{{0, 0}, {1, 1}, {1, 0}, {0, 1}}, "avoid", []int{0, 0}, []int{1, 1},
			[][][]int{{{0, 0}, {0, 1}, {1, 1}}, {{0, 0}, {1, 0}, {1, 1}}}},
		{"one inside against two", []int{6, 6}, [][]int{{0, 0}, {2, 1}, {0, 1}, {1, 0}, {2, 0}}, "avoid", []int{0, 0},
			[]int{2, 1},
			[][][]int{{{0, 0}, {0, 1}, {1, 1}, {2, 1}}}},
		{"a tie is left by its free way", []int{4, 3}, [][]int{{0, 0}, {2, 0}, {1, 0}}, "avoid", []int{0, 0}, []int{2, 0},
			[][][]int{{{0, 0}, {3, 0}, {2, 0}}}},
		{"ties plus have no other way", []int{4, 3}, [][]int{{0, 0}, {2, 0}, {1, 0}}, "avoid:tie=plus", []int{0, 0},
			[]int{2, 0},
			[][][]int{{{0, 0}, {1, 0}, {2, 0}}}},
		{"ends do not count", []int{3, 3}, [][]int{{0, 0}, {1, 1}}, "avoid", []int{0, 0}, []int{1, 1},
			[][][]int{{{0, 0}, {0, 1}, {1, 1}}, {{0, 0}, {1, 0}, {1, 1}}}},
	} {
		torus := core.MustTorus(c.dims...)
		p := coretest.Must(core.PlacementFromCoords(torus, c.processors))
		got := walks(parse(t, torus, c.routing), node(torus, c.from...), node(torus, c.to...), p.Set())
		if !slices.EqualFunc(got, c.want, func(a, b [][]int) bool { return slices.EqualFunc(a, b, slices.Equal) }) {
			t.Errorf("%s: %v, want %v", c.what, got, c.want)
		}
	}
}

// TestAvoidKeepsTheFewest filters the paths of udr on random placements.
func TestAvoidKeepsTheFewest(t *testing.T) {
	for i := range 150 {
		rng := coretest.Rng(15, i)
		torus := coretest.Torus(rng, 60)
		tie, p := coretest.Tie(rng), coretest.Placement(rng, torus)
		from, to := rng.IntN(torus.N()), rng.IntN(torus.N())
		if from == to {
			continue
		}
		byInside := map[int][][][]int{}
		fewest := torus.N()
		for _, walk := range walks(routing.NewUDR(torus, tie), from, to, nil) {
			inside := 0
			for _, c := range walk[1 : len(walk)-1] {
				if slices.ContainsFunc(p.Coords(), func(q []int) bool { return slices.Equal(c, q) }) {
					inside++
				}
			}
			byInside[inside] = append(byInside[inside], walk)
			fewest = min(fewest, inside)
		}
		got := walks(routing.NewAvoid(torus, tie), from, to, p.Set())
		if !slices.EqualFunc(got, byInside[fewest], func(a, b [][]int) bool { return slices.EqualFunc(a, b, slices.Equal) }) {
			t.Fatalf("%s tie=%s %v to %v past %v: %v, want %v", torus, tie, torus.Coords(from), torus.Coords(to),
				p.Coords(), got, byInside[fewest])
		}
	}
}

// TestAvoidDenominator checks that it covers every number of paths up to d! 2^ties.
func TestAvoidDenominator(t *testing.T) {
	den := routing.NewAvoid(core.MustTorus(4, 4, 3), routing.TieBoth).Denominator()
	for paths := int64(1); paths <= 24; paths++ {
		if new(big.Int).Rem(den, big.NewInt(paths)).Sign() != 0 {
			t.Errorf("denominator %s does not cover %d paths", den, paths)
		}
	}
}
