package slabs

import (
	"math"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/lanes"
)

// A ring holds what pairs of places of a line along one dimension bring to its links, by link class: the places of a
// line and their ports have the same number on every line. Where the dimension is open it is a path. All loads are in
// the routing's unit 1/D, not divided by the bandwidth, which limits count instead.
//
// Of what it exchanges with another slab, a processor is bound to cause a forced load on its own line, wherever in that
// slab the other is: under odr, udr and orders what it sends correcting this dimension first, and what it receives
// corrected last. In two dimensions a pair causes that in one role or the other, so the forced loads are all there is.
type ring struct {
	dim, k int
	open   bool // a path: slabs cannot be rotated
	mirror bool // a path that a symmetry reverses which does nothing else, without conditions
	lines  int  // along the dimension; also the places of a slab
	held   bool // some nodes are fixed or forbidden: counts are listed as they are, none stand for others
	rules  []rule
	ruled  []int // by line, in two dimensions: the number of its rule
	// By slab: its fixed nodes, and its nodes that are not forbidden.
	low, high []uint8
	n         int // processors
	unit      int64
	links     []core.Link // by class: on the line through node 0
	cross     [][][]int64 // by class, from and to: the traffic that crosses
	forced    [][][]int64 // by class, x and z: the forced load of a processor at x for one at z
	// forms are the distinct ones of the traffic; for margin of the forced loads, where the load of a line is the sum of
	// a[x] g[x][z] c[z] with a the content of the line and c the counts. The load of all lines together is that with
	// a = c.
	forms [][][]int64
}

// A rule says which places of a line are fixed and which are forbidden.
type rule struct{ fixed, forbidden uint16 }

// newRing reads the classes off the traffic of pairs that differ in s only, and the forced loads off that of others.
func newRing(r routing.Routing, s, n int) *ring {
	t, den := r.Torus(), objective.Denominator(r).Int64()
	d := &ring{dim: s, k: t.Side(s), open: t.Open(s), lines: t.N() / t.Side(s), n: n, unit: r.Denominator().Int64(),
		rules: []rule{{}}, ruled: make([]int, t.N()/t.Side(s)), low: make([]uint8, t.Side(s)), high: make([]uint8, t.Side(s))}
	for x := range d.high {
		d.high[x] = uint8(d.lines)
	}
	at := map[core.Link]int{}
	for x := range d.k {
		for z := range d.k {
			if x == z {
				continue
			}
			for _, l := range objective.Sent(r, x*t.Stride(s), z*t.Stride(s), den) {
				link := l.Link(t)
				e, seen := at[link]
				if !seen {
					e = len(d.links)
					at[link] = e
					d.links = append(d.links, link)
					d.cross, d.forced = append(d.cross, square(d.k, 0)), append(d.forced, square(d.k, math.MaxInt64))
				}
				d.cross[e][x][z] = l.Load / int64(t.Scale(s))
			}
		}
	}
	for x := range d.k {
		for w := range t.N() {
			if z := t.Coord(w, s); z != x && w != z*t.Stride(s) {
				d.force(r, x, w, den)
			}
		}
	}
	d.forms = distinct(d.cross)
	return d
}

// force takes in what place x of the line through node 0 and a node off it exchange on the line. It does not depend on
// where they are across the line, but for how far from each other.
func (d *ring) force(r routing.Routing, x, w int, den int64) {
	t := r.Torus()
	z, load := t.Coord(w, d.dim), map[core.Link]int64{}
	for _, l := range objective.Exchanged(r, x*t.Stride(d.dim), w, den) {
		load[l.Link(t)] = l.Load / int64(t.Scale(d.dim))
	}
	for e, link := range d.links {
		d.forced[e][x][z] = min(d.forced[e][x][z], load[link])
	}
}

// hold takes in the fixed and forbidden nodes of a problem.
func (d *ring) hold(p objective.Problem) {
	d.held = true
	for v := range p.Torus().N() {
		switch x := p.Torus().Coord(v, d.dim); {
		case p.MustHave(v):
			d.low[x]++
		case !p.MayHave(v):
			d.high[x]--
		}
	}
}

// rule has every line keep to the fixed and forbidden nodes on it, in two dimensions.
func (d *ring) rule(p objective.Problem) {
	rules := make([]rule, d.lines)
	for v := range p.Torus().N() {
		x, r := p.Torus().Coord(v, d.dim), &rules[p.Torus().Coord(v, 1-d.dim)]
		switch {
		case p.MustHave(v):
			r.fixed |= 1 << x
		case !p.MayHave(v):
			r.forbidden |= 1 << x
		}
	}
	d.rules = nil
	for i, r := range rules {
		if d.ruled[i] = slices.Index(d.rules, r); d.ruled[i] < 0 {
			d.ruled[i] = len(d.rules)
			d.rules = append(d.rules, r)
		}
	}
}

// bind returns the places that a line under a rule must take and those that it cannot, given the counts: a slab with no
// more than its fixed nodes has no other, and one with as many as it may have has all that are not forbidden.
func (d *ring) bind(c *slabCounts, r rule) (must, never uint16) {
	for x, v := range c[:d.k] {
		fixed, forbidden := r.fixed>>x&1 != 0, r.forbidden>>x&1 != 0
		if fixed || !forbidden && v == d.high[x] {
			must |= 1 << x
		}
		if forbidden || !fixed && v == d.low[x] {
			never |= 1 << x
		}
	}
	return must, never
}

// turns reports whether all rotations of counts stand for each other.
func (d *ring) turns() bool { return !d.open && !d.held }

// square returns a number for all places but those with themselves, which have 0.
func square(k int, number int64) [][]int64 {
	g := make([][]int64, k)
	for x := range g {
		g[x] = slices.Repeat([]int64{number}, k)
		g[x][x] = 0
	}
	return g
}

// distinct drops forms that repeat: under udr both directions of an edge often carry the same.
func distinct(forms [][][]int64) [][][]int64 {
	var list [][][]int64
	for _, g := range forms {
		if !slices.ContainsFunc(list, func(h [][]int64) bool { return equal(g, h) }) {
			list = append(list, g)
		}
	}
	return list
}

func equal(g, h [][]int64) bool { return slices.EqualFunc(g, h, slices.Equal) }

// alike reports whether both sides ask the same of their counts.
func (s *side) alike(e *side) bool {
	return !s.held && !e.held && s.k == e.k && s.lines == e.lines && s.open == e.open && s.mirror == e.mirror &&
		s.limit == e.limit &&
		slices.EqualFunc(s.forms, e.forms, equal)
}

// representative returns the counts that are listed of those that rotations make of c, or of its reverse: the greatest.
// On a path, where there are none, it is the greater of c and its reverse if a symmetry says that either will do.
func (d *ring) representative(c slabCounts, reverse bool) slabCounts {
	if d.turns() {
		return c.greatest(d.k, reverse)
	}
	back := c
	slices.Reverse(back[:d.k])
	if d.mirror {
		reverse = slices.Compare(back[:], c[:]) > 0
	}
	if reverse {
		return back
	}
	return c
}

// forcedLoad returns that of a processor at place x under counts c, by class.
func (d *ring) forcedLoad(x int, c *slabCounts) []int64 {
	list := make([]int64, len(d.links))
	for e, g := range d.forced {
		for z, v := range c[:d.k] {
			list[e] += g[x][z] * int64(v)
		}
	}
	return list
}

// rest returns what two places of one line exchange beyond their forced loads.
func (d *ring) rest(e, x, z int) int64 {
	return d.cross[e][x][z] + d.cross[e][z][x] - d.forced[e][x][z] - d.forced[e][z][x]
}

// A side is a ring under a limit, with its forms packed.
type side struct {
	*ring
	limit  int64  // on the load of a link, in 1/unit
	wide   *table // for loads of whole boundaries
	narrow *table // for loads of lines
}

func newSide(d *ring, limit int64) *side {
	peak, pair := int64(0), int64(0)
	for _, g := range d.forms {
		for x := range d.k {
			for z := range d.k {
				peak, pair = max(peak, g[x][z]), max(pair, g[x][z]+g[z][x])
			}
		}
	}
	n := int64(d.n)
	line := limit + n*peak // a gap and the load of one processor together
	// What the processors placed and r more exchange, (n-r) r pairs at most, may be held against what a boundary has
	// left.
	boundary := max(limit*int64(d.lines), max(n, n*n/4)*pair)
	return &side{ring: d, limit: limit, narrow: d.table(line), wide: d.table(max(line, boundary))}
}

// A table holds the forms of a ring packed.
type table struct {
	lanes.Layout
	count int // of the forms
	words int
	// by slab z: for every place x, words each, what a processor there adds to the load of a line for each one in slab
	// z.
	adds [][]uint64
}

// table packs the forms of the ring into lanes for numbers up to most.
func (d *ring) table(most int64) *table {
	t := &table{Layout: lanes.For(most), count: len(d.forms)}
	t.words = t.Words(t.count)
	for z := range d.k {
		var adds []uint64
		for x := range d.k {
			adds = append(adds, t.pack(func(i int) int64 { return d.forms[i][x][z] })...)
		}
		t.adds = append(t.adds, adds)
	}
	return t
}

// slopes puts into out, for every place, what a processor there adds to the load of a line under counts c.
func (t *table) slopes(out []uint64, c *slabCounts) {
	clear(out)
	for z, adds := range t.adds {
		if c[z] > 0 {
			lanes.AddScaled(out, out, int(c[z]), adds)
		}
	}
}

// place returns the words of place x in a list by place.
func (t *table) place(list []uint64, x int) []uint64 { return lanes.Row(list, x, t.words) }

// pack packs a number for every form.
func (t *table) pack(of func(i int) int64) []uint64 { return t.Pack(t.count, of) }

// same packs one number for all forms.
func (t *table) same(v int64) []uint64 { return t.pack(func(int) int64 { return v }) }
