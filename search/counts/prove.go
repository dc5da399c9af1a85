package counts

import (
	"fmt"
	"os"
	"slices"

	"leeway/core"
	"leeway/encode/steps"
)

// begin proves the first branch.
func (r *refuter) begin() error {
	if closed := r.turned(); closed {
		return nil
	}
	return r.chooseLine()
}

// chooseLine goes through the lines that may be the first with as many processors as some line must have.
func (r *refuter) chooseLine() error {
	d := r.dims[0]
	least := (r.size + len(d.lines) - 1) / len(d.lines)
	if d.lines[0].set < 0 || least < 2 {
		return r.count(0, 0)
	}
	defer r.back(r.mark())
	for _, l := range d.lines {
		if r.crossed {
			break
		}
		forced := r.lo[l.set] >= least
		if !forced {
			r.to.Split(l.set, least)
		}
		m, alive := r.mark(), r.alive
		if r.bound(l.set, least, r.hi[l.set]); !r.closed() {
			r.full = l
			if err := r.countLine(l); err != nil {
				return err
			}
		}
		r.back(m)
		r.alive = alive
		if forced {
			return nil
		}
		r.bound(l.set, 0, least-1)
	}
	r.to.Crossed()
	return nil
}

// countLine goes through the numbers of processors of the full line, if it is a key.
func (r *refuter) countLine(l *line) error {
	r.active = append(r.active, active{r.dims[0], l})
	defer func() { r.active = r.active[:len(r.active)-1] }()
	if r.keys[0] != l.set {
		return r.fill(l, 0, func() error { return r.count(0, 0) })
	}
	return r.each(l.set, func() error {
		defer r.back(r.mark())
		if r.cap(l) {
			return nil
		}
		return r.fill(l, 0, func() error { return r.count(0, 0) })
	})
}

// fill goes through the contents of a line, from a place on.
func (r *refuter) fill(l *line, x int, prove func() error) error {
	m, alive := r.mark(), r.alive
	defer func() { r.back(m); r.alive = alive }()
	for ; x < len(l.nodes); x++ {
		s := steps.Node(l.nodes[x])
		if r.lo[s] == r.hi[s] {
			continue
		}
		r.to.Split(s, 1)
		inner, before := r.mark(), r.alive
		if r.bound(s, 1, 1); !r.closed() {
			if err := r.fill(l, x+1, prove); err != nil {
				return err
			}
		}
		r.back(inner)
		r.alive = before
		if r.bound(s, 0, 0); r.closed() {
			return nil
		}
	}
	return prove()
}

// an active line is one of which nodes are known.
type active struct {
	dim  *dimension
	line *line
}

// over closes the branch if the known processors of an active line put too much on it, or leave the lines beside it
// more than they can carry.
func (r *refuter) over() bool {
	for _, a := range r.active {
		if a.dim == r.dims[r.at.dim] {
			if r.overWith(a.dim, a.line, r.at.slab) {
				return true
			}
		} else if r.overWith(a.dim, a.line, a.dim.k-1) {
			return true
		}
	}
	return false
}

// parts returns the slabs up to i and the set of the others.
func (d *dimension) parts(i int) []steps.Set {
	parts := slices.Clone(d.slabs[:i+1])
	if i+1 < d.k {
		parts = append(parts, d.suffixes[i+1])
	}
	return parts
}

func (r *refuter) overWith(d *dimension, l *line, i int) bool {
	if r.overLine(d, l, i) {
		return true
	}
	return r.besides(d, l, i)
}

// besides closes the branch if the links parallel to one of a line whose nodes are all known would carry too much.
func (r *refuter) besides(d *dimension, l *line, i int) bool {
	known := make([]int, d.k)
	for x, v := range l.nodes {
		s := steps.Node(v)
		if r.lo[s] != r.hi[s] {
			return false
		}
		known[x] = r.lo[s]
	}
	m, rest := make([]int64, d.k), int64(0) // off the line
	for x := range i + 1 {
		m[x] = int64(r.lo[d.slabs[x]] - known[x])
	}
	if i+1 < d.k {
		rest = int64(r.lo[d.suffixes[i+1]])
		for x := i + 1; x < d.k; x++ {
			rest -= int64(known[x])
		}
	}
	for _, c := range d.classes {
		j := slices.IndexFunc(l.links, func(link int) bool { return slices.Contains(c.links, link) })
		if j < 0 {
			continue
		}
		// to returns what a processor off the line at z and those on the line put on the links
		to := func(z int) (sum int64) {
			for x, in := range known {
				if in > 0 {
					sum += c.pair[x][z] - l.most[j][x][z]
				}
			}
			return sum
		}
		total := int64(0) // doubled
		for x := range i + 1 {
			if m[x] == 0 {
				continue
			}
			total += 2 * m[x] * to(x)
			for z := range x {
				total += 2 * m[x] * m[z] * c.pair[x][z]
			}
		}
		if rest > 0 {
			least, inner := int64(1<<62), int64(0)
			for z := i + 1; z < d.k; z++ {
				if r.hi[d.slabs[z]] <= known[z] {
					continue
				}
				sum := 2 * to(z)
				for x := range i + 1 {
					sum += m[x] * c.pair[x][z]
				}
				least = min(least, sum)
			}
			for x := range i + 1 {
				nearest := int64(1 << 62)
				for z := i + 1; z < d.k; z++ {
					if r.hi[d.slabs[z]] > known[z] {
						nearest = min(nearest, c.pair[x][z])
					}
				}
				inner += m[x] * nearest
			}
			total += rest * (least + inner)
		}
		link := l.links[j]
		if total > 2*(c.limit-r.limits[link]) {
			if r.without[link] < 0 {
				var weights []steps.LinkWeight
				for _, o := range c.links {
					if o != link {
						weights = append(weights, steps.LinkWeight{Link: o, Weight: 1})
					}
				}
				r.without[link] = r.to.Weighting(weights)
			}
			parts := d.parts(i)
			r.to.Weigh(r.without[link], steps.Identity, r.view(parts, parts))
			return true
		}
	}
	return false
}

func (r *refuter) overLine(d *dimension, l *line, i int) bool {
	known := make([]int, d.k) // by slab: of the line
	counts, rest := make([]int64, d.k), int64(0)
	size := 0
	for x, v := range l.nodes {
		if r.lo[steps.Node(v)] > 0 {
			known[x] = 1
			size++
		}
	}
	if size == 0 {
		return false
	}
	for x := range i + 1 {
		counts[x] = int64(r.lo[d.slabs[x]] - known[x])
	}
	if i+1 < d.k {
		rest = int64(r.lo[d.suffixes[i+1]])
		for x := i + 1; x < d.k; x++ {
			rest -= int64(known[x])
		}
	}
	for j, link := range l.links {
		load := int64(0)
		least := int64(1 << 62)
		for z := range d.k {
			if z > i && (rest <= 0 || r.hi[d.slabs[z]] <= known[z]) {
				continue
			}
			sum := int64(0)
			for x, in := range known {
				if in > 0 {
					sum += l.own[j][x][z]
				}
			}
			if z <= i {
				load += counts[z] * sum
			} else {
				least = min(least, sum)
			}
		}
		if rest > 0 && least < 1<<62 {
			load += rest * least
		}
		for x, in := range known {
			for y := range x {
				if in > 0 && known[y] > 0 {
					load += l.both[j][x][y]
				}
			}
		}
		if load > r.limits[link] {
			r.to.Weigh(r.link(link), steps.Identity, r.view(d.parts(i), nil))
			return true
		}
	}
	return false
}

// cap bounds the counts that symmetry lets be no greater than that of the full line.
func (r *refuter) cap(full *line) (closed bool) {
	most := r.hi[full.set]
	for _, d := range r.dims {
		for _, s := range d.slabs {
			if s == full.set || r.hi[s] <= most {
				continue
			}
			m, alive := r.mark(), r.alive
			r.bound(s, most+1, r.hi[s])
			e := r.greater()
			crossed := r.crossed
			r.back(m)
			r.alive = alive
			if e == nil && !crossed {
				continue
			}
			r.to.Split(s, most+1)
			if crossed {
				r.to.Crossed()
			} else {
				r.to.Turn(r.number(e))
			}
			if r.bound(s, 0, most); r.crossed {
				r.to.Crossed()
				return true
			}
		}
	}
	return false
}

// each goes through the counts of a set, from the least on.
func (r *refuter) each(s steps.Set, prove func() error) error {
	m, alive := r.mark(), r.alive
	defer func() { r.back(m); r.alive = alive }()
	for {
		v := r.lo[s]
		if v == r.hi[s] {
			return prove()
		}
		r.to.SplitLow(s, v+1)
		inner, before := r.mark(), r.alive
		if r.bound(s, v, v); !r.closed() {
			if err := prove(); err != nil {
				return err
			}
		}
		r.back(inner)
		r.alive = before
		if r.bound(s, v+1, r.hi[s]); r.closed() {
			return nil
		}
	}
}

// count goes through the counts of slab i of a dimension and of those after it.
func (r *refuter) count(di, i int) error {
	if err := r.ctx.Err(); err != nil {
		return err
	}
	d := r.dims[di]
	if i == d.k {
		if di+1 < len(r.dims) {
			return r.fullest(di + 1)
		}
		return r.place()
	}
	r.at = at{di, i}
	return r.each(d.slabs[i], func() error {
		if i == d.k-1 && r.hi[d.slabs[i]] == r.lo[d.slabs[i]] {
			r.at = at{di, i}
			if r.closed() {
				return nil
			}
		}
		err := r.count(di, i+1)
		r.at = at{di, i}
		return err
	})
}

// fullest goes through the contents of the line along a dimension that must have the most processors, then the counts.
func (r *refuter) fullest(di int) error {
	d := r.dims[di]
	if d.lines[0].set < 0 {
		return r.count(di, 0)
	}
	stat["phaseB"]++
	best := d.lines[0]
	for _, l := range d.lines {
		if r.lo[l.set] > r.lo[best.set] {
			best = l
		}
	}
	r.active = append(r.active, active{d, best})
	defer func() { r.active = r.active[:len(r.active)-1] }()
	r.at = at{di, 0}
	return r.fill(best, 0, func() error { return r.count(di, 0) })
}

// at is the slab whose count is being gone through.
type at struct{ dim, slab int }

// closed closes the branch, if a step does.
func (r *refuter) closed() bool {
	before := r.to.Steps
	if r.crossed {
		r.to.Crossed()
		stat["crossed"] += 1
		return true
	}
	if r.turned() {
		stat[fmt.Sprint("turn", r.at.dim)] += r.to.Steps - before
		return true
	}
	if r.crossing() {
		stat[fmt.Sprint("crossing", r.at.dim, r.at.slab)] += r.to.Steps - before
		return true
	}
	if r.over() {
		stat[fmt.Sprint("over", r.at.dim, r.at.slab)] += r.to.Steps - before
		return true
	}
	if r.at.dim > 0 && r.contents() {
		stat[fmt.Sprint("contents", r.at.dim, r.at.slab)] += r.to.Steps - before
		stat[fmt.Sprint("bars", r.at.dim)]++
		return true
	}
	return false
}

// turned closes the branch if a symmetry takes all its placements to greater ones.
func (r *refuter) turned() bool {
	e := r.greater()
	if e != nil {
		r.to.Turn(r.number(e))
	}
	return e != nil
}

// greater returns a symmetry that takes all placements of the branch to greater ones, nil if none is found. Symmetries
// that take none of them to greater ones are let go.
func (r *refuter) greater() *element {
	const (
		open = iota
		greater
		smaller
	)
	compare := func(e *element) int {
		for k, key := range r.keys {
			from := e.from[k]
			if from < 0 {
				return open
			}
			if from == key && r.lo[key] < r.hi[key] {
				return open
			}
			switch lo, hi := r.lo[from], r.hi[from]; {
			case lo > r.hi[key]:
				return greater
			case hi < r.lo[key]:
				return smaller
			case lo < r.hi[key] || hi > r.lo[key]:
				return open
			}
		}
		for v, from := range e.inverse {
			key, from := steps.Node(v), steps.Node(from)
			switch lo, hi := r.lo[from], r.hi[from]; {
			case lo > r.hi[key]:
				return greater
			case hi < r.lo[key]:
				return smaller
			case lo < r.hi[key] || hi > r.lo[key]:
				return open
			}
		}
		return smaller // it moves no placement
	}
	var alive []*element
	for i, e := range r.alive {
		switch compare(e) {
		case greater:
			return e
		case smaller:
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

func (r *refuter) number(e *element) steps.Element {
	if e.number < 0 {
		e.number = r.to.Element(e.mask, e.images)
	}
	return e.number
}

// view returns the number of a view.
func (r *refuter) view(outer, inner []steps.Set) steps.View {
	key := fmt.Sprint(outer, inner)
	v, there := r.views[key]
	if !there {
		v = r.to.View(outer, inner)
		r.views[key] = v
	}
	return v
}

// crossing closes the branch if parallel links would carry too much.
func (r *refuter) crossing() bool {
	d := r.dims[r.at.dim]
	i := r.at.slab
	parts := slices.Clone(d.slabs[:i+1])
	rest := 0
	if i+1 < d.k {
		parts = append(parts, d.suffixes[i+1])
		rest = r.lo[d.suffixes[i+1]]
	}
	for _, c := range d.classes {
		total := int64(0)
		for x := range i + 1 {
			a := int64(r.lo[d.slabs[x]])
			if a == 0 {
				continue
			}
			for z := range x {
				total += 2 * a * int64(r.lo[d.slabs[z]]) * c.pair[x][z]
			}
		}
		if rest > 0 {
			least := int64(1 << 62)
			for z := i + 1; z < d.k; z++ {
				if r.hi[d.slabs[z]] == 0 {
					continue
				}
				sum := int64(0)
				for x := range i + 1 {
					sum += int64(r.lo[d.slabs[x]]) * c.pair[x][z]
				}
				least = min(least, sum)
			}
			inner := int64(0)
			for x := range i + 1 {
				nearest := int64(1 << 62)
				for z := i + 1; z < d.k; z++ {
					if r.hi[d.slabs[z]] > 0 {
						nearest = min(nearest, c.pair[x][z])
					}
				}
				inner += int64(r.lo[d.slabs[x]]) * nearest
			}
			total += int64(rest) * (least + inner)
		}
		if total > 2*c.limit {
			if debug {
				println("crossing", r.to.Steps, total, 2*c.limit, rest, i, r.at.dim)
				for _, s := range d.slabs {
					print(" ", r.lo[s], "..", r.hi[s])
				}
				println()
			}
			if c.weighting < 0 {
				var weights []steps.LinkWeight
				for _, l := range c.links {
					weights = append(weights, steps.LinkWeight{Link: l, Weight: 1})
				}
				c.weighting = r.to.Weighting(weights)
			}
			r.to.Weigh(c.weighting, steps.Identity, r.view(parts, parts))
			return true
		}
	}
	return false
}

// contents closes the branch if a line has no room for the processors that it must have.
func (r *refuter) contents() bool {
	d := r.dims[r.at.dim]
	if d.lines[0].set < 0 {
		return false
	}
	for _, l := range d.lines {
		if r.lo[l.set] > 1 && !r.room(d, l) {
			r.bar(d, l)
			return true
		}
	}
	if r.at.dim > 0 { // the line that the slab is
		o := r.dims[1-r.at.dim]
		if l := o.lines[r.at.slab]; r.lo[l.set] > 0 && !r.room(o, l) {
			r.bar(o, l)
			return true
		}
	}
	return false
}

// room reports whether a line can hold the processors that it must have.
func (r *refuter) room(d *dimension, l *line) bool {
	base := r.base(d, l)
	need := r.lo[l.set]
	k := len(l.nodes)
	var extend func(x, size int, mask uint, load []int64) bool
	extend = func(x, size int, mask uint, load []int64) bool {
		if size == need {
			// those that are known to be taken must be in
			for y := x; y < k; y++ {
				if r.lo[steps.Node(l.nodes[y])] > 0 {
					return false
				}
			}
			l.fits = mask
			return true
		}
		if x == k || size+k-x < need {
			return false
		}
		v := steps.Node(l.nodes[x])
		if r.hi[v] > 0 {
			more := make([]int64, len(load))
			if r.with(l, base, load, more, x, mask) && extend(x+1, size+1, mask|1<<x, more) {
				return true
			}
		}
		return r.lo[v] == 0 && extend(x+1, size, mask, load)
	}
	// what fitted before, first
	if l.fits != 0 {
		load, mask, size, ok := make([]int64, len(l.links)), uint(0), 0, true
		for x := range k {
			v := steps.Node(l.nodes[x])
			if l.fits>>x&1 == 1 {
				ok = ok && r.hi[v] > 0 && r.with(l, base, load, load, x, mask)
				mask |= 1 << x
				size++
			} else {
				ok = ok && r.lo[v] == 0
			}
		}
		if ok && size >= need {
			return true
		}
	}
	return extend(0, 0, 0, make([]int64, len(l.links)))
}

// base returns, by link of a line and place, what a processor there puts on it for the slabs' counts.
func (r *refuter) base(d *dimension, l *line) [][]int64 {
	base := make([][]int64, len(l.links))
	for i, own := range l.own {
		base[i] = make([]int64, d.k)
		for x := range d.k {
			for z, slab := range d.slabs {
				base[i][x] += own[x][z] * int64(r.lo[slab])
			}
		}
	}
	return base
}

// with adds the place x to a content and reports whether no link carries too much.
func (r *refuter) with(l *line, base [][]int64, load, more []int64, x int, mask uint) bool {
	for i, link := range l.links {
		v := load[i] + base[i][x]
		for y := range x {
			if mask>>y&1 == 1 {
				v += l.rest[i][x][y]
			}
		}
		more[i] = v
		if v > r.limits[link] {
			return false
		}
	}
	return true
}

// bar writes that no content of a line fits.
func (r *refuter) bar(d *dimension, l *line) {
	defer r.back(r.mark())
	for {
		if r.crossed {
			r.to.Crossed()
			return
		}
		base := r.base(d, l)
		load := make([]int64, len(l.links))
		for x, v := range l.nodes {
			if r.lo[steps.Node(v)] == 0 {
				continue
			}
			for i := range l.links {
				load[i] += base[i][x]
				for y := range x {
					if r.lo[steps.Node(l.nodes[y])] > 0 {
						load[i] += l.rest[i][x][y]
					}
				}
			}
		}
		worst, most := -1, int64(-1<<62)
		for i, link := range l.links {
			if load[i] > r.limits[link] {
				if debug {
					println("bar", r.to.Steps, load[i], r.limits[link], link)
					for _, s := range d.slabs {
						print(" ", r.lo[s], "..", r.hi[s])
					}
					println()
					for x, v := range l.nodes {
						print(" ", v, ":", r.lo[steps.Node(v)], "..", r.hi[steps.Node(v)], "/", base[i][x])
						for y := range x {
							print(",", l.rest[i][x][y])
						}
					}
					println()
				}
				r.to.Weigh(r.link(link), steps.Identity, r.view(nil, d.slabs))
				return
			}
		}
		for x, v := range l.nodes {
			if s := steps.Node(v); r.lo[s] == r.hi[s] {
				continue
			}
			for i, link := range l.links {
				sum := load[i] + base[i][x]
				for y, u := range l.nodes {
					if r.lo[steps.Node(u)] > 0 {
						sum += l.rest[i][max(x, y)][min(x, y)]
					}
				}
				if sum-r.limits[link] > most {
					worst, most = v, sum-r.limits[link]
				}
			}
		}
		if worst < 0 {
			panic("counts: a content fits")
		}
		r.to.Split(steps.Node(worst), 1)
		m := r.mark()
		r.bound(steps.Node(worst), 1, 1)
		r.bar(d, l)
		r.back(m)
		r.bound(steps.Node(worst), 0, 0)
	}
}

// link returns the weighting of one link.
func (r *refuter) link(l int) steps.Weighting {
	if r.single[l] < 0 {
		r.single[l] = r.to.Weighting([]steps.LinkWeight{{Link: l, Weight: 1}})
	}
	return r.single[l]
}

// place goes through the nodes, when all counts are known.
func (r *refuter) place() error {
	stat["placing"]++
	if err := r.ctx.Err(); err != nil {
		return err
	}
	m, alive := r.mark(), r.alive
	defer func() { r.back(m); r.alive = alive }()
	first := true
	for {
		if r.crossed {
			r.to.Crossed()
			return nil
		}
		if !first || true {
			if r.turned() {
				return nil
			}
		}
		first = false
		load, known := r.loads()
		for l, v := range load {
			if v > r.limits[l] {
				_, port := r.torus.LinkFrom(core.Link(l))
				for _, d := range r.dims {
					if d.s == port.Dim {
						r.to.Weigh(r.link(l), steps.Identity, r.view(nil, d.slabs))
					}
				}
				return nil
			}
		}
		v := r.next(load, known)
		if v < 0 {
			return &PlacementError{core.MustPlacement(r.torus, known)}
		}
		r.to.Split(steps.Node(v), 1)
		inner, before := r.mark(), r.alive
		r.bound(steps.Node(v), 1, 1)
		if err := r.place(); err != nil {
			return err
		}
		r.back(inner)
		r.alive = before
		r.bound(steps.Node(v), 0, 0)
	}
}

// next returns a free node to go on with, -1 if there is none.
func (r *refuter) next(load []int64, known []int) int {
	if len(r.alive) > 0 {
		for v := range r.torus.N() {
			if r.lo[steps.Node(v)] < r.hi[steps.Node(v)] {
				return v
			}
		}
		return -1
	}
	best, least := -1, 1<<30
	for _, d := range r.dims {
		for x, s := range d.slabs {
			free, have := 0, 0
			first := -1
			for v := range r.torus.N() {
				if r.torus.Coord(v, d.s) != x {
					continue
				}
				if n := steps.Node(v); r.lo[n] > 0 {
					have++
				} else if r.hi[n] > 0 {
					if free++; first < 0 {
						first = v
					}
				}
			}
			if free == 0 {
				continue
			}
			missing := min(r.lo[s]-have, free-r.lo[s]+have)
			if w := free * (missing + 1); w < least {
				best, least = first, w
			}
		}
	}
	return best
}

// loads returns what links carry at least, and the known nodes.
func (r *refuter) loads() (load []int64, known []int) {
	load = make([]int64, len(r.limits))
	for v := range r.torus.N() {
		if r.lo[steps.Node(v)] == 0 {
			continue
		}
		for _, d := range r.dims {
			l := d.of[v]
			x := r.torus.Coord(v, d.s)
			for i, link := range l.links {
				for z, s := range d.slabs {
					load[link] += l.own[i][x][z] * int64(r.lo[s])
				}
			}
		}
		for _, u := range known {
			for _, s := range r.rests[v*(v-1)/2+u] {
				load[s.link] += s.amount
			}
		}
		known = append(known, v)
	}
	return load, known
}

var stat = map[string]int64{}

func Stat() any { return stat }

var debug = os.Getenv("DEBUG") != ""
