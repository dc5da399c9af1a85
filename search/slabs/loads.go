package slabs

import (
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/lanes"
	"leeway/search/census"
)

// at returns the link of class e on the line through node v.
func (d *ring) at(t *core.Torus, e, v int) core.Link {
	from, port := t.LinkFrom(d.links[e])
	return t.Link(t.Shift(v, d.dim, t.Coord(from, d.dim)-t.Coord(v, d.dim)), d.dim, port.Dir)
}

// rest returns, by link, what nodes u and v exchange beyond what their forced loads count for each other.
func rest(r routing.Routing, rings []*ring, u, v int) []int64 {
	t, den := r.Torus(), objective.Denominator(r).Int64()
	rest := make([]int64, t.M())
	for _, l := range objective.Exchanged(r, u, v, den) {
		rest[l.Link(t)] = l.Load
	}
	for s, d := range rings {
		x, y, scale := t.Coord(u, s), t.Coord(v, s), int64(t.Scale(s))
		for e, g := range d.forced {
			rest[d.at(t, e, u)] -= g[x][y] * scale
			rest[d.at(t, e, v)] -= g[y][x] * scale
		}
	}
	return rest
}

// packRests packs the rests of all pairs; without open dimensions those of node 0 say all.
func packRests(r routing.Routing, rings []*ring, both []bool, limit int64) *census.Loads {
	t := r.Torus()
	if t.Closed() {
		first := [][]int64{make([]int64, t.M())}
		for v := 1; v < t.N(); v++ {
			first = append(first, rest(r, rings, 0, v))
		}
		return census.NewLoads(t, first, both, limit, 0)
	}
	return census.NewPairLoads(t, func(u, v int) (list []objective.LinkLoad) {
		for l, load := range rest(r, rings, u, v) {
			if load != 0 {
				list = append(list, objective.LinkLoad{From: int32(l % t.N()), Port: int32(l / t.N()), Load: load})
			}
		}
		return list
	}, both, limit, 0)
}

// loads are the packed loads of a question, divided by bandwidths: pairs have their rests.
type loads struct {
	*census.Loads
	rings  []*ring
	places [][][]lanes.Place // by node, dimension and class: the lane on the line through the node
}

// newLoads packs the rests of all pairs, for a limit in units of objective.Denominator.
func newLoads(r routing.Routing, rings []*ring, limit int64) *loads {
	t := r.Torus()
	both := make([]bool, t.D()) // may both directions of an edge have one lane
	for s, d := range rings {
		both[s] = d.k > 2
		for e := range d.links {
			for f := range d.links {
				if d.links[f] == t.Reverse(d.links[e]) && !equal(d.forced[e], d.forced[f]) {
					both[s] = false
				}
			}
		}
	}
	q := &loads{Loads: packRests(r, rings, both, limit), rings: rings}
	for v := range t.N() {
		q.places = append(q.places, make([][]lanes.Place, len(rings)))
		for s, d := range rings {
			for e := range d.links {
				q.places[v][s] = append(q.places[v][s], q.Lane[d.at(t, e, v)])
			}
		}
	}
	return q
}

// packForced packs the forced load of node v into row, given those by dimension and place in units of loads, and
// reports whether it is within the limit.
func (q *loads) packForced(row []uint64, t *core.Torus, v int, forced [][][]int64) bool {
	clear(row)
	for s, places := range q.places[v] {
		for e, load := range forced[s][t.Coord(v, s)] {
			if load > q.Limit {
				return false
			}
			q.Set(row, places[e], load) // both directions of an edge may have one lane
		}
	}
	return true
}

// lines number the lines of a torus and the slabs, one dimension after the other.
type lines struct {
	of     [][]int   // by node and dimension: the number of its line along the dimension
	slabs  [][]int   // by line: the slabs of the other dimensions that it lies in
	in     []nodeSet // by line: its nodes
	first  []int     // by dimension: the number of its first line; the count of all at the end
	slab   [][]int   // by node and dimension: the number of its slab
	inSlab []nodeSet // by slab: its nodes
	dim    []int     // by slab: its dimension
	words  int       // of a nodeSet in use
}

func newLines(t *core.Torus) *lines {
	l := &lines{of: make([][]int, t.N()), slab: make([][]int, t.N()), words: (t.N() + 63) / 64}
	for s := range t.D() {
		before := len(l.dim) // the number of the first slab
		for range t.Side(s) {
			l.dim, l.inSlab = append(l.dim, s), append(l.inSlab, nodeSet{})
		}
		for v := range t.N() {
			slab := before + t.Coord(v, s)
			l.slab[v] = append(l.slab[v], slab)
			l.inSlab[slab].add(v)
		}
	}
	for s := range t.D() {
		l.first = append(l.first, len(l.slabs))
		for v := range t.N() {
			if x := t.Coord(v, s); x > 0 {
				l.of[v] = append(l.of[v], l.of[v-x*t.Stride(s)][s])
			} else {
				l.of[v] = append(l.of[v], len(l.slabs))
				l.slabs, l.in = append(l.slabs, slices.Delete(slices.Clone(l.slab[v]), s, s+1)), append(l.in, nodeSet{})
			}
			l.in[l.of[v][s]].add(v)
		}
	}
	l.first = append(l.first, len(l.slabs))
	return l
}
