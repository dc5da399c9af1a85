package margin

import "leeway/search/census"

// A walker looks for the 0/1 matrices of the classes of one column margin after
// the other: rows with the contents that the column counts allow, and columns
// that can be completed to contents that the row counts allow.
type walker struct {
	*plan
	along, across *contents // of rows and of columns

	counts []int      // the column margin at hand
	prefix uint64     // its hash
	ready  bool       // lines and moves are those of the margin at hand
	lines  []lines    // of rows, by number of processors
	moves  [][]int    // that leave the margin as it is
	sizes  *margin    // the row margin of the class at hand
	order  []int      // in which its rows are filled
	tries  []trie     // of columns, by number of processors
	begun  [][]uint32 // by depth and column: what is filled, after a leading 1
	spare  [][]uint64 // by depth: what the gaps of the rows still to come add up to
	hash   []uint64   // by depth
	picks  []uint16   // by row number: its content

	poll  func(nodes int64) bool
	since int64 // nodes since the last poll
	tally census.Tally
}

// A lines holds contents of rows with their gaps, one after the other.
type lines struct {
	masks []uint16
	gaps  []uint64
}

// pollEvery is how many nodes are visited between two polls.
const pollEvery = 1024

func newWalker(q *plan) *walker {
	if len(q.prefixes) == 0 {
		return &walker{plan: q}
	}
	d := q.columns
	w := &walker{plan: q, along: newContents(d, d.wide), across: newContents(q.rows, q.rows.narrow),
		lines: make([]lines, d.k+1), tries: make([]trie, q.rows.k+1), hash: make([]uint64, d.lines+1), picks: make([]uint16, d.lines)}
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
func (w *walker) Walk(i int, poll func(nodes int64) bool) census.Tally {
	w.poll, w.since, w.tally, w.ready = poll, 0, census.Tally{}, false
	w.counts, w.prefix = w.prefixes[i], hashOf(0, w.prefixes[i])
	w.visit(i)
	if !poll(w.since) {
		w.tally.Ended = true
	}
	return w.tally
}

// visit opens the classes of column margin i until one has a matrix or the walk
// ends early.
func (w *walker) visit(i int) {
	for _, h := range w.matches[w.columns.group[i]] {
		for _, j := range w.rows.groups[h] {
			if !w.classes.first(int32(i), j) {
				continue
			}
			if !w.ready {
				w.turnTo(i)
			}
			if w.fill(&w.rows.frames[j].counts) || w.tally.Ended {
				return
			}
		}
	}
}

// turnTo lists the contents of rows under column margin i.
func (w *walker) turnTo(i int) {
	c := w.columns.frames[i].counts
	w.ready = true
	w.moves = stabiliser(c, len(w.counts), w.flip)
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
func (w *walker) spend(depth int, hash uint64) bool {
	w.hash[depth] = hash
	w.tally.Nodes++
	w.tally.Sum += hash
	if w.since++; w.since == pollEvery {
		w.since = 0
		w.tally.Ended = !w.poll(pollEvery)
	}
	return !w.tally.Ended
}

// hashOf takes a list into a hash.
func hashOf(h uint64, list []int) uint64 {
	for _, v := range list {
		h = census.Hash(h, v)
	}
	return h
}
