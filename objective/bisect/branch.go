package bisect

import (
	"context"

	"leeway/core"
)

// branch finds the narrowest cut by branch and bound on the processors: one after
// the other goes into S or stays outside.
//
// The bound is the maximum flow between the processors placed so far, which is
// the narrowest cut that separates them. Once all are placed it is exact, so the
// nodes without a processor need no branching. A minimum cut that happens to fit
// settles its branch at once.
//
// Next comes the processor that raises the flow most on whichever side it goes
// (strong branching); one that fits on a single side only is put there.
type branch struct {
	question Question
	flow     *flow
	nodes    []int // the processors
	step     int   // cuts differ by multiples of it
	best     core.Set
	bestOut  int
	stopped  bool
	pool     []*saved // by depth
}

// newBranch returns the engine for cuts with fewer links out than out.
func newBranch(q Question, out int) *branch {
	b := &branch{question: q, flow: newFlow(q.Placement.Torus()), nodes: q.Placement.Nodes(),
		bestOut: out}
	b.step = divisor(q.Placement.Torus())
	return b
}

// run returns the narrowest cut with fewer links out than asked for, nil if there
// is none, and whether it looked at everything before the context ended.
func (b *branch) run(ctx context.Context) (core.Set, bool) {
	if b.question.fits(0) {
		if b.bestOut > 0 {
			b.best, b.bestOut = core.NewSet(b.flow.nodes), 0
		}
		return b.best, true
	}
	b.flow.join(b.nodes[0], 1) // the complement of a cut is as narrow
	b.visit(ctx, 0)
	return b.best, !b.stopped
}

// hopeless reports whether a cut with at least value links out is of no use.
func (b *branch) hopeless(value int) bool {
	return roundUp(value, b.step) >= b.bestOut
}

// visit looks at all cuts that agree with the sides chosen so far.
func (b *branch) visit(ctx context.Context, depth int) {
	if b.stopped = b.stopped || ctx.Err() != nil; b.stopped {
		return
	}
	b.flow.maxCut = b.bestOut
	for {
		if b.hopeless(b.flow.value) || b.settled() {
			return
		}
		c := b.choose(depth)
		switch {
		case c.dead:
			return
		case c.side == 0:
			b.split(ctx, depth, c)
			return
		}
		b.flow.join(c.node, c.side)
	}
}

// split tries a processor on both sides, first where the flow stays lower.
func (b *branch) split(ctx context.Context, depth int, c choice) {
	here := &saved{}
	b.flow.save(here)
	sides := [2]int8{1, 2}
	if c.raise[1] < c.raise[0] {
		sides = [2]int8{2, 1}
	}
	for _, side := range sides {
		b.flow.join(c.node, side)
		b.visit(ctx, depth+1)
		b.flow.restore(here)
		b.flow.maxCut = b.bestOut
	}
}

// settled takes a minimum cut that fits the question.
func (b *branch) settled() bool {
	for _, side := range [2]int8{1, 2} {
		cut := b.flow.cut(side)
		if b.question.fits(processorsInside(b.question.Placement, cut)) {
			b.best, b.bestOut = cut, b.flow.value
			return true
		}
	}
	return false
}

// choice is the next processor: to be put on a side, or on both in turn (0).
type choice struct {
	node  int
	side  int8
	raise [2]int
	dead  bool // no side fits
}

// choose tries every free processor on both sides.
func (b *branch) choose(depth int) choice {
	room := b.room()
	for len(b.pool) <= depth {
		b.pool = append(b.pool, &saved{})
	}
	here := b.pool[depth]
	b.flow.save(here)
	best := choice{node: -1}
	for _, v := range b.nodes {
		if b.flow.side[v] != 0 {
			continue
		}
		c := choice{node: v}
		var open [2]bool
		for i := range c.raise {
			b.flow.join(v, int8(i+1))
			c.raise[i] = b.flow.value - here.value
			open[i] = room[i] > 0 && !b.hopeless(b.flow.value)
			b.flow.restore(here)
		}
		if !open[0] || !open[1] {
			c.dead = !open[0] && !open[1]
			c.side = 1
			if open[1] {
				c.side = 2
			}
			return c
		}
		if best.node < 0 || c.better(best) {
			best = c
		}
	}
	return best
}

// better compares by the smaller raise, then by the larger.
func (c choice) better(d choice) bool {
	if x, y := min(c.raise[0], c.raise[1]), min(d.raise[0], d.raise[1]); x != y {
		return x > y
	}
	return max(c.raise[0], c.raise[1]) > max(d.raise[0], d.raise[1])
}

// room returns how many processors still fit on each side.
func (b *branch) room() [2]int {
	room := [2]int{b.question.most(), b.question.most()}
	for _, v := range b.nodes {
		if s := b.flow.side[v]; s != 0 {
			room[s-1]--
		}
	}
	return room
}

// flow is a maximum flow from the nodes on side 1 to the nodes on side 2, each
// neighbour pair with the bandwidth of its link as capacity either way. It grows as nodes join the sides;
// by the theorem of Ford and Fulkerson its value is the least capacity out of S
// over all S with side 1 inside and side 2 outside.
type flow struct {
	*graph
	back   []int32 // by arc: the arc the other way
	side   []int8  // by node: 0 free, 1 in S, 2 outside
	used   []int32 // by arc: flow along it; the reverse has the opposite
	value  int
	from   []int32 // by node: the arc by which the search came, -1 not reached
	queue  []int32
	maxCut int // augmenting stops above this value
}

func newFlow(t *core.Torus) *flow {
	g := newGraph(t)
	f := &flow{graph: g, back: make([]int32, len(g.next)), side: make([]int8, g.nodes), used: make([]int32, len(g.next)),
		from: make([]int32, g.nodes), maxCut: g.capacity * g.nodes}
	at := func(l core.Link) int { return int(l)%g.nodes*g.degree + int(l)/g.nodes }
	for l := range t.EachLink() {
		f.back[at(l)] = int32(at(t.Reverse(l)))
	}
	return f
}

// saved is what a flow needs to go back to an earlier state.
type saved struct {
	side  []int8
	used  []int32
	value int
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
	for f.value <= f.maxCut {
		more := f.augment(v, side)
		if more == 0 {
			return
		}
		f.value += more
	}
}

// augment looks for a path in the residual graph between v and the other side, and pushes along it what all its arcs
// have room for, at most their capacity. It returns how much, 0 if there is no path.
func (f *flow) augment(v int, side int8) int {
	end := f.search(side, int32(v))
	if end < 0 {
		return 0
	}
	return f.push(end, v, side)
}

// search looks, breadth first, for a path in the residual graph from some nodes to the other side, and returns where it
// ends, -1 if there is none. Then from tells the nodes that it reached.
func (f *flow) search(side int8, starts ...int32) int {
	for i := range f.from {
		f.from[i] = -1
	}
	for _, v := range starts {
		f.from[v] = v * int32(f.degree) // any arc: only that it is not -1 counts
	}
	f.queue = append(f.queue[:0], starts...)
	for head := 0; head < len(f.queue); head++ {
		u := int(f.queue[head])
		for i, w := range f.neighbours(u) {
			arc := int32(u*f.degree + i)
			if f.from[w] >= 0 || f.room(arc, side) < 1 {
				continue
			}
			f.from[w] = arc
			if f.side[w] == 3-side {
				return int(w)
			}
			f.queue = append(f.queue, w)
		}
	}
	return -1
}

// room returns how much more the arc takes that carries flow when the search goes along
// one: its capacity at most.
func (f *flow) room(arc int32, side int8) int {
	weight := f.linkCapacity(int(arc)/f.degree, int(arc)%f.degree) // the same both ways
	return min(weight, weight-int(f.used[f.carrier(arc, side)]))
}

// carrier returns the arc that carries flow when the search goes along arc: it
// searches with the flow from side 1 and against it from side 2.
func (f *flow) carrier(arc int32, side int8) int32 {
	if side == 1 {
		return arc
	}
	return f.back[arc]
}

func (f *flow) push(end, start int, side int8) int {
	amount := f.capacity
	for v := end; v != start; v = int(f.from[v]) / f.degree {
		amount = min(amount, f.room(f.from[v], side))
	}
	for v := end; v != start; v = int(f.from[v]) / f.degree {
		a := f.carrier(f.from[v], side)
		f.used[a] += int32(amount)
		f.used[f.back[a]] -= int32(amount)
	}
	return amount
}

// cut returns a set with side 1 inside, side 2 outside and capacity value out: the
// smallest such set for side 1, the largest for side 2.
func (f *flow) cut(side int8) core.Set {
	var starts []int32
	for v, s := range f.side {
		if s == side {
			starts = append(starts, int32(v))
		}
	}
	f.search(side, starts...)
	set := core.NewSet(f.nodes)
	for v, arc := range f.from {
		if (arc >= 0) == (side == 1) {
			set.Add(v)
		}
	}
	return set
}
