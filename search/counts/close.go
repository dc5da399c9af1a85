package counts

import (
	"encoding/binary"
	"math"

	"leeway/encode/steps"
)

// closed closes the branch, if a step does.
func (r *refuter) closed() bool {
	if r.crossed {
		r.to.Crossed()
		return true
	}
	if e := r.greater(); e != nil {
		r.to.Turn(r.number(e))
		return true
	}
	return r.crossing(r.at, nil) || r.over() || r.placing && r.loaded() || r.cramped()
}

// loaded closes the branch if the known processors put too much on a link, with what the counts of slabs have them put
// there.
func (r *refuter) loaded() bool {
	load := make([]int64, len(r.limits))
	var known []int
	for v := range r.torus.N() {
		if r.lo[steps.Node(v)] == 0 {
			continue
		}
		for _, d := range r.dims {
			l, x := d.of[v], r.torus.Coord(v, d.s)
			r.refresh(d, l)
			for i, link := range l.links {
				load[link] += l.base[i][x]
			}
		}
		for _, u := range known {
			for _, s := range r.beyond(u, v) {
				load[s.link] += s.amount
			}
		}
		known = append(known, v)
	}
	for l, v := range load {
		if v > r.limits[l] {
			r.link(l, r.view(nil, r.links[l].slabs))
			return true
		}
	}
	return false
}

// beyond returns what two nodes put on links beyond what the counts of slabs have each put there, u below v.
func (r *refuter) beyond(u, v int) []linkShare {
	i := v*(v-1)/2 + u
	if r.rests[i] == nil {
		list := []linkShare{}
		for _, s := range r.flows.pairs[i] {
			at := r.links[s.link]
			x, z := r.torus.Coord(u, at.s), r.torus.Coord(v, at.s)
			if at.of[u] == at.line {
				s.amount -= at.line.least[at.place][x][z]
			}
			if at.of[v] == at.line {
				s.amount -= at.line.least[at.place][z][x]
			}
			if s.amount != 0 {
				list = append(list, s)
			}
		}
		r.rests[i] = list
	}
	return r.rests[i]
}

// greater returns a symmetry that takes all placements of the branch to greater ones, nil if none is found. Symmetries
// that take none of them to greater ones are let go.
func (r *refuter) greater() *element {
	var alive []*element
	for i, e := range r.alive {
		switch r.compare(e) {
		case 1:
			return e
		case -1:
			if alive == nil {
				alive = append(make([]*element, 0, len(r.alive)), r.alive[:i]...)
			}
		default:
			if alive != nil {
				alive = append(alive, e)
			}
		}
	}
	if alive != nil {
		r.alive = alive
	}
	return nil
}

// compare returns 1 if an element takes all placements of the branch to greater ones, -1 if it takes none to a greater
// one, else 0.
func (r *refuter) compare(e *element) int {
	decide := func(from, key steps.Set) (decided bool, sign int) {
		if from < 0 {
			return true, 0
		}
		switch lo, hi := r.lo[from], r.hi[from]; {
		case lo > r.hi[key]:
			return true, 1
		case hi < r.lo[key]:
			return true, -1
		default:
			return lo < r.hi[key] || hi > r.lo[key], 0
		}
	}
	for i, key := range r.keys {
		if decided, sign := decide(e.from[i], key); decided {
			return sign
		}
	}
	for v, from := range e.inverse {
		if decided, sign := decide(steps.Node(from), steps.Node(v)); decided {
			return sign
		}
	}
	return -1
}

// number returns the number of an element, which is defined when it is first used.
func (r *refuter) number(e *element) steps.Element {
	if e.number < 0 {
		e.number = r.to.Element(e.mask, e.images)
	}
	return e.number
}

// crossing closes the branch if the links of some class, but for those of lines whose nodes are known, would carry too
// much. Slabs are counted up to the one at hand, and the others together.
func (r *refuter) crossing(d *dimension, lines []*line) bool {
	last := d.k - 1
	if d == r.at {
		last = max(r.slab, 0)
	}
	on := make([]int, d.k) // by slab: the processors of the lines
	for _, l := range lines {
		for x, v := range l.nodes {
			on[x] += r.lo[steps.Node(v)]
		}
	}
	off, rest := make([]int64, d.k), int64(0)
	for x := range last + 1 {
		off[x] = int64(r.lo[d.slabs[x]] - on[x])
	}
	if last+1 < d.k {
		rest = int64(r.lo[d.suffixes[last+1]])
		for x := last + 1; x < d.k; x++ {
			rest -= int64(on[x])
		}
	}
	for _, c := range d.classes {
		if !c.alone && len(lines) == 0 {
			continue
		}
		limit := c.limit
		for _, l := range lines {
			limit -= r.limits[l.links[c.line[l.number]]]
		}
		if r.across(d, c, lines, last, on, off, rest) > 2*limit {
			r.weigh(d, c, lines, last)
			return true
		}
	}
	return false
}

// across returns twice what the links of a class but for those of some lines carry at least.
func (r *refuter) across(d *dimension, c *class, lines []*line, last int, on []int, off []int64, rest int64) (total int64) {
	others := int64(len(lines))
	// to returns what a processor off the lines in a slab and those on the lines put on the links.
	to := func(z int) (sum int64) {
		for _, l := range lines {
			most := l.most[c.line[l.number]]
			for x, v := range l.nodes {
				if r.lo[steps.Node(v)] > 0 {
					sum += max(0, c.pair[x][z]-most[x][z]-(others-1)*c.between[x][z])
				}
			}
		}
		return sum
	}
	pair := func(x, z int) int64 { return max(0, c.pair[x][z]-others*c.between[x][z]) }
	for i, l := range lines {
		for x, v := range l.nodes {
			if r.lo[steps.Node(v)] == 0 {
				continue
			}
			for j, o := range lines[:i+1] {
				for y, u := range o.nodes {
					switch {
					case r.lo[steps.Node(u)] == 0 || i == j && y >= x:
					case i == j:
						total += 2 * max(0, c.pair[x][y]-l.both[c.line[l.number]][x][y]-(others-1)*c.between[x][y])
					default:
						total += 2 * max(0, c.pair[x][y]-l.most[c.line[l.number]][x][y]-o.most[c.line[o.number]][y][x]-
							(others-2)*c.between[x][y])
					}
				}
			}
		}
	}
	for x := range last + 1 {
		if off[x] == 0 {
			continue
		}
		if len(lines) > 0 {
			total += 2 * off[x] * to(x)
		}
		for z := range x {
			if off[z] > 0 {
				total += 2 * off[x] * off[z] * pair(x, z)
			}
		}
	}
	if rest <= 0 {
		return total
	}
	least := int64(math.MaxInt64)
	for z := last + 1; z < d.k; z++ {
		if r.hi[d.slabs[z]] <= on[z] {
			continue
		}
		sum := int64(0)
		if len(lines) > 0 {
			sum = 2 * to(z)
		}
		for x := range last + 1 {
			sum += off[x] * pair(x, z)
		}
		least = min(least, sum)
	}
	for x := range last + 1 {
		if off[x] == 0 {
			continue
		}
		nearest := int64(math.MaxInt64)
		for z := last + 1; z < d.k; z++ {
			if r.hi[d.slabs[z]] > on[z] {
				nearest = min(nearest, pair(x, z))
			}
		}
		least += off[x] * nearest
	}
	return total + rest*least
}

// weigh closes the branch by the links of a class but for those of some lines.
func (r *refuter) weigh(d *dimension, c *class, lines []*line, last int) {
	var weights []steps.LinkWeight
	for _, l := range c.links {
		out := false
		for _, o := range lines {
			out = out || o.links[c.line[o.number]] == l
		}
		if !out {
			weights = append(weights, steps.LinkWeight{Link: l, Weight: 1})
		}
	}
	r.to.Weigh(r.weighting(weights), steps.Identity, r.view(d.parts[last], d.parts[last]))
}

// weighting returns the number of a weighting, which is defined when it is first used.
func (r *refuter) weighting(weights []steps.LinkWeight) steps.Weighting {
	var key []byte
	for _, w := range weights {
		key = binary.AppendUvarint(key, uint64(w.Link))
	}
	w, there := r.weightings[string(key)]
	if !there {
		w = r.to.Weighting(weights)
		r.weightings[string(key)] = w
	}
	return w
}

// link closes the branch by one link.
func (r *refuter) link(l int, v steps.View) {
	r.to.Weigh(r.weighting([]steps.LinkWeight{{Link: l, Weight: 1}}), steps.Identity, v)
}

// view returns the number of a view, which is defined when it is first used.
func (r *refuter) view(outer, inner []steps.Set) steps.View {
	var key []byte
	for _, list := range [2][]steps.Set{outer, inner} {
		key = binary.AppendUvarint(key, uint64(len(list)))
		for _, s := range list {
			key = binary.AppendUvarint(key, uint64(s))
		}
	}
	v, there := r.views[string(key)]
	if !there {
		v = r.to.View(outer, inner)
		r.views[string(key)] = v
	}
	return v
}

// over closes the branch if a line of which nodes are known, or the links parallel to such lines, would carry too much.
func (r *refuter) over() bool {
	for _, d := range r.dims {
		var full []*line
		for _, l := range r.known {
			if l.dimension != d {
				continue
			}
			if r.overLine(d, l.line) {
				return true
			}
			if r.decided(l.line) {
				full = append(full, l.line)
			}
		}
		if len(full) > 0 && r.crossing(d, full) {
			return true
		}
	}
	return false
}

// decided reports whether all nodes of a line are known.
func (r *refuter) decided(l *line) bool {
	for _, v := range l.nodes {
		if s := steps.Node(v); r.lo[s] != r.hi[s] {
			return false
		}
	}
	return true
}

// overLine closes the branch if the known processors of a line and those of other slabs put too much on one of its
// links.
func (r *refuter) overLine(d *dimension, l *line) bool {
	last := d.k - 1
	if d == r.at {
		last = max(r.slab, 0)
	}
	var on []int // places
	for x, v := range l.nodes {
		if r.lo[steps.Node(v)] > 0 {
			on = append(on, x)
		}
	}
	off, rest := make([]int64, d.k), int64(0)
	for x := range last + 1 {
		off[x] = int64(r.lo[d.slabs[x]])
	}
	if last+1 < d.k {
		rest = int64(r.lo[d.suffixes[last+1]])
	}
	for _, x := range on {
		if off[x]--; x > last {
			rest--
		}
	}
	for i, link := range l.links {
		load, least := int64(0), int64(math.MaxInt64)
		for z := range d.k {
			sum := int64(0)
			for _, x := range on {
				sum += l.least[i][x][z]
			}
			if z <= last {
				load += off[z] * sum
			} else if r.hi[d.slabs[z]] > 0 {
				least = min(least, sum)
			}
		}
		if rest > 0 {
			load += rest * least
		}
		for j, x := range on {
			for _, y := range on[:j] {
				load += l.both[i][x][y]
			}
		}
		if load > r.limits[link] {
			r.link(link, r.view(d.parts[last], nil))
			return true
		}
	}
	return false
}

// cramped closes the branch if a line has no room for the processors that it must have.
func (r *refuter) cramped() bool {
	if r.at == r.dims[0] {
		return false
	}
	for _, d := range r.dims {
		for _, l := range d.lines {
			if l.set >= 0 && r.lo[l.set] > 0 && !r.room(d, l) {
				r.bar(d, l)
				return true
			}
		}
	}
	return false
}

// room reports whether a line can hold the processors that it must have.
func (r *refuter) room(d *dimension, l *line) bool {
	r.refresh(d, l)
	need, load := r.lo[l.set], make([]int64, len(l.links))
	if l.fits != 0 {
		mask, size, ok := uint64(0), 0, true
		for x, v := range l.nodes {
			in := l.fits>>x&1 == 1
			if ok = ok && (in || r.lo[steps.Node(v)] == 0) && (!in || r.hi[steps.Node(v)] > 0); !ok {
				break
			}
			if in {
				ok = r.with(l, load, load, x, mask)
				mask |= 1 << x
				size++
			}
		}
		if ok && size >= need {
			return true
		}
		clear(load)
	}
	return r.extend(l, need, 0, 0, 0, load)
}

// extend reports whether a content of places before x can be extended to one that fits.
func (r *refuter) extend(l *line, need, x, size int, mask uint64, load []int64) bool {
	if x == len(l.nodes) {
		l.fits = mask
		return size >= need
	}
	if size+len(l.nodes)-x < need {
		return false
	}
	v := steps.Node(l.nodes[x])
	if r.hi[v] > 0 && (size < need || r.lo[v] > 0) {
		if more := make([]int64, len(load)); r.with(l, load, more, x, mask) &&
			r.extend(l, need, x+1, size+1, mask|1<<x, more) {
			return true
		}
	}
	return r.lo[v] == 0 && r.extend(l, need, x+1, size, mask, load)
}

// with adds place x to a content of places before it and reports whether no link carries too much.
func (r *refuter) with(l *line, load, more []int64, x int, mask uint64) bool {
	for i, link := range l.links {
		v := load[i] + l.base[i][x]
		for y := range x {
			if mask>>y&1 == 1 {
				v += l.rest(i, x, y)
			}
		}
		if more[i] = v; v > r.limits[link] {
			return false
		}
	}
	return true
}

// bar closes the branch of a line without room: of a place that would bring the most too much, and of the others.
func (r *refuter) bar(d *dimension, l *line) {
	m := r.mark()
	defer r.back(m)
	for {
		if r.crossed {
			r.to.Crossed()
			return
		}
		r.refresh(d, l)
		load, on := make([]int64, len(l.links)), []int(nil)
		for x, v := range l.nodes {
			if r.lo[steps.Node(v)] == 0 {
				continue
			}
			for i := range load {
				load[i] += l.base[i][x]
				for _, y := range on {
					load[i] += l.rest(i, x, y)
				}
			}
			on = append(on, x)
		}
		worst, most := -1, int64(math.MinInt64)
		for i, link := range l.links {
			if load[i] > r.limits[link] {
				r.link(link, r.view(nil, d.slabs))
				return
			}
			for x, v := range l.nodes {
				if s := steps.Node(v); r.lo[s] == r.hi[s] {
					continue
				}
				sum := load[i] + l.base[i][x] - r.limits[link]
				for _, y := range on {
					sum += l.rest(i, x, y)
				}
				if sum > most {
					worst, most = v, sum
				}
			}
		}
		s := steps.Node(worst)
		r.to.Split(s, 1)
		inner := r.mark()
		r.bound(s, 1, 1)
		r.bar(d, l)
		r.back(inner)
		r.bound(s, 0, 0)
	}
}
