package orbit

import (
	"strings"

	"leeway/core"
	"leeway/core/symmetry"
)

// A Subgroup is a group of automorphisms that preserve E_max under the routing
// for which it was made. It is immutable.
type Subgroup struct {
	torus  *core.Torus
	gens   []symmetry.Element
	order  int
	orbits [][]int
}

// maxOrder is the most elements that a subgroup may have: they are counted one by
// one.
const maxOrder = 1 << 17

// newSubgroup returns the subgroup that some elements generate, and false if it
// has more than maxOrder elements.
func newSubgroup(t *core.Torus, gens []symmetry.Element) (*Subgroup, bool) {
	order := closure(t, gens)
	return &Subgroup{torus: t, gens: gens, order: order, orbits: orbitsOf(t, gens)}, order <= maxOrder
}

// closure returns the order of the group that some elements generate, by making
// all of its elements; a number above maxOrder says that there are at least so
// many. Cost: order times generators.
func closure(t *core.Torus, gens []symmetry.Element) int {
	one := symmetry.Translation(t, 0)
	seen := map[string]bool{one.Text(t): true}
	list := []symmetry.Element{one}
	for i := 0; i < len(list) && len(list) <= maxOrder; i++ { // list grows while we walk it
		for _, g := range gens {
			if e := g.After(t, list[i]); !seen[e.Text(t)] {
				seen[e.Text(t)] = true
				list = append(list, e)
			}
		}
	}
	return len(list)
}

// orbitsOf returns the orbits of the nodes, each ascending, ordered by first node.
func orbitsOf(t *core.Torus, gens []symmetry.Element) [][]int {
	of := make([]int, t.N())
	for v := range of {
		of[v] = -1
	}
	var orbits [][]int
	for v := range of {
		if of[v] >= 0 {
			continue
		}
		of[v] = len(orbits)
		orbits = append(orbits, nil)
		reached := []int{v}
		for i := 0; i < len(reached); i++ { // reached grows while we walk it
			for _, g := range gens {
				if w := g.Image(t, reached[i]); of[w] < 0 {
					of[w] = of[v]
					reached = append(reached, w)
				}
			}
		}
	}
	for v, i := range of {
		orbits[i] = append(orbits[i], v)
	}
	return orbits
}

// String returns the generators in the form that Parse reads, each in its
// shortest spelling.
func (s *Subgroup) String() string {
	words := make([]string, len(s.gens))
	for i, g := range s.gens {
		words[i] = g.Text(s.torus)
	}
	return strings.Join(words, ";")
}

// Order returns the number of elements.
func (s *Subgroup) Order() int { return s.order }

// Orbits returns the orbits of the nodes, each ascending, ordered by first node.
// They belong to the subgroup.
func (s *Subgroup) Orbits() [][]int { return s.orbits }

// sums reports whether orbit sizes can sum to n.
func (s *Subgroup) sums(n int) bool {
	can := make([]bool, n+1)
	can[0] = true
	for _, o := range s.orbits {
		for m := n; m >= len(o); m-- {
			can[m] = can[m] || can[m-len(o)]
		}
	}
	return can[n]
}
