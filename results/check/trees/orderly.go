package trees

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/core/parallel"
	"leeway/core/routing"
	"leeway/core/symmetry"
	"leeway/results/check/census"
	"leeway/results/check/meter"
)

// Limits of the walk of the tree orderly.
const (
	MaxOrderlyNodes    = 256     // a node is a byte
	maxOrderlyPrefixes = 1 << 20 // some hundred megabytes
)

// An orderlyWalk walks the tree orderly of docs/proofs.md. It shares nothing with the engine: loads come from listed
// paths, images from core/symmetry.
type orderlyWalk struct {
	torus    *core.Torus
	size     int // of a list: the processors that are not fixed
	fixed    []int
	free     []int // nodes that a list may have, if it does not start with 0
	radius   *orderlyRadius
	loads    *orderlyLoads
	avoid    *orderlyAvoid // in place of loads, where paths depend on processors
	group    *orderlyGroup
	needs    bool       // it is the tree needs
	sides    []needSide // of that tree
	starting [][]int    // the prefixes
}

// newOrderlyWalk lists the prefixes of split numbers for "no placement of n processors has E_max below a value", of the
// tree orderly or the tree needs. It refuses what the tree is not defined for with a *core.InputError, and fails when
// the prefixes pass maxOrderlyPrefixes or the context ends first. Cost: a visit to every shorter list.
func newOrderlyWalk(m *meter.Meter, r routing.Routing, n int, c census.Conditions, below *big.Rat, needs bool,
	split int) (census.Walk, error) {
	w, err := orderlyUnder(m, r, n, c)
	if err != nil {
		return nil, err
	}
	if w.needs = needs; needs && (!r.Torus().Twisted() || r.DependsOnPlacement()) {
		return nil, &core.InputError{Text: r.String(),
			Problem: "the tree needs is one of twisted tori, under routings whose paths do not depend on the processors"}
	}
	if split < 1 || split > w.size {
		return nil, &core.InputError{Text: fmt.Sprint(split),
			Problem: fmt.Sprintf("the split %d lies outside 1..%d", split, w.size)}
	}
	return w.listed(m, r, n, below, false, split)
}

// orderlyUnder returns the walk of n processors that keep to some conditions, without loads and prefixes. Its lists
// start with 0 under the points of the whole group, if no dimension is open and there is no condition; else its group
// has every element that maps fixed and forbidden nodes to themselves.
func orderlyUnder(m *meter.Meter, r routing.Routing, n int, c census.Conditions) (w *orderlyWalk, err error) {
	t := r.Torus()
	defer func() {
		if err == nil && c.Near.Asked() {
			w.radius = newOrderlyRadius(m, t, c)
		}
	}()
	if !c.Any() && t.Closed() {
		points, err := orderlyPoints(m, r, n)
		if err != nil {
			return nil, err
		}
		return &orderlyWalk{torus: t, size: n, group: newOrderlyGroup(t, points)}, nil
	}
	if err := orderlyScope(r, n); err != nil {
		return nil, err
	}
	group, err := m.SymmetryOf(r)
	if err != nil {
		return nil, err
	}
	w = &orderlyWalk{torus: t, size: n - c.Fixed.Count(), fixed: c.Fixed.Nodes(), free: []int{},
		group: newOrderlyGroup(t, keeping(m, c, group))}
	w.group.whole = true
	for v := range t.N() {
		if (c.Fixed == nil || !c.Fixed.Has(v)) && (c.Forbidden == nil || !c.Forbidden.Has(v)) {
			w.free = append(w.free, v)
		}
	}
	return w, nil
}

// keeping returns the images of the nodes under the elements of a group that map the fixed and the forbidden nodes to
// themselves.
func keeping(m *meter.Meter, c census.Conditions, group *symmetry.Group) (images [][]int) {
	for _, shift := range group.Shifts() {
		for point := range group.Points() {
			m.ChargeAll(4, group.Torus().N())
			image := group.Images(point, shift)
			if maps(image, c.Fixed) && maps(image, c.Forbidden) {
				images = append(images, image)
			}
		}
	}
	return images
}

// maps reports whether images takes the nodes of a set to nodes of it.
func maps(images []int, set core.Set) bool {
	return !slices.ContainsFunc(set.Nodes(), func(v int) bool { return !set.Has(images[v]) })
}

// orderlyPoints returns the images of the nodes under the automorphisms that fix node 0, or why there is no tree for n
// processors under r.
func orderlyPoints(m *meter.Meter, r routing.Routing, n int) ([][]int, error) {
	if err := orderlyScope(r, n); err != nil {
		return nil, err
	}
	group, err := m.SymmetryOf(r) // refuses a table by pair
	if err != nil {
		return nil, err
	}
	return imagesOf(m, group), nil
}

// orderlyScope says why there is no tree for n processors under r, nil if there is.
func orderlyScope(r routing.Routing, n int) error {
	t := r.Torus()
	switch {
	case t.N() > MaxOrderlyNodes:
		return &core.InputError{Text: t.String(),
			Problem: fmt.Sprintf("a count up to symmetry is repeated up to %d nodes, this torus has %d", MaxOrderlyNodes, t.N())}
	case n < 1 || n > t.N():
		return &core.InputError{Text: fmt.Sprint(n), Problem: fmt.Sprintf("torus %s takes 1..%d processors", t, t.N())}
	case r.DependsOnPlacement() && t.N() > maxAvoidNodes:
		return &core.InputError{Text: t.String(),
			Problem: fmt.Sprintf("a count under %s is repeated up to %d nodes, this torus has %d", r, maxAvoidNodes, t.N())}
	}
	return nil
}

// listedOrderly returns the walk under a group of points, with its prefixes; see listed.
func listedOrderly(m *meter.Meter, r routing.Routing, points [][]int, n int, value *big.Rat, inclusive bool,
	split int) (*orderlyWalk, error) {
	w := &orderlyWalk{torus: r.Torus(), size: n, group: newOrderlyGroup(r.Torus(), points)}
	return w.listed(m, r, n, value, inclusive, split)
}

// listed adds loads of n processors and prefixes to a walk. The limit is below the value, or at most the value if
// inclusive.
func (w *orderlyWalk) listed(m *meter.Meter, r routing.Routing, n int, value *big.Rat, inclusive bool,
	split int) (*orderlyWalk, error) {
	if none, err := w.limit(m, r, n, value, inclusive); err != nil {
		return nil, err
	} else if none {
		return w, m.Err() // no list is visited
	}
	k := w.walker(m)
	k.until = split
	switch {
	case w.free == nil && k.enter(0, 0):
		k.visit(1)
	case w.free != nil && k.begin():
		k.extend(0)
	}
	switch err := m.Settle(); {
	case err != nil:
		return nil, fmt.Errorf("listing prefixes: %w", err)
	case k.stop:
		return nil, fmt.Errorf("there are more than %d prefixes of %d numbers", maxOrderlyPrefixes, split)
	}
	w.starting = k.kept
	return w, nil
}

// limit adds loads of n processors, or their paths, and reports whether none are within the limit.
func (w *orderlyWalk) limit(m *meter.Meter, r routing.Routing, n int, value *big.Rat, inclusive bool) (none bool,
	err error) {
	if avoid, ok := r.(*routing.Avoid); ok {
		if w.avoid, err = newOrderlyAvoid(m, avoid, n, value, inclusive); err != nil {
			return false, err
		}
		return w.avoid.none, nil
	}
	if w.loads, err = newOrderlyLoads(m, r, n, value, inclusive); err != nil {
		return false, err
	}
	if w.needs {
		w.sides = w.needSides()
	}
	return w.loads.none, nil
}

func (w *orderlyWalk) Prefixes() [][]int { return w.starting }

func (w *orderlyWalk) Run(m *meter.Meter, from, to int, most int64) census.Tally {
	k := w.walker(m)
	k.most = most
	k.through(w.starting[from:to])
	return k.tally
}

// An OrbitCount is how many orbits of placements there are, and how many placements lie in them.
type OrbitCount struct {
	Orbits     int64
	Placements *big.Int
}

// Orbits counts the placements of n processors with E_max at most a value, on so many workers. It fails as New does for
// the tree orderly.
func Orbits(m *meter.Meter, r routing.Routing, n int, c census.Conditions, most *big.Rat,
	workers int) (OrbitCount, error) {
	return meter.Within(m, func() (OrbitCount, error) {
		w, err := orderlyUnder(m, r, n, c)
		if err != nil {
			return OrbitCount{}, err
		}
		if w.size == 0 {
			return w.orbitOfFixed(m, r, n, most)
		}
		if w, err = w.listed(m, r, n, most, true, min(w.size, 3)); err != nil {
			return OrbitCount{}, err
		}
		var walkers []*orderlyWalker
		parallel.With(context.Background(), workers, len(w.starting), func(int) *orderlyWalker {
			k := w.walker(m.Fork())
			k.most, k.count = math.MaxInt64, &OrbitCount{Placements: new(big.Int)}
			walkers = append(walkers, k)
			return k
		}, func(k *orderlyWalker, i int) {
			if !k.stop {
				k.meter.Part(func() { k.through(w.starting[i : i+1]) })
			}
		})
		total := OrbitCount{Placements: new(big.Int)}
		for _, k := range walkers {
			k.meter.Settle()
			total.Orbits += k.count.Orbits
			total.Placements.Add(total.Placements, k.count.Placements)
		}
		m.Must()
		return total, nil
	})
}

// orbitOfFixed counts the one placement that there is where all processors are on fixed nodes.
func (w *orderlyWalk) orbitOfFixed(m *meter.Meter, r routing.Routing, n int, most *big.Rat) (OrbitCount, error) {
	none, err := w.limit(m, r, n, most, true)
	if err != nil {
		return OrbitCount{}, err
	}
	count := OrbitCount{Placements: new(big.Int)}
	if !none && (w.radius == nil || w.radius.met(w.radius.far, w.radius.first, 0)) && w.walker(m).begin() {
		count = OrbitCount{Orbits: 1, Placements: big.NewInt(1)}
	}
	return count, m.Settle()
}

// An orderlyWalker goes through the tree below one list at a time.
type orderlyWalker struct {
	*orderlyWalk
	meter           *meter.Meter
	first           *orderlyFirst
	list            []int          // all n places; the first of them are in use
	levels          []orderlyLevel // by length of the list
	picks           []int          // places of the candidates kept, a scratch of candidates
	here, elsewhere []int64        // a scratch of needed
	stop            bool

	scratch avoidScratch

	until int         // keep lists of so many numbers, count none, go no further; 0: count all
	kept  [][]int     // those
	count *OrbitCount // of placements within the limit, nil: stop at the first
	most  int64       // stop past so many lists
	tally census.Tally
}

// An orderlyLevel is what is known of the list of one length.
type orderlyLevel struct {
	loads []uint64
	hash  uint64
	nodes []int    // candidates, ascending; every node for the empty list
	cross []uint64 // by candidate: what it exchanges with the list, one vector each
	far   []int    // nodes without a processor within the radius
	links []int    // by node: to the nearest processor
	avoidLevel
}

// walker returns a walker with the empty list, which is no node of the tree.
func (w *orderlyWalk) walker(m *meter.Meter) *orderlyWalker {
	k := &orderlyWalker{orderlyWalk: w, meter: m, first: newOrderlyFirst(w.group, w.size), list: make([]int, w.size),
		levels: make([]orderlyLevel, w.size+1)}
	none := &k.levels[0]
	if w.radius != nil {
		none.far, none.links = w.radius.far, w.radius.first
	}
	if w.avoid != nil {
		k.scratch = avoidScratch{now: make([]uint8, w.avoid.paths), may: make([]uint8, w.avoid.paths)}
		if none.nodes, none.settled = core.Range(w.torus.N()), make([]int64, w.torus.M()); w.free != nil {
			k.begin()
		}
		none.may = maskOf(none.nodes)
		return k
	}
	for i := range k.levels {
		k.levels[i].loads = make([]uint64, w.loads.words)
	}
	none.loads, none.cross = w.loads.empty(), make([]uint64, w.torus.N()*w.loads.words)
	if w.free == nil {
		none.nodes = core.Range(w.torus.N())
		return k
	}
	k.begin()
	return k
}

// begin gives the empty list the loads of the fixed nodes and finds its candidates. It reports false if the fixed nodes
// pass the limit or have no room for all others.
func (k *orderlyWalker) begin() bool {
	if k.avoid != nil {
		return k.beginAvoid()
	}
	none, loads := &k.levels[0], k.loads
	none.loads, none.nodes, none.cross = loads.empty(), nil, nil
	if !k.spend(loads.words * (k.torus.N() + len(k.fixed)) * (1 + len(k.fixed))) {
		return false
	}
	for i, v := range k.fixed {
		cross, ok := k.crossing(v, k.fixed[:i])
		if !ok {
			return false
		}
		for j := range cross {
			none.loads[j] += cross[j]
		}
	}
	for _, v := range k.fixed {
		if !loads.room(none.loads, v, k.size) {
			return false
		}
	}
	for _, v := range k.free {
		if cross, ok := k.crossing(v, k.fixed); ok {
			none.nodes, none.cross = append(none.nodes, v), append(none.cross, cross...)
		}
	}
	return true
}

// crossing returns what node v exchanges with others and whether that is within the limit beside the loads of the empty
// list.
func (k *orderlyWalker) crossing(v int, others []int) (cross []uint64, ok bool) {
	cross = make([]uint64, k.loads.words)
	for _, u := range others {
		terms := k.loads.pairs[min(u, v)][max(u, v)]
		if !k.loads.fits(k.levels[0].loads, cross, terms) {
			return nil, false
		}
		for _, t := range terms {
			cross[t.word] += t.add
		}
	}
	return cross, true
}

// enter puts candidate i of the list of m numbers at its end and reports whether the longer list is visited. If not,
// nothing has changed.
func (k *orderlyWalker) enter(m, i int) bool {
	v := k.levels[m].nodes[i]
	k.list[m] = v
	if k.radius != nil && !k.near(m, v) {
		return false
	}
	if k.avoid != nil {
		return k.enterAvoid(m, i)
	}
	if !k.spend(4+k.loads.words+m*k.torus.Degree()) || m+1 < k.size && !k.roomy(m, i) || !k.first.push(m, v) {
		return false
	}
	k.levels[m+1].hash = census.Hash(k.levels[m].hash, v)
	if m+1 < k.size {
		k.candidates(m+1, i)
		if k.needs && k.size-m-1 > 1 && !k.provided(m+1) {
			k.leave(m + 1)
			return false
		}
	}
	return true
}

// An orderlyRadius says how near processors have to be to all nodes.
type orderlyRadius struct {
	census.Conditions
	within  []int // by links: the most nodes so near to one
	highest []int // by node: the largest number within the radius that is not forbidden, -1 without any
	far     []int // nodes that no fixed one is within the radius of
	first   []int // by node: links to the nearest fixed one, the number of nodes without any
}

func newOrderlyRadius(m *meter.Meter, t *core.Torus, c census.Conditions) *orderlyRadius {
	o, diameter := &orderlyRadius{Conditions: c, within: make([]int, t.N())}, 0
	m.ChargeAll(4, t.N(), t.N(), t.D())
	for v := range t.N() {
		at, highest := make([]int, t.N()), -1 // by links: the nodes
		nearest := t.N()
		for u := range t.N() {
			d := t.LeeDistance(v, u)
			diameter = max(diameter, d)
			if at[d]++; c.Fixed != nil && c.Fixed.Has(u) {
				nearest = min(nearest, d)
			}
			if d <= c.Radius && (c.Forbidden == nil || !c.Forbidden.Has(u)) {
				highest = u
			}
		}
		within := 0
		for d, nodes := range at {
			within += nodes
			o.within[d] = max(o.within[d], within)
		}
		o.highest, o.first = append(o.highest, highest), append(o.first, nearest)
		if c.Radius > 0 && nearest > c.Radius {
			o.far = append(o.far, v)
		}
	}
	o.within = o.within[:diameter+1]
	return o
}

// met reports whether so many further processors can be as near as they must: none takes more nodes to within some
// number of links than are so near to one. Far are the nodes farther than the radius, links those of all nodes.
func (o *orderlyRadius) met(far, links []int, further int) bool {
	if o.Radius > 0 && len(far) > further*o.within[min(o.Radius, len(o.within)-1)] {
		return false
	}
	total := 0
	for d, within := range o.within {
		beyond := 0
		for _, l := range links {
			if l > d {
				beyond++
			}
		}
		total += max(0, beyond-further*within)
	}
	return o.Distance == 0 || total <= o.Distance
}

// near takes in that v is the next of m numbers and reports whether what is too far from all processors then can still
// have one.
func (k *orderlyWalker) near(m, v int) bool {
	from, to := &k.levels[m], &k.levels[m+1]
	o, n := k.radius, k.torus.N()
	if !k.spend(len(from.far) * k.torus.D()) {
		return false
	}
	to.far, to.links = to.far[:0], to.links[:0]
	for _, u := range from.far {
		if k.torus.LeeDistance(u, v) > o.Radius {
			if to.far = append(to.far, u); o.Radius > 0 && o.highest[u] <= v {
				return false
			}
		}
	}
	if o.Distance > 0 {
		if !k.spend(n * (k.torus.D() + len(o.within))) {
			return false
		}
		for u, l := range from.links {
			to.links = append(to.links, min(l, k.torus.LeeDistance(u, v)))
		}
	}
	return o.met(to.far, to.links, k.size-m-1)
}

// looksPerStep is how many words or numbers are looked at in a step: they lie side by side.
const looksPerStep = 4

// spend charges looks, with those of the comparisons before, and reports whether the walk goes on.
func (k *orderlyWalker) spend(looks int) bool {
	if k.meter.Spend(int64(looks+k.first.taken())/looksPerStep) != nil {
		k.stop, k.tally.Ended = true, true
	}
	return !k.stop
}

// roomy finds the loads when candidate i joins the list of m numbers and reports whether every processor can still
// exchange with those to come. The links into a processor need no look: what comes in goes out again, or is one of the
// m messages to it, and as many start from it.
func (k *orderlyWalker) roomy(m, i int) bool {
	words, loads := k.loads.words, k.levels[m+1].loads
	cross := k.levels[m].cross[i*words:][:words]
	for j, load := range k.levels[m].loads {
		loads[j] = load + cross[j]
	}
	short := func(p int) bool { return !k.loads.room(loads, p, k.size-m-1) }
	return !slices.ContainsFunc(k.list[:m+1], short) && !slices.ContainsFunc(k.fixed, short)
}

// leave takes the last of m numbers off the list.
func (k *orderlyWalker) leave(m int) { k.first.pop(m-1, k.list[m-1]) }

// candidates finds those of the list of m numbers, whose last was candidate i before, among those of one number less: a
// node that was dropped or too much stays so. None are kept when they are too few to reach n.
func (k *orderlyWalker) candidates(m, i int) {
	from, to := &k.levels[m-1], &k.levels[m]
	pairs, words, spare := k.loads.pairs[k.list[m-1]], k.loads.words, len(from.nodes)-i-1-(k.size-m)
	dropped := &k.first.levels[m].dropped
	to.nodes, k.picks = to.nodes[:0], k.picks[:0]
	if !k.spend(4 * (len(from.nodes) - i)) {
		return
	}
	for j := i + 1; j < len(from.nodes); j++ {
		v := from.nodes[j]
		if dropped[v>>6]>>(v&63)&1 == 0 && k.loads.fits(to.loads, from.cross[j*words:][:words], pairs[v]) {
			to.nodes, k.picks = append(to.nodes, v), append(k.picks, j)
		} else if spare--; spare < 0 {
			to.nodes = to.nodes[:0]
			return
		}
	}
	if m+1 == k.size {
		return // nobody asks what the last one exchanges
	}
	memory := 8 * max(0, len(k.picks)*words-cap(to.cross))
	if !k.spend(2*len(k.picks)*words + looksPerStep*memory) {
		to.nodes = to.nodes[:0]
		return
	}
	to.cross = slices.Grow(to.cross[:0], len(to.nodes)*words)[:len(to.nodes)*words]
	for at, v := range to.nodes {
		exchange(to.cross[at*words:][:words], from.cross[k.picks[at]*words:], pairs[v])
	}
}

// visit counts the list of m numbers and goes through all that start with it.
func (k *orderlyWalker) visit(m int) {
	if k.stop {
		return
	}
	if k.until > 0 {
		if m == k.until {
			if !k.spend(looksPerStep * (64 + 8*m)) { // the memory of a prefix
				return
			}
			k.kept = append(k.kept, slices.Clone(k.list[:m]))
			k.stop = len(k.kept) > maxOrderlyPrefixes
			return
		}
	} else if k.tell(m); k.stop {
		return
	}
	if m < k.size {
		k.extend(m)
	}
}

// tell takes the list of m numbers into the tally.
func (k *orderlyWalker) tell(m int) {
	k.tally.Nodes++
	k.tally.Sum += k.levels[m].hash
	switch {
	case k.tally.Nodes > k.most:
		k.stop, k.tally.Ended = true, true
	case m < k.size:
	case k.count != nil:
		fixing := k.first.levels[m].fixing // all automorphisms that do
		k.count.Orbits++
		k.count.Placements.Add(k.count.Placements, big.NewInt(int64(k.group.order()/len(fixing))))
	default:
		k.stop, k.tally.Found = true, slices.Concat(k.fixed, k.list)
	}
}

// extend visits the lists of m+1 numbers that the one of m reaches.
func (k *orderlyWalker) extend(m int) {
	for i := 0; i+k.size-m <= len(k.levels[m].nodes) && !k.stop; i++ {
		if k.enter(m, i) {
			k.visit(m + 1)
			k.leave(m + 1)
		}
	}
}

// through visits what starts with the prefixes, in order.
func (k *orderlyWalker) through(prefixes [][]int) {
	k.stop = k.meter.Err() != nil
	k.tally.Ended = k.stop
	m := 0 // length of the list
	for _, prefix := range prefixes {
		for ; m > 0 && !slices.Equal(k.list[:m], prefix[:m]); m-- {
			k.leave(m)
		}
		for ; m < len(prefix) && !k.stop; m++ {
			if i := slices.Index(k.levels[m].nodes, prefix[m]); (i < 0 || !k.enter(m, i)) && !k.stop {
				panic("check: a prefix that was visited is not any more")
			}
		}
		if k.stop {
			return
		}
		k.visit(m)
	}
	for ; m > 0; m-- {
		k.leave(m)
	}
}
