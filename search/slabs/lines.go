package slabs

import (
	"math/bits"
	"slices"

	"leeway/objective/lanes"
)

// A contents lists what a line along a ring may hold under one margin after the other: bit x of a mask stands for a
// processor in slab x. Some placement with the margin and E_max within the limit could contain it: its load is within
// the limit, its gap is no more than all gaps together, it is empty where the margin is 0 and full where the margin is
// all lines. Where nodes are fixed or forbidden a line has a rule (follow) or, without one, is only empty where the
// margin is 0.
type contents struct {
	*side
	*table
	counts slabCounts
	must   uint16   // places that are taken
	never  uint16   // places that are not
	slopes []uint64 // by place: what a processor there adds to the load
	bounds []uint64 // by place: the most that may be missing before it is decided
	gaps   []uint64 // by place: the limit less the load before it is decided
	whole  []uint64 // the limit
	open   uint32   // numbers of processors still asked for, as bits
	each   func(mask uint16, size int, gap []uint64)
}

func newContents(s *side, t *table) *contents {
	all := func() []uint64 { return make([]uint64, (s.k+1)*t.words) }
	return &contents{side: s, table: t, slopes: all(), bounds: all(), gaps: all(), whole: t.same(s.limit)}
}

// spare returns, in wide lanes, what the boundaries have left under margin c when every line has the limit: the sum of
// the gaps of all lines.
func (s *side) spare(c slabCounts) []uint64 {
	slopes := make([]uint64, s.k*s.wide.words)
	s.wide.slopes(slopes, &c)
	left := s.wide.same(s.limit * int64(s.lines))
	for x := range s.k {
		for i, v := range s.wide.place(slopes, x) {
			left[i] -= uint64(c[x]) * v
		}
	}
	return left
}

// under goes on to a margin with its spare. A line that misses more of the limit than the spare is out, and so is one
// that will even if all places still to come are taken.
func (l *contents) under(c slabCounts, spare []uint64) {
	if l.counts, l.must, l.never = c, 0, 0; !l.held {
		l.follow(rule{})
	}
	l.table.slopes(l.slopes[:l.k*l.words], &l.counts)
	copy(l.place(l.bounds, l.k), l.pack(func(i int) int64 { return min(l.limit, l.wide.At(spare, i)) }))
	for x := l.k - 1; x >= 0; x-- {
		bound := l.place(l.bounds, x)
		copy(bound, l.place(l.bounds, x+1))
		if c[x] > 0 {
			lanes.AddScaled(bound, bound, 1, l.place(l.slopes, x))
			l.Lower(bound, bound, l.whole)
		}
	}
	copy(l.gaps, l.whole)
}

// follow has the lines listed next keep to a rule.
func (l *contents) follow(r rule) { l.must, l.never = l.bind(&l.counts, r) }

// sizesByRule returns the numbers of processors that a line of each rule may have, as bits, and those of any line.
func (l *contents) sizesByRule() (list []uint32, any uint32) {
	for _, r := range l.rules {
		l.follow(r)
		list = append(list, l.sizes())
		any |= list[len(list)-1]
	}
	return list, any
}

// sizes returns the numbers of processors that a line may have, as bits.
func (l *contents) sizes() (sizes uint32) {
	all := uint32(2)<<l.k - 1
	l.open = all
	l.each = func(_ uint16, size int, _ []uint64) { l.open &^= 1 << size }
	l.list()
	return all &^ l.open
}

// list calls each for every line of an open size. The gap passed on is only lent. Masks come in no special order, but
// always in the same.
func (l *contents) list() {
	if l.Covers(l.place(l.bounds, 0), l.place(l.gaps, 0)) {
		l.extend(0, 0)
	}
}

// extend decides the places from x on. Loads only grow, so what is above the limit stays out.
func (l *contents) extend(x int, mask uint16) {
	size := bits.OnesCount16(mask)
	if l.open>>size&(2<<(l.k-x)-1) == 0 {
		return
	}
	gap := l.place(l.gaps, x)
	if x == l.k {
		l.each(mask, size, gap)
		return
	}
	next := l.place(l.gaps, x+1)
	if l.counts[x] > 0 && l.never>>x&1 == 0 && l.Subtract(next, gap, l.place(l.slopes, x)) {
		l.extend(x+1, mask|1<<x)
	}
	if l.must>>x&1 == 0 && l.Covers(l.place(l.bounds, x+1), gap) {
		copy(next, gap)
		l.extend(x+1, mask)
	}
}

// maxPatterns is the most contents that a counting carries along; with more it goes without.
const maxPatterns = 4096

// A pattern is a content that the fullest line along a ring could have.
type pattern struct {
	mask uint16
	adds []uint64 // by slab, words each: what a processor there adds to its load
}

// patterns returns the contents of the least number of processors that the fullest line along the ring can have, nil if
// they are too many. Every margin must leave room for one of them, since loads only grow with processors.
func (s *side) patterns() []pattern {
	least := (s.n + s.lines - 1) / s.lines
	t, w := s.narrow, s.narrow.words
	var list []pattern
	for mask := range 1 << s.k {
		if bits.OnesCount(uint(mask)) != least {
			continue
		}
		if len(list) == maxPatterns {
			return nil
		}
		p := pattern{mask: uint16(mask), adds: make([]uint64, s.k*w)}
		for z := range s.k {
			sum := t.place(p.adds, z)
			for rest := mask; rest != 0; rest &= rest - 1 {
				lanes.AddScaled(sum, sum, 1, t.place(t.adds[z], bits.TrailingZeros(uint(rest))))
			}
		}
		list = append(list, p)
	}
	return list
}

// A room is the first pattern that fits a partial margin, with the gap to the limit that it leaves it. Patterns before
// it do not fit any longer one either.
type room struct {
	which int
	gap   []uint64
}

// take brings a gap to what so many processors in slab z leave of it, and reports false if they are too many.
func (p *pattern) take(t *table, rest, gap []uint64, z, count int) bool {
	adds := t.place(p.adds, z)
	copy(rest, gap)
	for range count {
		if !t.Subtract(rest, rest, adds) {
			return false
		}
	}
	return true
}

// width returns the number of places of the largest content that fits slab counts c, 0 if a place of a slab that is not
// empty does not fit alone, and how many contents it tried.
func (d *ring) width(c *slabCounts, limit int64) (widest, tried int) {
	forced := make([][]int64, d.k)
	for x, v := range c[:d.k] {
		if forced[x] = d.forcedLoad(x, c); v > 0 && slices.Max(forced[x]) > limit {
			return 0, 0
		}
	}
	var extend func(x int, content uint, load []int64)
	extend = func(x int, content uint, load []int64) {
		tried++
		size := bits.OnesCount(content)
		widest = max(widest, size)
		if x == d.k || size+d.k-x <= widest {
			return
		}
		if c[x] > 0 {
			if more, fits := d.with(load, forced[x], x, content, limit); fits {
				extend(x+1, content|1<<x, more)
			}
		}
		extend(x+1, content, load)
	}
	extend(0, 0, make([]int64, len(d.links)))
	return widest, tried
}

// with returns the load of a content with place x added, and whether it is within the limit. Loads only grow.
func (d *ring) with(load, forced []int64, x int, content uint, limit int64) (more []int64, fits bool) {
	more = make([]int64, len(load))
	for e, v := range load {
		more[e] = v + forced[e]
		for rest := content; rest != 0; rest &= rest - 1 {
			more[e] += d.rest(e, x, bits.TrailingZeros(rest))
		}
		if more[e] > limit {
			return nil, false
		}
	}
	return more, true
}
