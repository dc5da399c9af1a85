package levels

import (
	"math/bits"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
)

// A ring holds what pairs of places of a line along one dimension bring to its
// links, by link class: the places of a line and their ports have the same number
// on every line. All loads are in the routing's unit 1/D.
type ring struct {
	dim, k int
	lines  int         // along the dimension
	links  []core.Link // by class: on the line through node 0
	cross  [][][]int64 // by class, from and to: the traffic that crosses
	forced [][][]int64 // by class, x and z: the share of a processor at x for one at z
}

// newRing reads the classes off the traffic of pairs that differ in s only.
func newRing(r *routing.Orders, s int) *ring {
	t, den := r.Torus(), r.Denominator().Int64()
	d := &ring{dim: s, k: t.Side(s), lines: t.N() / t.Side(s)}
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
					d.links, d.cross, d.forced = append(d.links, link), append(d.cross, square(d.k)), append(d.forced, square(d.k))
				}
				d.cross[e][x][z] = l.Load
			}
		}
	}
	first, firstOf := least(r, s, func(others uint) (int64, int64) { return r.Weight(s, 0, others) })
	last, lastOf := least(r, s, func(others uint) (int64, int64) { return r.Weight(s, others, 0) })
	for e, cross := range d.cross {
		for x := range d.k {
			for z := range d.k {
				d.forced[e][x][z] = cross[x][z]*first/firstOf + cross[z][x]*last/lastOf
			}
		}
	}
	return d
}

// least returns the least of a fraction over all sets of dimensions other than s,
// the empty set aside.
func least(r *routing.Orders, s int, part func(others uint) (num, den int64)) (num, den int64) {
	num, den = 1, 1
	all := uint(1)<<r.Torus().D() - 1
	for others := uint(1); others <= all; others++ {
		if others>>s&1 != 0 {
			continue
		}
		if a, b := part(others); a*den < num*b {
			num, den = a, b
		}
	}
	return num, den
}

func square(k int) [][]int64 {
	g := make([][]int64, k)
	for x := range g {
		g[x] = make([]int64, k)
	}
	return g
}

// share returns the load, by class, that a processor at place x brings under slab
// counts c.
func (d *ring) share(x int, c []int) []int64 {
	list := make([]int64, len(d.links))
	for e, g := range d.forced {
		for z, v := range c {
			list[e] += g[x][z] * int64(v)
		}
	}
	return list
}

// bears reports whether the boundaries carry slab counts c, or the first slabs of
// longer ones, when every line may carry the limit.
func (d *ring) bears(c []int, limit int64) bool {
	for _, b := range d.cross {
		sum := int64(0)
		for x, v := range c {
			for z, w := range c {
				sum += b[x][z] * int64(v) * int64(w)
			}
		}
		if sum > limit*int64(d.lines) {
			return false
		}
	}
	return true
}

// width returns the number of places of the largest content that fits slab counts c,
// 0 if a place of a slab that is not empty does not fit alone, and how many contents
// it tried.
func (d *ring) width(c []int, limit int64) (widest, tried int) {
	shares := make([][]int64, d.k)
	for x, v := range c {
		if shares[x] = d.share(x, c); v > 0 && slices.Max(shares[x]) > limit {
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
			if more, fits := d.with(load, shares[x], x, content, limit); fits {
				extend(x+1, content|1<<x, more)
			}
		}
		extend(x+1, content, load)
	}
	extend(0, 0, make([]int64, len(d.links)))
	return widest, tried
}

// with returns the load of a content with place x added, and whether it is within
// the limit. Loads only grow.
func (d *ring) with(load, share []int64, x int, content uint, limit int64) (more []int64, fits bool) {
	more = make([]int64, len(load))
	for e, v := range load {
		more[e] = v + share[e]
		for rest := content; rest != 0; rest &= rest - 1 {
			more[e] += d.rest(e, x, bits.TrailingZeros(rest))
		}
		if more[e] > limit {
			return nil, false
		}
	}
	return more, true
}

// rest returns what two places of one line exchange beyond their shares.
func (d *ring) rest(e, x, z int) int64 {
	return d.cross[e][x][z] + d.cross[e][z][x] - d.forced[e][x][z] - d.forced[e][z][x]
}
