package core_test

import (
	"slices"
	"testing"

	"leeway/core"
)

// TestPorts writes the ports of a mixed torus out: a side of 2 has only +.
func TestPorts(t *testing.T) {
	torus := core.MustTorus(3, 2, 4)
	want := []core.Port{{Dim: 0, Dir: core.Plus}, {Dim: 0, Dir: core.Minus}, {Dim: 1, Dir: core.Plus},
		{Dim: 2, Dir: core.Plus}, {Dim: 2, Dir: core.Minus}}
	if got := torus.Ports(); !slices.Equal(got, want) {
		t.Errorf("ports %v, want %v", got, want)
	}
	if torus.Degree() != 5 || torus.M() != 5*24 {
		t.Errorf("degree %d, %d links, want 5 and 120", torus.Degree(), torus.M())
	}
	if a, b := torus.PortIndex(1, core.Plus), torus.PortIndex(1, core.Minus); a != 2 || b != 2 {
		t.Errorf("both directions of the side of 2 are ports %d and %d, want 2", a, b)
	}
}

// TestLinks checks that the links are exactly the edges between neighbours, each
// once, that a link has number port*N + node, and that it ends where its port
// says.
func TestLinks(t *testing.T) {
	for _, dims := range smallTori {
		torus := core.MustTorus(dims...)
		edges := map[[2]int]int{}
		for l := range torus.M() {
			from, to := torus.LinkEnds(core.Link(l))
			edges[[2]int{from, to}]++
			start, port := torus.LinkFrom(core.Link(l))
			i := torus.PortIndex(port.Dim, port.Dir)
			if start != from || l != i*torus.N()+from || torus.Port(i) != port || torus.Link(from, port.Dim,
				port.Dir) != core.Link(l) {
				t.Fatalf("%s: link %d leaves %d by port %d (%v)", torus, l, start, i, port)
			}
			want := torus.Coords(from)
			want[port.Dim] = (want[port.Dim] + int(port.Dir) + torus.Side(port.Dim)) % torus.Side(port.Dim)
			if !slices.Equal(torus.Coords(to), want) {
				t.Fatalf("%s: link %d from %v by %v enters %v, want %v", torus, l, torus.Coords(from), port, torus.Coords(to), want)
			}
		}
		count := 0
		for v := range torus.N() {
			for _, w := range neighbours(torus, v) {
				count++
				if edges[[2]int{v, w}] != 1 {
					t.Errorf("%s: %d links lead from %v to %v", torus, edges[[2]int{v, w}], torus.Coords(v), torus.Coords(w))
				}
			}
		}
		if count != torus.M() {
			t.Errorf("%s: %d links, %d edges between neighbours", torus, torus.M(), count)
		}
	}
}

func TestDirString(t *testing.T) {
	if core.Plus.String() != "+" || core.Minus.String() != "-" {
		t.Errorf("directions print as %q and %q", core.Plus, core.Minus)
	}
}

// TestReverse goes back over every link, and counts links by class: edges where both
// directions are one, links where they are not.
func TestReverse(t *testing.T) {
	for _, dims := range [][]int{{5}, {2}, {4, 4}, {2, 3}, {3, 2, 4}} {
		torus := core.MustTorus(dims...)
		for l := range core.Link(torus.M()) {
			from, to := torus.LinkEnds(l)
			if a, b := torus.LinkEnds(torus.Reverse(l)); a != to || b != from || torus.Reverse(torus.Reverse(l)) != l {
				t.Fatalf("%s: the reverse of %d->%d is %d->%d", torus, from, to, a, b)
			}
		}
		for mask := range 1 << len(dims) {
			both := make([]bool, len(dims))
			for j := range both {
				both[j] = mask>>j&1 != 0
			}
			class, count := torus.LinkClasses(both)
			seen := map[int]bool{}
			for l, c := range class {
				_, port := torus.LinkFrom(core.Link(l))
				if r := class[torus.Reverse(core.Link(l))]; (r == c) != both[port.Dim] || c > len(seen) {
					t.Fatalf("%s, %v: link %d of class %d, its reverse of %d", torus, both, l, c, r)
				}
				seen[c] = true
			}
			want := 0
			for _, port := range torus.Ports() {
				if want += 2 * torus.N(); both[port.Dim] {
					want -= torus.N() // each edge is counted from both ends
				}
			}
			if len(seen) != count || 2*count != want {
				t.Errorf("%s, %v: %d classes, counted %d, want half of %d", torus, both, len(seen), count, want)
			}
		}
	}
}
