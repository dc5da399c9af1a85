package slabs

import (
	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/lanes"
)

// at returns the link of class e on the line through node v.
func (d *ring) at(t *core.Torus, e, v int) core.Link {
	from, port := t.LinkFrom(d.links[e])
	return t.Link(t.Shift(v, d.dim, t.Coord(from, d.dim)-t.Coord(v, d.dim)), d.dim, port.Dir)
}

// rests returns, by node v and link, what nodes 0 and v exchange beyond what their
// forced loads count for each other.
func rests(r *routing.Orders, rings []*ring) [][]int64 {
	t, den := r.Torus(), r.Denominator().Int64()
	list := make([][]int64, t.N())
	for v := range list {
		rest := make([]int64, t.M())
		list[v] = rest
		if v == 0 {
			continue
		}
		for _, l := range objective.Exchanged(r, 0, v, den) {
			rest[l.Link(t)] = l.Load
		}
		for _, d := range rings {
			x := t.Coord(v, d.dim)
			for e, g := range d.forced {
				rest[d.at(t, e, 0)] -= g[0][x]
				rest[d.at(t, e, v)] -= g[x][0]
			}
		}
	}
	return list
}

// A loads holds the loads of a question packed, one lane for all links that carry
// the same under every placement: under udr both directions of an edge often do.
type loads struct {
	lanes  lanes.Layout
	limit  int64
	bias   uint64 // of the limit
	words  int
	rings  []*ring
	places [][][]lanes.Place // by node, dimension and class: the lane on the line through the node
	pairs  []uint64          // by two nodes: the packed rests
	nodes  int
}

// newLoads packs the rests of all pairs. A candidate within the limit meets a list within
// the limit and one more rest: lanes for limit+most-1 hold the sum with the bias. Cost
// O(N^2) vectors.
func newLoads(r *routing.Orders, rings []*ring, limit int64) *loads {
	t, rest := r.Torus(), rests(r, rings)
	lane, count := merge(t, rings, rest)
	most := int64(1)
	for _, list := range rest {
		for _, load := range list {
			most = max(most, load)
		}
	}
	q := &loads{lanes: lanes.For(limit + most - 1), limit: limit, rings: rings, nodes: t.N()}
	q.bias, q.words = q.lanes.Bias(limit), q.lanes.Words(count)
	places := q.lanes.Places(count)
	q.pairs = make([]uint64, t.N()*t.N()*q.words)
	for v := range t.N() {
		q.places = append(q.places, make([][]lanes.Place, len(rings)))
		for s, d := range rings {
			for e := range d.links {
				q.places[v][s] = append(q.places[v][s], places[lane[d.at(t, e, v)]])
			}
		}
		q.packRow(t, places, lane, rest, v)
	}
	return q
}

// packRow packs the rests of node u with all others, translations of those of node 0.
func (q *loads) packRow(t *core.Torus, places []lanes.Place, lane []int, rest [][]int64, u int) {
	back := t.Displacement(u, 0)
	for v := range t.N() {
		row := q.pair(u, t.Displacement(back, v))
		for l, load := range rest[v] {
			if load > 0 {
				from, port := t.LinkFrom(core.Link(l))
				q.lanes.Set(row, places[lane[t.Link(t.Displacement(back, from), port.Dim, port.Dir)]], load)
			}
		}
	}
}

// pair returns the packed rests of two nodes.
func (q *loads) pair(u, v int) []uint64 { return lanes.Row(q.pairs, u*q.nodes+v, q.words) }

// packForced packs the forced load of node v into row, given those by dimension and place,
// and reports whether it is within the limit.
func (q *loads) packForced(row []uint64, t *core.Torus, v int, forced [][][]int64) bool {
	clear(row)
	for s := range q.rings {
		for e, load := range forced[s][t.Coord(v, s)] {
			if load > q.limit {
				return false
			}
			q.lanes.Set(row, q.places[v][s][e], load)
		}
	}
	return true
}

// merge numbers the lanes of links: the two directions of an edge have one lane where
// all rests and forced loads on them agree.
func merge(t *core.Torus, rings []*ring, rest [][]int64) (lane []int, count int) {
	same := make([]bool, t.D())
	for s, d := range rings {
		same[s] = d.k > 2
		for e := range d.links {
			for f := range d.links {
				if d.links[f] == t.Reverse(d.links[e]) && !equal(d.forced[e], d.forced[f]) {
					same[s] = false
				}
			}
		}
	}
	for _, list := range rest {
		for l, load := range list {
			if _, port := t.LinkFrom(core.Link(l)); same[port.Dim] && list[t.Reverse(core.Link(l))] != load {
				same[port.Dim] = false
			}
		}
	}
	return t.LinkClasses(same)
}

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
