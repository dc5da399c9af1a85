package margin

import (
	"context"
	"math/bits"
)

// A Slice is the part of a decision with one margin of the columns. Slices cover
// the space: of every placement within the limit, some image under the symmetries
// of the routing falls into one of them.
type Slice struct {
	Columns []int // processors in every column
	Classes int64 // row margins that were filled with these columns
	Nodes   int64 // rows placed
}

// slice fills the classes of one column margin, one after the other, with at most
// the given number of nodes. It returns the contents of the rows of the first
// placement found, nil if there is none, and whether it came to its end.
func (q *question) slice(ctx context.Context, i int, most int64) (s Slice, picks []uint16, ended bool) {
	f, fits := q.newFill(ctx, i, most)
	s = Slice{Columns: q.columns[i]}
	for _, group := range q.groups {
		if rows := q.rows[group[0]]; rows.has&^fits != 0 || f.has&^rows.fits != 0 {
			continue
		}
		for _, j := range group {
			if !q.classes.first(i, j) {
				continue
			}
			s.Classes++
			found := f.run(q.rows[j].counts)
			s.Nodes = f.nodes
			if found || f.stopped {
				return s, f.picked(), !f.stopped
			}
		}
	}
	return s, nil, true
}

// nodesOf returns the nodes of a placement from the contents of its rows.
func nodesOf(picks []uint16, columns int) []int {
	var nodes []int
	for i, mask := range picks {
		for ; mask != 0; mask &= mask - 1 {
			nodes = append(nodes, i*columns+bits.TrailingZeros16(mask))
		}
	}
	return nodes
}
