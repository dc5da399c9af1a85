package counts

import (
	"math"
	"slices"

	"leeway/encode/steps"
)

// A dimension is the slabs across it, the lines along it, and what these decide of loads. All numbers hold for pairs in
// both directions together.
type dimension struct {
	s, k     int
	slabs    []steps.Set
	suffixes []steps.Set // by slab: it and all after it
	parts    [][]steps.Set
	unions   map[uint64]steps.Set // by slabs
	like     [][]kin              // by other dimension, with every slab of that one where it is, and slab
	classes  []*class
	lines    []*line // along it
	unlike   []*line // of which every two have links that processors off them load differently
	of       []*line // by node
}

// A class is parallel links, all that leave one slab the same way: one on each line.
type class struct {
	links  []int
	limit  int64
	pair   [][]int64 // by slabs: the least that a processor of each puts on the links together
	near   [][]int64 // by slab and another: the least of pair with slabs from that one on
	single []int64   // by slab: the least that a processor there puts on the links by itself
	alone  bool      // its numbers are those of no class before it
	sums   sums
}

// A line is the nodes that differ in one dimension only.
type line struct {
	number int
	nodes  []int
	set    steps.Set // -1: it has no number
	links  []int
	like   kin         // with every slab along it where it is
	least  [][][]int64 // by link, place and slab: the least that a processor at the place and one in the slab put on it
	both   [][][]int64 // by link and two places: what processors there put on it
	// What processors put on its links by themselves: by link and place; by link and slab, the least of those off it.
	inner, outer [][]int64
	zero         []int64   // by link: what the counts of all slabs put there so
	base         [][]int64 // by link and place: what the counts of all slabs have a processor there put on it
	// The least of least, by link, place and slab, and of outer, for that slab and those after it.
	tail   [][][]int64
	outers [][]int64
	same   *line  // the first line of which all these numbers are the same, which has what follows for all of them
	upto   int    // the last slab that base counts by itself; those after it are counted together
	counts []int  // for which base is, with that of those together
	change int    // how often base has changed
	views  []view // by upto
	fits   uint64 // places of a content that was found to fit
	fitted int    // the change after which that was, 0: it was not

	// What look finds of the processors that are known.
	seen  bool
	mask  uint64    // their places
	on    []int64   // by place
	with  [][]int64 // by link and slab: what they and one in the slab put on it at least
	pairs []int64   // by link: what they put on it among themselves
}

// A view is what holds where slabs up to one are counted by themselves, and the others together.
type view struct {
	pair [][][]int64 // by link, slab and place: what a processor at the place and one in the slab put on the link at least
	rest [][][]int64 // by link and two places: what processors there put on it beyond what base counts for each
}

func cube(links, k int, number int64) [][][]int64 {
	list := make([][][]int64, links)
	for i := range list {
		list[i] = grid(k, k, number)
	}
	return list
}

func grid(rows, columns int, number int64) [][]int64 {
	list := make([][]int64, rows)
	for x := range list {
		list[x] = slices.Repeat([]int64{number}, columns)
	}
	return list
}

// newDimension defines the slabs across dimension s, and their sums.
func (r *refuter) newDimension(s int) *dimension {
	t := r.torus
	d := &dimension{s: s, k: t.Side(s), of: make([]*line, t.N()), like: make([][]kin, t.D())}
	for i := range d.like {
		for x := range d.k {
			d.like[i] = append(d.like[i], kin{number: x})
		}
	}
	members := make([][]int, d.k)
	for v := range t.N() {
		members[t.Coord(v, s)] = append(members[t.Coord(v, s)], v)
	}
	for x := range d.k {
		set := r.set(members[x])
		d.slabs, d.suffixes = append(d.slabs, set), append(d.suffixes, set)
	}
	d.suffixes[0] = steps.All
	tail := slices.Clone(members[d.k-1])
	for x := d.k - 2; x >= 0; x-- {
		tail = append(tail, members[x]...)
		if x > 0 {
			slices.Sort(tail)
			d.suffixes[x] = r.set(tail)
		}
		r.declare(d.suffixes[x], []steps.Set{d.slabs[x], d.suffixes[x+1]})
	}
	d.unions = map[uint64]steps.Set{}
	for x := range d.k {
		d.unions[1<<x], d.unions[1<<d.k-1<<x] = d.slabs[x], d.suffixes[x]
		parts := slices.Clone(d.slabs[:x+1])
		if x+1 < d.k {
			parts = append(parts, d.suffixes[x+1])
		}
		d.parts = append(d.parts, parts)
	}
	for v := range t.N() {
		if x := t.Coord(v, s); x > 0 {
			d.of[v] = d.of[v-x*t.Stride(s)]
		} else {
			d.of[v] = &line{number: len(d.lines), like: kin{number: len(d.lines)}, set: -1, upto: -1, counts: make([]int, d.k)}
			d.lines = append(d.lines, d.of[v])
		}
		d.of[v].nodes = append(d.of[v].nodes, v)
	}
	return d
}

// numberLines gives numbers to the lines along a dimension: those of the slabs that they are in two dimensions.
func (r *refuter) numberLines(d *dimension) {
	for _, l := range d.lines {
		for _, o := range r.dims {
			if o != d && len(r.dims) == 2 {
				l.set = o.slabs[r.torus.Coord(l.nodes[0], o.s)]
			}
		}
		if l.set < 0 {
			l.set = r.set(l.nodes)
			r.Sum(l.set, nodeSets(l.nodes), nil)
		}
	}
	for _, o := range r.dims {
		if o == d || len(r.dims) == 2 {
			continue
		}
		parts := make([][]steps.Set, o.k)
		for _, l := range d.lines {
			x := r.torus.Coord(l.nodes[0], o.s)
			parts[x] = append(parts[x], l.set)
		}
		for x, list := range parts {
			r.declare(o.slabs[x], list)
		}
	}
}

// table finds what slabs and lines put on links.
func (r *refuter) table() {
	t := r.torus
	r.links = make([]linkPlace, t.M())
	for _, d := range r.dims {
		at := map[[2]int]*class{}
		for l := range t.EachLink() {
			from, port := t.LinkFrom(l)
			if port.Dim != d.s {
				continue
			}
			line := d.of[from]
			key := [2]int{t.Coord(from, d.s), int(port.Dir)}
			if at[key] == nil {
				at[key] = &class{pair: grid(d.k, d.k, math.MaxInt64)}
				d.classes = append(d.classes, at[key])
			}
			c := at[key]
			c.links, c.limit = append(c.links, int(l)), c.limit+r.limits[l]
			r.links[l] = linkPlace{onLine{d, line}, c, len(line.links)}
			line.links = append(line.links, int(l))
		}
		for _, l := range d.lines {
			n := len(l.links)
			l.least, l.both = cube(n, d.k, math.MaxInt64), cube(n, d.k, 0)
		}
	}
	count := map[[3]int]int{} // by link, place and slab: the pairs that put something on it
	puts := map[*class]int64{}
	for v := range t.N() {
		for u := range v {
			clear(puts)
			for _, s := range r.flows.Pair(u, v) {
				at := r.links[s.Link]
				d, l, c, i := at.dimension, at.line, at.class, at.place
				x, z := t.Coord(u, d.s), t.Coord(v, d.s)
				puts[c] += s.Amount
				on, other := d.of[u] == l, d.of[v] == l
				if on && other {
					l.both[i][x][z], l.both[i][z][x] = s.Amount, s.Amount
				}
				if on {
					l.least[i][x][z] = min(l.least[i][x][z], s.Amount)
					count[[3]int{s.Link, x, z}]++
				}
				if other {
					l.least[i][z][x] = min(l.least[i][z][x], s.Amount)
					count[[3]int{s.Link, z, x}]++
				}
			}
			for _, d := range r.dims {
				x, z := t.Coord(u, d.s), t.Coord(v, d.s)
				for _, c := range d.classes {
					c.pair[x][z] = min(c.pair[x][z], puts[c])
					c.pair[z][x] = c.pair[x][z]
				}
			}
		}
	}
	for _, d := range r.dims {
		for _, l := range d.lines {
			for i, link := range l.links {
				for x := range d.k {
					for z := range d.k {
						partners := t.N() / d.k
						if x == z {
							partners--
						}
						if partners == 0 || count[[3]int{link, x, z}] < partners {
							l.least[i][x][z] = 0
						}
					}
				}
			}
			n := len(l.links)
			l.base, l.with = grid(n, d.k, 0), grid(n, d.k, 0)
			l.on, l.pairs = make([]int64, d.k), make([]int64, n)
		}
	}
	r.tableAlone()
	for _, d := range r.dims {
		d.share()
		for i, c := range d.classes {
			c.sums = newSums(d.k)
			for x := range d.k {
				if c.pair[x][x] == math.MaxInt64 {
					c.pair[x][x] = 0 // slabs of one node
				}
				c.near = append(c.near, tailOf(c.pair[x]))
			}
			c.alone = !slices.ContainsFunc(d.classes[:i], func(o *class) bool {
				return o.limit == c.limit && slices.Equal(o.single, c.single) &&
					slices.EqualFunc(o.pair, c.pair, slices.Equal)
			})
		}
		for i, l := range d.lines {
			same := func(o *line) bool { return slices.EqualFunc(o.outer, l.outer, slices.Equal) }
			if !slices.ContainsFunc(d.lines[:i], same) {
				d.unlike = append(d.unlike, l)
			}
		}
	}
}

// tableAlone finds what processors put on links by themselves.
func (r *refuter) tableAlone() {
	t := r.torus
	for _, d := range r.dims {
		for _, l := range d.lines {
			l.inner, l.outer = grid(len(l.links), d.k, 0), grid(len(l.links), d.k, math.MaxInt64)
			l.zero = make([]int64, len(l.links))
			l.outers, l.tail = grid(len(l.links), 0, 0), cube(len(l.links), d.k, 0)
		}
		for _, c := range d.classes {
			c.single = slices.Repeat([]int64{math.MaxInt64}, d.k)
		}
	}
	amounts, puts := make([]int64, t.M()), map[*class]int64{}
	for v := range t.N() {
		clear(puts)
		for _, s := range r.flows.Alone[v] {
			amounts[s.Link] = s.Amount
			puts[r.links[s.Link].class] += s.Amount
		}
		for _, d := range r.dims {
			x := t.Coord(v, d.s)
			for _, l := range d.lines {
				for i, link := range l.links {
					if d.of[v] == l {
						l.inner[i][x] = amounts[link]
					} else {
						l.outer[i][x] = min(l.outer[i][x], amounts[link])
					}
				}
			}
			for _, c := range d.classes {
				c.single[x] = min(c.single[x], puts[c])
			}
		}
		for _, s := range r.flows.Alone[v] {
			amounts[s.Link] = 0
		}
	}
	for _, d := range r.dims {
		for _, l := range d.lines {
			for i := range l.links {
				for x := range d.k {
					if l.outer[i][x] == math.MaxInt64 {
						l.outer[i][x] = 0 // there is but one line
					}
					// As on twisted tori: it may be that of any node of the slab.
					l.outer[i][x] = min(l.outer[i][x], l.inner[i][x])
				}
				l.outers[i] = tailOf(l.outer[i])
				for x := range d.k {
					l.tail[i][x] = tailOf(l.least[i][x])
				}
			}
		}
	}
}

// tailOf returns the least of each number and those after it.
func tailOf(list []int64) []int64 {
	tail := slices.Clone(list)
	for z := len(tail) - 2; z >= 0; z-- {
		tail[z] = min(tail[z], tail[z+1])
	}
	return tail
}

// refresh brings the base of a line up to the counts of the branch, and reports whether it has changed since a content
// was found to fit.
func (r *refuter) refresh(d *dimension, l *line) bool {
	last, s := r.last(d), l.same
	changed := last != s.upto
	if changed {
		s.upto = last
		clear(s.counts)
		v := s.view()
		for i := range s.links {
			s.zero[i] = 0
			for x := range d.k {
				s.base[i][x] = s.inner[i][x] - s.slabAlone(i, x) - v.pair[i][x][x] // it is one of its slab
			}
		}
	}
	for z := range min(last+2, d.k) {
		set := d.slabs[z]
		if z > last {
			set = d.suffixes[z]
		}
		by := int64(r.Lo[set] - s.counts[z])
		if by == 0 {
			continue
		}
		s.counts[z], changed = r.Lo[set], true
		for i, pair := range s.view().pair {
			s.zero[i] += by * s.slabAlone(i, z)
			base := s.base[i]
			for x, v := range pair[z] {
				base[x] += by * v
			}
		}
	}
	if changed {
		s.change++
	}
	return l.fitted != s.change
}

// view returns what holds where slabs are counted as they are in base.
func (l *line) view() view {
	if l.views == nil {
		l.views = make([]view, len(l.nodes))
	}
	v := &l.views[l.upto]
	if v.pair == nil {
		n, k := len(l.links), len(l.nodes)
		v.pair, v.rest = cube(n, k, 0), cube(n, k, 0)
		for i := range n {
			for x := range k {
				for y := range k {
					v.pair[i][y][x] = l.slabPair(i, x, y)
					v.rest[i][x][y] = l.both[i][x][y] - l.slabPair(i, x, y) - l.slabPair(i, y, x)
				}
			}
		}
	}
	return *v
}

// slabPair returns what a processor at a place and one in a slab put on a link at least: in any of the slabs that are
// counted together, if it is one of these.
func (l *line) slabPair(i, x, z int) int64 {
	if z > l.upto {
		return l.tail[i][x][l.upto+1]
	}
	return l.least[i][x][z]
}

// slabAlone returns what a processor in a slab off the line puts on a link by itself at least, likewise.
func (l *line) slabAlone(i, z int) int64 {
	if z > l.upto {
		return l.outers[i][l.upto+1]
	}
	return l.outer[i][z]
}

// share has lines with the same numbers have them once.
func (d *dimension) share() {
	equal := func(a, b [][]int64) bool { return slices.EqualFunc(a, b, slices.Equal) }
	cubes := func(a, b [][][]int64) bool { return slices.EqualFunc(a, b, equal) }
	for i, l := range d.lines {
		l.same = l
		j := slices.IndexFunc(d.lines[:i], func(o *line) bool {
			return o.same == o && equal(o.inner, l.inner) && equal(o.outer, l.outer) && cubes(o.least, l.least) &&
				cubes(o.both, l.both)
		})
		if j >= 0 {
			o := d.lines[j]
			l.same, l.zero, l.base, l.tail, l.outers = o, o.zero, o.base, o.tail, o.outers
			l.inner, l.outer, l.least, l.both = o.inner, o.outer, o.least, o.both
		}
	}
}
