package margin

import (
	"bytes"
	"cmp"
)

// A margin holds the processors in every slab of a ring, zeros beyond its length.
type margin [MaxSide]uint8

// squares returns the sum of the squares.
func (c *margin) squares() (sum int32) {
	for _, v := range c {
		sum += int32(v) * int32(v)
	}
	return sum
}

// sizes returns the counts that occur in the first k slabs as bits.
func (c *margin) sizes(k int) (has uint32) {
	for _, v := range c[:k] {
		has |= 1 << v
	}
	return has
}

// A kind is what decides at once which margins of the other dimension go with
// one: each must have the lines that the other asks for.
type kind struct {
	has  uint32 // bit v: some slab holds v processors
	fits uint32 // bit v: a line of v processors fits under the margin
}

func (a kind) matches(b kind) bool { return a.has&^b.fits == 0 && b.has&^a.fits == 0 }

// A frame is a margin with what it is asked for often.
type frame struct {
	counts  margin
	squares int32 // their sum
	kind
}

// A side is one dimension under a limit: the margins that leave room for it.
type side struct {
	*ring
	limit  int64  // on the load of a link, in 1/unit
	wide   *table // for loads of whole boundaries
	narrow *table // for loads of lines
	frames []frame
	group  []int32   // by frame: number of its group, those of the same kind
	groups [][]int32 // by group: its frames
	kinds  []kind    // by group
}

// newSide packs the forms of a ring for a limit; nothing is listed yet.
func newSide(d *ring, limit int64) *side {
	peak, pair := int64(0), int64(0)
	for _, g := range d.forms {
		for x := range d.k {
			for z := range d.k {
				peak, pair = max(peak, g[x][z]), max(pair, g[x][z]+g[z][x])
			}
		}
	}
	n := int64(d.n)
	line := limit + n*peak // a gap and the load of one processor together
	// What the processors placed and r more exchange, (n-r) r pairs at most, may be
	// held against what a boundary has left.
	boundary := max(limit*int64(d.lines), max(n, n*n/4)*pair)
	return &side{ring: d, limit: limit, narrow: d.table(line), wide: d.table(max(line, boundary))}
}

// keep takes over the margins and groups them.
func (s *side) keep(frames []frame) {
	s.frames, s.group = frames, make([]int32, len(frames))
	at := map[kind]int32{}
	for i, f := range frames {
		g, seen := at[f.kind]
		if !seen {
			g = int32(len(s.groups))
			at[f.kind] = g
			s.groups, s.kinds = append(s.groups, nil), append(s.kinds, f.kind)
		}
		s.group[i] = g
		s.groups[g] = append(s.groups[g], int32(i))
	}
}

// matches returns for every group of s the groups of t that go with it.
func (s *side) matches(t *side) [][]int32 {
	list := make([][]int32, len(s.groups))
	for g, a := range s.kinds {
		for h, b := range t.kinds {
			if a.matches(b) {
				list[g] = append(list[g], int32(h))
			}
		}
	}
	return list
}

// order compares two margins in the order of the tree: by the sum of squares,
// least first, then lexicographically, greatest first.
func order(a, b frame) int {
	return cmp.Or(cmp.Compare(a.squares, b.squares), bytes.Compare(b.counts[:], a.counts[:]))
}
