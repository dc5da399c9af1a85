package orbit

import (
	"slices"

	"leeway/core"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/fast"
)

// flows are what the nodes that are 0 in all closed dimensions send every other, in units of 1/den.
type flows struct {
	torus *core.Torus
	den   int64
	bases []int
	to    [][][]fast.LinkLoad // by base and destination
}

// newFlows tables the flows of a supported problem. Cost: one flow for every base and node.
func newFlows(r routing.Routing) *flows {
	t := r.Torus()
	f := &flows{torus: t, den: objective.Denominator(r).Int64(), bases: t.Bases()}
	for _, base := range f.bases {
		to := make([][]fast.LinkLoad, t.N())
		for v := range to {
			if v != base {
				to[v] = fast.Sent(r, base, v, f.den)
			}
		}
		f.to = append(f.to, to)
	}
	return f
}

// cosets are those of one lattice, with what they send each other. They are numbered by their smallest nodes, those
// with fixed nodes first. The link that leaves coset v by port i, one for all links that the lattice maps to each
// other, has number i*I + v, I being the number of cosets. Without open dimensions there is one base, node 0.
type cosets struct {
	torus  *core.Torus
	size   int         // cosets in a union
	first  []int       // by coset: its smallest node
	of     []int32     // by node: its coset
	held   int         // cosets 0..held-1 have fixed nodes: they are in every union
	barred []bool      // by coset: it has a forbidden node
	base   []int       // by coset: the base that it is a translate of
	diff   [][]int32   // by cosets a, b: what b becomes by the translation that takes a to its base
	own    [][]int64   // by base and link: what the nodes of its coset send each other
	joint  [][][]int64 // by base and coset d: what the coset of the base and d send each other
	perms  [][]int32   // permutations of the cosets by elements of the group, the identity first
	listed bool        // under conditions perms are all there is, else translations are symmetries, too
}

// newCosets tables the cosets of the lattice of a choice.
func newCosets(f *flows, c choice) *cosets {
	t, l := f.torus, c.lattice
	m := &cosets{torus: t, size: c.cosets, of: make([]int32, t.N()), listed: c.problem.Conditioned()}
	m.number(c.problem, l)
	for a, v := range m.first {
		row := make([]int32, len(m.first))
		part := t.ClosedPart(v)
		for b, w := range m.first {
			row[b] = m.of[t.Displacement(part, w)]
		}
		base, _ := slices.BinarySearch(f.bases, t.Displacement(part, v))
		m.diff, m.base = append(m.diff, row), append(m.base, base)
		m.barred = append(m.barred, false)
		for _, w := range c.problem.Forbidden.Nodes() {
			m.barred[a] = m.barred[a] || int(m.of[w]) == a
		}
	}
	m.fold(f)
	for _, images := range c.points {
		m.permute(images)
	}
	return m
}

// number numbers the cosets of a lattice.
func (m *cosets) number(p objective.Problem, l family.Lattice) {
	for _, v := range p.Fixed.Nodes() {
		if rep := l.Representative(v); !slices.Contains(m.first, rep) {
			m.first = append(m.first, rep)
		}
	}
	slices.Sort(m.first)
	m.held = len(m.first)
	at := map[int]int32{}
	for _, rep := range l.Representatives() {
		if !slices.Contains(m.first[:m.held], rep) {
			m.first = append(m.first, rep)
		}
	}
	for a, rep := range m.first {
		at[rep] = int32(a)
	}
	for v := range m.of {
		m.of[v] = at[l.Representative(v)]
	}
}

// fold adds up the flows of all pairs of nodes by their cosets.
func (m *cosets) fold(f *flows) {
	count, width := len(m.first), len(m.first)*m.torus.Degree()
	oneWay := make([][][]int64, len(f.bases)) // by base and coset: what the coset of the base sends it
	for base, to := range f.to {
		m.joint = append(m.joint, make([][]int64, count))
		oneWay[base] = make([][]int64, count)
		for d := range oneWay[base] {
			oneWay[base][d], m.joint[base][d] = make([]int64, width), make([]int64, width)
		}
		for v, list := range to {
			row := oneWay[base][m.of[v]]
			for _, l := range list {
				row[int(l.Port)*count+int(m.of[l.From])] += l.Load
			}
		}
	}
	for base, v := range f.bases {
		home := m.of[v]
		m.own = append(m.own, oneWay[base][home])
		for d := range count {
			if d != int(home) {
				copy(m.joint[base][d], oneWay[base][d])
				m.addMoved(m.joint[base][d], oneWay[m.base[d]][m.diff[d][home]], d, 1)
			}
		}
	}
}

// addMoved adds times the loads, translated by coset a.
func (m *cosets) addMoved(to, loads []int64, a int, times int64) {
	row := m.diff[a]
	for from := 0; from < len(to); from += len(row) {
		dst, src := to[from:from+len(row)], loads[from:from+len(row)]
		for v, w := range row {
			dst[v] += times * src[w]
		}
	}
}

// addOwn adds what the nodes of coset a send each other, addPair times what different cosets a and b do.
func (m *cosets) addOwn(to []int64, a int) { m.addMoved(to, m.own[m.base[a]], a, 1) }

func (m *cosets) addPair(to []int64, a, b int, times int64) {
	m.addMoved(to, m.joint[m.base[a]][m.diff[a][b]], a, times)
}

// permute adds the permutation by the element with the given images of nodes, unless one before moves the cosets alike.
func (m *cosets) permute(images []int) {
	perm := make([]int32, len(m.first))
	for a, v := range m.first {
		perm[a] = m.of[images[v]]
	}
	if !slices.ContainsFunc(m.perms, func(have []int32) bool { return slices.Equal(have, perm) }) {
		m.perms = append(m.perms, perm)
	}
}

// leaders returns the cosets that the smallest image of a union can start with, if none is held: translations take any
// coset to its base.
func (m *cosets) leaders() (list []int) {
	for a, v := range m.first {
		if m.listed || m.torus.ClosedPart(v) == 0 {
			list = append(list, a)
		}
	}
	return list
}

// smallest reports whether no symmetry takes a union, ascending, to one that is lexicographically smaller.
func (m *cosets) smallest(union []int) bool {
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
			row := m.diff[perm[origin]]
			if less(perm, func(a int32) int32 { return row[a] }) {
				return false
			}
		}
	}
	return true
}

// placement returns the nodes of a union of cosets.
func (m *cosets) placement(union []int) core.Placement {
	var nodes []int
	for v, a := range m.of {
		if slices.Contains(union, int(a)) {
			nodes = append(nodes, v)
		}
	}
	return core.MustPlacement(m.torus, nodes)
}
