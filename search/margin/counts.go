package margin

import (
	"context"
	"slices"
)

// A counting lists the margins of a ring that a limit leaves room for, one of
// every rotation class, by filling slab after slab.
//
// Of all rotations of a margin the greatest is listed. Prefixes of such
// sequences are extended as in the algorithm of Fredricksen, Kessler and
// Maiorana: with period p so far, the next entry is at most the one p before.
type counting struct {
	*ring
	ctx    context.Context
	limit  int64 // on the load of a link, in 1/unit
	most   int   // margins
	counts []int
	sums   []int64     // by form: the load of the whole boundary so far
	slopes [][]int64   // by form and slab: what one more processor there adds
	could  []pattern   // contents of a fullest line across the slabs, nil if any will do
	fits   []survivors // by slab: those that still fit before it is filled
	steps  int
	list   [][]int
	ended  error // why the listing is not complete
}

// margins returns the margins within the limit, at most most of them, the most
// even first. It fails with a *TooManyError or with the error of the context.
func (d *ring) margins(ctx context.Context, limit int64, most int) ([][]int, error) {
	c := &counting{ring: d, ctx: ctx, limit: limit, most: most, counts: make([]int, d.k), sums: make([]int64, len(d.forms))}
	c.slopes = make([][]int64, len(d.forms))
	for i := range c.slopes {
		c.slopes[i] = make([]int64, d.k)
	}
	c.could, c.fits = d.patterns(), make([]survivors, d.k+1)
	c.fits[0] = d.all(c.could, limit)
	c.fill(0, 1, d.n, 0)
	if c.ended != nil {
		return nil, c.ended
	}
	slices.SortStableFunc(c.list, func(a, b []int) int { return squares(a) - squares(b) })
	return c.list, nil
}

func squares(c []int) int {
	sum := 0
	for _, v := range c {
		sum += v * v
	}
	return sum
}

// fill tries all counts for slab z when rest processors are left, the sequence
// has the given period and the last k/2 slabs (or all, if fewer) hold run.
func (c *counting) fill(z, period, rest, run int) {
	if z == c.k {
		if c.k%period == 0 {
			c.keep()
		}
		return
	}
	if h := c.k / 2; z >= h {
		run -= c.counts[z-h]
	}
	least, most := c.span(z, period, rest)
	for v := most; v >= least && !c.stop(); v-- {
		next := period
		if z > 0 && v < c.counts[z-period] {
			next = z + 1
		}
		if c.overloads(z, v) || z+1 >= c.k/2 && c.balanced(run+v) || !c.room(z, v) {
			continue
		}
		c.add(z, v)
		c.fill(z+1, next, rest-v, run+v)
		c.add(z, -v)
	}
}

// span returns the least and the most that slab z may hold: the first slab is a
// fullest.
func (c *counting) span(z, period, rest int) (least, most int) {
	if z == 0 {
		return (c.n + c.k - 1) / c.k, min(c.lines, c.n)
	}
	return max(0, rest-(c.k-z-1)*c.counts[0]), min(c.counts[z-period], rest)
}

func (c *counting) keep() {
	if len(c.list) == c.most {
		c.ended = &TooManyError{Most: c.most}
		return
	}
	c.list = append(c.list, slices.Clone(c.counts))
}

// stop reports whether the listing has ended early.
func (c *counting) stop() bool {
	if c.steps++; c.steps&1023 == 0 && c.ended == nil {
		c.ended = c.ctx.Err()
	}
	return c.ended != nil
}

// overloads reports whether v processors in slab z bring a boundary above what
// its links may carry together.
func (c *counting) overloads(z, v int) bool {
	for i, sum := range c.sums {
		if sum+int64(v)*c.slopes[i][z] > c.limit*int64(c.lines) {
			return true
		}
	}
	return false
}

// room reports whether v processors in slab z leave room for a fullest line.
func (c *counting) room(z, v int) bool {
	if c.could == nil {
		return true
	}
	c.fits[z].filter(&c.fits[z+1], c.could, c.words(), z, v)
	return len(c.fits[z+1].which) > 0
}

// balanced reports whether so many processors on one side of two cuts, half the
// ring apart, send more across them than the links of two boundaries carry: all
// of it leaves by the one or the other. On a ring of 2 the forms say the same.
func (c *counting) balanced(inside int) bool {
	return c.k > 2 && int64(inside)*int64(c.n-inside)*c.unit > 2*c.limit*int64(c.lines)
}

// add puts v processors into slab z, or takes -v away.
func (c *counting) add(z, v int) {
	c.counts[z] += v
	if v == 0 {
		return
	}
	for i, g := range c.forms {
		slope := c.slopes[i]
		c.sums[i] += int64(v) * slope[z]
		for x := z + 1; x < c.k; x++ {
			slope[x] += int64(v) * (g[z][x] + g[x][z])
		}
	}
}
