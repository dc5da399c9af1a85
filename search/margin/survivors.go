package margin

import (
	"math/bits"
	"slices"

	"leeway/objective/lanes"
)

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

// survivors are the patterns that still fit a partial margin, with the gaps to
// the limit that it leaves them.
type survivors struct {
	which []int32
	gaps  []uint64
}

// all returns every pattern with the whole limit as its gap.
func (s *side) all(list []pattern) (out survivors) {
	gap := s.narrow.same(s.limit)
	for i := range list {
		out.which = append(out.which, int32(i))
		out.gaps = append(out.gaps, gap...)
	}
	return out
}

// without puts into out the patterns of s that need nothing in slab z.
func (s *survivors) without(out *survivors, list []pattern, z int) {
	out.which, out.gaps = out.which[:0], out.gaps[:0]
	for i, which := range s.which {
		if list[which].mask>>z&1 == 0 {
			words := len(s.gaps) / len(s.which)
			out.which = append(out.which, which)
			out.gaps = append(out.gaps, s.gaps[i*words:(i+1)*words]...)
		}
	}
}

// with puts into out the patterns of s that still fit with one more processor in
// slab z. Out may be s.
func (s *survivors) with(out *survivors, list []pattern, t *table, z int) {
	which, gaps := slices.Grow(out.which[:0], len(s.which))[:len(s.which)], slices.Grow(out.gaps[:0], len(s.gaps))[:len(s.gaps)]
	w, kept := t.words, 0
	for i, p := range s.which {
		if t.Subtract(gaps[kept*w:(kept+1)*w], s.gaps[i*w:(i+1)*w], list[p].adds[z*w:(z+1)*w]) {
			which[kept] = p
			kept++
		}
	}
	out.which, out.gaps = which[:kept], gaps[:kept*w]
}
