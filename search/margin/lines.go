package margin

import "math/bits"

// A line is a content that a line along a ring may have under a margin: bit x
// stands for a processor in slab x.
type line struct {
	mask uint16
	gap  []uint64 // by form, packed: the limit less the load
}

// A listing collects the lines under one margin.
type listing struct {
	*ring
	counts []int
	adds   [][]uint64 // by place, packed: what a processor there adds to the load
	most   []uint64   // packed: the most that may be missing from the limit
	keep   func(l line)
	gaps   [][]uint64 // by place: the gap before it is decided
}

// spare returns, packed, what the boundaries have left under margin c when every
// line has the limit: the sum of the gaps of all lines.
func (d *ring) spare(c []int, limit int64) []uint64 {
	h := d.slopes(c)
	return d.pack(func(i int) int64 {
		left := limit * int64(d.lines)
		for x, v := range c {
			left -= h[i][x] * int64(v)
		}
		return left
	})
}

// list calls keep for every line that some placement with margin c and E_max
// within the limit could contain: its load is within the limit, its gap is no
// more than all gaps together, it is empty where c is 0 and full where c is all
// lines. The line passed on is the caller's. Masks come in no special order, but
// always in the same.
func (d *ring) list(c []int, limit int64, keep func(l line)) {
	h := d.slopes(c)
	l := &listing{ring: d, counts: c, most: d.spare(c, limit), keep: keep, gaps: make([][]uint64, d.k+1)}
	for x := range d.k {
		l.adds = append(l.adds, d.pack(func(i int) int64 { return h[i][x] }))
		l.gaps[x+1] = make([]uint64, d.words())
	}
	l.gaps[0] = d.pack(func(int) int64 { return limit })
	l.extend(0, 0)
}

// extend decides the places from x on. Loads only grow, so what is above the
// limit stays out.
func (l *listing) extend(x int, mask uint16) {
	if x == l.k {
		rest := make([]uint64, len(l.most))
		if subtract(rest, l.most, l.gaps[x]) {
			copy(rest, l.gaps[x])
			l.keep(line{mask: mask, gap: rest})
		}
		return
	}
	if l.counts[x] > 0 && subtract(l.gaps[x+1], l.gaps[x], l.adds[x]) {
		l.extend(x+1, mask|1<<x)
	}
	if l.counts[x] < l.lines {
		copy(l.gaps[x+1], l.gaps[x])
		l.extend(x+1, mask)
	}
}

// byCount sorts the lines under margin c by their number of processors.
func (d *ring) byCount(c []int, limit int64) [][]line {
	by := make([][]line, d.k+1)
	d.list(c, limit, func(l line) {
		n := bits.OnesCount16(l.mask)
		by[n] = append(by[n], l)
	})
	return by
}

// fits returns the numbers of processors that a line under margin c may have, as
// bits.
func (d *ring) fits(c []int, limit int64) (fits uint32) {
	d.list(c, limit, func(l line) { fits |= 1 << bits.OnesCount16(l.mask) })
	return fits
}
