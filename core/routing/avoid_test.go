package routing_test

import (
	"math/big"
	"slices"
	"strings"
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
	for _, c := range []struct{ what, torus, processors, routing, from, to, want string }{
		{"one of two corners is taken", "5x5", "00 11 10", "avoid", "00", "11", "00-01-11"},
		{"both corners are taken", "5x5", "00 11 10 01", "avoid", "00", "11", "00-01-11 00-10-11"},
		{"one inside against two", "6x6", "00 21 01 10 20", "avoid", "00", "21", "00-01-11-21"},
		{"a tie is left by its free way", "4x3", "00 20 10", "avoid", "00", "20", "00-30-20"},
		{"ties plus have no other way", "4x3", "00 20 10", "avoid:tie=plus", "00", "20", "00-10-20"},
		{"ends do not count", "3x3", "00 11", "avoid", "00", "11", "00-01-11 00-10-11"},
	} {
		torus := coretest.Must(core.ParseTorus(c.torus))
		processors := core.NewSet(torus.N())
		for _, v := range strings.Fields(c.processors) {
			processors.Add(nodeAt(torus, v))
		}
		r := parse(t, torus, c.routing)
		if got := strings.Join(walks(r, nodeAt(torus, c.from), nodeAt(torus, c.to), processors), " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.what, got, c.want)
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
		byInside := map[int][]string{}
		fewest := torus.N()
		for path := range routing.NewUDR(torus, tie).Paths(from, to, nil) {
			inside, walk := 0, core.JoinInts(torus.Coords(from), "")
			for _, l := range path {
				_, v := torus.LinkEnds(l)
				walk += "-" + core.JoinInts(torus.Coords(v), "")
				if v != to && p.Set().Has(v) {
					inside++
				}
			}
			byInside[inside] = append(byInside[inside], walk)
			fewest = min(fewest, inside)
		}
		slices.Sort(byInside[fewest])
		if got := walks(routing.NewAvoid(torus, tie), from, to, p.Set()); !slices.Equal(got, byInside[fewest]) {
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
