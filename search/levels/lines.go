package levels

import "leeway/core"

// lines number the lines of a torus and the slabs, one dimension after the other.
type lines struct {
	of    [][]int  // by node and dimension: the number of its line along the dimension
	slabs [][]int  // by line: the slabs of the other dimensions that it lies in
	first []int    // by dimension: the number of its first line; the count of all at the end
	slab  [][]int  // by node and dimension: the number of its slab
	in    []uint64 // by node: its slabs as bits; 256 nodes have far less than 64
	dim   []int    // by slab: its dimension
}

func newLines(t *core.Torus) *lines {
	l := &lines{}
	before := make([]int, t.D()) // the number of the first slab
	for s := range t.D() {
		before[s] = len(l.dim)
		for range t.Side(s) {
			l.dim = append(l.dim, s)
		}
	}
	for v := range t.N() {
		in := uint64(0)
		l.of, l.slab = append(l.of, make([]int, t.D())), append(l.slab, make([]int, t.D()))
		for s := range t.D() {
			l.slab[v][s] = before[s] + t.Coord(v, s)
			in |= 1 << l.slab[v][s]
		}
		l.in = append(l.in, in)
	}
	for s := range t.D() {
		l.first = append(l.first, len(l.slabs))
		for v := range t.N() {
			if x := t.Coord(v, s); x > 0 {
				l.of[v][s] = l.of[v-x*t.Stride(s)][s]
				continue
			}
			l.of[v][s] = len(l.slabs)
			var in []int
			for o, slab := range l.slab[v] {
				if o != s {
					in = append(in, slab)
				}
			}
			l.slabs = append(l.slabs, in)
		}
	}
	l.first = append(l.first, len(l.slabs))
	return l
}
