package bisect

import "leeway/core"

// flow is a maximum flow from the nodes on side 1 to the nodes on side 2, each
// neighbour pair with capacity one either way. It grows as nodes join the sides;
// by the theorem of Ford and Fulkerson its value is the fewest links out of S
// over all S with side 1 inside and side 2 outside.
type flow struct {
	*graph
	back   []int32 // by arc: the arc the other way
	side   []int8  // by node: 0 free, 1 in S, 2 outside
	used   []int8  // by arc: flow along it, -1, 0 or 1; the reverse has the opposite
	value  int
	from   []int32 // by node: the arc by which the search came, -1 not reached
	queue  []int32
	maxCut int // augmenting stops above this value
}

func newFlow(g *graph) *flow {
	f := &flow{graph: g, back: make([]int32, len(g.next)), side: make([]int8, g.nodes), used: make([]int8, len(g.next)),
		from: make([]int32, g.nodes), maxCut: len(g.next)}
	for v := range g.nodes {
		for i, w := range g.of(v) {
			for j, u := range g.of(int(w)) {
				if int(u) == v {
					f.back[v*g.degree+i] = w*int32(g.degree) + int32(j)
				}
			}
		}
	}
	return f
}

// saved is what a flow needs to go back to an earlier state.
type saved struct {
	side, used []int8
	value      int
}

func (f *flow) save(s *saved) {
	s.side, s.used, s.value = append(s.side[:0], f.side...), append(s.used[:0], f.used...), f.value
}

func (f *flow) restore(s *saved) {
	copy(f.side, s.side)
	copy(f.used, s.used)
	f.value = s.value
}

// join puts a free node on a side and augments; new paths begin or end there. It
// stops once the value exceeds maxCut.
func (f *flow) join(v int, side int8) {
	f.side[v] = side
	for f.value <= f.maxCut && f.augment(v, side) {
		f.value++
	}
}

// augment looks, breadth first, for a path in the residual graph between v and
// the other side, and pushes one unit along it.
func (f *flow) augment(v int, side int8) bool {
	for i := range f.from {
		f.from[i] = -1
	}
	f.from[v] = int32(v * f.degree) // any arc: only that it is not -1 counts
	f.queue = append(f.queue[:0], int32(v))
	for head := 0; head < len(f.queue); head++ {
		u := int(f.queue[head])
		for i, w := range f.of(u) {
			arc := int32(u*f.degree + i)
			if f.from[w] >= 0 || f.used[f.along(arc, side)] >= 1 {
				continue
			}
			f.from[w] = arc
			if f.side[w] == 3-side {
				f.push(int(w), v, side)
				return true
			}
			f.queue = append(f.queue, w)
		}
	}
	return false
}

// along returns the arc that carries flow when the search goes along arc: it
// searches with the flow from side 1 and against it from side 2.
func (f *flow) along(arc int32, side int8) int32 {
	if side == 1 {
		return arc
	}
	return f.back[arc]
}

func (f *flow) push(end, start int, side int8) {
	for v := end; v != start; {
		arc := f.from[v]
		a := f.along(arc, side)
		f.used[a]++
		f.used[f.back[a]]--
		v = int(arc) / f.degree
	}
}

// cut returns a set with side 1 inside, side 2 outside and value links out: the
// smallest such set for side 1, the largest for side 2.
func (f *flow) cut(side int8) core.Set {
	reached := core.NewSet(f.nodes)
	f.queue = f.queue[:0]
	for v, s := range f.side {
		if s == side {
			reached.Add(v)
			f.queue = append(f.queue, int32(v))
		}
	}
	for head := 0; head < len(f.queue); head++ {
		u := int(f.queue[head])
		for i, w := range f.of(u) {
			if !reached.Has(int(w)) && f.used[f.along(int32(u*f.degree+i), side)] < 1 {
				reached.Add(int(w))
				f.queue = append(f.queue, w)
			}
		}
	}
	if side == 1 {
		return reached
	}
	for v := range f.nodes {
		flip(reached, v)
	}
	return reached
}
