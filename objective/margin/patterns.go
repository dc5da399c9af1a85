package margin

import "leeway/objective/lanes"

// packed is how the loads of a pattern lie in words: few, so lanes need not be narrow.
var packed = lanes.New(16)

// maxPatterns is the most patterns of one total that are listed. Beyond it every
// margin counts as having room for one, which refutes less.
const maxPatterns = 1 << 15

// patterns lists all patterns of one total with what a processor in each slab
// adds to their loads.
type patterns struct {
	words  int
	at     [][]int8   // at[i][x]: processors of pattern i at x
	adds   [][]uint64 // adds[i][z*words+...]: loads that a processor in slab z adds
	failed bool       // they are too many, or their loads too large
}

// ofTotal returns the patterns of the given total on side d, listed when first
// asked for. It returns nil where they are too many or their loads do not fit.
func (d *side) ofTotal(total int, b *budget) *patterns {
	// No sum can leave its lane: neither what a whole margin adds nor the limit.
	if most := packed.Max(); d.line > most || int64(d.n)*int64(total)*d.unit > most || d.depth > 127 {
		return nil
	}
	p := d.listed[total]
	if p == nil {
		p = newPatterns(d, total, b)
		b.spend(len(p.at))
		d.listed[total] = p
	}
	if p.failed {
		return nil
	}
	return p
}

// newPatterns lists the patterns of the given total. When the budget is told to stop
// meanwhile it has no steps left, and the patterns count as too many.
func newPatterns(d *side, total int, b *budget) *patterns {
	p := &patterns{words: packed.Words(len(d.forms))}
	if p.list(d, make([]int8, 0, d.k), total); p.failed {
		p.at = nil
	}
	for i, a := range p.at {
		if i&255 == 255 && b.stop() {
			b.left, p.failed, p.at, p.adds = 0, true, nil, nil
			break
		}
		p.adds = append(p.adds, p.pack(d, a))
	}
	return p
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

// pack returns the loads that a processor in each slab adds to pattern a.
func (p *patterns) pack(d *side, a []int8) []uint64 {
	adds := make([]uint64, d.k*p.words)
	for i, f := range d.forms {
		for z := range d.k {
			load := int64(0)
			for x, v := range a {
				load += int64(v) * f.g[x][z]
			}
			lanes.Add(lanes.Row(adds, z, p.words), packed.Place(i), load)
		}
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
// processors: no more of theirs there, and every load within the limit.
func (p *patterns) filter(in, out *survivors, z, v int, limit []uint64) {
	out.which, out.loads = out.which[:0], out.loads[:0]
	w := p.words
	for i, which := range in.which {
		if int(p.at[which][z]) > v {
			continue
		}
		start := len(out.loads)
		out.loads = append(out.loads, lanes.Row(in.loads, i, w)...)
		loads := out.loads[start:]
		if lanes.AddScaled(loads, loads, v, lanes.Row(p.adds[which], z, w)); !packed.Covers(limit, loads) {
			out.loads = out.loads[:start]
			continue
		}
		out.which = append(out.which, which)
	}
}
