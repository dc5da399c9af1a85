package bisect

import (
	"context"
	"math/bits"
	"slices"

	"leeway/core"
)

// transfer finds narrow cuts by dynamic programming with a broken profile: nodes
// join the frontier one by one, slab by slab around the torus.
//
// What closes the torus is the pattern of the first slab, which must be tried one
// after the other. Three things keep their number small. A cut with fewer links
// than the limit has a slab with at most (limit-1)/k of them inside; we begin
// there, in every slab that symmetry tells apart. The complement of a cut is as
// narrow. And limits fall whenever a cut is found. On k x k below 2k links, for
// example, one slab lies on one side entirely.
type transfer struct {
	*slabs
	placement core.Placement
	graph     *graph
	// limits holds, by number of processors in S, the links out that a cut of use
	// must stay below. It reads the same from both ends.
	limits []int
	// tighten returns the limits after a cut has been found.
	tighten func(count, out int) []int
	best    *found
}

// found is a cut that has been found but not traced yet.
type found struct {
	start      int
	first      uint32
	count, out int
}

// newTransfer returns the engine, nil if the torus is too wide for it.
func newTransfer(p core.Placement, limits []int, tighten func(count, out int) []int) *transfer {
	s := newSlabs(p)
	if s == nil || slices.Max(limits) >= none {
		return nil
	}
	return &transfer{slabs: s, placement: p, graph: newGraph(p.Torus()), limits: limits, tighten: tighten}
}

// work returns an upper estimate of the states that run visits.
func (x *transfer) work() float64 {
	patterns := 1
	if !x.open {
		patterns = len(x.patterns(x.inner())) * len(x.starts(x.placement))
	}
	return float64(patterns) * x.states() * float64(x.m*x.k)
}

// within reports whether run visits at most limit states. It does not list the
// patterns where one would be too many.
func (x *transfer) within(limit float64) bool {
	return x.states()*float64(x.m*x.k) <= limit && x.work() <= limit
}

// states returns the number of states of a layer.
func (x *transfer) states() float64 { return float64(int(1)<<x.m) * float64(x.width()) }

// inner returns the links within its slab that the first pattern may have.
func (x *transfer) inner() int { return (slices.Max(x.limits) - 1) / x.k }

// width returns the numbers of processors to be told apart.
func (x *transfer) width() int {
	for c := len(x.limits) - 1; c >= 0; c-- {
		if x.limits[c] > 0 {
			return c + 1
		}
	}
	return 1
}

// run looks for cuts below the limits until none is left and returns the last one
// found, nil if there is none, and whether it looked at everything before the
// context ended.
func (x *transfer) run(ctx context.Context) (core.Set, bool) {
	complete := x.search(ctx)
	if x.best == nil {
		return nil, complete
	}
	return x.trace(*x.best), complete
}

func (x *transfer) search(ctx context.Context) bool {
	if x.open { // nothing closes: one sweep for all patterns of the first slab
		l, ok := x.sweep(ctx, 0, 0, slices.Max(x.limits), nil)
		if ok {
			x.collect(l, 0, 0)
		}
		return ok
	}
	patterns := x.patterns(x.inner())
	slices.SortStableFunc(patterns, func(a, b uint32) int { return x.out(a) - x.out(b) })
	for _, first := range patterns {
		for _, start := range x.starts(x.placement) {
			if slices.Max(x.limits) < 1 || x.out(first) > x.inner() {
				return true // no later pattern has fewer links inside
			}
			l, ok := x.sweep(ctx, start, first, slices.Max(x.limits), nil)
			if !ok {
				return false
			}
			x.collect(l, start, first)
		}
	}
	return true
}

// collect takes the cuts below the limits out of a finished layer.
func (x *transfer) collect(l *layer, start int, first uint32) {
	least := slices.Repeat([]int{none}, l.width)
	for p, live := range l.live {
		if live {
			for c, v := range l.row(uint32(p)) {
				least[c] = min(least[c], int(v))
			}
		}
	}
	for c, out := range least {
		if out < x.limits[c] {
			x.best = &found{start: start, first: first, count: c, out: out}
			x.limits = x.tighten(c, out)
		}
	}
}

// sweep fills the slabs from start around the torus, given the pattern of the
// first one, and returns the last layer. It stops, returning false, when the
// context ends. If visit is not nil it sees the layer before each slab.
func (x *transfer) sweep(ctx context.Context, start int, first uint32, limit int,
	visit func(i int, l *layer)) (*layer, bool) {
	l := newLayer(x.m, x.width())
	firsts := []uint32{first}
	if x.open {
		firsts = x.patterns(limit - 1)
	}
	for _, p := range firsts {
		if c := x.count(start, p); c < l.width && x.out(p) < limit {
			l.row(p)[c] = uint16(x.out(p))
			l.live[p] = true
		}
	}
	for i := 1; i < x.k; i++ {
		if ctx.Err() != nil {
			return nil, false
		}
		if visit != nil {
			visit(i, l)
		}
		for _, s := range x.steps(start, i, first, limit) {
			l.apply(s)
		}
	}
	return l, true
}

// steps returns the steps that fill the i-th slab after start.
func (x *transfer) steps(start, i int, first uint32, limit int) []step {
	list := make([]step, x.m)
	all := uint32(1)<<x.m - 1
	for place := range list {
		done := uint32(1)<<place - 1
		s := step{place: place, processor: x.processor[(start+i)%x.k][place], bandwidth: x.bandwidth, first: first,
			limit: limit}
		for _, n := range x.neighbours[place] {
			s.earlier = append(s.earlier, neighbours{n.places & done, n.bandwidth})
		}
		switch {
		case x.open:
		case x.k == 2: // the one link to the first slab is that to the node replaced
		case i == x.k-1:
			s.closing, s.unclosed = true, all&^done&^(1<<place)
		default:
			s.unclosed = all
		}
		list[place] = s
	}
	return list
}

// slabs is the torus as the transfer matrix sees it: k slabs of m nodes across
// the longest dimension. Node i of a slab has the same other coordinates in every
// slab; a pattern is a set of nodes of one slab, bit i for node i.
type slabs struct {
	k, m       int
	open       bool           // the last slab does not border on the first
	bandwidth  int            // between slabs
	node       [][]int        // by slab and place
	processor  [][]bool       // the same
	neighbours [][]neighbours // by place: those in the slab, by bandwidth
}

// neighbours are places of a slab to which a place has links of one bandwidth.
type neighbours struct {
	places    uint32
	bandwidth int
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
		if t.Side(j) > t.Side(dim) || t.Side(j) == t.Side(dim) && t.Open(j) && !t.Open(dim) {
			dim = j
		}
	}
	x := &slabs{k: t.Side(dim), m: t.N() / t.Side(dim), open: t.Open(dim), bandwidth: t.Bandwidth(dim)}
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
	x.neighbours = make([][]neighbours, x.m)
	for i, v := range x.node[0] {
		for port, p := range t.Ports() {
			if p.Dim == dim || !t.HasLink(core.Link(port*t.N()+v)) {
				continue
			}
			list, bandwidth := &x.neighbours[i], t.Bandwidth(p.Dim)
			at := slices.IndexFunc(*list, func(n neighbours) bool { return n.bandwidth == bandwidth })
			if at < 0 {
				at = len(*list)
				*list = append(*list, neighbours{0, bandwidth})
			}
			(*list)[at].places |= 1 << place[t.Shift(v, p.Dim, int(p.Dir))]
		}
	}
	return x
}

// out returns the capacity of the links of one slab that leave a pattern within it.
func (x *slabs) out(pattern uint32) int {
	sum := 0
	for rest := pattern; rest != 0; rest &= rest - 1 {
		for _, n := range x.neighbours[bits.TrailingZeros32(rest)] {
			sum += bits.OnesCount32(n.places&^pattern) * n.bandwidth
		}
	}
	return sum
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
			if t.ClosedPart(by) == by && !slices.ContainsFunc(nodes, func(v int) bool { return !set.Has(t.Sum(v, by)) }) {
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

// A layer holds, for every pattern of the frontier and number of processors in S
// so far, the fewest links out so far. The frontier has one node per place: of
// the slab being filled where that is done, of the slab before where not.
type layer struct {
	width int      // numbers of processors, 0..width-1
	cost  []uint16 // by pattern*width + number
	live  []bool   // by pattern: some cost is below none
}

// none is the cost of a state that is impossible or too dear.
const none = 1 << 14

func newLayer(places, width int) *layer {
	return &layer{width: width, cost: slices.Repeat([]uint16{none}, width<<places), live: make([]bool, 1<<places)}
}

func (l *layer) clone() *layer {
	return &layer{width: l.width, cost: slices.Clone(l.cost), live: slices.Clone(l.live)}
}

// row returns the costs of a pattern.
func (l *layer) row(pattern uint32) []uint16 {
	return l.cost[int(pattern)*l.width : (int(pattern)+1)*l.width]
}

// A step replaces the node at one place of the frontier by its neighbour in the
// next slab.
type step struct {
	place     int
	processor bool
	bandwidth int          // of the link to the node replaced
	earlier   []neighbours // at places that are replaced already
	first     uint32       // the pattern of the first slab
	closing   bool         // the slab borders on the first one again
	unclosed  uint32       // places whose link back to the first slab is still to come
	limit     int          // states whose cut cannot stay below this are dropped
}

// own returns the links that the new node adds to the cut when it goes to side
// bit, besides the one to the node that it replaces.
func (s step) own(pattern, bit uint32) uint16 {
	sum := 0
	for _, n := range s.earlier {
		sum += bits.OnesCount32((pattern^-bit)&n.places) * n.bandwidth
	}
	if s.closing && s.first>>s.place&1 != bit {
		sum += s.bandwidth
	}
	return uint16(sum)
}

// below returns the least cost at which a new pattern is dropped: each place that
// differs from the first slab still costs a link on its way around.
func (s step) below(pattern uint32) uint16 {
	return uint16(max(0, s.limit-bits.OnesCount32((pattern^s.first)&s.unclosed)*s.bandwidth))
}

// apply makes the step in place. Cost: 2^places times the width, less what has
// been dropped.
func (l *layer) apply(s step) {
	bit := uint32(1) << s.place
	for zero := uint32(0); int(zero) < len(l.live); zero++ {
		if zero&bit != 0 || !l.live[zero] && !l.live[zero|bit] {
			continue
		}
		one := zero | bit
		a, b := l.row(zero), l.row(one)
		m := move{uint16(s.bandwidth), s.own(zero, 0), s.own(one, 1), s.below(zero), s.below(one)}
		if s.processor {
			l.live[zero], l.live[one] = m.counted(a, b)
		} else {
			l.live[zero], l.live[one] = m.free(a, b)
		}
	}
}

// A move is what a step costs two patterns that differ in its place, side 0 and 1.
type move struct {
	change     uint16 // the new node is not on the side of the old one
	addA, addB uint16
	endA, endB uint16 // costs from which on a state is dropped
}

// free updates the rows of side 0 and 1 for a node without a processor and
// says which have a state left.
func (m move) free(a, b []uint16) (liveA, liveB bool) {
	b = b[:len(a)]
	leastA, leastB := uint16(none), uint16(none)
	for c := range a {
		x, y := min(a[c], b[c]+m.change)+m.addA, min(b[c], a[c]+m.change)+m.addB
		if x >= m.endA {
			x = none
		}
		if y >= m.endB {
			y = none
		}
		a[c], b[c] = x, y
		leastA, leastB = min(leastA, x), min(leastB, y)
	}
	return leastA < none, leastB < none
}

// counted is free for a processor: on side 1 it raises the number by one.
func (m move) counted(a, b []uint16) (liveA, liveB bool) {
	b = b[:len(a)]
	leastA, leastB := uint16(none), uint16(none)
	for c := len(a) - 1; c >= 0; c-- {
		x, y := min(a[c], b[c]+m.change)+m.addA, uint16(none)
		if c > 0 {
			y = min(b[c-1], a[c-1]+m.change) + m.addB
		}
		if x >= m.endA {
			x = none
		}
		if y >= m.endB {
			y = none
		}
		a[c], b[c] = x, y
		leastA, leastB = min(leastA, x), min(leastB, y)
	}
	return leastA < none, leastB < none
}

// trace returns a set with the number of processors and links out that the sweep
// found. It sweeps once more, keeps the layer before each slab, and goes back
// slab by slab: memory for k + m layers.
func (x *transfer) trace(f found) core.Set {
	before := make([]*layer, x.k)
	last, _ := x.sweep(context.Background(), f.start, f.first, f.out+1, func(i int, l *layer) { before[i] = l.clone() })
	state := state{count: f.count, cost: uint16(f.out)}
	for p, live := range last.live {
		if live && last.row(uint32(p))[f.count] == state.cost {
			state.pattern = uint32(p)
			break
		}
	}
	set := core.NewSet(x.placement.Torus().N())
	for i := x.k - 1; i >= 1; i-- {
		x.add(set, f.start+i, state.pattern)
		state = x.back(before[i], x.steps(f.start, i, f.first, f.out+1), state)
		before[i] = nil
	}
	x.add(set, f.start, state.pattern) // f.first, where that is given
	return set
}

// state is one entry of a layer.
type state struct {
	pattern uint32
	count   int
	cost    uint16
}

// back returns the state before the steps of one slab from which the state after
// them comes.
func (x *transfer) back(l *layer, steps []step, after state) state {
	layers := make([]*layer, len(steps))
	for i, s := range steps {
		layers[i] = l.clone()
		l.apply(s)
	}
	for i := len(steps) - 1; i >= 0; i-- {
		after = layers[i].origin(steps[i], after)
	}
	return after
}

// origin returns the state of l from which a step leads to the given one. It
// panics if there is none, which only a fault in the sweep can bring.
func (l *layer) origin(s step, after state) state {
	bit := after.pattern >> s.place & 1
	own := s.own(after.pattern, bit)
	before := state{pattern: after.pattern, count: after.count}
	if s.processor && bit == 1 {
		before.count--
	}
	for range 2 {
		change := uint16(0)
		if before.pattern != after.pattern {
			change = uint16(s.bandwidth)
		}
		if cost := l.row(before.pattern)[before.count]; cost+own+change == after.cost {
			before.cost = cost
			return before
		}
		before.pattern ^= 1 << s.place
	}
	panic("bisect: a state has no origin")
}

func (x *transfer) add(set core.Set, slab int, pattern uint32) {
	for i, v := range x.node[slab%x.k] {
		if pattern>>i&1 != 0 {
			set.Add(v)
		}
	}
}
