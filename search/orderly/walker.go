package orderly

import (
	"context"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/lanes"
	"leeway/search/census"
)

// A model is what all walkers of one question share: read only.
type model struct {
	torus *core.Torus
	size  int  // of a list: the processors that are not fixed
	whole bool // visit lists that cannot be completed too
	unit  int64
	loads *census.Loads
	list  func(size int) smallest
	ends  [][]end  // by node: the links out of it
	avoid *choices // in place of loads, where paths depend on processors
	fixed []int
	reach *reach // nil: no radius
	// The nodes that a list may have; nil: those after node 0, which every list has.
	pool []int
}

// An end is the lane of a link out of a node, and its bandwidth.
type end struct {
	lanes.Place
	bandwidth int64
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
	g := &model{torus: torus, size: p.Size - p.Fixed.Count(), whole: whole, unit: t.flows.unit, list: t.list,
		ends: make([][]end, torus.N()), fixed: p.Fixed.Nodes()}
	if !p.Translatable() {
		g.pool = p.Candidates()
	}
	if p.Radius > 0 {
		g.reach = newReach(p)
	}
	if avoid, ok := p.Routing.(*routing.Avoid); ok {
		g.avoid, g.loads = newChoices(avoid, t.flows.unit, limit), &census.Loads{}
		return g
	}
	g.loads = t.flows.packed(torus, both, limit)
	for l := range torus.M() {
		if from, port := torus.LinkFrom(core.Link(l)); torus.HasLink(core.Link(l)) {
			g.ends[from] = append(g.ends[from], end{g.loads.Lane[l], int64(torus.Bandwidth(port.Dim))})
		}
	}
	return g
}

// A level is a list with the nodes that may follow it.
type level struct {
	nodes    []int
	canon    smallest
	hash     uint64
	far      []int    // nodes that no processor is within the radius of
	biased   []uint64 // the loads of the list, with the bias
	next     []int    // candidates, ascending
	around   []uint64 // by candidate: the loads it would bring
	choosing          // in place of loads, where paths depend on processors
}

// A walker runs through the lists below one list. It belongs to one worker.
type walker struct {
	*model
	levels []*level          // by size
	counts []int64           // by size, the lists visited by the last tour
	visit  func(*level) bool // called with every list; false ends the walk
}

func newWalker(g *model) *walker {
	w := &walker{model: g, levels: make([]*level, g.size+1), counts: make([]int64, g.size+1)}
	for i := range w.levels {
		w.levels[i] = &level{canon: g.list(i), biased: make([]uint64, g.loads.Words)}
		if (i > 0 || g.pool != nil) && i < g.size {
			w.levels[i].around = make([]uint64, g.torus.N()*g.loads.Words)
		}
	}
	if w.reach != nil {
		w.levels[0].far = w.reach.first
	}
	return w
}

// empty makes level 0 the empty list, with the loads of the fixed nodes. It returns nil if these are too large, or some
// fixed node has no room for all others.
func (w *walker) empty() *level {
	none, q := w.levels[0], w.loads
	none.canon.root(nil)
	for i := range none.biased {
		none.biased[i] = q.Bias
	}
	sum := make([]uint64, q.Words)
	for i, v := range w.fixed {
		clear(sum)
		for _, u := range w.fixed[:i] {
			if !q.AddWithin(sum, sum, q.Pair(u, v), none.biased) {
				return nil
			}
		}
		for x := range none.biased {
			none.biased[x] += sum[x]
		}
	}
	none.next = none.next[:0]
	for _, v := range w.pool {
		around := lanes.Row(none.around, len(none.next), q.Words)
		clear(around)
		fits := true
		for _, u := range w.fixed {
			fits = fits && q.AddWithin(around, around, q.Pair(u, v), none.biased)
		}
		if fits {
			none.next = append(none.next, v)
		}
	}
	if !w.sendable(none) {
		return nil
	}
	return none
}

// root makes the first level the list of node 0, which every smallest list starts with; where not all translations are
// symmetries it is empty. It returns nil if node 0 has no room for all others.
func (w *walker) root() *level {
	if w.pool == nil && !w.covers(w.levels[0], w.levels[1], 0) {
		return nil
	}
	if w.avoid != nil {
		return w.unchosen()
	}
	if w.pool != nil {
		return w.empty()
	}
	first := w.levels[1]
	first.nodes = append(first.nodes[:0], 0)
	first.canon.root(first.nodes)
	first.hash = census.Hash(0, 0)
	for i := range first.biased {
		first.biased[i] = w.loads.Bias
	}
	first.next = first.next[:0]
	dropped := first.canon.dropped()
	for v := 1; v < w.torus.N() && w.size > 1; v++ {
		around := lanes.Row(first.around, len(first.next), w.loads.Words)
		if !dropped.has(v) && w.loads.AddWithin(around, w.loads.Pair(0, 0), w.loads.Pair(0, v), first.biased) {
			first.next = append(first.next, v)
		}
	}
	if !w.sendable(first) {
		return nil
	}
	return first
}

// at returns the level of a list that is visited.
func (w *walker) at(nodes []int) *level {
	at := w.root()
	for _, v := range nodes[len(at.nodes):] {
		i := 0
		for at.next[i] != v {
			i++
		}
		at = w.step(at, i)
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
	for i := range at.next {
		if !w.whole && len(at.next)-i < w.size-size {
			return true
		}
		if child := w.step(at, i); child != nil && !(w.visit(child) && w.extend(child, depth)) {
			return false
		}
	}
	return true
}

// A reach says which nodes processors cover: those within the radius.
type reach struct {
	within []core.Set // by node
	most   int        // nodes that one covers
	last   []int      // by node: the largest number of a list that covers it, -1 if none does
	first  []int      // the nodes that no fixed one covers
}

func newReach(p objective.Problem) *reach {
	n := p.Torus().N()
	r := &reach{within: make([]core.Set, n), last: make([]int, n)}
	for v, nodes := range p.Within() {
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

// covers finds the nodes that are far from the list of a level and node v, and reports whether further nodes above v
// can cover them.
func (w *walker) covers(at, child *level, v int) bool {
	if w.reach == nil {
		return true
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
	return len(child.far) <= (w.size-len(at.nodes)-1)*w.reach.most
}

// step fills the level above with candidate i of at, or returns nil when that list is not smallest or its processors
// cannot send to all that must follow.
func (w *walker) step(at *level, i int) *level {
	size, v := len(at.nodes), at.next[i]
	child := w.levels[size+1]
	child.nodes = append(append(child.nodes[:0], at.nodes...), v)
	if !w.covers(at, child, v) {
		return nil
	}
	if w.avoid != nil {
		return w.choose(at, child, i)
	}
	around := lanes.Row(at.around, i, w.loads.Words)
	for x, b := range at.biased[:len(around)] {
		child.biased[x] = b + around[x]
	}
	if !w.sendable(child) || !child.canon.grow(at.canon, child.nodes) {
		return nil
	}
	child.hash = census.Hash(at.hash, v)
	if size+1 < w.size {
		w.candidates(at, child, i)
	}
	return child
}

// candidates brings the candidates after number i of a level to its child, or none when they are too few for any to be
// reached.
func (w *walker) candidates(at, child *level, i int) {
	child.next = child.next[:0]
	wanted := w.size - len(child.nodes)
	if w.whole {
		wanted = 0
	}
	q, u, dropped := w.loads, at.next[i], child.canon.dropped()
	for j := i + 1; j < len(at.next); j++ {
		if len(child.next)+len(at.next)-j < wanted {
			child.next = child.next[:0]
			return
		}
		v := at.next[j]
		if dropped.has(v) {
			continue
		}
		sum := lanes.Row(child.around, len(child.next), q.Words)
		if q.AddWithin(sum, lanes.Row(at.around, j, q.Words), q.Pair(u, v), child.biased) {
			child.next = append(child.next, v)
		}
	}
}

// sendable reports whether the links out of every processor have room for one unit, times their bandwidths, to each
// processor still to come. What comes in goes out, and a processor sends as much as it receives, so the links into it
// then have the same room.
func (w *walker) sendable(at *level) bool {
	wanted := w.unit * int64(w.size-len(at.nodes))
	for _, list := range [2][]int{at.nodes, w.fixed} {
		for _, v := range list {
			room := int64(0)
			for _, end := range w.ends[v] {
				room += end.bandwidth * int64(w.loads.Max()-w.loads.Get(at.biased, end.Place))
			}
			if room < wanted {
				return false
			}
		}
	}
	return true
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
