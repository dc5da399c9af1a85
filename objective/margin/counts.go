package margin

// A budget counts the steps that are left. Trying a count for a slab takes one,
// one more for every 64 entries of the tables of loads and one for every eight
// words of packed pattern loads that are brought up to date.
type budget struct {
	left int64
	stop func() bool // asks now and then whether to give up
	tick int
}

// spend takes steps and reports whether there were any left.
func (b *budget) spend(steps int) bool {
	b.left -= int64(steps)
	if b.tick++; b.tick&1023 == 0 && b.stop() {
		b.left = 0
	}
	return b.left > 0
}

// A verdict answers whether margins exist.
type verdict int

const (
	none  verdict = iota // no counts exist
	some                 // there are
	spent                // the budget ended before it was decided
)

// A counting looks for a margin of one side by filling slab after slab.
type counting struct {
	*side
	patterns *patterns // nil if any will do
	most     []uint64  // the limit on a line, in every lane of a pattern's loads
	budget   *budget
	top      int         // the most that a slab may hold
	ahead    []Range     // by slab: what it and those after it may hold together
	counts   []int       // by slab
	sums     []int64     // by form: its load so far
	slopes   [][]int64   // by form and slab: what one more processor there adds
	fits     []survivors // by depth: patterns that still fit
}

// find answers whether a margin exists with most processors in its fullest slab
// and room for a pattern of the given total (of any if that is 0) within the
// limit.
//
// Turning the ring changes nothing, so of all rotations the lexicographically greatest is tried: slab 0 is a fullest,
// and prefixes of such margins are extended as in the algorithm of Fredricksen, Kessler and Maiorana: with period p so
// far, the next count is at most the one p before. On a path, or with ranges, all are tried, and margins with fewer in
// all slabs count too: they leave and ask no more room.
// Adding processors lowers no load, so a partial margin that fails stays out.
func (d *side) find(most, total int, b *budget) verdict {
	c := &counting{side: d, budget: b, counts: make([]int, d.k), sums: make([]int64, len(d.forms)),
		fits: make([]survivors, d.k+1)}
	for range d.forms {
		c.slopes = append(c.slopes, make([]int64, d.k))
	}
	if total > 0 {
		if c.patterns = d.ofTotal(total, b); c.patterns != nil {
			c.patterns.all(&c.fits[0])
			c.most = c.patterns.limits(d)
		}
	}
	c.top, c.ahead = most, make([]Range, d.k+1)
	for z := d.k - 1; z >= 0; z-- {
		r := c.rangeOf(z)
		c.ahead[z] = Range{c.ahead[z+1].Low + r.Low, c.ahead[z+1].High + r.High}
	}
	if d.turns() {
		return c.try(0, most, 1, d.n, 0)
	}
	return c.fill(0, 1, d.n, 0)
}

// turns reports whether all rotations of a margin stand for each other.
func (d *side) turns() bool { return !d.open && d.ranges == nil }

// rangeOf returns what slab z may hold.
func (c *counting) rangeOf(z int) Range {
	if c.ranges == nil {
		return Range{0, c.top}
	}
	return Range{c.ranges[z].Low, min(c.top, c.ranges[z].High)}
}

// fill tries all counts for slab z that leave the slabs behind it rest minus
// that count; period is that of the counts before z, and run the number of
// processors in the last k/2 slabs before z, or in all if there are fewer.
func (c *counting) fill(z, period, rest, run int) verdict {
	if z == c.k {
		if c.turns() && c.k%period != 0 { // a rotation of it is greater
			return none
		}
		return some
	}
	r := c.rangeOf(z)
	if c.turns() {
		r.High = c.counts[z-period]
	}
	for v := max(r.Low, rest-c.ahead[z+1].High); v <= min(r.High, rest-c.ahead[z+1].Low); v++ {
		if c.overloads(z, v) {
			return none // and so would every larger count
		}
		if answer := c.try(z, v, period, rest, run); answer != none {
			return answer
		}
	}
	return none
}

// try puts v processors into slab z and goes on from there.
func (c *counting) try(z, v, period, rest, run int) verdict {
	if !c.budget.spend(1 + len(c.forms)*c.k/64 + len(c.fits[z].loads)/8) {
		return spent
	}
	h := c.k / 2
	run += v
	if z >= h {
		run -= c.counts[z-h]
	}
	if z+1 >= h && c.balanced(run) || !c.keep(z, v, rest-v) {
		return none
	}
	if z > 0 && v < c.counts[z-period] {
		period = z + 1
	}
	c.add(z, v)
	answer := c.fill(z+1, period, rest-v, run)
	c.add(z, -v)
	return answer
}

// overloads reports whether v processors in slab z bring a class of links above
// its limit.
func (c *counting) overloads(z, v int) bool {
	for i, sum := range c.sums {
		if sum+int64(v)*c.slopes[i][z] > c.total[i] {
			return true
		}
	}
	return false
}

// add puts v processors into slab z, or takes -v away.
func (c *counting) add(z, v int) {
	c.counts[z] += v
	if v == 0 {
		return
	}
	for i := range c.forms {
		g, slope := c.forms[i].sum[z], c.slopes[i]
		c.sums[i] += int64(v) * slope[z]
		for x := z + 1; x < c.k; x++ {
			slope[x] += int64(v) * g[x]
		}
	}
}

// keep filters the patterns by the count of slab z, with rest processors behind it, and reports whether some are
// left.
func (c *counting) keep(z, v, rest int) bool {
	if c.patterns == nil {
		return true
	}
	c.patterns.filter(&c.fits[z], &c.fits[z+1], z, v, rest, c.most)
	return len(c.fits[z+1].which) > 0
}
