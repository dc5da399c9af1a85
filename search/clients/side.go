package clients

import (
	"math/bits"
	"slices"

	"leeway/objective"
	"leeway/objective/lanes"
)

// MaxSide is the longest side that the engine takes on: contents of a line are listed, up to 2^MaxSide of them.
const MaxSide = 16

// counts hold the processors in every slab of a dimension, zeros beyond its length.
type counts [MaxSide]uint8

// A form is what a processor at every place brings to the links of one class along a dimension: alpha more to its own
// line than to others, beta to all.
type form struct{ alpha, beta []int64 }

func (f form) equal(g form) bool {
	return slices.Equal(f.alpha, g.alpha) && slices.Equal(f.beta, g.beta)
}

// A side is what the lines along one dimension may carry under a limit.
type side struct {
	dim, k int
	lines  int // along the dimension
	n      int // processors
	limit  int64
	forms  []form
	moves  [][]int // rotations and reflections of the places that leave the forms as they are, but for the identity
	turns  bool    // all rotations are among them
	low    []int   // by place: processors that its slab has at least, and at most
	high   []int
	lanes.Layout
	words int
	alpha [][]uint64 // by place
	beta  [][]uint64
	all   [][]uint64 // by place: what a processor brings to all lines together
	// From each place on, the least that a processor brings by beta, and to all lines.
	leastBeta, leastAll [][]uint64
}

// newSide reads the forms along dimension s off the loads of processors on the first line along it and the second. The
// limit is in units of the loads.
func newSide(p objective.Problem, loads *objective.NodeLoads, s int, limit int64) *side {
	t := p.Torus()
	d := &side{dim: s, k: t.Side(s), lines: t.N() / t.Side(s), n: p.Size, limit: limit}
	first := make([][]int64, d.k) // by place: the loads of a processor on the first line
	for x := range first {
		first[x] = slices.Clone(loads.Row(x*t.Stride(s), make([]int64, t.M())))
	}
	for l := range t.M() {
		v := l % t.N()
		if t.Port(l/t.N()).Dim != s || t.Coord(v, 1-s) != 0 {
			continue // elsewhere than on the first line
		}
		other := l + t.Stride(1-s) // the same on the second
		f := form{make([]int64, d.k), make([]int64, d.k)}
		any := false
		for x := range d.k {
			f.beta[x] = first[x][other]
			f.alpha[x] = first[x][l] - f.beta[x]
			any = any || first[x][l] > 0
		}
		if any && !slices.ContainsFunc(d.forms, f.equal) {
			d.forms = append(d.forms, f)
		}
	}
	d.conditions(p)
	d.findMoves(p.Conditioned())
	d.pack()
	return d
}

// conditions counts the nodes of every slab that must carry a processor, and those that may.
func (d *side) conditions(p objective.Problem) {
	d.low, d.high = make([]int, d.k), make([]int, d.k)
	for v := range p.Torus().N() {
		x := p.Torus().Coord(v, d.dim)
		if p.MustHave(v) {
			d.low[x]++
		}
		if p.MayHave(v) {
			d.high[x]++
		}
	}
}

// findMoves finds the moves of the places that permute the forms; with conditions on nodes there is none.
func (d *side) findMoves(conditioned bool) {
	rotations := 0
	for shift := range d.k {
		for _, sign := range []int{1, -1} {
			move := make([]int, d.k)
			for x := range move {
				move[x] = (sign*x + shift + d.k) % d.k
			}
			if conditioned || sign == 1 && shift == 0 || !d.permutes(move) ||
				slices.ContainsFunc(d.moves, func(m []int) bool { return slices.Equal(m, move) }) || identity(move) {
				continue
			}
			d.moves = append(d.moves, move)
			if sign == 1 {
				rotations++
			}
		}
	}
	d.turns = rotations == d.k-1
}

func identity(move []int) bool {
	for x, y := range move {
		if x != y {
			return false
		}
	}
	return true
}

// permutes reports whether a move maps every form to one.
func (d *side) permutes(move []int) bool {
	for _, f := range d.forms {
		image := form{make([]int64, d.k), make([]int64, d.k)}
		for x, y := range move {
			image.alpha[y], image.beta[y] = f.alpha[x], f.beta[x]
		}
		if !slices.ContainsFunc(d.forms, image.equal) {
			return false
		}
	}
	return true
}

// pack packs the forms into lanes that hold what all lines carry with room for one processor more.
func (d *side) pack() {
	peak := int64(0)
	for _, f := range d.forms {
		for x := range d.k {
			peak = max(peak, f.alpha[x]+int64(d.lines)*f.beta[x])
		}
	}
	d.Layout = lanes.For(max(int64(d.lines)*d.limit, int64(d.n+1)*peak))
	d.words = d.Words(len(d.forms))
	for x := range d.k {
		d.alpha = append(d.alpha, d.packed(func(f form) int64 { return f.alpha[x] }))
		d.beta = append(d.beta, d.packed(func(f form) int64 { return f.beta[x] }))
		d.all = append(d.all, d.packed(func(f form) int64 { return f.alpha[x] + int64(d.lines)*f.beta[x] }))
	}
	d.leastBeta, d.leastAll = d.fromEach(d.beta), d.fromEach(d.all)
}

func (d *side) packed(of func(f form) int64) []uint64 {
	return d.Pack(len(d.forms), func(i int) int64 { return of(d.forms[i]) })
}

// same packs one number for all forms.
func (d *side) same(v int64) []uint64 { return d.packed(func(form) int64 { return v }) }

// fromEach returns, for every place, the least of the vectors from it on; zeros behind the last.
func (d *side) fromEach(list [][]uint64) [][]uint64 {
	least := make([][]uint64, d.k+1)
	least[d.k] = d.same(0)
	for x := d.k - 1; x >= 0; x-- {
		if least[x] = slices.Clone(list[x]); x+1 < d.k {
			d.Lower(least[x], list[x], least[x+1])
		}
	}
	return least
}

// sum puts into out the vectors of the places of a content added up.
func (d *side) sum(out []uint64, list [][]uint64, content uint16) {
	clear(out)
	for ; content != 0; content &= content - 1 {
		lanes.AddScaled(out, out, 1, list[bits.TrailingZeros16(content)])
	}
}

// patterns returns what the contents of a size carry by alpha, with the contents.
func (d *side) patterns(size int) (list []pattern) {
	for content := range 1 << d.k {
		if bits.OnesCount(uint(content)) == size {
			p := pattern{uint16(content), make([]uint64, d.words)}
			d.sum(p.load, d.alpha, p.content)
			list = append(list, p)
		}
	}
	return list
}

// A pattern is a content of a line with what it carries by alpha.
type pattern struct {
	content uint16
	load    []uint64
}

// A listing lists the counts whose greatest is top and that leave room for one of some patterns.
type listing struct {
	*side
	budget *budget
	top    int
	counts counts
	gaps   [][]uint64  // by depth: what all lines together have left
	left   [][]uint64  // by depth: what a line has left before its content
	fits   [][]pattern // by depth: patterns that still fit
	short  []uint64
	list   []counts
	err    error
}

// margins lists, in lexicographic order, the counts whose greatest is top, that stand for their images under the moves,
// whose lines can carry all, and under which a line of the given size fits, and one processor at each place that has
// some. It fails with errTooMany, or an error of the budget.
func (d *side) margins(top, size int, b *budget) ([]counts, error) {
	if top*d.k < d.n || top > d.lines || size > d.k || size*d.lines < d.n {
		return nil, nil
	}
	l := &listing{side: d, budget: b, top: top, short: make([]uint64, d.words), fits: make([][]pattern, d.k+1)}
	for range d.k + 1 {
		l.gaps, l.left = append(l.gaps, make([]uint64, d.words)), append(l.left, make([]uint64, d.words))
	}
	copy(l.gaps[0], d.same(int64(d.lines)*d.limit))
	copy(l.left[0], d.same(d.limit))
	if l.keep(0, d.patterns(size), d.n, false); len(l.fits[0]) > 0 {
		l.fill(0, d.n, 0)
	}
	return l.list, l.err
}

// most returns the most processors that a line can have, whatever the counts.
func (d *side) most() int {
	l := &listing{side: d, short: make([]uint64, d.words), fits: make([][]pattern, 1), left: [][]uint64{d.same(d.limit)}}
	for size := d.k; size > 0; size-- {
		if l.keep(0, d.patterns(size), d.n, false); len(l.fits[0]) > 0 {
			return size
		}
	}
	return 0
}

// keep takes over the patterns that fit what a line has left at a depth, with so many processors still to come. A slab
// that is the last filled and is empty holds none of a pattern, a full one holds it.
func (l *listing) keep(z int, from []pattern, rest int, filled bool) {
	l.fits[z] = l.fits[z][:0]
	room := l.left[z]
	if rest > 0 {
		clear(l.short)
		lanes.AddScaled(l.short, l.short, rest, l.leastBeta[z])
		if !l.Subtract(l.short, l.left[z], l.short) {
			return
		}
		room = l.short
	}
	for x, v := range l.counts[:z] {
		if v > 0 && !l.Covers(room, l.alpha[x]) {
			return // no line has a processor there
		}
	}
	for _, p := range from {
		switch {
		case filled && l.counts[z-1] == 0 && p.content>>(z-1)&1 != 0:
		case filled && int(l.counts[z-1]) == l.lines && p.content>>(z-1)&1 == 0:
		case l.Covers(room, p.load):
			l.fits[z] = append(l.fits[z], p)
		}
	}
}

// fill tries all counts of slab z when rest processors are left and the greatest so far is most.
func (l *listing) fill(z, rest, most int) {
	if l.err = l.budget.spend(int64(1 + len(l.fits[z])/8)); l.err != nil {
		return
	}
	if z == l.k {
		if most == l.top && l.leads() {
			if l.list = append(l.list, l.counts); int64(len(l.list)) > l.budget.kept {
				l.err = errTooMany
			}
		}
		return
	}
	least := max(l.low[z], rest-(l.k-z-1)*l.top)
	if l.turns && z == 0 {
		least = l.top // the greatest rotation begins with the greatest count
	}
	copy(l.gaps[z+1], l.gaps[z])
	copy(l.left[z+1], l.left[z])
	for v := 0; v <= min(l.top, l.high[z], rest) && l.err == nil; v++ {
		if v > 0 && !(l.Subtract(l.gaps[z+1], l.gaps[z+1], l.all[z]) && l.Subtract(l.left[z+1], l.left[z+1], l.beta[z])) {
			return // more will not fit either
		}
		if v < least {
			continue
		}
		clear(l.short)
		if lanes.AddScaled(l.short, l.short, rest-v, l.leastAll[z+1]); !l.Covers(l.gaps[z+1], l.short) {
			continue
		}
		l.counts[z] = uint8(v)
		if l.keep(z+1, l.fits[z], rest-v, true); len(l.fits[z+1]) > 0 {
			l.fill(z+1, rest-v, max(most, v))
		}
	}
	l.counts[z] = 0
}

// leads reports whether no move makes the counts greater.
func (l *listing) leads() bool {
	for _, move := range l.moves {
		var image counts
		for x, y := range move {
			image[y] = l.counts[x]
		}
		if slices.Compare(image[:], l.counts[:]) > 0 {
			return false
		}
	}
	return true
}
