package family_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
)

// smallTori have subgroups of every shape: cyclic, products, mixed radices, sides
// of 2.
var smallTori = []string{"2", "9", "12", "2x2", "4x4", "6x6", "2x6", "4x6", "3x5", "2x2x2", "3x2x2", "4x2x4", "3x6x2",
	"2x2x2x2"}

func torusOf(s string) *core.Torus { return coretest.Must(core.ParseTorus(s)) }

// closure returns the nodes that come from adding the given ones, by adding until
// nothing is new.
func closure(t *core.Torus, gens []int) []int {
	in := core.NewSet(t.N())
	in.Add(0)
	list := []int{0}
	for i := 0; i < len(list); i++ {
		for _, g := range gens {
			v := list[i]
			for j, x := range t.Coords(g) {
				v = t.Shift(v, j, x)
			}
			if !in.Has(v) {
				in.Add(v)
				list = append(list, v)
			}
		}
	}
	return in.Nodes()
}

// generatorLists yields all lists of as many nodes as there are dimensions: every
// subgroup of a product of d cyclic groups has d generators.
func generatorLists(t *core.Torus, visit func(gens []int)) {
	gens := make([]int, t.D())
	var choose func(j int)
	choose = func(j int) {
		if j == t.D() {
			visit(gens)
			return
		}
		for v := range t.N() {
			gens[j] = v
			choose(j + 1)
		}
	}
	choose(0)
}

// TestLatticesAgainstClosure lists the subgroups of small tori by closing all
// lists of generators and compares them with those listed, each once.
func TestLatticesAgainstClosure(t *testing.T) {
	for _, name := range append(slices.Clone(smallTori), "6x4:open=0", "4x3:open=1", "4x4:open=0,1", "2x3x2:open=1",
		"2x2x3:open=2", "4x8:twist=4", "3x6:twist=2", "1x12:twist=5", "2x4:twist=1", "4x3:twist=0,0+2,0",
		"2x2x3:twist=0,1,1+0,0,2+0,0,0", "2x3x2:twist=0,0,0+1,0,1+1,0,0") {
		torus := coretest.Must(core.ParseNetwork(name))
		if torus.D() > 2 && torus.N() > 12 {
			continue // too many lists; TestSpan draws some
		}
		want := map[string]bool{}
		generatorLists(torus, func(gens []int) {
			if !slices.ContainsFunc(gens, func(v int) bool { return v != torus.ClosedPart(v) }) {
				want[fmt.Sprint(closure(torus, gens))] = true
			}
		})
		got := 0
		for order := -1; order <= torus.N()+1; order++ {
			for l := range family.Lattices(torus, order) {
				got++
				key := fmt.Sprint(l.Nodes())
				if !want[key] || l.Order() != order || len(l.Nodes()) != order {
					t.Fatalf("%s: lattice %s of order %d, listed for %d, nodes %s", name, l, l.Order(), order, key)
				}
				delete(want, key)
			}
		}
		if len(want) > 0 || got == 0 {
			t.Errorf("%s: %d lattices listed, not among them %v", name, got, want)
		}
	}
}

// TestSpan compares a span with the closure of its generators, and what a lattice
// says of cosets with sums over its nodes.
func TestSpan(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 0))
	for range 1500 {
		torus := torusOf(smallTori[rng.IntN(len(smallTori))])
		if rng.IntN(2) == 0 {
			torus = coretest.Twisted(rng, 40)
		}
		gens := family.Draw(torus, rng.IntN(min(4, torus.N())), rng).Nodes()
		rng.Shuffle(len(gens), func(i, j int) { gens[i], gens[j] = gens[j], gens[i] })
		l, nodes := family.Span(torus, gens...), closure(torus, gens)
		if !slices.Equal(l.Nodes(), nodes) || l.Order() != len(nodes) || l.Index() != torus.N()/len(nodes) {
			t.Fatalf("%s: span of %v is %v, want %v", torus, gens, l.Nodes(), nodes)
		}
		if l.Compare(family.Span(torus, l.Generators()...)) != 0 || l.Compare(family.Span(torus, nodes...)) != 0 {
			t.Fatalf("%s: span of %v changes with its generators", torus, gens)
		}
		var first []int
		for v := range torus.N() {
			least := torus.N()
			for w := range torus.N() {
				if slices.Contains(nodes, torus.Displacement(v, w)) {
					least = min(least, w)
				}
			}
			if !slices.IsSorted(torus.Axes()) { // another of the coset
				least = l.Representative(least)
			}
			if !slices.Contains(nodes, torus.Displacement(least, v)) || l.Representative(v) != least ||
				l.Contains(v) != slices.Contains(nodes, v) {
				t.Fatalf("%s, lattice %s: coset of %d starts with %d, want %d", torus, l, v, l.Representative(v), least)
			}
			if least == v {
				first = append(first, v)
			}
		}
		if !slices.Equal(l.Representatives(), first) {
			t.Fatalf("%s, lattice %s: cosets start with %v, want %v", torus, l, l.Representatives(), first)
		}
	}
}

// TestLatticeCounts holds the numbers listed against counts known otherwise: a
// product of two cyclic groups of orders a and b has as many subgroups as the sum
// of gcd(x, y) over the divisors x of a and y of b; three of prime order p have
// 1, p^2+p+1, p^2+p+1, 1 of orders 1, p, p^2, p^3 (points and lines of a plane).
func TestLatticeCounts(t *testing.T) {
	count := func(torus *core.Torus) int {
		n := 0
		for order := 1; order <= torus.N(); order++ {
			for range family.Lattices(torus, order) {
				n++
			}
		}
		return n
	}
	for a := 2; a <= 16; a++ {
		for _, b := range []int{a, 2, 6, 12} {
			want := 0
			for x := 1; x <= a; x++ {
				for y := 1; y <= b; y++ {
					if a%x == 0 && b%y == 0 {
						g := 1
						for z := 2; z <= x; z++ {
							if x%z == 0 && y%z == 0 {
								g = z
							}
						}
						want += g
					}
				}
			}
			if got := count(core.MustTorus(a, b)); got != want {
				t.Errorf("%dx%d: %d lattices, want %d", a, b, got, want)
			}
		}
	}
	for _, p := range []int{2, 3, 5, 7} {
		if got, want := count(core.MustTorus(p, p, p)), 2+2*(p*p+p+1); got != want {
			t.Errorf("%d^3: %d lattices, want %d", p, got, want)
		}
	}
}

// TestLatticesStop checks that the list ends where it is told to.
func TestLatticesStop(t *testing.T) {
	seen := 0
	for range family.Lattices(core.MustTorus(6, 6), 6) {
		if seen++; seen == 3 {
			break
		}
	}
	if seen != 3 {
		t.Errorf("%d lattices after a stop at 3", seen)
	}
}
