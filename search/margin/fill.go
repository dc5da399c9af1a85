package margin

import (
	"math/bits"

	"leeway/core"
	"leeway/search/census"
)

// fill opens a class and reports whether it has a matrix, which then stands in
// picks. If it ended early the answer is false.
func (w *walker) fill(sizes *margin) bool {
	d := w.rows
	w.sizes, w.order = sizes, fillingOrder(sizes[:d.k])
	h := w.prefix
	for _, v := range sizes[:d.k] {
		h = census.Hash(h, int(v))
	}
	if !w.spend(0, h) {
		return false
	}
	w.across.under(*sizes, d.spare(*sizes))
	w.across.tries(w.tries, w.counts, w.order)
	return w.row(0)
}

// row tries all contents for the i-th row of the filling order.
func (w *walker) row(i int) bool {
	if i == len(w.order) {
		w.tally.Found = core.MustPlacement(w.problem.Torus(), nodesOf(w.picks, len(w.counts)))
		return true
	}
	full, empty := w.forced(i)
	if full&empty != 0 {
		return false // a column can be completed in no way
	}
	at := w.order[i]
	l, words := &w.lines[w.sizes[at]], w.along.words
	for j, mask := range l.masks {
		if mask&empty != 0 || mask&full != full || !w.along.Subtract(w.spare[i+1], w.spare[i], l.gaps[j*words:(j+1)*words]) ||
			i == 0 && !leads(mask, w.moves) {
			continue
		}
		if !w.spend(i+1, census.Hash(w.hash[i], int(mask))) {
			return false
		}
		w.picks[at] = mask
		for x, p := range w.begun[i] {
			w.begun[i+1][x] = p<<1 | uint32(mask>>x&1)
		}
		if w.row(i + 1) {
			return true
		}
		if w.tally.Ended {
			return false
		}
	}
	return false
}

// forced returns the columns that need a processor in row i of the filling order
// and those that take none.
func (w *walker) forced(i int) (full, empty uint16) {
	for x, p := range w.begun[i] {
		t := w.tries[w.counts[x]]
		if !t.has(p<<1 | 1) {
			empty |= 1 << x
		}
		if !t.has(p << 1) {
			full |= 1 << x
		}
	}
	return full, empty
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
