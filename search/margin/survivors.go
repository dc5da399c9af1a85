package margin

import "math/bits"

// maxPatterns is the most contents that a counting carries along; with more it
// goes without.
const maxPatterns = 4096

// A pattern is a content that the fullest line along a ring could have.
type pattern struct {
	mask uint16
	adds []uint64 // by slab, words each: what a processor there adds to its load
}

// patterns returns the contents of the least number of processors that the
// fullest line along the ring can have, nil if they are too many. Every margin
// must leave room for one of them, since loads only grow with processors.
func (d *ring) patterns() []pattern {
	least := (d.n + d.lines - 1) / d.lines
	var list []pattern
	for mask := range 1 << d.k {
		if bits.OnesCount(uint(mask)) != least {
			continue
		}
		if len(list) == maxPatterns {
			return nil
		}
		p := pattern{mask: uint16(mask)}
		for z := range d.k {
			p.adds = append(p.adds, d.pack(func(i int) int64 { return d.gains(i, uint16(mask), z) })...)
		}
		list = append(list, p)
	}
	return list
}

// gains returns what a processor in slab z adds to form i of a line with the
// given content.
func (d *ring) gains(i int, mask uint16, z int) (load int64) {
	for ; mask != 0; mask &= mask - 1 {
		load += d.forms[i][bits.TrailingZeros16(mask)][z]
	}
	return load
}

// survivors are the patterns that still fit a partial margin, with the gaps to
// the limit that it leaves them.
type survivors struct {
	which []int32
	gaps  []uint64
}

// all returns every pattern with the whole limit as its gap.
func (d *ring) all(list []pattern, limit int64) survivors {
	var s survivors
	gap := d.pack(func(int) int64 { return limit })
	for i := range list {
		s.which = append(s.which, int32(i))
		s.gaps = append(s.gaps, gap...)
	}
	return s
}

// filter puts into out the patterns of s that still fit when slab z holds v
// processors: none of theirs there if v is 0, and every load within the limit.
func (s *survivors) filter(out *survivors, list []pattern, words, z, v int) {
	out.which, out.gaps = out.which[:0], out.gaps[:0]
	for i, which := range s.which {
		p := &list[which]
		if v == 0 && p.mask>>z&1 != 0 {
			continue
		}
		start, all := len(out.gaps), uint64(laneHigh)
		for j, gap := range s.gaps[i*words : (i+1)*words] {
			rest := (gap | laneHigh) - uint64(v)*p.adds[z*words+j]
			all &= rest
			out.gaps = append(out.gaps, rest&^laneHigh)
		}
		if all != laneHigh {
			out.gaps = out.gaps[:start]
			continue
		}
		out.which = append(out.which, which)
	}
}
