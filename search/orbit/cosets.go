package orbit

import (
	"slices"

	"leeway/core"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
)

// flows are what node 0 sends every other, in units of 1/den.
type flows struct {
	torus *core.Torus
	den   int64
	to    [][]objective.LinkLoad // by destination
}

// newFlows tables the flows of a supported problem. Cost: one flow per node.
func newFlows(r routing.Routing) *flows {
	t := r.Torus()
	f := &flows{torus: t, den: objective.Denominator(r).Int64(), to: make([][]objective.LinkLoad, t.N())}
	for v := 1; v < t.N(); v++ {
		f.to[v] = objective.Sent(r, 0, v, f.den)
	}
	return f
}

// cosets are those of one lattice, with what they send each other. They are numbered by their smallest nodes, coset 0
// being the lattice. The link that leaves coset v by port i, one for all links that the lattice maps to each other, has
// number i*I + v, I being the number of cosets.
type cosets struct {
	torus *core.Torus
	size  int       // cosets in a union
	first []int     // by coset: its smallest node
	of    []int32   // by node: its coset
	diff  [][]int32 // by cosets a, b: the coset b-a
	own   []int64   // by link: what the nodes of the lattice send each other
	joint [][]int64 // by coset d: what the lattice and coset d send each other
	perms [][]int32 // permutations of the cosets by points, the identity first
}

// newCosets tables the cosets of a lattice, of which size make a union. The points keep the lattice.
func newCosets(f *flows, l family.Lattice, size int, points [][]int) *cosets {
	t := f.torus
	m := &cosets{torus: t, size: size, first: l.Representatives(), of: make([]int32, t.N())}
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
	for _, images := range points {
		m.permute(images)
	}
	return m
}

// fold adds up the flows of all pairs of nodes by their cosets.
func (m *cosets) fold(f *flows) {
	count, width := len(m.first), len(m.first)*m.torus.Degree()
	oneWay := make([][]int64, count) // what the lattice sends each coset
	m.joint = make([][]int64, count)
	for d := range oneWay {
		oneWay[d], m.joint[d] = make([]int64, width), make([]int64, width)
	}
	for v, list := range f.to {
		row := oneWay[m.of[v]]
		for _, l := range list {
			row[int(l.Port)*count+int(m.of[l.From])] += l.Load
		}
	}
	m.own = oneWay[0]
	for d := 1; d < count; d++ {
		copy(m.joint[d], oneWay[d])
		m.addMoved(m.joint[d], oneWay[m.diff[d][0]], d, 1)
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
func (m *cosets) addOwn(to []int64, a int) { m.addMoved(to, m.own, a, 1) }

func (m *cosets) addPair(to []int64, a, b int, times int64) {
	m.addMoved(to, m.joint[m.diff[a][b]], a, times)
}

// permute adds the permutation by the point with the given images of nodes, unless one before moves the cosets alike.
func (m *cosets) permute(images []int) {
	perm := make([]int32, len(m.first))
	for a, v := range m.first {
		perm[a] = m.of[images[v]]
	}
	if !slices.ContainsFunc(m.perms, func(have []int32) bool { return slices.Equal(have, perm) }) {
		m.perms = append(m.perms, perm)
	}
}

// smallest reports whether no translation or point takes a union, ascending from coset 0, to one that is
// lexicographically smaller.
func (m *cosets) smallest(union []int) bool {
	image := make([]int, len(union))
	for _, perm := range m.perms {
		for _, origin := range union {
			row := m.diff[perm[origin]]
			for i, a := range union {
				image[i] = int(row[perm[a]])
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
func (m *cosets) placement(union []int) core.Placement {
	var nodes []int
	for v, a := range m.of {
		if slices.Contains(union, int(a)) {
			nodes = append(nodes, v)
		}
	}
	return core.MustPlacement(m.torus, nodes)
}
