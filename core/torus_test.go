package core_test

import (
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
)

// smallTori covers d = 1..4 with sides of 2, odd, even and mixed.
var smallTori = [][]int{{2}, {3}, {6}, {2, 2}, {3, 5}, {4, 2, 3}, {2, 2, 2, 3}}

// TestRowMajor counts through the coordinates like an odometer, the last one
// fastest.
func TestRowMajor(t *testing.T) {
	for _, dims := range smallTori {
		torus := core.MustTorus(dims...)
		c := make([]int, len(dims))
		for v := range torus.N() {
			if got := torus.Coords(v); !slices.Equal(got, c) {
				t.Fatalf("%s: node %d has coordinates %v, want %v", torus, v, got, c)
			}
			if got, err := torus.Node(c...); err != nil || got != v {
				t.Fatalf("%s: %v is node %d, %v, want %d", torus, c, got, err, v)
			}
			for j := len(c) - 1; j >= 0; j-- {
				if c[j]++; c[j] < dims[j] {
					break
				}
				c[j] = 0
			}
		}
		if slices.ContainsFunc(c, func(x int) bool { return x != 0 }) {
			t.Errorf("%s: %d nodes do not fill the torus, the odometer shows %v", torus, torus.N(), c)
		}
	}
}

func TestStride(t *testing.T) {
	torus := core.MustTorus(4, 6, 3)
	for j, want := range []int{18, 3, 1} {
		if got := torus.Stride(j); got != want {
			t.Errorf("stride of dimension %d is %d, want %d", j, got, want)
		}
	}
}

// neighbours returns the nodes at distance 1, found by comparing coordinates.
func neighbours(torus *core.Torus, v int) []int {
	var list []int
	for w := range torus.N() {
		differ, step := 0, false
		for j, k := range torus.Dims() {
			if a, b := torus.Coord(v, j), torus.Coord(w, j); a != b {
				differ++
				step = (a+1)%k == b || (b+1)%k == a
			}
		}
		if differ == 1 && step {
			list = append(list, w)
		}
	}
	return list
}

// TestLeeDistance compares with breadth-first search.
func TestLeeDistance(t *testing.T) {
	for _, dims := range smallTori {
		torus := core.MustTorus(dims...)
		for p := range torus.N() {
			dist := map[int]int{p: 0}
			for queue := []int{p}; len(queue) > 0; queue = queue[1:] {
				for _, w := range neighbours(torus, queue[0]) {
					if _, seen := dist[w]; !seen {
						dist[w] = dist[queue[0]] + 1
						queue = append(queue, w)
					}
				}
			}
			for q := range torus.N() {
				if got := torus.LeeDistance(p, q); got != dist[q] {
					t.Fatalf("%s: distance %v to %v is %d, want %d", torus, torus.Coords(p), torus.Coords(q), got, dist[q])
				}
			}
		}
	}
}

func TestDisplacementAndShift(t *testing.T) {
	for _, dims := range smallTori {
		torus := core.MustTorus(dims...)
		for p := range torus.N() {
			for q := range torus.N() {
				at, d := p, torus.Coords(torus.Displacement(p, q))
				for j, by := range d {
					at = torus.Shift(at, j, by)
				}
				if at != q {
					t.Fatalf("%s: %v shifted by %v is %v, not %v", torus, torus.Coords(p), d, torus.Coords(at), torus.Coords(q))
				}
			}
		}
	}
	torus := core.MustTorus(5, 4)
	for by, want := range map[int]int{0: 3, 1: 0, 4: 3, -1: 2, -3: 0, -9: 2, 21: 0} {
		if got := torus.Coords(torus.Shift(11, 1, by)); !slices.Equal(got, []int{2, want}) {
			t.Errorf("(2,3) shifted by %d is %v, want [2 %d]", by, got, want)
		}
	}
}

func TestCommonAndEqual(t *testing.T) {
	for text, side := range map[string]int{"8x8": 8, "5": 5, "2^4": 2, "8x4": 0, "3x3x4": 0} {
		torus := coretest.Must(core.ParseTorus(text))
		if k, common := torus.Common(); common != (side > 0) || common && k != side {
			t.Errorf("%s: common side %d, %v", text, k, common)
		}
	}
	if a, b := core.MustTorus(3, 4), core.MustTorus(4, 3); a.Equal(b) || !a.Equal(core.MustTorus(3, 4)) {
		t.Error("3x4 equals 4x3, or not itself")
	}
}

// TestDimsIsACopy checks that callers cannot change a torus.
func TestDimsIsACopy(t *testing.T) {
	dims := []int{3, 4}
	torus := core.MustTorus(dims...)
	dims[0], torus.Dims()[1], torus.Ports()[0] = 9, 9, core.Port{Dim: 9}
	if torus.String() != "3x4" || torus.Port(0).Dim != 0 {
		t.Errorf("the torus became %s", torus)
	}
}

func TestNewTorusErrors(t *testing.T) {
	for _, c := range []struct {
		dims          []int
		text, problem string
	}{
		{nil, "", "at least one side"},
		{[]int{1}, "«1»", "side 0 is 1"},
		{[]int{11, 1}, "11x«1»", "side 1 is 1"},
		{[]int{8, 0, 8}, "8x«0»x8", "side 1 is 0"},
		{[]int{8, -3}, "8x«-3»", "side 1 is -3"},
		{[]int{65536}, "«65536»", "outside 2..65535"},
		{[]int{65535, 65535}, "65535x65535", "more than"},
	} {
		_, err := core.NewTorus(c.dims...)
		coretest.Refused(t, err, c.text, c.problem)
	}
}

func TestNodeErrors(t *testing.T) {
	torus := core.MustTorus(4, 3)
	for _, c := range []struct {
		coords        []int
		text, problem string
	}{
		{nil, "[]", "has 2 coordinates, not 0"},
		{[]int{1}, "[1]", "has 2 coordinates, not 1"},
		{[]int{1, 2, 0}, "[1 2 0]", "has 2 coordinates, not 3"},
		{[]int{4, 0}, "[«4» 0]", "coordinate 0 is 4, outside 0..3"},
		{[]int{3, 3}, "[3 «3»]", "coordinate 1 is 3, outside 0..2"},
		{[]int{0, -1}, "[0 «-1»]", "coordinate 1 is -1"},
	} {
		_, err := torus.Node(c.coords...)
		coretest.Refused(t, err, c.text, c.problem)
	}
}

func TestMustTorusPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a torus without sides does not panic")
		}
	}()
	core.MustTorus()
}

// TestSums adds nodes coordinate by coordinate and takes the sums apart again.
func TestSums(t *testing.T) {
	for _, dims := range [][]int{{5}, {2, 3}, {4, 4}, {3, 2, 5}, {2, 2, 2, 3}} {
		torus := core.MustTorus(dims...)
		sums, displacements := core.Sums(torus), core.Displacements(torus)
		for p := range torus.N() {
			for q := range torus.N() {
				want, a, b := 0, torus.Coords(p), torus.Coords(q)
				for j, k := range dims {
					want = want*k + (a[j]+b[j])%k
				}
				if torus.Sum(p, q) != want || sums.Node(p, q) != want || int(sums.Row(p)[q]) != want {
					t.Fatalf("%s: %v + %v is %d, %d in the table, want %d", torus, a, b, torus.Sum(p, q), sums.Node(p, q), want)
				}
				if d := displacements.Node(p, want); d != q || torus.Displacement(p, want) != q {
					t.Fatalf("%s: from %v to %v it is %d, want %d", torus, a, torus.Coords(want), d, q)
				}
			}
		}
	}
}

// TestGCD finds divisors and multiples by trial.
func TestGCD(t *testing.T) {
	for a := 0; a < 40; a++ {
		for b := 0; b < 40; b++ {
			if a+b == 0 {
				continue
			}
			want := 0
			for d := 1; d <= a+b; d++ {
				if a%d == 0 && b%d == 0 {
					want = d
				}
			}
			if got := core.GCD(a, b); got != want {
				t.Errorf("GCD(%d, %d) = %d, want %d", a, b, got, want)
			}
			if a == 0 || b == 0 {
				continue
			}
			multiple := max(a, b)
			for multiple%a != 0 || multiple%b != 0 {
				multiple++
			}
			if got := core.LCM(int64(a), int64(b)); got != int64(multiple) {
				t.Errorf("LCM(%d, %d) = %d, want %d", a, b, got, multiple)
			}
		}
	}
}

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

// TestReverse goes back over every link.
func TestReverse(t *testing.T) {
	for _, dims := range [][]int{{5}, {2}, {4, 4}, {2, 3}, {3, 2, 4}} {
		torus := core.MustTorus(dims...)
		for l := range core.Link(torus.M()) {
			from, to := torus.LinkEnds(l)
			if a, b := torus.LinkEnds(torus.Reverse(l)); a != to || b != from || torus.Reverse(torus.Reverse(l)) != l {
				t.Fatalf("%s: the reverse of %d->%d is %d->%d", torus, from, to, a, b)
			}
		}
	}
}
