package bounds

import (
	"math"
	"math/big"
	"math/bits"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results/check/meter"
)

// LinesProblem says why lines do not show that every placement of n processors has E_max at least value, "" if they do:
// they must rule out the largest multiple of 1/D below it, D being the denominator of the loads.
func LinesProblem(m *meter.Meter, r routing.Routing, n int, value *big.Rat) string {
	step := stepOf(r)
	if value.Sign() <= 0 {
		return "no load is below 0, so lines are not needed"
	}
	return refuteLines(m, r, n, new(big.Rat).SetFrac(objective.NumeratorBelow(value, step), step))
}

// Limits of what is tried again.
const (
	maxLinesDims  = 6
	maxLinesSize  = 1 << 15
	maxLinesBands = 16 // slabs of a ring, all of whose bands are tried
)

// refuteLines returns "" if there are no slab counts of all dimensions within the limit whose lines are enough.
func refuteLines(m *meter.Meter, r routing.Routing, n int, limit *big.Rat) string {
	t := r.Torus()
	orders, ok := r.(*routing.Orders)
	most := make([]int, t.D()) // slabs that can have processors, as far as is known
	for s := range most {
		most[s] = t.Slabs(s)
	}
	switch {
	case !ok || t.D() > maxLinesDims || t.D() < 3 && !t.Twisted():
		return "lines are looked at under odr, udr and orders in three to six dimensions, on twisted tori in two"
	case slices.Max(most) > maxMarginSide || t.Twisted() && slices.Max(most) > maxLinesBands:
		return "lines are looked at for at most 64 slabs of a dimension, on twisted tori for 16"
	}
	if n < 2 || n > min(maxLinesSize, t.N()) {
		return "lines are looked at for 2 to 32768 processors"
	}
	first, last := endParts(m, orders)
	needs := make([][]int, t.D()) // by dimension and slabs with processors, these or more: the fewest lines along it
	for _, owned := range []bool{true, false} {
		for s := range needs { // those first whose own lines leave few slabs
			if (first[s].Sign()+last[s].Sign() > 0) != owned {
				continue
			}
			lines := 1
			for o, slabs := range most {
				if o != s {
					lines *= slabs
				}
			}
			if needs[s] = newLineCounts(m, orders, s, n, first[s], last[s], limit).needs(lines); needs[s] == nil {
				return "numbers of processors, limit or denominator are too large to be tried again"
			}
			for most[s] > 0 && needs[s][most[s]] > lines {
				most[s]--
			}
			if most[s] == 0 {
				return ""
			}
		}
	}
	used := make([]int, t.D())
	var found func(s int) bool
	found = func(s int) bool {
		m.Charge(int64(4 * t.D()))
		if s < t.D() {
			for used[s] = 1; used[s] <= most[s]; used[s]++ {
				if found(s + 1) {
					return true
				}
			}
			return false
		}
		for i, u := range used {
			lines := 1
			for j, others := range used {
				if j != i {
					lines *= others
				}
			}
			if needs[i][u] > lines {
				return false
			}
		}
		return true
	}
	if found(0) {
		return "there are slab counts within the refuted limit whose lines are enough"
	}
	return ""
}

// A lineCounts tries the numbers of processors in the slabs across one dimension.
type lineCounts struct {
	meter    *meter.Meter
	k, n     int
	open     bool
	depth    int         // nodes of one slab on the lines through given slabs of the others
	least    int         // processors of a slab that has any
	cross    [][][]int64 // by class: halves of a message from slab to slab that cross
	own      [][][]int64 // by class: units on the own line of a processor in one slab, for each in another
	limit    int64       // on the own line, in units
	num, den int64       // a line carries num/den halves
	fits     bool        // into a word
	counts   []int
	wanted   int // slabs that are to have processors
	need     int // lines, the fewest found for so many slabs or more
	// By the slabs before: what crosses by class, and what is on the own line of a processor in each slab, by class.
	sums, lines [][]int64
}

// newLineCounts prepares dimension s, of whose traffic parts first and last at least keep to own lines.
func newLineCounts(m *meter.Meter, r *routing.Orders, s, n int, first, last, limit *big.Rat) *lineCounts {
	t := r.Torus()
	c := &lineCounts{meter: m, k: t.Slabs(s), n: n, open: t.Open(s), depth: 1, least: 1, counts: make([]int, t.Slabs(s))}
	ends := int64(1) // links of a class that one line has beside a processor
	if t.Twisted() {
		if c.depth = beside(m, t, s) / c.k; t.BothWays(s) {
			ends = 2
		}
	}
	scale := new(big.Int).Set(first.Denom())
	core.FoldLCM(scale, last.Denom())
	band := big.NewInt(int64(2 * t.Bandwidth(s)))
	carried := new(big.Rat).Mul(limit, new(big.Rat).SetInt(band)) // halves
	within := new(big.Int).Mul(carried.Num(), new(big.Int).Mul(scale, big.NewInt(ends)))
	within.Div(within, carried.Denom())
	carried.Mul(carried, big.NewRat(ends*int64(c.depth), 1))
	size := bits.Len(uint(n))
	if c.fits = scale.BitLen()+size < 60 && within.IsInt64() && carried.Num().BitLen() < 60 &&
		carried.Denom().BitLen()+2*size < 60; !c.fits {
		return c
	}
	c.limit, c.num, c.den = within.Int64(), carried.Num().Int64(), carried.Denom().Int64()
	part := func(v *big.Rat) int64 { return scale.Int64() / v.Denom().Int64() * v.Num().Int64() }
	f, h := part(first), part(last)
	// A processor sends all in other slabs at least the first part on its own line, both ways, and gets at least the last.
	if most := max(f, h); most > 0 {
		c.least = int(max(1, int64(n)-min(int64(n), c.limit/ends/most)))
	}
	m.ChargeAll(8, c.k, c.k, c.k)
	classes := outOfBands(m, t, c.k)
	if !t.Twisted() {
		classes = slabShares(m, r, s)
	}
	for _, share := range classes {
		if !slices.ContainsFunc(share, func(row []int64) bool { return slices.Max(row) > 0 }) {
			continue // nothing crosses: the end of a path, or direction - of a side of 2
		}
		own := newRows(c.k, c.k)
		for x := range c.k {
			for z := range c.k {
				own[x][z] = f*share[x][z] + h*share[z][x]
			}
		}
		c.cross, c.own = append(c.cross, share), append(c.own, own)
	}
	return c
}

// beside returns how many nodes lie in the slabs of node 0 across all dimensions but s.
func beside(m *meter.Meter, t *core.Torus, s int) (count int) {
	m.ChargeAll(4, t.N(), t.D())
	for v := range t.N() {
		in := true
		for o := range t.D() {
			in = in && (o == s || t.Slab(v, o) == 0)
		}
		if in {
			count++
		}
	}
	return count
}

// outOfBands returns, for every band of neighbouring slabs of a ring of k, in halves, what leaves it: all that goes
// from a slab inside to one outside. There are none but on twisted tori, where messages go round in ways of their own.
func outOfBands(m *meter.Meter, t *core.Torus, k int) (classes [][][]int64) {
	for band := 0; band < k*k && t.Twisted(); band++ {
		m.ChargeAll(2, k, k)
		first, length := band/k, band%k // of length 0: nothing
		leaves := newRows(k, k)
		for x := range k {
			for z := range k {
				if (x-first+k)%k < length && (z-first+k)%k >= length {
					leaves[x][z] = 2
				}
			}
		}
		classes = append(classes, leaves)
	}
	return classes
}

// needs returns, by slabs with processors, these or more, the fewest lines that counts within the limit need, one more
// than the most there can be where there are none; nil where sums do not fit a word.
func (c *lineCounts) needs(most int) []int {
	if !c.fits {
		return nil
	}
	classes := len(c.cross)
	c.meter.ChargeAll(16, c.k, c.k, classes)
	c.sums, c.lines = newRows(c.k+1, classes), newRows(c.k+1, c.k*classes)
	list := make([]int, c.k+1)
	c.need = most + 1
	for c.wanted = c.k; c.wanted > 0; c.wanted-- {
		if c.wanted*c.least > c.n {
			list[c.wanted] = c.need
			continue
		}
		if most := min(c.n, most*c.depth); c.open {
			c.extend(0, c.n, c.wanted, most)
		} else { // a ring can be turned until slab 0 is a fullest one
			for top := max(c.least, (c.n+c.k-1)/c.k); top <= most && c.place(0, top); top++ {
				c.extend(1, c.n-top, c.wanted-1, top)
			}
		}
		list[c.wanted] = c.need
	}
	return list
}

// extend tries all counts of slab z and those after it with the given sum, of which so many are to be above 0 and none
// above top.
func (c *lineCounts) extend(z, left, wanted, top int) {
	if z == c.k {
		c.need = c.enough(c.k)
		return
	}
	for v := range min(left, top) + 1 {
		rest := wanted
		if v > 0 {
			rest--
		}
		after := c.k - z - 1
		if v > 0 && v < c.least || rest < 0 || rest > after || left-v < rest*c.least || left-v > rest*top {
			continue
		}
		if !c.place(z, v) {
			return // nor does it fit with more
		}
		c.extend(z+1, left-v, rest, top)
	}
}

// place puts v processors into slab z, after those before it, and reports whether all lines are then within the limit
// and fewer are needed than were found to be. With more processors neither changes for the better.
func (c *lineCounts) place(z, v int) bool {
	classes := len(c.cross)
	c.meter.ChargeAll(4, c.k, classes)
	c.counts[z] = v
	lines, before := c.lines[z+1], c.lines[z]
	for e := range classes {
		slope := int64(0)
		for x, count := range c.counts[:z] {
			slope += int64(count) * (c.cross[e][x][z] + c.cross[e][z][x])
		}
		c.sums[z+1][e] = c.sums[z][e] + int64(v)*slope
		for x := range c.k {
			load := before[x*classes+e] + int64(v)*c.own[e][x][z]
			if lines[x*classes+e] = load; x <= z && c.counts[x] > 0 && load > c.limit {
				return false
			}
		}
	}
	return c.enough(z+1) < c.need
}

// enough returns how many lines the first slabs need: for their processors, and for what crosses.
func (c *lineCounts) enough(slabs int) int {
	need := (slices.Max(c.counts[:slabs]) + c.depth - 1) / c.depth
	for _, sum := range c.sums[slabs] {
		switch {
		case sum > 0 && c.num == 0:
			return math.MaxInt
		case sum > 0:
			need = max(need, int((sum*c.den+c.num-1)/c.num))
		}
	}
	return need
}
