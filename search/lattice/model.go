package lattice

import (
	"slices"

	"leeway/core"
	"leeway/core/family"
)

// A model holds what the cosets of one lattice send each other. Cosets are numbered
// by their smallest nodes, coset 0 being the lattice. The link that leaves coset v
// by port i, one for all links that the lattice maps to each other, has number i*I +
// v, I being the number of cosets.
type model struct {
	torus *core.Torus
	size  int       // cosets in a union
	first []int     // by coset: its smallest node
	of    []int32   // by node: its coset
	diff  [][]int32 // by cosets a, b: the coset b-a
	own   []int64   // by link: what the nodes of the lattice send each other
	joint [][]int64 // by coset d: what the lattice and coset d send each other
	turns [][]int32 // symmetries that take cosets to cosets, the identity first
}

// newModel tables the cosets of a lattice. The turns are symmetries of the torus
// that keep it and fix node 0.
func newModel(f *flows, l family.Lattice, size int, turns [][]int) *model {
	t := f.torus
	m := &model{torus: t, size: size, first: l.Representatives(), of: make([]int32, t.N())}
	for v := range m.of {
		at, _ := slices.BinarySearch(m.first, l.Representative(v))
		m.of[v] = int32(at)
	}
	m.diff = make([][]int32, len(m.first))
	for a, v := range m.first {
		m.diff[a] = make([]int32, len(m.first))
		for b, w := range m.first {
			m.diff[a][b] = m.of[t.Displacement(v, w)]
		}
	}
	m.fold(f)
	for _, images := range turns {
		m.addTurn(images)
	}
	return m
}

// fold adds up the flows of all pairs of nodes by their cosets.
func (m *model) fold(f *flows) {
	cosets, width := len(m.first), len(m.first)*m.torus.Degree()
	oneWay := make([][]int64, cosets) // what the lattice sends each coset
	m.joint = make([][]int64, cosets)
	for d := range oneWay {
		oneWay[d], m.joint[d] = make([]int64, width), make([]int64, width)
	}
	for v, list := range f.to {
		row := oneWay[m.of[v]]
		for _, l := range list {
			row[int(l.Port)*cosets+int(m.of[l.From])] += l.Load
		}
	}
	m.own = oneWay[0]
	for d := 1; d < cosets; d++ {
		copy(m.joint[d], oneWay[d])
		m.addMoved(m.joint[d], oneWay[m.diff[d][0]], d, 1)
	}
}

// addMoved adds times the loads, translated by coset a.
func (m *model) addMoved(to, loads []int64, a int, times int64) {
	row := m.diff[a]
	for from := 0; from < len(to); from += len(row) {
		dst, src := to[from:from+len(row)], loads[from:from+len(row)]
		for v, w := range row {
			dst[v] += times * src[w]
		}
	}
}

// addOwn adds what the nodes of coset a send each other, addPair times what
// different cosets a and b do.
func (m *model) addOwn(to []int64, a int) { m.addMoved(to, m.own, a, 1) }

func (m *model) addPair(to []int64, a, b int, times int64) {
	m.addMoved(to, m.joint[m.diff[a][b]], a, times)
}

// addTurn adds the symmetry with the given images of nodes, unless it moves cosets
// like one before.
func (m *model) addTurn(images []int) {
	turn := make([]int32, len(m.first))
	for a, v := range m.first {
		turn[a] = m.of[images[v]]
	}
	if !slices.ContainsFunc(m.turns, func(have []int32) bool { return slices.Equal(have, turn) }) {
		m.turns = append(m.turns, turn)
	}
}

// smallest reports whether no translation or turn takes a union, ascending from
// coset 0, to one that is lexicographically smaller.
func (m *model) smallest(union []int) bool {
	image := make([]int, len(union))
	for _, turn := range m.turns {
		for _, origin := range union {
			row := m.diff[turn[origin]]
			for i, a := range union {
				image[i] = int(row[turn[a]])
			}
			slices.Sort(image)
			if slices.Compare(image, union) < 0 {
				return false
			}
		}
	}
	return true
}

// placement returns the nodes of a union of cosets.
func (m *model) placement(union []int) core.Placement {
	var nodes []int
	for v, a := range m.of {
		if slices.Contains(union, int(a)) {
			nodes = append(nodes, v)
		}
	}
	return core.MustPlacement(m.torus, nodes)
}
