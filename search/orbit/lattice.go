package orbit

import (
	"fmt"
	"slices"

	"leeway/core"
	"leeway/core/family"
	"leeway/core/symmetry"
)

// Limits of what is listed: lattices of one order, and points by which they are
// compared. Past them fewer subgroups are tried, or some that are conjugate.
const (
	maxLattices = 2000
	maxTurns    = 400
)

// latticesOf returns the generators of the translation groups of some order.
func latticesOf(t *core.Torus, order int) (list [][]symmetry.Element) {
	for l := range family.Lattices(t, order) {
		if len(list) == maxLattices {
			break
		}
		var gens []symmetry.Element
		for _, v := range l.Generators() {
			gens = append(gens, symmetry.Translation(t, v))
		}
		list = append(list, gens)
	}
	return list
}

// lattices returns the translation groups whose order divides n, one of each set
// of those that points map to each other.
func (g *group) lattices(n int) []*Subgroup {
	var list []*Subgroup
	for order := 2; order <= n; order++ {
		if n%order != 0 || g.torus.N()%order != 0 {
			continue
		}
		seen := map[string]bool{}
		for _, gens := range latticesOf(g.torus, order) {
			s, ok := newSubgroup(g.torus, gens)
			if !ok {
				continue
			}
			if key := g.smallest(s.orbits[0]); !seen[key] {
				seen[key] = true
				list = append(list, s)
			}
		}
	}
	return list
}

// smallest names the smallest image of some nodes under the points.
func (g *group) smallest(nodes []int) string {
	var least []int
	image := make([]int, len(nodes))
	for _, images := range g.images[:min(maxTurns, len(g.images))] {
		for i, v := range nodes {
			image[i] = images[v]
		}
		slices.Sort(image)
		if least == nil || slices.Compare(image, least) < 0 {
			least = append(least[:0], image...)
		}
	}
	return fmt.Sprint(least)
}
