package bisect

import (
	"math/bits"

	"leeway/core"
)

// slabs is the torus as the transfer matrix sees it: k slabs of m nodes across
// the longest dimension. Node i of a slab has the same other coordinates in every
// slab; a pattern is a set of nodes of one slab, bit i for node i.
type slabs struct {
	k, m       int
	node       [][]int  // by slab and place
	processor  [][]bool // the same
	neighbours []uint32 // by place: neighbours in the slab
}

// maxPlaces is the most nodes in a slab: states number 2^places.
const maxPlaces = 20

// maxShiftNodes is the most nodes for which translations are tried.
const maxShiftNodes = 1 << 12

// newSlabs returns the slabs, nil if they have too many places.
func newSlabs(p core.Placement) *slabs {
	t := p.Torus()
	dim := 0
	for j := range t.D() {
		if t.Side(j) > t.Side(dim) {
			dim = j
		}
	}
	x := &slabs{k: t.Side(dim), m: t.N() / t.Side(dim)}
	if x.m > maxPlaces {
		return nil
	}
	set := p.Set()
	x.node, x.processor = make([][]int, x.k), make([][]bool, x.k)
	place := make([]int, t.N())
	for v := range t.N() {
		s := t.Coord(v, dim)
		place[v] = len(x.node[s])
		x.node[s] = append(x.node[s], v)
		x.processor[s] = append(x.processor[s], set.Has(v))
	}
	x.neighbours = make([]uint32, x.m)
	for i, v := range x.node[0] {
		for _, port := range t.Ports() {
			if port.Dim != dim {
				x.neighbours[i] |= 1 << place[t.Shift(v, port.Dim, int(port.Dir))]
			}
		}
	}
	return x
}

// out returns the links of one slab that leave a pattern within it.
func (x *slabs) out(pattern uint32) int {
	count := 0
	for rest := pattern; rest != 0; rest &= rest - 1 {
		count += bits.OnesCount32(x.neighbours[bits.TrailingZeros32(rest)] &^ pattern)
	}
	return count
}

// count returns the processors of slab s in a pattern.
func (x *slabs) count(s int, pattern uint32) int {
	count := 0
	for i, is := range x.processor[s] {
		if is && pattern>>i&1 != 0 {
			count++
		}
	}
	return count
}

// patterns returns, up to complement, the patterns with at most limit links out
// within the slab.
func (x *slabs) patterns(limit int) []uint32 {
	var list []uint32
	for p := range uint32(1) << (x.m - 1) { // the last node outside
		if x.out(p) <= limit {
			list = append(list, p)
		}
	}
	return list
}

// starts returns one slab of each class that translations which leave the
// placement unchanged make of the slabs: a cut moves along with them, so that it
// is enough to begin in one of the class. Only the placement's own translations
// along the sweep and within the slabs are tried, k m of them; where that would
// take long, none.
func (x *slabs) starts(p core.Placement) []int {
	t := p.Torus()
	set, nodes := p.Set(), p.Nodes()
	seen := make([]bool, x.k)
	var shifts []int
	for s := 1; s < x.k && t.N() <= maxShiftNodes; s++ {
		for _, by := range x.node[s] {
			if keeps(t, set, nodes, by) {
				shifts = append(shifts, s)
				break
			}
		}
	}
	var list []int
	for s := range x.k {
		if seen[s] {
			continue
		}
		list = append(list, s)
		for _, by := range shifts {
			seen[(s+by)%x.k] = true
		}
	}
	return list
}

// keeps reports whether a translation maps the placement to itself.
func keeps(t *core.Torus, set core.Set, nodes []int, by int) bool {
	for _, v := range nodes {
		if !set.Has(moved(t, v, by)) {
			return false
		}
	}
	return true
}
