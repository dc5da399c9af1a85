package slabs

import (
	"math/bits"
	"slices"

	"leeway/core"
	"leeway/search/census"
)

// A rowWalker looks for the 0/1 matrices of the classes of one column margin after the other: rows with the contents
// that the column counts allow, and columns that can be completed to contents that the row counts allow.
type rowWalker struct {
	*rowPlan
	census.Counter
	along, across *contents // of rows and of columns

	counts []int       // the column margin at hand
	prefix uint64      // its hash
	ready  bool        // lines and moves are those of the margin at hand
	lines  []rowList   // of rows, by number of processors
	moves  [][]int     // that leave the margin as it is
	must   []uint16    // by row: the places that it must take besides what all rows must, by fixed and forbidden nodes
	never  []uint16    // by row: the places that it cannot take
	sizes  *slabCounts // the row margin of the class at hand
	order  []int       // in which its rows are filled
	tries  []trie      // of columns, by number of processors; by column where nodes are fixed or forbidden
	trieOf []int       // by column: its trie
	begun  [][]uint32  // by depth and column: what is filled, after a leading 1
	spare  [][]uint64  // by depth: what the gaps of the rows still to come add up to
	hash   []uint64    // by depth
	picks  []uint16    // by row number: its content
}

// A rowList holds contents of rows with their gaps, one after the other.
type rowList struct {
	masks []uint16
	gaps  []uint64
}

func newRowWalker(q *rowPlan) *rowWalker {
	if len(q.prefixes) == 0 {
		return &rowWalker{rowPlan: q}
	}
	d := q.columns
	w := &rowWalker{rowPlan: q, along: newContents(d.side, d.wide), across: newContents(q.rows.side, q.rows.narrow),
		lines: make([]rowList, d.k+1), tries: make([]trie, max(q.rows.k+1, d.k)), trieOf: make([]int, d.k),
		must: make([]uint16, d.lines), never: make([]uint16, d.lines), hash: make([]uint64, d.lines+1),
		picks: make([]uint16, d.lines)}
	for range d.lines + 1 {
		w.begun, w.spare = append(w.begun, make([]uint32, d.k)), append(w.spare, make([]uint64, d.wide.words))
	}
	for j := range d.k {
		w.begun[0][j] = 1
	}
	w.along.each = func(mask uint16, size int, gap []uint64) {
		l := &w.lines[size]
		l.masks, l.gaps = append(l.masks, mask), append(l.gaps, gap...)
	}
	return w
}

// Walk fills the classes of column margin i, one after the other.
func (w *rowWalker) Walk(i int, poll func(nodes int64) bool) census.Tally {
	w.Start(poll)
	w.ready, w.counts, w.prefix = false, w.prefixes[i], census.HashAll(0, w.prefixes[i])
	w.visit(i)
	return w.End()
}

// visit opens the classes of column margin i until one has a matrix or the walk ends early.
func (w *rowWalker) visit(i int) {
	for _, h := range w.matches[w.columns.group[i]] {
		for _, j := range w.rows.groups[h] {
			if !w.opens(int32(i), j) {
				continue
			}
			if !w.ready {
				w.prepare(i)
			}
			if w.fill(&w.rows.frames[j].counts) || w.Ended {
				return
			}
		}
	}
}

// prepare lists the contents of rows under column margin i.
func (w *rowWalker) prepare(i int) {
	c := w.columns.frames[i].counts
	w.ready = true
	if w.columns.held {
		w.moves = keeping(w.rowPlan.moves, c)
		for i, rule := range w.columns.ruled {
			w.must[i], w.never[i] = w.columns.bind(&c, w.columns.rules[rule])
		}
	} else {
		w.moves = w.columns.fixing(c, w.flip)
	}
	copy(w.spare[0], w.columns.spare(c))
	for n := range w.lines {
		w.lines[n].masks, w.lines[n].gaps = w.lines[n].masks[:0], w.lines[n].gaps[:0]
	}
	w.along.open = 0
	for _, h := range w.matches[w.columns.group[i]] {
		w.along.open |= w.rows.kinds[h].has
	}
	w.along.under(c, w.spare[0])
	w.along.list()
}

// spend counts a node of the given depth and hash, and reports whether to go on.
func (w *rowWalker) spend(depth int, hash uint64) bool {
	w.hash[depth] = hash
	return w.Visit(hash)
}

// fill opens a class and reports whether it has a matrix, which then stands in picks. If it ended early the answer is
// false.
func (w *rowWalker) fill(sizes *slabCounts) bool {
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
	if w.rows.held {
		w.across.triesOfEach(w.tries, w.trieOf, w.counts, w.order)
	} else {
		copy(w.trieOf, w.counts)
		w.across.tries(w.tries, w.counts, w.order)
	}
	return w.row(0)
}

// row tries all contents for the i-th row of the filling order.
func (w *rowWalker) row(i int) bool {
	if i == len(w.order) {
		w.Found = core.MustPlacement(w.problem.Torus(), nodesOf(w.picks, len(w.counts)))
		return true
	}
	at := w.order[i]
	full, empty := w.forced(i)
	full, empty = full|w.must[at], empty|w.never[at]
	if full&empty != 0 {
		return false // a column can be completed in no way, or not with what the row needs
	}
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
		if w.Ended {
			return false
		}
	}
	return false
}

// forced returns the columns that need a processor in row i of the filling order and those that take none.
func (w *rowWalker) forced(i int) (full, empty uint16) {
	for x, p := range w.begun[i] {
		t := w.tries[w.trieOf[x]]
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

// fixing returns the rotations of a ring, its reflections if flip, that leave the margin c of its slabs as it is, by
// the images of its places. A path has no rotations, and one reflection.
func (d *ring) fixing(c slabCounts, flip bool) [][]int {
	k := d.k
	var moves [][]int
	for shift := range k {
		for _, sign := range []int{1, -1} {
			if d.open && (sign == 1 || shift < k-1) {
				continue
			}
			to, fixes := make([]int, k), true
			for x := range k {
				to[x] = (sign*x + shift + k) % k
				fixes = fixes && c[to[x]] == c[x]
			}
			if fixes && (sign == 1 && shift > 0 || sign == -1 && flip) {
				moves = append(moves, to)
			}
		}
	}
	return moves
}

// leads reports whether the content of a row comes first among its images under the moves. They act on all rows alike:
// some image of any placement of a class begins with a content that leads.
func leads(mask uint16, moves [][]int) bool {
	for _, to := range moves {
		image := uint16(0)
		for x, y := range to {
			image |= mask >> x & 1 << y
		}
		if image < mask {
			return false
		}
	}
	return true
}

// A trie knows which prefixes of a line can be completed to one of a list: bit 1<<i|p is set if the i-bit prefix p can.
// Prefixes are read in the order in which the crossing lines are filled, the first in the highest bit.
type trie []uint64

// has reports whether the prefix with its leading 1 can be completed.
func (t trie) has(prefix uint32) bool { return t[prefix>>6]>>(prefix&63)&1 != 0 }

// add puts a line in.
func (t trie) add(mask uint16, order []int) {
	prefix := uint32(1)
	for _, x := range order {
		prefix = prefix<<1 | uint32(mask>>x&1)
		t[prefix>>6] |= 1 << (prefix & 63)
	}
}

// tries builds the tries of the lines under the margin at hand, by their number of processors, for the numbers in
// wanted.
func (l *contents) tries(out []trie, wanted, order []int) {
	l.open = 0
	for _, n := range wanted {
		l.open |= 1 << n
	}
	for n := range out {
		if l.open>>n&1 != 0 {
			if out[n] == nil {
				out[n] = make(trie, (2<<l.k+63)/64)
			}
			clear(out[n])
		}
	}
	l.each = func(mask uint16, size int, _ []uint64) { out[size].add(mask, order) }
	l.list()
}

// triesOfEach builds a trie of the lines under the margin at hand for each line, which has a number of processors and a
// rule of its own.
func (l *contents) triesOfEach(out []trie, trieOf, counts, order []int) {
	l.open = 0
	must, never := make([]uint16, len(counts)), make([]uint16, len(counts))
	for x, n := range counts {
		l.open |= 1 << n
		must[x], never[x] = l.bind(&l.counts, l.rules[l.ruled[x]])
		if trieOf[x] = x; out[x] == nil {
			out[x] = make(trie, (2<<l.k+63)/64)
		}
		clear(out[x])
	}
	l.each = func(mask uint16, size int, _ []uint64) {
		for x, n := range counts {
			if n == size && mask&must[x] == must[x] && mask&never[x] == 0 {
				out[x].add(mask, order)
			}
		}
	}
	l.list()
}

// fillingOrder returns the slabs with the fullest first: they leave the fewest choices to the others.
func fillingOrder(c []uint8) []int {
	order := make([]int, len(c))
	for x := range order {
		order[x] = x
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(c[b]) - int(c[a]) })
	return order
}
