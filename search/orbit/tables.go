package orbit

import (
	"slices"

	"leeway/core"
	"leeway/objective"
	"leeway/objective/fast"
)

// A choice is a subgroup of which some orbits make up the size.
type choice struct {
	*Subgroup
	problem objective.Problem
	lattice bool    // it consists of translations, so that these take orbits to orbits
	points  [][]int // images of nodes under elements that take placements of the problem to such
}

// orbits are those of one subgroup, with what they send each other. Those with fixed nodes come first, then they are in
// the order of their smallest nodes. Links that carry the same whatever is chosen are a class.
//
// The orbits of a lattice are its cosets. Translations take each to one with a node that is 0 in all closed dimensions,
// its base, so that what two orbits send each other is tabled for bases only; without open dimensions there is one. Of
// other subgroups every orbit is its own base.
type orbits struct {
	torus   *core.Torus
	size    int // processors of a union
	list    [][]int
	of      []int32 // by node: its orbit
	held    int     // orbits 0..held-1 have fixed nodes: they are in every union
	barred  []bool  // by orbit: it has a forbidden node
	tail    []int   // by orbit: processors of all that are not barred from it on
	class   []int32 // by link
	classes int
	base    []int       // by orbit: the number of its base
	moves   []shift     // by orbit: the translation to its base, nil where each is its own
	own     [][]int64   // by base and class: what the nodes of it send each other
	joint   [][][]int64 // by base and orbit: what they send each other; where each is its own, only for orbits before
	perms   [][]int32   // permutations of the orbits by elements of the group, the identity first
	listed  bool        // perms are all there is, else translations are symmetries, too
}

// A shift is what a translation makes of orbits and of classes.
type shift struct{ orbits, classes []int32 }

// newOrbits tables the orbits of a choice.
func newOrbits(f *fast.Table, c choice) *orbits {
	m := &orbits{torus: c.torus, size: c.problem.Size, of: make([]int32, c.torus.N()),
		listed: !c.lattice || c.problem.Conditioned()}
	m.number(c)
	m.classify(c.lattice)
	sources := func(nodes []int) []int { return nodes }
	if c.lattice {
		sources = func(nodes []int) []int { return nodes[:1] } // a class has a link of each of them
	}
	bases := 0
	for a, nodes := range m.list {
		if c.lattice && m.torus.ClosedPart(nodes[0]) != 0 {
			continue
		}
		others := m.list
		if !c.lattice {
			others = m.list[:a+1]
		}
		tables := make([][]int64, len(others))
		for d, to := range others {
			tables[d] = make([]int64, m.classes)
			for _, p := range sources(nodes) {
				for _, q := range to {
					j, at := f.Pair(p, q)
					for _, s := range j.Shares {
						tables[d][m.class[s.Base+at[s.From]]] += s.Load
					}
				}
			}
		}
		own := tables[a]
		for l := range own {
			own[l] /= 2 // each pair was added from both ends
		}
		for d, at := range m.base {
			if at < 0 && (d == a || c.lattice && int(m.moves[d].orbits[d]) == a) {
				m.base[d] = bases
			}
		}
		bases++
		m.own, m.joint = append(m.own, own), append(m.joint, tables)
	}
	if !c.lattice {
		m.merge()
	}
	for _, images := range c.points {
		if m.permute(images); len(m.perms) == maxPoints {
			break
		}
	}
	return m
}

// number numbers the orbits of a choice.
func (m *orbits) number(c choice) {
	m.list = c.orbits
	if m.list == nil {
		m.list = orbitsOf(m.torus, c.gens)
	}
	must := func(nodes []int) bool { return slices.ContainsFunc(nodes, c.problem.MustHave) }
	m.list = slices.Clone(m.list)
	slices.SortStableFunc(m.list, func(a, b []int) int {
		switch x, y := must(a), must(b); {
		case x == y:
			return 0
		case x:
			return -1
		}
		return 1
	})
	m.barred, m.tail = make([]bool, len(m.list)), make([]int, len(m.list)+1)
	for a := len(m.list) - 1; a >= 0; a-- {
		in, may := standing(c.problem, m.list[a])
		if in && m.held == 0 {
			m.held = a + 1
		}
		if m.barred[a], m.tail[a] = !may, m.tail[a+1]; may {
			m.tail[a] += len(m.list[a])
		}
		for _, v := range m.list[a] {
			m.of[v] = int32(a)
		}
	}
}

// classify says which links carry the same: at first those that a lattice maps to each other. Of other subgroups each
// is a class, until what they carry is known.
func (m *orbits) classify(lattice bool) {
	n, count := m.torus.N(), len(m.list)
	m.class, m.classes = make([]int32, m.torus.M()), m.torus.M()
	m.base = slices.Repeat([]int{-1}, count)
	if !lattice {
		for l := range m.class {
			m.class[l] = int32(l)
		}
		return
	}
	m.classes = count * m.torus.Degree()
	for l := range m.class {
		m.class[l] = int32(l/n*count) + m.of[l%n]
	}
	for _, nodes := range m.list {
		s, part := shift{make([]int32, count), make([]int32, m.classes)}, m.torus.ClosedPart(nodes[0])
		for b, others := range m.list {
			s.orbits[b] = m.of[m.torus.Displacement(part, others[0])]
			for at := 0; at < m.classes; at += count {
				s.classes[at+b] = int32(at) + s.orbits[b]
			}
		}
		m.moves = append(m.moves, s)
	}
}

// merge makes one class of all links that carry the same for every pair of orbits.
func (m *orbits) merge() {
	compare := func(a, b int) int {
		for _, tables := range m.joint {
			for _, loads := range tables {
				if d := loads[a] - loads[b]; d != 0 {
					return int(min(max(d, -1), 1))
				}
			}
		}
		return 0
	}
	order := core.Range(m.classes)
	slices.SortFunc(order, compare)
	var first []int
	for i, l := range order {
		if i == 0 || compare(l, order[i-1]) != 0 {
			first = append(first, l)
		}
		m.class[l] = int32(len(first) - 1)
	}
	m.classes = len(first)
	for a, tables := range m.joint {
		for d, loads := range tables {
			merged := make([]int64, len(first))
			for c, l := range first {
				merged[c] = loads[l]
			}
			tables[d] = merged
		}
		m.own[a] = tables[a]
	}
}

// addMoved adds times the loads, translated from its base to orbit a.
func (m *orbits) addMoved(to, loads []int64, a int, times int64) {
	if m.moves == nil {
		for l, load := range loads {
			to[l] += times * load
		}
		return
	}
	for l, from := range m.moves[a].classes {
		to[l] += times * loads[from]
	}
}

// addOwn adds what the nodes of orbit a send each other, addPair times what different orbits a and b do.
func (m *orbits) addOwn(to []int64, a int) { m.addMoved(to, m.own[m.base[a]], a, 1) }

func (m *orbits) addPair(to []int64, a, b int, times int64) {
	if m.moves == nil {
		m.addMoved(to, m.joint[max(a, b)][min(a, b)], a, times)
		return
	}
	m.addMoved(to, m.joint[m.base[a]][m.moves[a].orbits[b]], a, times)
}

// permute adds the permutation by the element with the given images of nodes, if it takes orbits to orbits and none
// before moves them alike.
func (m *orbits) permute(images []int) {
	perm := make([]int32, len(m.list))
	for a, nodes := range m.list {
		perm[a] = m.of[images[nodes[0]]]
		if len(m.list[perm[a]]) != len(nodes) ||
			slices.ContainsFunc(nodes, func(v int) bool { return m.of[images[v]] != perm[a] }) {
			return
		}
	}
	if !slices.ContainsFunc(m.perms, func(have []int32) bool { return slices.Equal(have, perm) }) {
		m.perms = append(m.perms, perm)
	}
}

// leaders returns the orbits that the smallest image of a union can start with, if none is held.
func (m *orbits) leaders() (list []int) {
	for a, nodes := range m.list {
		if m.listed || m.torus.ClosedPart(nodes[0]) == 0 {
			list = append(list, a)
		}
	}
	return list
}

// smallest reports whether no symmetry takes a union, ascending, to one that is lexicographically smaller.
func (m *orbits) smallest(union []int) bool {
	image := make([]int, len(union))
	less := func(perm []int32, move func(a int32) int32) bool {
		for i, a := range union {
			image[i] = int(move(perm[a]))
		}
		slices.Sort(image)
		return slices.Compare(image, union) < 0
	}
	for _, perm := range m.perms {
		if m.listed {
			if less(perm, func(a int32) int32 { return a }) {
				return false
			}
			continue
		}
		for _, origin := range union {
			row := m.moves[perm[origin]].orbits
			if less(perm, func(a int32) int32 { return row[a] }) {
				return false
			}
		}
	}
	return true
}

// placement returns the nodes of a union of orbits.
func (m *orbits) placement(union []int) core.Placement {
	var nodes []int
	for v, a := range m.of {
		if slices.Contains(union, int(a)) {
			nodes = append(nodes, v)
		}
	}
	return core.MustPlacement(m.torus, nodes)
}
