package levels

import (
	"leeway/core"
	"leeway/objective/lanes"
	"leeway/search/census"
)

// A walker fills one class after the other. It belongs to one worker.
type walker struct {
	*plan
	levels []*level // by size of the list
	list   []int
	widths []int // by dimension, of the class at hand
	canon  canon
	room   []int // by line, for goesOn
	left   []int // by slab, for step and goesOn

	poll  func(nodes int64) bool
	since int64 // nodes since the last poll
	tally census.Tally
}

// A level is what follows from the list of its size: its loads and its candidates.
type level struct {
	hash   uint64
	biased []uint64 // the loads of the list, with the bias
	next   []int    // candidates, ascending
	around []uint64 // by candidate: the loads that it would bring
	lacks  []int    // by slab: the nodes still to come
	within []int    // by line: the nodes of the list in it
}

// pollEvery is how many nodes are visited between two polls.
const pollEvery = 1024

func newWalker(q *plan) *walker {
	w := &walker{plan: q}
	if len(q.classes) == 0 {
		return w
	}
	n, t := q.problem.Size, q.problem.Torus()
	w.widths, w.room, w.left = make([]int, t.D()), make([]int, len(q.lines.slabs)), make([]int, len(q.lines.dim))
	w.canon = canon{edges: make([][]int, n+1), nodes: t.N()}
	for range n + 1 {
		w.levels = append(w.levels, &level{biased: make([]uint64, q.table.words), around: make([]uint64, t.N()*q.table.words),
			lacks: make([]int, len(q.lines.dim)), within: make([]int, len(q.lines.slabs))})
	}
	return w
}

// Walk fills class i up to the first placement.
func (w *walker) Walk(i int, poll func(nodes int64) bool) census.Tally {
	w.poll, w.since, w.tally, w.list = poll, 0, census.Tally{}, w.list[:0]
	hash := uint64(0)
	for _, v := range w.prefixes[i] {
		hash = census.Hash(hash, v)
	}
	w.levels[0].hash = hash
	if w.spend(hash) && w.open(w.classes[i]) {
		w.extend(w.levels[0])
	}
	if !poll(w.since) {
		w.tally.Ended = true
	}
	return w.tally
}

// spend counts a node and reports whether to go on.
func (w *walker) spend(hash uint64) bool {
	w.tally.Nodes++
	w.tally.Sum += hash
	if w.since++; w.since == pollEvery {
		w.since = 0
		w.tally.Ended = !w.poll(pollEvery)
	}
	return !w.tally.Ended
}

// open makes the first level the empty list under a class and reports whether it
// goes on.
func (w *walker) open(class []int) bool {
	t, l := w.problem.Torus(), w.levels[0]
	shares := make([][][]int64, len(class))
	l.lacks = l.lacks[:0]
	for s, i := range class {
		side := w.sides[s][i]
		w.widths[s] = side.width
		l.lacks = append(l.lacks, side.counts...)
		for x := range side.counts {
			shares[s] = append(shares[s], w.rings[s].share(x, side.counts))
		}
	}
	for i := range l.biased {
		l.biased[i] = w.table.bias
	}
	clear(l.within)
	l.next = l.next[:0]
	full := l.full()
	for v := range t.N() {
		if w.lines.in[v]&full == 0 && w.table.share(w.around(l, len(l.next)), t, v, shares) {
			l.next = append(l.next, v)
		}
	}
	if !w.goesOn(l) {
		return false
	}
	w.canon.turnTo(w.stabiliser(l.lacks))
	return true
}

// around returns the loads that candidate number i of a level brings.
func (w *walker) around(l *level, i int) []uint64 {
	return lanes.Row(l.around, i, w.table.words)
}

// full returns the slabs that lack nothing, as bits.
func (l *level) full() (slabs uint64) {
	for slab, lack := range l.lacks {
		if lack == 0 {
			slabs |= 1 << slab
		}
	}
	return slabs
}

// extend visits the lists that start with the one at hand, without that one. It
// returns false when the walk ended.
func (w *walker) extend(l *level) bool {
	if len(w.list) == w.problem.Size {
		w.tally.Found = core.MustPlacement(w.problem.Torus(), w.list)
		return false
	}
	size := len(w.list)
	for i, v := range l.next {
		if len(l.next)-i < w.problem.Size-size {
			break
		}
		w.list = append(w.list[:size], v)
		child := w.levels[size+1]
		if !w.step(l, child, i) || !w.goesOn(child) || !w.canon.grow(w.list) {
			continue
		}
		child.hash = census.Hash(l.hash, v)
		if !w.spend(child.hash) || !w.extend(child) {
			return false
		}
	}
	w.list = w.list[:size]
	return true
}

// step fills the child of a level by its candidate number i. It returns false where
// some slab is left with too few candidates; the child then does not go on.
func (w *walker) step(l, child *level, i int) bool {
	v, around := l.next[i], w.around(l, i)
	copy(child.lacks, l.lacks)
	copy(child.within, l.within)
	for s, slab := range w.lines.slab[v] {
		child.lacks[slab]--
		child.within[w.lines.of[v][s]]++
	}
	full, rest := child.full(), l.next[i+1:]
	if !w.count(child, rest, full) {
		return false
	}
	for x, b := range l.biased {
		child.biased[x] = b + around[x]
	}
	child.next = child.next[:0]
	for j, u := range rest {
		switch {
		case w.lines.in[u]&full != 0:
		case w.table.lanes.AddWithin(w.around(child, len(child.next)), w.around(l, i+1+j), w.table.pair(v, u), child.biased):
			child.next = append(child.next, u)
		case !w.drop(child, u):
			return false
		}
	}
	return true
}

// count counts by slab those of some nodes that are in no full slab, and reports
// whether they are as many as lack.
func (w *walker) count(l *level, nodes []int, full uint64) bool {
	clear(w.left)
	for _, u := range nodes {
		if w.lines.in[u]&full == 0 {
			for _, slab := range w.lines.slab[u] {
				w.left[slab]++
			}
		}
	}
	for slab, lack := range l.lacks {
		if w.left[slab] < lack {
			return false
		}
	}
	return true
}

// drop takes a node from the counts and reports whether they are still as many.
func (w *walker) drop(l *level, u int) bool {
	for _, slab := range w.lines.slab[u] {
		if w.left[slab]--; w.left[slab] < l.lacks[slab] {
			return false
		}
	}
	return true
}

// goesOn reports whether the lines have room for what every slab lacks.
func (w *walker) goesOn(l *level) bool {
	for s, width := range w.widths {
		from, to := w.lines.first[s], w.lines.first[s+1]
		room := w.room[from:to]
		clear(room)
		for _, v := range l.next {
			room[w.lines.of[v][s]-from]++
		}
		copy(w.left, l.lacks)
		for i, have := range room {
			for _, slab := range w.lines.slabs[from+i] {
				w.left[slab] -= min(have, width-l.within[from+i])
			}
		}
		for slab, lack := range w.left {
			if lack > 0 && w.lines.dim[slab] != s {
				return false
			}
		}
	}
	return true
}
