package core_test

import (
	"slices"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/union"
)

func TestParseTwisted(t *testing.T) {
	for text, want := range map[string]string{
		"4x8:twist=4": "4x8:twist=4", "4x8:twist=12": "4x8:twist=4", "4x8:twist=8": "4x8", "4x8:twist=0": "4x8",
		"4x8:twist=-4": "4x8:twist=4", "4x8:twist=0,4+0,0": "4x8:twist=4", "4x8:twist=0,0+2,0": "4x8:twist=0,0+2,0",
		"1x5:twist=2": "1x5:twist=2", "4x8:twist=3:bandwidth=2,1": "4x8:bandwidth=2,1:twist=3",
		"4x4x8:twist=0,0,4+0,0,4+0,0,0": "4x4x8:twist=0,0,4+0,0,4+0,0,0", "2x2:twist=1": "2x2:twist=1",
		"1x4:twist=2": "1x4:twist=2",
		// going round dimension 0 moves by 5 in dimension 1, which is once round it and 1 more, with its own shift of 2
		"3x4x6:twist=0,5,1+0,0,2+0,0,0": "3x4x6:twist=0,1,3+0,0,2+0,0,0",
	} {
		torus, err := core.ParseNetwork(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if torus.String() != want || torus.Twisted() != strings.Contains(want, "twist") || torus.Twisted() && torus.Plain() {
			t.Errorf("%q prints as %q, want %q; twisted %v, plain %v", text, torus, want, torus.Twisted(), torus.Plain())
		}
		if again := parsed(torus.String()); !again.Equal(torus) || torus.Twisted() && again.Equal(core.MustTorus(4, 8)) {
			t.Errorf("%q does not read back", torus)
		}
	}
	for _, c := range []struct{ text, problem string }{
		{"4x8:«twist=»", "empty"}, {"4x8:twist=«a»", "whole number"},
		{"4x8x2:twist=«4»", "1 shift for 3"},
		{"4x8:twist=«0,4»", "1 shift for 2"}, {"4x8:twist=«1,4+0,0»", "its own coordinate"},
		{"4x8:twist=«0,4+2,0»", "circle"}, {"4x8:twist=«0,4,1+0,0»", "3 coordinates, not 2"},
		{"4x8:twist=«70000»", "more than 65535"}, {"300x300:twist=«1»", "more than 32768 nodes"},
		{"«1»x5:twist=5", "step returns to its own node"},
		{"«1»x5", "side 0 is 1"},
		{"4x8:«open=1»:twist=4", "can be open"}, {"1x32000:twist=«1»", "too many shortest ways"},
	} {
		_, err := core.ParseNetwork(coretest.Unmarked(c.text))
		coretest.Refused(t, err, c.text, c.problem)
	}
	_, err := core.ParseNetwork("0x5:twist=1")
	coretest.Refused(t, err, "«0»x5", "side 0 is 0")
}

// latticeOf returns the vectors of at most r in every coordinate that lead from a node to itself: sums of the vectors
// that go round each dimension once and back over the shift, as many times each as can matter.
func latticeOf(t *core.Torus, r int) map[string]bool {
	d := t.D()
	sums := [][]int{make([]int, d)}
	for j, shift := range t.Twist() {
		var next [][]int
		for _, v := range sums {
			for turns := -2 * r; turns <= 2*r; turns++ {
				u := slices.Clone(v)
				for i := range u {
					u[i] -= turns * shift[i]
				}
				u[j] += turns * t.Side(j)
				next = append(next, u)
			}
		}
		sums = next
	}
	lattice := map[string]bool{}
	for _, v := range sums {
		if !slices.ContainsFunc(v, func(x int) bool { return max(x, -x) > r }) {
			lattice[core.JoinInts(v, ",")] = true
		}
	}
	return lattice
}

// TestVectors compares with all vectors of a cube: those that lead to a node differ by vectors of the lattice.
func TestVectors(t *testing.T) {
	for i := range coretest.Cases(150, 40) {
		torus := coretest.Twisted(coretest.Rng(31, i), 24)
		d, r := torus.D(), 0
		for q := range torus.N() {
			r = max(r, torus.LeeDistance(0, q))
		}
		if torus.D() == 3 && r > 4 {
			continue // the cube has too many
		}
		reach := r + 6 // sides are at most 6
		lattice := latticeOf(torus, reach)
		cube := [][]int{nil}
		for j := range d {
			var next [][]int
			for _, v := range cube {
				for x := -r; x <= r; x++ {
					if torus.BothWays(j) || x == 0 || x == 1 {
						next = append(next, append(slices.Clone(v), x))
					}
				}
			}
			cube = next
		}
		for q := range torus.N() {
			var shortest [][]int
			least := -1
			for _, v := range cube {
				steps, from := 0, torus.Coords(q)
				for j, x := range v {
					steps += max(x, -x)
					from[j] -= x
				}
				if slices.ContainsFunc(from, func(x int) bool { return max(x, -x) > reach }) ||
					!lattice[core.JoinInts(from, ",")] || least >= 0 && steps > least {
					continue
				}
				if steps < least || least < 0 {
					least, shortest = steps, nil
				}
				shortest = append(shortest, v)
			}
			slices.SortFunc(shortest, func(a, b []int) int { return slices.Compare(b, a) })
			if got := torus.Vectors(0, q, true); !slices.EqualFunc(got, shortest, slices.Equal) ||
				torus.LeeDistance(0, q) != least || !slices.Equal(torus.Vectors(0, q, false)[0], shortest[0]) {
				t.Fatalf("%s to %v: vectors %v, want %v", torus, torus.Coords(q), got, shortest)
			}
		}
	}
}

// TestVectorsOfRings compares, on tori and meshes, with all vectors of steps within the sides.
func TestVectorsOfRings(t *testing.T) {
	for i := range coretest.Cases(150, 40) {
		rng := coretest.Rng(32, i)
		torus := coretest.Network(rng, 60)
		p := rng.IntN(torus.N())
		vectors := [][]int{nil}
		for j, k := range torus.Dims() {
			var next [][]int
			for _, v := range vectors {
				for x := k - 1; x > -k; x-- {
					c := torus.Coord(p, j) + x
					if (torus.BothWays(j) || x >= 0) && (!torus.Open(j) || 0 <= c && c < k) {
						next = append(next, append(slices.Clone(v), x))
					}
				}
			}
			vectors = next
		}
		for q := range torus.N() {
			var shortest [][]int
			least := torus.N() * torus.D()
			for _, v := range vectors {
				node, steps := p, 0
				for j, x := range v {
					node, steps = torus.Shift(node, j, x), steps+max(x, -x)
				}
				if node != q || steps > least {
					continue
				}
				if steps < least {
					least, shortest = steps, nil
				}
				shortest = append(shortest, v)
			}
			if got := torus.Vectors(p, q, true); !slices.EqualFunc(got, shortest, slices.Equal) ||
				!slices.Equal(torus.Vectors(p, q, false)[0], shortest[0]) {
				t.Fatalf("%s, %v to %v: vectors %v, want %v", torus, torus.Coords(p), torus.Coords(q), got, shortest)
			}
		}
	}
}

// TestTwistedGroup: sums, displacements and shifts are those of a group, in which a step is the sum with a step from
// node 0, and going up over an end comes back at coordinate 0 with the shift.
func TestTwistedGroup(t *testing.T) {
	for i := range coretest.Cases(100, 30) {
		torus := coretest.Twisted(coretest.Rng(32, i), 30)
		if i%10 == 0 { // differences are kept of up to 128
			torus = coretest.Twisted(coretest.Rng(32, i), 200)
		}
		for p := range torus.N() {
			for q := range torus.N() {
				if sum := torus.Sum(p, q); sum != torus.Sum(q, p) || torus.Displacement(p, sum) != q {
					t.Fatalf("%s: %d and %d have sum %d", torus, p, q, sum)
				}
			}
			for j, shift := range torus.Twist() {
				if got, want := torus.Shift(p, j, 1), torus.Sum(p, torus.Shift(0, j, 1)); got != want ||
					torus.Shift(got, j, -1) != p {
					t.Fatalf("%s: step from %d along %d to %d, want %d", torus, p, j, got, want)
				}
				if torus.Coord(p, j) == torus.Side(j)-1 {
					at := torus.Coords(p)
					at[j] = 0
					want := torus.Sum(coretest.Must(torus.Node(at...)), coretest.Must(torus.Node(shift...)))
					if got := torus.Shift(p, j, 1); got != want {
						t.Fatalf("%s: over the end of %d from %d to %d, want %d", torus, j, p, got, want)
					}
				}
			}
		}
		links := 0
		for l := range core.Link(torus.M()) {
			_, to := torus.LinkEnds(l)
			if back := torus.Reverse(l); torus.Reverse(back) != l {
				t.Fatalf("%s: link %d to %d is reversed to %d", torus, l, to, back)
			}
			links++
		}
		if links != torus.Links() {
			t.Fatalf("%s has %d links, said to be %d", torus, links, torus.Links())
		}
	}
}

// TestSlabs: links along other dimensions stay in a slab, those along the dimension lead to the next, and nodes of one
// slab reach each other without the dimension.
func TestSlabs(t *testing.T) {
	for i := range coretest.Cases(300, 60) {
		torus := coretest.AnyNetwork(coretest.Rng(907, i), 60)
		for j := range torus.D() {
			k, parts := torus.Slabs(j), union.New(torus.N())
			for l := range torus.M() {
				from, to := torus.LinkEnds(core.Link(l))
				_, port := torus.LinkFrom(core.Link(l))
				step := 0
				if port.Dim == j {
					step = int(port.Dir)
				} else if torus.HasLink(core.Link(l)) {
					parts.Join(from, to)
				}
				if torus.HasLink(core.Link(l)) && core.Mod(torus.Slab(from, j)+step, k) != torus.Slab(to, j) {
					t.Fatalf("%s: the link along %d from slab %d of %d leads to %d", torus, port.Dim, torus.Slab(from, j), k,
						torus.Slab(to, j))
				}
			}
			for u := range torus.N() {
				for v := range u {
					if (parts.Find(u) == parts.Find(v)) != (torus.Slab(u, j) == torus.Slab(v, j)) {
						t.Fatalf("%s: nodes %d and %d, dimension %d", torus, u, v, j)
					}
				}
			}
		}
	}
}
