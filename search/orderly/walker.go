package orderly

import (
	"context"
	"math/bits"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/lanes"
	"leeway/search/census"
)

// A model is what all walkers of one question share: read only.
type model struct {
	torus   *core.Torus
	size    int  // of a list: the processors that are not fixed
	whole   bool // visit lists that cannot be completed too
	unit    int64
	loads   *census.Loads
	lists   func(size int) []smallest
	rooms   *transits
	avoid   *choices // in place of loads and rooms, where paths depend on processors
	fixed   []int
	reach   *reach   // nil: no radius and no distance
	outlets []outlet // of the tree needs
	// The nodes that a list may have; nil: those after node 0, which every list has.
	pool []int
}

// newModel packs the flows for one limit in units. Limit and the largest load of a pair together are at least 1 and at
// most 2^62, which maxUnitBits and maxNodes take care of.
func newModel(t *tables, limit int64, whole bool) *model {
	torus := t.problem.Torus()
	both := make([]bool, torus.D())
	for j := range both {
		both[j] = torus.BothWays(j)
	}
	p := t.problem
	g := &model{torus: torus, size: p.Size - p.Fixed.Count(), whole: whole, unit: t.flows.unit, lists: t.lists,
		fixed: p.Fixed.Nodes()}
	if !p.Translatable() {
		g.pool = p.Candidates()
	}
	if p.Near.Asked() {
		g.reach = newReach(p)
	}
	if avoid, ok := p.Routing.(*routing.Avoid); ok {
		g.avoid, g.loads, g.rooms = newChoices(avoid, t.flows.unit, limit), &census.Loads{}, &transits{}
		return g
	}
	g.rooms = newTransits(torus, p.Size, g.unit, limit)
	g.loads = t.flows.packed(torus, both, limit, len(g.rooms.bias))
	g.rooms.add(torus, g.loads)
	if t.needs {
		g.outlets = newOutlets(torus, g.loads)
	}
	return g
}

// A level is a list with the nodes that may follow it.
type level struct {
	nodes    []int
	canon    smallest
	hash     uint64
	far      []int    // nodes that no processor is within the radius of
	links    []int32  // by node: to the nearest processor, with a distance
	biased   []uint64 // the loads of the list and its transits, with the bias
	crowd    crowd
	next     core.Set // candidates
	around   []uint64 // by node, for candidates: the loads it would bring
	choosing          // in place of loads, where paths depend on processors
}

// A walker runs through the lists below one list. It belongs to one worker.
type walker struct {
	*model
	levels      []*level          // by size
	counts      []int64           // by size, the lists visited by the last tour
	visit       func(*level) bool // called with every list; false ends the walk
	own, others []int64           // a scratch of need
	failed      int               // the outlet that did last
}

func newWalker(g *model) *walker {
	w := &walker{model: g, levels: make([]*level, g.size+1), counts: make([]int64, g.size+1)}
	for i, canon := range g.lists(g.size) {
		w.levels[i] = &level{canon: canon, biased: make([]uint64, g.loads.Words), crowd: make(crowd, len(g.rooms.bias)),
			next: core.NewSet(g.torus.N())}
		if i < g.size {
			w.levels[i].around = make([]uint64, g.torus.N()*g.loads.Words)
		}
	}
	if w.reach != nil {
		w.levels[0].far, w.levels[0].links = w.reach.first, w.reach.links
	}
	return w
}

// root makes level 0 the empty list, with the fixed nodes, and, where all translations are symmetries, the first level
// the list of node 0, which every smallest list then starts with. It returns the last of these, or nil if the fixed
// nodes pass the limit or some processor has no room for all others.
func (w *walker) root() *level {
	none := w.levels[0]
	none.canon.root()
	clear(none.next)
	for v := range w.torus.N() {
		if w.pool == nil || slices.Contains(w.pool, v) {
			none.next.Add(v)
		}
	}
	switch {
	case w.avoid != nil:
		w.unchosen(none)
	case !w.hold(none):
		return nil
	}
	switch {
	case w.pool == nil:
		return w.step(none, 0)
	case w.avoid != nil && !w.chosen(none):
		return nil
	}
	return none
}

// hold brings in the fixed nodes and leaves the candidates that still fit. It reports false if the fixed nodes pass the
// limit or have no room for all others.
func (w *walker) hold(none *level) bool {
	q := w.loads
	for i := range q.Loads {
		none.biased[i] = q.Bias
	}
	clear(none.biased[q.Loads:])
	copy(none.biased[q.Loads:], w.rooms.bias)
	clear(none.crowd)
	clear(none.around)
	for _, v := range w.fixed {
		none.next.Add(v)
	}
	for _, v := range w.fixed {
		if !none.next.Has(v) {
			return false
		}
		none.next.Remove(v)
		none.crowd.enter(none.crowd, w.rooms, v)
		lanes.AddScaled(none.biased, none.biased, 1, lanes.Row(none.around, v, q.Words))
		for i, set := range none.next {
			none.next[i] &^= q.Join(i, set, w.torus.N(), none.around, none.around, v, none.biased)
		}
	}
	return none.crowd.fits(none.biased[q.Loads:])
}

// at returns the level of a list that is visited.
func (w *walker) at(nodes []int) *level {
	at := w.root()
	for _, v := range nodes[len(at.nodes):] {
		at = w.step(at, v)
	}
	return at
}

// extend visits all lists of up to depth nodes that start with the one of level at, without that one. It returns false
// when the walk ended early.
func (w *walker) extend(at *level, depth int) bool {
	size := len(at.nodes)
	if size == depth {
		return true
	}
	left := at.next.Count()
	for i, word := range at.next {
		for ; word != 0; word &= word - 1 {
			if !w.whole && left < w.size-size {
				return true
			}
			left--
			if child := w.step(at, i<<6+bits.TrailingZeros64(word)); child != nil &&
				!(w.visit(child) && w.extend(child, depth)) {
				return false
			}
		}
	}
	return true
}

// A reach says which nodes processors cover: those within the radius; and how far nodes are, if all together may be so
// many links from their nearest processors.
type reach struct {
	within []core.Set // by node
	most   int        // nodes that one covers
	last   []int      // by node: the largest number of a list that covers it, -1 if none does
	first  []int      // the nodes that no fixed one covers

	distance int
	between  [][]int32 // by two nodes
	around   []int     // by links: the most nodes within so many of one
	links    []int32   // by node: to the nearest fixed one, len(around) without any
}

func newReach(p objective.Problem) *reach {
	n := p.Torus().N()
	r := &reach{within: make([]core.Set, n), last: make([]int, n), distance: p.Distance}
	if p.Distance > 0 {
		r.measure(p)
	}
	if p.Radius == 0 {
		return r
	}
	for v, nodes := range p.Within(p.Radius) {
		r.within[v], r.last[v], r.most = core.NewSet(n), -1, max(r.most, len(nodes))
		fixed := false
		for _, u := range nodes {
			r.within[v].Add(u)
			if fixed = fixed || p.MustHave(u); p.MayHave(u) {
				r.last[v] = u
			}
		}
		if !fixed {
			r.first = append(r.first, v)
		}
	}
	return r
}

func (r *reach) measure(p objective.Problem) {
	n := p.Torus().N()
	for fewest := 0; fewest < n; {
		most := 0
		fewest = n
		for _, nodes := range p.Within(len(r.around)) {
			fewest, most = min(fewest, len(nodes)), max(most, len(nodes))
		}
		r.around = append(r.around, most)
	}
	for v := range n {
		distance, _ := p.Torus().Nearest([]int{v})
		r.between = append(r.between, distance)
		r.links = append(r.links, int32(len(r.around)))
	}
	for _, v := range p.Fixed.Nodes() {
		for u, d := range r.between[v] {
			r.links[u] = min(r.links[u], d)
		}
	}
}

// near finds how far nodes are from a list and node v, and reports whether with some further nodes they can be as near
// as they must: each takes at most so many nodes to within any number of links.
func (r *reach) near(from, to []int32, v, further int) bool {
	var far [maxNodes + 1]int // by links: the nodes farther away
	for u, d := range r.between[v] {
		to[u] = min(from[u], d)
		far[to[u]]++
	}
	total, beyond := 0, 0
	for d := len(r.around) - 1; d >= 0; d-- {
		beyond += far[d+1]
		total += max(0, beyond-further*r.around[d])
	}
	return total <= r.distance
}

// covers finds the nodes that are far from the list of a level and node v, and reports whether further nodes above v
// can cover them.
func (w *walker) covers(at, child *level, v int) bool {
	if w.reach == nil {
		return true
	}
	further := w.size - len(at.nodes) - 1
	if w.reach.links != nil {
		child.links = append(child.links[:0], at.links...)
		if !w.reach.near(at.links, child.links, v, further) {
			return false
		}
	}
	child.far = child.far[:0]
	for _, u := range at.far {
		if w.reach.within[u].Has(v) {
			continue
		}
		if child.far = append(child.far, u); w.reach.last[u] <= v {
			return false
		}
	}
	return len(child.far) <= further*w.reach.most
}

// step fills the level above with candidate v of at, or returns nil when that list is not smallest or its processors
// cannot send to all that must follow.
func (w *walker) step(at *level, v int) *level {
	size := len(at.nodes)
	child := w.levels[size+1]
	child.nodes = append(append(child.nodes[:0], at.nodes...), v)
	if !w.covers(at, child, v) {
		return nil
	}
	if w.avoid != nil {
		return w.choose(at, child, v)
	}
	q, row := w.loads, lanes.Row(at.around, v, w.loads.Words)
	through := child.biased[q.Loads:]
	if w.rooms.full(at.biased[q.Loads:], v) {
		return nil
	}
	child.crowd.enter(at.crowd, w.rooms, v)
	lanes.AddScaled(through, at.biased[q.Loads:], 1, row[q.Loads:])
	if !child.crowd.fits(through) || !child.canon.grow(at.canon, child.nodes) {
		return nil
	}
	child.hash = census.Hash(at.hash, v)
	if size+1 < w.size {
		w.candidates(at, child, v, row)
		if !w.served(child) {
			return nil
		}
	}
	return child
}

// candidates brings the candidates above v of a level, whose loads are given, to its child, or none when they are too
// few for any to be reached.
func (w *walker) candidates(at, child *level, v int, row []uint64) {
	q, spare := w.loads, child.keep(at, v)-(w.size-len(child.nodes))
	if w.whole {
		spare = w.torus.N()
	}
	if spare >= 0 {
		lanes.AddScaled(child.biased[:q.Loads], at.biased[:q.Loads], 1, row)
	}
	for i, set := range child.next {
		if spare >= 0 {
			over := q.Join(i, set, spare, child.around, at.around, v, child.biased)
			spare -= bits.OnesCount64(over)
			child.next[i] &^= over
		}
	}
	if spare < 0 {
		clear(child.next)
	}
}

// keep brings the candidates above v of a level to its child, but those dropped, and returns how many they are.
func (child *level) keep(at *level, v int) int {
	copy(child.next, at.next)
	clear(child.next[:v>>6])
	child.next[v>>6] &= ^uint64(1) << (v & 63)
	for i, w := range child.canon.dropped() {
		child.next[i] &^= w
	}
	return child.next.Count()
}

// prefixesWanted is how many prefixes a plan has, if there are as many lists.
const prefixesWanted = 400

// A plan is the tree of one question, cut at the visited lists of the smallest size that has enough, or else of the
// largest size that has any.
type plan struct {
	*model
	split    int
	prefixes [][]int
	above    []int64 // by size below split: the lists visited
}

// plan lists at least the wanted number of prefixes for a limit in units, if there are as many lists of a size. The
// error is the context's.
func (t *tables) plan(ctx context.Context, limit int64, wanted int, whole bool) (*plan, error) {
	g := newModel(t, max(limit, 0), whole)
	p := &plan{model: g, split: 1, above: []int64{0}}
	w := newWalker(g)
	if limit >= 0 && w.root() != nil {
		p.prefixes = [][]int{{0}}
		if g.pool != nil {
			p.prefixes = p.first(w)
		}
	}
	for p.split < g.size && len(p.prefixes) > 0 && len(p.prefixes) < wanted {
		var longer [][]int
		w.visit = func(at *level) bool {
			longer = append(longer, slices.Clone(at.nodes))
			return true
		}
		for _, prefix := range p.prefixes {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			w.extend(w.at(prefix), p.split+1)
		}
		if len(longer) == 0 {
			break
		}
		p.above = append(p.above, int64(len(p.prefixes)))
		p.prefixes = longer
		p.split++
	}
	return p, nil
}

// first returns the lists of one node.
func (p *plan) first(w *walker) (list [][]int) {
	w.visit = func(at *level) bool {
		list = append(list, slices.Clone(at.nodes))
		return true
	}
	w.extend(w.root(), 1)
	return list
}

// Split returns the length of the prefixes.
func (p *plan) Split() int { return p.split }

// Prefixes returns the prefixes in lexicographic order.
func (p *plan) Prefixes() [][]int { return p.prefixes }

// Walker returns a walker that ends with the first placement.
func (p *plan) Walker() census.Walker { return &finder{newWalker(p.model), p.prefixes} }

type finder struct {
	*walker
	prefixes [][]int
}

// Walk visits the lists that start with prefix i, up to the first placement.
func (f *finder) Walk(i int, poll func(nodes int64) bool) census.Tally {
	var found core.Placement
	t := f.tour(f.prefixes[i], poll, func(at *level) bool {
		found = core.MustPlacement(f.torus, slices.Concat(f.fixed, at.nodes))
		return false
	})
	t.Found = found
	return t
}

// tour visits the lists that start with a prefix, counts and sums them, and hands placements to place, which ends it by
// returning false.
func (w *walker) tour(prefix []int, poll func(nodes int64) bool, place func(*level) bool) census.Tally {
	var c census.Counter
	c.Start(poll)
	clear(w.counts)
	w.visit = func(at *level) bool {
		size := len(at.nodes)
		w.counts[size]++
		more := c.Visit(at.hash)
		return (size < w.size || place(at)) && more
	}
	if at := w.at(prefix); w.visit(at) {
		w.extend(at, w.size)
	}
	return c.End()
}
