package bisect

import (
	"context"
	"math"
	"math/bits"
	"slices"

	"leeway/core"
)

// transfer finds narrow cuts by dynamic programming over a frontier: nodes join one
// by one, level by level around the torus, and leave the frontier when all neighbours
// have joined.
//
// What closes the torus are the first nodes, whose sides must be tried one pattern
// after the other. Three things keep the number of patterns small. All links of one
// dimension are spread evenly over the sets that begin at the levels: if the first
// nodes have a part of the links of each dimension among them, at most f, some such set
// has at most f times the links out of the cut among its nodes; so we begin at every
// level that symmetry tells apart. The complement of a cut is as narrow. And limits fall
// whenever a cut is found. On k x k below 2k links, for example, one slab lies on one
// side entirely.
type transfer struct {
	*frontier
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
	first      pattern
	count, out int
}

// newTransfer returns the engine, nil if the torus is too wide for it.
func newTransfer(p core.Placement, limits []int, tighten func(count, out int) []int) *transfer {
	t := p.Torus()
	if slices.Max(limits) >= none {
		return nil
	}
	x := &transfer{placement: p, graph: newGraph(t), limits: limits, tighten: tighten}
	least := 0.0
	for _, r := range gentlest(t) {
		if _, most := r.steepest(); most > maxPlaces {
			break // as are all that follow
		}
		for _, firsts := range r.firsts(t) {
			y := *x
			y.frontier = newFrontier(t, x.graph, r, firsts)
			if y.places > maxPlaces {
				continue
			}
			if work := y.work(); x.frontier == nil || work < least {
				x, least = &y, work
			}
		}
	}
	if x.frontier == nil {
		return nil
	}
	return x
}

// work returns an upper estimate of the states that run visits.
func (x *transfer) work() float64 {
	patterns, ok := x.patterns(x.inner())
	if !ok {
		return math.Inf(1)
	}
	return float64(len(patterns)*len(x.starts(x.placement))) * x.states() * float64(len(x.steps))
}

// fits reports whether run visits at most limit states. It does not list the
// patterns where one would be too many.
func (x *transfer) fits(limit float64) bool {
	return x.states()*float64(len(x.steps)) <= limit && x.work() <= limit
}

// states returns the number of states of a layer.
func (x *transfer) states() float64 { return float64(int(1)<<x.places) * float64(x.width()) }

// inner returns the capacity of the links among the first nodes that some beginning of a cut of use has at most.
func (x *transfer) inner() int {
	step := divisor(x.placement.Torus())
	return (slices.Max(x.limits) - 1) / step * step * x.part[0] / x.part[1]
}

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
	patterns, ok := x.patterns(x.inner())
	if !ok {
		return false
	}
	starts := x.starts(x.placement)
	for _, first := range patterns {
		for _, start := range starts {
			if slices.Max(x.limits) < 1 || first.out > x.inner() {
				return true // no later pattern has fewer links among the first nodes
			}
			l, ok := x.sweep(ctx, x.nodesFrom(start), first, slices.Max(x.limits), nil)
			if !ok {
				return false
			}
			x.collect(l, start, first)
		}
	}
	return true
}

// collect takes the cuts below the limits out of a finished layer.
func (x *transfer) collect(l *layer, start int, first pattern) {
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

// sweep lets the nodes join, given the pattern of the first ones, and returns the last layer. It stops, returning
// false, when the context ends. If visit is not nil it sees the layer before the first step and after as many as there
// are places.
func (x *transfer) sweep(ctx context.Context, nodes []int, first pattern, limit int,
	visit func(l *layer)) (*layer, bool) {
	l, processors, count := newLayer(x.places, x.width()), x.placement.Set(), 0
	for i, v := range nodes[:x.firsts] {
		if processors.Has(v) && first.inside>>i&1 != 0 {
			count++
		}
	}
	if count < l.width && first.out < limit {
		l.row(0)[count], l.live[0] = uint16(first.out), true
	}
	for i := range x.steps {
		if i%x.places == 0 {
			if ctx.Err() != nil {
				return nil, false
			}
			if visit != nil {
				visit(l)
			}
		}
		l.apply(x.step(i, processors.Has(nodes[x.firsts+i]), first, limit))
	}
	return l, true
}

// A pattern says which of the first nodes are inside, bit i for the i-th, and the capacity of the links among them that
// leave it.
type pattern struct {
	inside uint64
	out    int
}

// A frontier is the order in which nodes join a sweep, the same from each level on. The first nodes are on sides given
// by a pattern; each other takes a place: that of a neighbour all of whose neighbours have joined, one that nobody
// needs any more, or a new one.
type frontier struct {
	order  []int // nodes, from node 0 on
	levels int
	firsts int      // nodes whose sides are given, 0 where nothing closes
	among  [][3]int // links among these: both nodes, the second before the first, and bandwidth
	part   [2]int   // the largest share of the links of one dimension that these are, as a fraction
	steep  int      // bandwidth of steepest steps
	places int
	steps  []joining // by node after the first ones
}

// A joining is what the step in which a node joins has in common for all sides of the first nodes.
type joining struct {
	place   int
	change  int          // bandwidth of the links to the node that had the place
	earlier []neighbours // at other places
	fixed   [][2]int     // neighbours among the first nodes, and bandwidth
	ahead   uint32       // places, after the step, whose next steepest step leads to a node that has not joined
	ends    []uint8      // by place: the first node at the end of steepest steps
}

// neighbours are places to which a node has links of one bandwidth.
type neighbours struct {
	places    uint32
	bandwidth int
}

const (
	// maxPlaces is the most places: states number 2^places.
	maxPlaces = 20
	// maxFirsts is the most first nodes.
	maxFirsts = 63
	// maxPatternWork is the most sides of single first nodes that are tried to list patterns.
	maxPatternWork = 1 << 21
	// maxShiftNodes is the most nodes for which translations are tried.
	maxShiftNodes = 1 << 12
)

// gentlest returns the rise whose steepest step is least, an open one if there are two: it makes the narrowest
// frontier. On a twisted torus it returns the first three, in this order.
func gentlest(t *core.Torus) []rise {
	list := rises(t)
	slices.SortStableFunc(list, func(a, b rise) int {
		dimA, mostA := a.steepest()
		dimB, mostB := b.steepest()
		if mostA == mostB && t.Open(dimA) != t.Open(dimB) {
			if t.Open(dimA) {
				return -1
			}
			return 1
		}
		return mostA - mostB
	})
	if !t.Separable() {
		return list[:min(3, len(list))]
	}
	return list[:1]
}

// firsts returns how many nodes may be the first: none where nothing closes; as many as a steepest step rises; or,
// where others rise too, those to which all steps in turn rise, that have closed ways all around among them.
func (r rise) firsts(t *core.Torus) []int {
	dim, most := r.steepest()
	total := 0
	for _, by := range r {
		total += abs(by)
	}
	switch {
	case t.Open(dim):
		return []int{0}
	case total > most && min(total, t.N()) <= maxFirsts:
		return []int{most, min(total, t.N())}
	}
	return []int{most}
}

// newFrontier returns the frontier of a rise with a given number of first nodes.
func newFrontier(t *core.Torus, g *graph, r rise, firsts int) *frontier {
	dim, most := r.steepest()
	x := &frontier{order: r.order(t), levels: t.N(), firsts: firsts, part: [2]int{0, 1}, steep: t.Bandwidth(dim)}
	for _, by := range r {
		x.levels = core.GCD(x.levels, abs(by))
	}
	x.levels = t.N() / x.levels
	at := make([]int, t.N())
	for i, v := range x.order {
		at[v] = i
	}
	inside, all := make([]int, t.D()), make([]int, t.D())
	for v, i := range at {
		for port, w := range g.neighbours(v) {
			if j := t.Port(port).Dim; i > at[w] {
				if all[j]++; i < firsts {
					inside[j]++
					x.among = append(x.among, [3]int{i, at[w], g.weight[port]})
				}
			}
		}
	}
	for j := range all {
		if inside[j]*x.part[1] > x.part[0]*all[j] {
			x.part = [2]int{inside[j], all[j]}
		}
	}
	ends := make([]uint8, t.N())
	for i := t.N() - 1; i >= firsts && firsts > 0; i-- {
		if ends[i] = uint8(i + most - t.N()); i+most < t.N() {
			ends[i] = ends[i+most]
		}
	}
	x.allot(g, at, most, ends)
	return x
}

// allot gives each node after the first ones a place.
func (x *frontier) allot(g *graph, at []int, most int, ends []uint8) {
	var holder []int // by place: who has it
	needed := func(i int) int {
		last := i
		for _, w := range g.neighbours(x.order[i]) {
			last = max(last, at[w])
		}
		return last
	}
	for i := x.firsts; i < len(x.order); i++ {
		s := joining{place: -1}
		place := func(j int) int { return slices.Index(holder, j) }
		for port, w := range g.neighbours(x.order[i]) {
			switch j := at[w]; {
			case j < x.firsts:
				s.fixed = append(s.fixed, [2]int{j, g.weight[port]})
			case j < i && needed(j) == i && s.place < 0:
				s.place = place(j)
			}
		}
		if s.place < 0 {
			s.place = slices.IndexFunc(holder, func(j int) bool { return needed(j) < i })
		}
		if s.place < 0 {
			s.place = len(holder)
			holder = append(holder, i)
		}
		for port, w := range g.neighbours(x.order[i]) {
			switch j := at[w]; {
			case j < x.firsts || j >= i:
			case place(j) == s.place:
				s.change += g.weight[port]
			default:
				s.join(place(j), g.weight[port])
			}
		}
		holder[s.place] = i
		if x.places = len(holder); x.places > maxPlaces {
			return
		}
		for p, j := range holder {
			if j+most > i && j+most < len(x.order) && x.firsts > 0 {
				s.ahead |= 1 << p
			}
		}
		if i > x.firsts {
			s.ends = x.steps[i-x.firsts-1].ends
		}
		if len(s.ends) < len(holder) || s.ends[s.place] != ends[i] { // else they are shared
			s.ends = append(slices.Clone(s.ends[:min(len(s.ends), s.place)]), ends[i])
			for _, j := range holder[len(s.ends):] {
				s.ends = append(s.ends, ends[j])
			}
		}
		x.steps = append(x.steps, s)
	}
	x.places = max(1, x.places)
}

// join adds a neighbour at a place.
func (s *joining) join(place, bandwidth int) {
	at := slices.IndexFunc(s.earlier, func(n neighbours) bool {
		return n.bandwidth == bandwidth && n.places>>place&1 == 0 // two links may lead to one neighbour
	})
	if at < 0 {
		at = len(s.earlier)
		s.earlier = append(s.earlier, neighbours{bandwidth: bandwidth})
	}
	s.earlier[at].places |= 1 << place
}

// patterns returns, up to complement, the patterns of the first nodes with at most limit links out, the fewest first,
// and whether it could list them.
func (x *frontier) patterns(limit int) (list []pattern, ok bool) {
	links := make([][][2]int, x.firsts) // by node: the other end, and bandwidth
	for _, l := range x.among {
		links[l[0]] = append(links[l[0]], [2]int{l[1], l[2]})
		links[l[1]] = append(links[l[1]], [2]int{l[0], l[2]})
	}
	// Each node follows those that it has most links with, so that links out show soon.
	var order []int
	near := make([]int, x.firsts)
	for range x.firsts {
		next := -1
		for i, count := range near {
			if count >= 0 && (next < 0 || count > near[next]) {
				next = i
			}
		}
		order, near[next] = append(order, next), -1
		for _, l := range links[next] {
			if near[l[0]] >= 0 {
				near[l[0]]++
			}
		}
	}
	work, known := 0, uint64(0)
	var visit func(i int, p pattern)
	visit = func(i int, p pattern) {
		if work++; p.out > limit || work > maxPatternWork {
			return
		}
		if i == x.firsts {
			list = append(list, p)
			return
		}
		node := order[i]
		for side := range uint64(2) {
			next := pattern{p.inside | side<<node, p.out}
			for _, l := range links[node] {
				if known>>l[0]&1 != 0 && p.inside>>l[0]&1 != side {
					next.out += l[1]
				}
			}
			if i > 0 || side == 0 { // the first one outside
				known |= 1 << node
				visit(i+1, next)
				known &^= 1 << node
			}
		}
	}
	visit(0, pattern{})
	slices.SortStableFunc(list, func(a, b pattern) int { return a.out - b.out })
	return list, work <= maxPatternWork
}

// starts returns one level of each class that translations which leave the placement
// unchanged make of the levels: a cut moves along with them, so that it is enough to
// begin at one of the class. Where to look for translations would take long, none are.
func (x *frontier) starts(p core.Placement) []int {
	if x.firsts == 0 {
		return []int{0}
	}
	t := p.Torus()
	set, nodes, size := p.Set(), p.Nodes(), t.N()/x.levels
	var shifts []int
	for i, by := range x.order {
		if s := i / size; t.N() <= maxShiftNodes && s > 0 && t.ClosedPart(by) == by && !slices.Contains(shifts, s) &&
			!slices.ContainsFunc(nodes, func(v int) bool { return !set.Has(t.Sum(v, by)) }) {
			shifts = append(shifts, s)
		}
	}
	seen := make([]bool, x.levels)
	var list []int
	for s := range x.levels {
		if seen[s] {
			continue
		}
		list = append(list, s)
		for _, by := range shifts {
			seen[(s+by)%x.levels] = true
		}
	}
	return list
}

// step returns the i-th step, for a pattern of the first nodes.
func (x *frontier) step(i int, processor bool, first pattern, limit int) step {
	s := step{joining: &x.steps[i], processor: processor, bandwidth: x.steep, limit: limit}
	for _, f := range s.fixed {
		s.closing[1-first.inside>>f[0]&1] += f[1]
	}
	for rest := s.ahead; rest != 0; rest &= rest - 1 {
		place := bits.TrailingZeros32(rest)
		s.far |= uint32(first.inside>>s.ends[place]&1) << place
	}
	return s
}

// A layer holds, for every pattern of the frontier and number of processors in S
// so far, the fewest links out so far.
type layer struct {
	width int      // numbers of processors, 0..width-1
	cost  []uint16 // by pattern*width + number
	live  []bool   // by pattern: false where no cost is below none
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

// A step lets a node join.
type step struct {
	*joining
	processor bool
	closing   [2]int // by side: the links to the first nodes
	far       uint32 // by place ahead: the side of the first node at the end of its steepest steps
	bandwidth int    // of these steps
	limit     int    // states whose cut cannot stay below this are dropped
}

// own returns the links that the new node adds to the cut when it goes to side
// bit, besides those to the node that had the place.
func (s step) own(pattern, bit uint32) uint16 {
	sum := s.closing[bit]
	for _, n := range s.earlier {
		sum += bits.OnesCount32((pattern^-bit)&n.places) * n.bandwidth
	}
	return uint16(sum)
}

// dropCost returns the least cost at which a new pattern is dropped: each place ahead that
// differs from the first node at its end still costs a link on the way there.
func (s step) dropCost(pattern uint32) uint16 {
	return uint16(max(0, s.limit-bits.OnesCount32((pattern^s.far)&s.ahead)*s.bandwidth))
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
		m := move{uint16(s.change), s.own(zero, 0), s.own(one, 1), s.dropCost(zero), s.dropCost(one)}
		l.live[zero], l.live[one] = m.apply(a, b)
		if s.processor { // one more on side 1
			copy(b[1:], b)
			b[0] = none
		}
	}
}

// A move is what a step costs two patterns that differ in its place, side 0 and 1.
type move struct {
	change     uint16 // the new node is not on the side of the one that had its place
	addA, addB uint16
	endA, endB uint16 // costs from which on a state is dropped
}

// apply updates the rows of side 0 and 1 and says which have a state left.
func (m move) apply(a, b []uint16) (liveA, liveB bool) {
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

// trace returns a set with the number of processors and links out that the sweep
// found. It sweeps once more, keeps a layer for every as many steps as there are places,
// and goes back step by step.
func (x *transfer) trace(f found) core.Set {
	nodes := x.nodesFrom(f.start)
	var kept []*layer
	last, _ := x.sweep(context.Background(), nodes, f.first, f.out+1, func(l *layer) { kept = append(kept, l.clone()) })
	state := state{count: f.count, cost: uint16(f.out)}
	for p, live := range last.live {
		if live && last.row(uint32(p))[f.count] == state.cost {
			state.pattern = uint32(p)
			break
		}
	}
	set := core.NewSet(x.placement.Torus().N())
	for i, v := range nodes[:x.firsts] {
		if f.first.inside>>i&1 != 0 {
			set.Add(v)
		}
	}
	processors := x.placement.Set()
	for i := len(kept) - 1; i >= 0; i-- {
		l, from := kept[i], i*x.places
		var before []*layer
		var steps []step
		for j := from; j < min(from+x.places, len(x.steps)); j++ {
			steps = append(steps, x.step(j, processors.Has(nodes[x.firsts+j]), f.first, f.out+1))
			before = append(before, l.clone())
			l.apply(steps[len(steps)-1])
		}
		for j := len(steps) - 1; j >= 0; j-- {
			if state.pattern>>steps[j].place&1 != 0 {
				set.Add(nodes[x.firsts+from+j])
			}
			state = before[j].origin(steps[j], state)
		}
		kept[i] = nil
	}
	return set
}

// nodesFrom returns the nodes in the order that begins at a level.
func (x *transfer) nodesFrom(level int) []int {
	return rotated(x.placement.Torus(), x.order, x.order[level*(len(x.order)/x.levels)])
}

// state is one entry of a layer.
type state struct {
	pattern uint32
	count   int
	cost    uint16
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
			change = uint16(s.change)
		}
		if cost := l.row(before.pattern)[before.count]; cost+own+change == after.cost {
			before.cost = cost
			return before
		}
		before.pattern ^= 1 << s.place
	}
	panic("bisect: a state has no origin")
}
