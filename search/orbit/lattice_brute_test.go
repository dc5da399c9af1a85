package orbit

import (
	"math"
	"math/big"
	"slices"
	"sync/atomic"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/objective"
	"leeway/search/searchtest"
)

// closures returns every sublattice of t as its nodes, by order, by closing pairs of generators; for two dimensions
// these are all.
func closures(t *core.Torus) map[int][][]int {
	list := map[int][][]int{}
	for a := range t.N() {
		for b := a; b < t.N(); b++ {
			if a != t.ClosedPart(a) || b != t.ClosedPart(b) {
				continue
			}
			nodes := family.Span(t, a, b).Nodes()
			order := len(nodes)
			if !slices.ContainsFunc(list[order], func(have []int) bool { return slices.Equal(have, nodes) }) {
				list[order] = append(list[order], nodes)
			}
		}
	}
	return list
}

// bestUnion returns the smallest E_max over all unions of cosets of the given sublattices that have the problem's size,
// with the naive evaluator and no symmetry; nil if there is none.
func bestUnion(p objective.Problem, lattices [][]int) *big.Rat {
	t := p.Torus()
	var best *big.Rat
	for _, lattice := range lattices {
		var cosets [][]int
		covered := core.NewSet(t.N())
		for v := range t.N() {
			if covered.Has(v) {
				continue
			}
			var coset []int
			for _, w := range lattice {
				x := t.Displacement(t.Displacement(w, 0), v)
				coset = append(coset, x)
				covered.Add(x)
			}
			cosets = append(cosets, coset)
		}
		for mask := range 1 << len(cosets) {
			var nodes []int
			for i, c := range cosets {
				if mask>>i&1 != 0 {
					nodes = append(nodes, c...)
				}
			}
			if len(nodes) != p.Size || !p.Admits(core.MustPlacement(t, nodes)) {
				continue
			}
			if v, _ := objective.Naive(p.Routing, core.MustPlacement(t, nodes)).Max(); best == nil || v.Cmp(best) < 0 {
				best = v
			}
		}
	}
	return best
}

// walked returns the smallest E_max that walks over the chosen lattices of some order find; nil if there is none.
func walked(t *testing.T, p objective.Problem, order int) *big.Rat {
	t.Helper()
	list := coretest.Must(lattices(t.Context(), p))
	f := newTable(p.Routing)
	var best *big.Rat
	for _, c := range list {
		if c.order != order {
			continue
		}
		look := &tally{limit: math.MaxInt64, budget: math.MaxInt64, stop: new(atomic.Bool)}
		walkUnions(newOrbits(f, c), look)
		for _, found := range look.found {
			if v := big.NewRat(found.load, objective.Denominator(p.Routing).Int64()); best == nil || v.Cmp(best) < 0 {
				best = v
			}
		}
	}
	return best
}

// unionsAgree compares the best union that walks find with the best of all, and returns how many there were: 0 or 1.
func unionsAgree(t *testing.T, p objective.Problem, lattices [][]int, order int) int {
	t.Helper()
	want, got := bestUnion(p, lattices), walked(t, p, order)
	if (want == nil) != (got == nil) || want != nil && want.Cmp(got) != 0 {
		t.Errorf("%s, lattices of %d nodes: %v, want %v", p, order, got, want)
	}
	if want == nil {
		return 0
	}
	return 1
}

// TestAgainstAllUnions compares, for every order of the sublattices, the best found with the best of all unions of
// their cosets.
func TestAgainstAllUnions(t *testing.T) {
	routings := []string{"odr", "odr:tie=both", "udr", "udr:tie=both", "minimal", "minimal:tie=both"}
	compared := 0
	for i, torus := range []string{"2x4", "3x3", "2x6", "12", "4x3", "4x4"} {
		texts := routings[i : i+1]
		switch {
		case torus != "4x4" && !testing.Short():
			texts = routings
		case torus == "4x4" && testing.Short():
			continue
		}
		lattices := closures(searchtest.Problem(torus, "udr", 1).Torus())
		for _, text := range texts {
			for n := 1; n <= searchtest.Problem(torus, text, 1).Torus().N(); n++ {
				p := searchtest.Problem(torus, text, n)
				for order := 1; order <= n; order++ {
					if n%order != 0 || order == 1 && n > maxSingles {
						continue
					}
					compared += unionsAgree(t, p, lattices[order], order)
				}
			}
		}
	}
	if compared < 50 {
		t.Errorf("only %d comparisons", compared)
	}
}

// TestAgainstAllUnionsUnderConditions does the same on random networks, most often with fixed and forbidden nodes.
func TestAgainstAllUnionsUnderConditions(t *testing.T) {
	compared := 0
	for i := range coretest.Cases(800, 200) {
		p := searchtest.Conditioned(coretest.Rng(27, i), 12)
		if p.Torus().D() > 2 || (Lattice{}).Supports(p) != nil {
			continue
		}
		lattices := closures(p.Torus())
		for order := 2; order <= p.Size; order++ {
			if p.Size%order != 0 {
				continue
			}
			compared += unionsAgree(t, p, lattices[order], order)
		}
	}
	if compared < 15 {
		t.Errorf("only %d comparisons", compared)
	}
}

// TestChoicesCoverAllLattices checks that the images of the lattices kept, under all symmetries, are all lattices, and
// that two kept are never images of each other.
func TestChoicesCoverAllLattices(t *testing.T) {
	for _, c := range []struct{ torus, routing string }{{"4x4", "udr"}, {"4x4", "odr"}, {"6x6", "minimal"}, {"4x6", "udr"},
		{"4x2", "odr:tie=both"}} {
		p := searchtest.Problem(c.torus, c.routing, 1)
		if testing.Short() && p.Torus().N() > 16 {
			continue
		}
		closed := closures(p.Torus())
		for order := 2; order <= p.Torus().N(); order++ {
			want := len(closed[order])
			covered := map[string]bool{}
			list := coretest.Must(lattices(t.Context(), p.WithSize(order)))
			for _, l := range list {
				if l.order != order {
					continue
				}
				span := family.Span(p.Torus(), orbitsOf(p.Torus(), l.gens)[0]...)
				if covered[span.String()] {
					t.Errorf("%s: %s is an image of another lattice", p, span)
				}
				for _, images := range symmetries(t, p) {
					covered[image(span, images).String()] = true
				}
			}
			if len(covered) != want {
				t.Errorf("%s: the images of the lattices are %d, want %d", p, len(covered), want)
			}
		}
	}
}

// TestSmallestOfEachOrbit counts, among all unions of cosets, the orbits under translations and points: each has one
// smallest member.
func TestSmallestOfEachOrbit(t *testing.T) {
	plain := searchtest.Problem("4x4", "udr", 8)
	for _, p := range []objective.Problem{plain, searchtest.Problem("4x4:open=0", "udr", 4),
		searchtest.Problem("3x6:open=0:bandwidth=2,1", "odr", 6), coretest.Must(plain.WithNodes([]int{0, 5}, []int{2})),
		coretest.Must(searchtest.Problem("4x4:open=1", "udr", 8).WithNodes([]int{3}, []int{0, 4}))} {
		smallestOfEachOrbit(t, p)
	}
}

func smallestOfEachOrbit(t *testing.T, p objective.Problem) {
	t.Helper()
	list := coretest.Must(lattices(t.Context(), p))
	more := coretest.Must(cyclic(t.Context(), p))
	for _, c := range append(list, more...) {
		m := newOrbits(newTable(p.Routing), c)
		seen, orbits, smallest := map[int]bool{}, 0, 0
		for mask := range 1 << len(m.list) {
			union := core.Set{uint64(mask)}.Nodes()
			if placed := m.placement(union); placed.Size() != p.Size || !p.Admits(placed) {
				continue
			}
			if (m.held > 0 || slices.Contains(m.leaders(), union[0])) && m.smallest(union) {
				smallest++
			}
			if seen[mask] {
				continue
			}
			orbits++
			for _, perm := range m.perms {
				for by := range m.list {
					image := 0
					for _, a := range union {
						to := perm[a]
						if !m.listed {
							to = m.moves[by].orbits[to]
						}
						image |= 1 << to
					}
					seen[image] = true
				}
			}
		}
		if smallest != orbits {
			t.Errorf("orbits of %s: %d smallest unions in %d orbits of unions", c, smallest, orbits)
		}
	}
}
