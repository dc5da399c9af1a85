package margin

import (
	"math/bits"

	"leeway/objective/lanes"
)

// A contents lists what a line along a ring may hold under one margin after the
// other: bit x of a mask stands for a processor in slab x. Some placement with
// the margin and E_max within the limit could contain it: its load is within the
// limit, its gap is no more than all gaps together, it is empty where the margin
// is 0 and full where the margin is all lines.
type contents struct {
	*side
	*table
	counts margin
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

// spare returns, in wide lanes, what the boundaries have left under margin c when
// every line has the limit: the sum of the gaps of all lines.
func (s *side) spare(c margin) []uint64 {
	slopes := make([]uint64, s.k*s.wide.words)
	s.wide.slopes(slopes, c)
	left := s.wide.same(s.limit * int64(s.lines))
	for x := range s.k {
		for i, v := range s.wide.place(slopes, x) {
			left[i] -= uint64(c[x]) * v
		}
	}
	return left
}

// under turns to a margin with its spare. A line that misses more of the limit
// than the spare is out, and so is one that will even if all places still to come
// are taken.
func (l *contents) under(c margin, spare []uint64) {
	l.counts = c
	l.table.slopes(l.slopes[:l.k*l.words], c)
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

// sizes returns the numbers of processors that a line may have, as bits.
func (l *contents) sizes() (sizes uint32) {
	all := uint32(2)<<l.k - 1
	l.open = all
	l.each = func(_ uint16, size int, _ []uint64) { l.open &^= 1 << size }
	l.list()
	return all &^ l.open
}

// list calls each for every line of an open size. The gap passed on is only
// lent. Masks come in no special order, but always in the same.
func (l *contents) list() {
	if l.Covers(l.place(l.bounds, 0), l.place(l.gaps, 0)) {
		l.extend(0, 0)
	}
}

// extend decides the places from x on. Loads only grow, so what is above the
// limit stays out.
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
	if l.counts[x] > 0 && l.Subtract(next, gap, l.place(l.slopes, x)) {
		l.extend(x+1, mask|1<<x)
	}
	if int(l.counts[x]) < l.side.lines && l.Covers(l.place(l.bounds, x+1), gap) {
		copy(next, gap)
		l.extend(x+1, mask)
	}
}
