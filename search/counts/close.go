package counts

import (
	"math"
	"math/bits"
	"slices"

	"leeway/encode/steps"
	"leeway/search/flows"
)

// closed closes the branch, if a step does.
func (r *refuter) closed() bool {
	if r.Crossed {
		r.to.Crossed()
		return true
	}
	if r.supposed {
		return r.crossing(r.at) || (r.clients || r.at != r.dims[0]) && r.cramped()
	}
	if e := r.greater(); e != nil {
		r.to.Turn(r.number(e))
		return true
	}
	if r.placing {
		return r.loaded() || r.cramped()
	}
	return r.crossing(r.at) || r.overfull() || (r.clients || r.at != r.dims[0]) && r.cramped()
}

// loaded closes the branch if the known processors put too much on a link, with what the counts of slabs have them put
// there.
func (r *refuter) loaded() bool {
	for _, d := range r.dims {
		for _, l := range d.lines {
			r.refresh(d, l)
			for i, link := range l.links {
				if r.load[link] = l.zero[i]; r.load[link] > r.limits[link] {
					r.link(link, r.to.View(d.slabs, nil))
					return true
				}
			}
		}
	}
	r.taken = r.taken[:0]
	for v := range r.torus.N() {
		if r.Lo[steps.Node(v)] == 0 {
			continue
		}
		if l := r.join(v); l >= 0 {
			r.link(l, r.to.View(r.links[l].slabs, nil))
			return true
		}
		r.taken = append(r.taken, v)
	}
	return false
}

// join adds to the loads what a node puts there with those that are taken, and returns a link that carries too much
// then, -1 if none does.
func (r *refuter) join(v int) int {
	over := -1
	for _, u := range r.taken { // before what follows: on a line that both are on it may be negative
		for _, s := range r.excess(min(u, v), max(u, v)) {
			if r.load[s.Link] += s.Amount; r.load[s.Link] > r.limits[s.Link] {
				over = s.Link
			}
		}
	}
	for _, s := range r.alone[v] {
		if r.load[s.Link] += s.Amount; r.load[s.Link] > r.limits[s.Link] {
			over = s.Link
		}
	}
	for _, d := range r.dims {
		l, x := d.of[v], r.torus.Coord(v, d.s)
		for i, link := range l.links {
			if r.load[link] += l.base[i][x]; r.load[link] > r.limits[link] {
				over = link
			}
		}
	}
	return over
}

// leave takes back what join added.
func (r *refuter) leave(v int) {
	for _, d := range r.dims {
		l, x := d.of[v], r.torus.Coord(v, d.s)
		for i, link := range l.links {
			r.load[link] -= l.base[i][x]
		}
	}
	for _, s := range r.alone[v] {
		r.load[s.Link] -= s.Amount
	}
	for _, u := range r.taken {
		for _, s := range r.excess(min(u, v), max(u, v)) {
			r.load[s.Link] -= s.Amount
		}
	}
}

// starved closes the branch, in which all slabs are counted and no link carries too much yet, if the free nodes that do
// not overload a link do not suffice.
func (r *refuter) starved() bool {
	type bad struct{ node, link int }
	var list []bad
	m := r.Mark()
	if r.loaded() {
		return true
	}
	for v := range r.torus.N() {
		if s := steps.Node(v); r.Lo[s] == 0 && r.Hi[s] > 0 {
			over := r.join(v)
			if r.leave(v); over >= 0 {
				list = append(list, bad{v, over})
			}
		}
	}
	for _, b := range list {
		if r.Bound(steps.Node(b.node), 0, 0); r.Crossed {
			break
		}
	}
	crossed, in := r.Crossed, r.CrossedAt
	if r.Back(m); !crossed {
		return false
	}
	// First those of the set that is starved.
	slices.SortStableFunc(list, func(a, b bad) int { return r.has(in, b.node) - r.has(in, a.node) })
	for _, b := range list {
		s := steps.Node(b.node)
		if r.Hi[s] == 0 {
			continue
		}
		forced := r.Lo[s] > 0
		if !forced {
			r.to.Split(s, 1)
		}
		r.link(b.link, r.to.View(r.links[b.link].slabs, nil))
		if forced {
			break
		}
		if r.Bound(s, 0, 0); r.Crossed {
			r.to.Crossed()
			break
		}
	}
	r.Back(m)
	return true
}

// has returns 1 if a set has a node, else 0.
func (r *refuter) has(s steps.Set, v int) int {
	if slices.Contains(r.members[s], v) {
		return 1
	}
	return 0
}

// excess returns what two nodes put on links beyond what the counts of slabs have each put there, u below v.
func (r *refuter) excess(u, v int) []flows.Share {
	i := v*(v-1)/2 + u
	if r.rests[i] == nil {
		list := []flows.Share{}
		for _, s := range r.flows.Pairs[i] {
			at := r.links[s.Link]
			x, z := r.torus.Coord(u, at.s), r.torus.Coord(v, at.s)
			if at.of[u] == at.line {
				s.Amount -= at.line.least[at.place][x][z]
			}
			if at.of[v] == at.line {
				s.Amount -= at.line.least[at.place][z][x]
			}
			if s.Amount != 0 {
				list = append(list, s)
			}
		}
		r.rests[i] = list
	}
	return r.rests[i]
}

// greater returns a symmetry that takes all placements of the branch to greater ones, nil if none is found. It looks at
// those only that wait for a set whose bounds have changed since it looked before.
func (r *refuter) greater() *element {
	for {
		set, ok := r.Changed()
		if !ok {
			return nil
		}
		for _, e := range r.waiting[set] {
			if from, key := r.pair(e, e.at); e.at < 0 || from != set && key != set {
				continue
			}
			before := e.at
			if r.advance(e) {
				e.at = before
				return e
			}
			if e.at != before {
				r.moved = append(r.moved, wait{e, before})
			}
		}
	}
}

// pair returns the i-th two sets by which an element is judged: the keys, then the nodes. The first is what it takes to
// the second.
func (r *refuter) pair(e *element, i int) (from, key steps.Set) {
	switch {
	case i < 0:
		return -1, -1
	case i < len(r.keys):
		return e.from[i], r.keys[i]
	}
	v := i - len(r.keys)
	return steps.Node(e.inverse[v]), steps.Node(v)
}

// advance goes on to the first two sets that may differ, and reports whether the element takes all placements of the
// branch to greater ones. An element that takes none to a greater one waits for nothing any more.
func (r *refuter) advance(e *element) bool {
	for ; e.at < len(r.keys)+r.torus.N(); e.at++ {
		from, key := r.pair(e, e.at)
		if from == key && r.Lo[key] == r.Hi[key] {
			continue
		}
		if from >= 0 {
			switch lo, hi := r.Lo[from], r.Hi[from]; {
			case lo > r.Hi[key]:
				return true
			case hi < r.Lo[key]:
				r.alive--
				e.at = -1
				return false
			case lo == r.Hi[key] && hi == r.Lo[key]:
				continue
			}
		}
		if from != key && from >= 0 {
			r.await(e, from)
		}
		r.await(e, key)
		return false
	}
	r.alive--
	e.at = -1
	return false
}

// await lists an element with those that wait for a set.
func (r *refuter) await(e *element, s steps.Set) {
	if e.listed[s] {
		return
	}
	e.listed[s] = true
	r.waiting[s] = append(r.waiting[s], e)
}

// A wait is where an element stood.
type wait struct {
	element *element
	at      int
}

// number returns the number of an element, which is defined when it is first used.
func (r *refuter) number(e *element) steps.Element {
	number, ok := r.numbers[e]
	if !ok {
		number = r.to.Element(e.mask, e.images)
		r.numbers[e] = number
	}
	return number
}

// crossing closes the branch if the links of some class would carry too much. Slabs are counted up to the one at hand,
// and the others together.
func (r *refuter) crossing(d *dimension) bool {
	last := r.last(d)
	for _, c := range d.classes {
		if c.alone && r.classLoad(d, c, last) > 2*c.limit {
			var weights []steps.LinkWeight
			for _, l := range c.links {
				weights = append(weights, steps.LinkWeight{Link: l, Weight: 1})
			}
			r.to.Weigh(r.to.Weighting(weights), steps.Identity, r.to.View(d.parts[last], d.parts[last]))
			return true
		}
	}
	return false
}

// last returns the last slab of a dimension that is counted by itself.
func (r *refuter) last(d *dimension) int {
	if d == r.at {
		return max(r.slab, 0)
	}
	return d.k - 1
}

// sums are what processors in the slabs up to each put on links: twice among themselves, and with one in every slab.
type sums struct {
	known  int // slabs for which that is so
	counts []int
	total  []int64
	with   [][]int64
}

func newSums(k int) sums {
	return sums{counts: make([]int, k), total: make([]int64, k+1), with: grid(k+1, k+1, 0)}
}

// classLoad returns twice what the links of a class carry at least, with slabs counted up to a last one.
func (r *refuter) classLoad(d *dimension, c *class, last int) (total int64) {
	s, known := &c.sums, 0
	for known < min(s.known, last+1) && s.counts[known] == r.Lo[d.slabs[known]] {
		known++
	}
	for x := known; x <= last; x++ {
		s.counts[x] = r.Lo[d.slabs[x]]
		m := int64(s.counts[x])
		s.total[x+1] = s.total[x] + 2*m*(s.with[x][x]+c.single[x])
		from, with := s.with[x], s.with[x+1]
		for z, v := range c.pair[x] {
			with[z] = from[z] + m*v
		}
	}
	s.known, total = last+1, s.total[last+1]
	if last+1 == d.k || r.Lo[d.suffixes[last+1]] == 0 {
		return total
	}
	least := int64(math.MaxInt64)
	for z := last + 1; z < d.k; z++ {
		if r.Hi[d.slabs[z]] > 0 {
			least = min(least, s.with[last+1][z]+2*c.single[z])
		}
	}
	if least == math.MaxInt64 {
		return total
	}
	for x, m := range s.counts[:last+1] {
		least += int64(m) * c.near[x][last+1]
	}
	return total + int64(r.Lo[d.suffixes[last+1]])*least
}

// look brings what a line holds of its known processors up to the branch.
func (r *refuter) look(d *dimension, l *line) {
	mask := uint64(0)
	for x, v := range l.nodes {
		mask |= uint64(r.Lo[steps.Node(v)]) << x
	}
	if l.seen && mask == l.mask {
		return
	}
	l.seen, l.mask = true, mask
	for x := range l.on {
		l.on[x] = int64(mask >> x & 1)
	}
	for i := range l.links {
		l.pairs[i] = 0
		for z := range d.k {
			l.with[i][z] = l.outer[i][z]
			if mask>>z&1 == 1 {
				l.pairs[i] += l.inner[i][z]
			}
			for x := range d.k {
				if mask>>x&1 == 1 {
					l.with[i][z] += l.least[i][x][z]
				}
			}
			for x := range z {
				if mask>>x&1 == 1 && mask>>z&1 == 1 {
					l.pairs[i] += l.both[i][x][z]
				}
			}
		}
	}
}

// link closes the branch by one link.
func (r *refuter) link(l int, v steps.View) {
	r.to.Weigh(r.to.Weighting(steps.Evenly(l)), steps.Identity, v)
}

// overfull closes the branch if a line of which nodes are known would carry too much.
func (r *refuter) overfull() bool {
	for _, l := range r.at.unlike {
		if r.clients && r.overLine(r.at, l) {
			return true
		}
	}
	for _, l := range r.known {
		if r.overLine(l.dimension, l.line) || r.slab < 0 && r.overTogether(l.dimension, l.line) {
			return true
		}
	}
	return false
}

// overLine closes the branch if the known processors of a line and those of other slabs put too much on one of its
// links.
func (r *refuter) overLine(d *dimension, l *line) bool {
	r.look(d, l)
	last := r.last(d)
	rest := int64(0)
	if last+1 < d.k {
		rest = int64(r.Lo[d.suffixes[last+1]])
		for x := last + 1; x < d.k; x++ {
			rest -= l.on[x]
		}
	}
	for i, link := range l.links {
		load, least := l.pairs[i], int64(math.MaxInt64)
		for z, with := range l.with[i] {
			if z <= last {
				load += (int64(r.Lo[d.slabs[z]]) - l.on[z]) * with
			} else if r.Hi[d.slabs[z]] > 0 {
				least = min(least, with)
			}
		}
		if rest > 0 {
			load += rest * least
		}
		if load > r.limits[link] {
			r.link(link, r.to.View(d.parts[last], nil))
			return true
		}
	}
	return false
}

// cramped closes the branch if a line has no room for the processors that it must have.
func (r *refuter) cramped() bool {
	for _, d := range r.dims {
		for _, l := range d.lines {
			if l.set >= 0 && r.Lo[l.set] > 0 && !r.room(d, l) {
				r.bar(d, l)
				return true
			}
		}
	}
	return false
}

// room reports whether a line can hold the processors that it must have.
func (r *refuter) room(d *dimension, l *line) bool {
	stale := r.refresh(d, l)
	taken, free := uint64(0), uint64(0)
	for x, v := range l.nodes {
		taken |= uint64(r.Lo[steps.Node(v)]) << x
		free |= uint64(r.Hi[steps.Node(v)]) << x
	}
	need, rest := r.Lo[l.set], l.same.view().rest
	ok := taken&^l.fits == 0 && l.fits&^free == 0 && bits.OnesCount64(l.fits) >= need
	if ok && stale {
		load := append(r.loads[:0], l.zero...)
		for x, mask := 0, uint64(0); ok && x < len(l.nodes); x++ {
			if l.fits>>x&1 == 1 {
				ok = r.adds(l, rest, load, load, x, mask)
				mask |= 1 << x
			}
		}
	}
	ok = ok || r.extend(l, rest, need, 0, 0, 0, append(r.loads[:0], l.zero...))
	if l.fitted = 0; ok {
		l.fitted = l.same.change
	}
	return ok
}

// extend reports whether a content of places before x can be extended to one that fits. After the load of its links it
// has room for others.
func (r *refuter) extend(l *line, rest [][][]int64, need, x, size int, mask uint64, load []int64) bool {
	if x == len(l.nodes) {
		l.fits = mask
		return size >= need
	}
	if size+len(l.nodes)-x < need {
		return false
	}
	v := steps.Node(l.nodes[x])
	if r.Hi[v] > 0 && (size < need || r.Lo[v] > 0) {
		if more := load[len(load) : 2*len(load)]; r.adds(l, rest, load, more, x, mask) &&
			r.extend(l, rest, need, x+1, size+1, mask|1<<x, more) {
			return true
		}
	}
	return r.Lo[v] == 0 && r.extend(l, rest, need, x+1, size, mask, load)
}

// adds adds place x to a content of places before it and reports whether no link carries too much.
func (r *refuter) adds(l *line, rest [][][]int64, load, more []int64, x int, mask uint64) bool {
	for i, link := range l.links {
		v, row := load[i]+l.base[i][x], rest[i][x]
		for m := mask; m != 0; m &= m - 1 {
			v += row[bits.TrailingZeros64(m)]
		}
		if more[i] = v; v > r.limits[link] {
			return false
		}
	}
	return true
}

// bar closes the branch of a line without room: of a place that would bring the most too much, and of the others.
func (r *refuter) bar(d *dimension, l *line) {
	m := r.Mark()
	defer r.Back(m)
	for {
		if r.Crossed {
			r.to.Crossed()
			return
		}
		r.refresh(d, l)
		rest := l.same.view().rest
		load, on := slices.Clone(l.zero), []int(nil)
		for x, v := range l.nodes {
			if r.Lo[steps.Node(v)] == 0 {
				continue
			}
			for i := range load {
				load[i] += l.base[i][x]
				for _, y := range on {
					load[i] += rest[i][x][y]
				}
			}
			on = append(on, x)
		}
		worst, most := -1, int64(math.MinInt64)
		for i, link := range l.links {
			if load[i] > r.limits[link] {
				r.link(link, r.to.View(d.parts[l.same.upto], nil))
				return
			}
			for x, v := range l.nodes {
				if s := steps.Node(v); r.Lo[s] == r.Hi[s] {
					continue
				}
				sum := load[i] + l.base[i][x] - r.limits[link]
				for _, y := range on {
					sum += rest[i][x][y]
				}
				if sum > most {
					worst, most = v, sum
				}
			}
		}
		s := steps.Node(worst)
		r.to.Split(s, 1)
		inner := r.Mark()
		r.Bound(s, 1, 1)
		r.bar(d, l)
		r.Back(inner)
		r.Bound(s, 0, 0)
	}
}
