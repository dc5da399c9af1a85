package margin

import (
	"slices"

	"leeway/objective/lanes"
)

// mostPacked is the largest load of a pattern for which loads are packed.
const mostPacked = 1 << 30

// maxPatterns is the most patterns of one total that are listed. Beyond it every
// margin counts as having room for one, which refutes less.
const maxPatterns = 1 << 15

// patterns lists all patterns of one total with what a processor in each slab
// adds to their loads.
type patterns struct {
	lanes.Layout
	words  int
	whole  int64      // all loads are multiples of that
	at     [][]int8   // at[i][x]: processors of pattern i at x
	adds   [][]uint64 // adds[i][z*words+...]: loads that a processor in slab z adds
	least  [][]uint64 // the same for the least that one in slab z or behind it adds to each
	ahead  []uint64   // for filter
	failed bool       // they are too many, or their loads too large
}

// ofTotal returns the patterns of the given total on side d, listed when first
// asked for. It returns nil where they are too many or their loads do not fit.
func (d *side) ofTotal(total int, b *budget) *patterns {
	most := int64(d.n) * int64(total) * d.unit // a pair loads the links of a form once
	if most > mostPacked || d.depth > 127 {
		return nil
	}
	p := d.listed[total]
	if p == nil {
		p = newPatterns(d, total, most, b)
		b.spend(len(p.at) * (1 + d.k*p.words/4))
		d.listed[total] = p
	}
	if p.failed {
		return nil
	}
	return p
}

// newPatterns lists the patterns of the given total, with loads of up to most. When the budget is told to stop
// meanwhile it has no steps left, and the patterns count as too many.
func newPatterns(d *side, total int, most int64, b *budget) *patterns {
	p := &patterns{}
	for _, f := range d.lines {
		for _, row := range f.g {
			for _, v := range row {
				p.whole = gcd(v, p.whole)
			}
		}
	}
	p.whole = max(1, p.whole)
	p.Layout = lanes.Narrowest(most / p.whole)
	p.words = p.Words(len(d.lines))
	p.ahead = make([]uint64, p.words)
	if p.list(d, make([]int8, 0, d.k), total); p.failed {
		p.at = nil
	}
	single := make([][]uint64, d.k)
	for x := range single {
		single[x] = p.single(d, x)
	}
	for i, a := range p.at {
		if i&255 == 255 && b.stop() {
			b.left, p.failed, p.at, p.adds, p.least = 0, true, nil, nil, nil
			break
		}
		adds := make([]uint64, d.k*p.words)
		for x, v := range a {
			lanes.AddScaled(adds, adds, int(v), single[x])
		}
		least := slices.Clone(adds)
		for z := d.k - 2; z >= 0; z-- {
			at := lanes.Row(least, z, p.words)
			p.Lower(at, at, lanes.Row(least, z+1, p.words))
		}
		p.adds, p.least = append(p.adds, adds), append(p.least, least)
	}
	return p
}

// limits returns what the links of each form may carry, packed: all that they can where that is less.
func (p *patterns) limits(d *side) []uint64 {
	return p.Pack(len(d.lines), func(i int) int64 { return min(d.line(d.lines[i])/p.whole, p.Max()) })
}

// gcd returns the greatest common divisor of two numbers from 0 on.
func gcd(a, b int64) int64 {
	for b > 0 {
		a, b = b, a%b
	}
	return a
}

// list appends every completion of a prefix by total more processors.
func (p *patterns) list(d *side, prefix []int8, total int) {
	left := d.k - len(prefix)
	if left == 0 {
		p.failed = len(p.at) == maxPatterns
		p.at = append(p.at, append([]int8(nil), prefix...))
		return
	}
	for v := max(0, total-(left-1)*d.depth); v <= min(d.depth, total) && !p.failed; v++ {
		p.list(d, append(prefix, int8(v)), total-v)
	}
}

// single returns the loads that a processor in each slab adds to a pattern for the one of it at x.
func (p *patterns) single(d *side, x int) (adds []uint64) {
	for z := range d.k {
		adds = append(adds, p.Pack(len(d.lines), func(i int) int64 { return d.lines[i].g[x][z] / p.whole })...)
	}
	return adds
}

// A survivors list holds the patterns that still fit a partial margin, each with
// its loads.
type survivors struct {
	which []int32
	loads []uint64
}

// all puts every pattern into out, with no load.
func (p *patterns) all(out *survivors) {
	for i := range p.at {
		out.which = append(out.which, int32(i))
	}
	out.loads = make([]uint64, len(p.at)*p.words)
}

// filter puts into out the patterns of in that still fit when slab z holds v
// processors, with rest behind it: no more of theirs there, and every load within the limit, wherever the rest is.
func (p *patterns) filter(in, out *survivors, z, v, rest int, limit []uint64) {
	out.which, out.loads = out.which[:0], out.loads[:0]
	w := p.words
	for i, which := range in.which {
		if int(p.at[which][z]) > v {
			continue
		}
		start := len(out.loads)
		out.loads = append(out.loads, lanes.Row(in.loads, i, w)...)
		loads := out.loads[start:]
		lanes.AddScaled(loads, loads, v, lanes.Row(p.adds[which], z, w))
		all := loads
		if rest > 0 {
			all = p.ahead
			lanes.AddScaled(all, loads, rest, lanes.Row(p.least[which], z+1, w))
		}
		if !p.Covers(limit, all) {
			out.loads = out.loads[:start]
			continue
		}
		out.which = append(out.which, which)
	}
}
