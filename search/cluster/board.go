package cluster

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sort"
	"time"

	"leeway/core"
	"leeway/search/census"
)

// A board says of every prefix of a tree where it is: free, out in a unit, or
// done. It is used by one goroutine, knows no queue, and never waits.
type board struct {
	slices []census.Slice
	done   []bool // slices
	kept   []bool // slices that were done before, without pieces here
	left   []int  // by slice: prefixes that are not done
	free   spans
	pieces []*piece
	outs   map[span]*piece   // those that are out
	byID   map[string]*piece // under every ID that a piece was issued

	finished int // pieces of which something counts
	last     int // prefixes from here on do not matter
	found    core.Placement
}

// A piece is a range that was issued.
type piece struct {
	span
	slice       int
	issues      []string
	state       pieceState
	nodes       int64 // when done
	sum         uint64
	worker      string // on whose word it counts, by key; "" where it was repeated here
	since       time.Time
	quarantined bool // while out: it has cost too many workers
	checking    bool // while out: its result waits to be walked again
	refusals    int  // by workers
}

type pieceState int

const (
	out    pieceState = iota
	closed            // done, or not wanted any more
)

// newBoard returns the board of slices of which some are done.
func newBoard(cut []census.Slice, done []bool) *board {
	b := &board{slices: cut, done: done, kept: slices.Clone(done), left: make([]int, len(cut)), outs: map[span]*piece{}, byID: map[string]*piece{}}
	for i, s := range cut {
		b.last = s.From() + s.Prefixes
		if !done[i] {
			b.reopen(i)
		}
	}
	return b
}

// reopen frees all prefixes of a slice that has no pieces.
func (b *board) reopen(slice int) {
	s := &b.slices[slice]
	s.Nodes, s.Sum, s.OnWord = 0, 0, false
	b.left[slice], b.done[slice], b.kept[slice] = s.Prefixes, false, false
	b.free.put(span{s.From(), s.Prefixes})
}

// next takes up to count free prefixes of one slice; none if the range is empty.
func (b *board) next(count int) span { return b.free.take(count) }

// issue notes that a range is out in the unit of an ID. It reports false, and
// changes nothing, if the range is neither free, just taken by next, nor a piece
// that is out.
func (b *board) issue(id string, s span, taken bool, now time.Time) bool {
	if p := b.outs[s]; p != nil {
		p.issues = append(p.issues, id)
		p.since, p.quarantined = now, false
		b.byID[id] = p
		return true
	}
	slice := b.sliceOf(s)
	if slice < 0 || !taken && !b.free.remove(s) {
		return false
	}
	p := &piece{span: s, slice: slice, issues: []string{id}, since: now}
	b.pieces = append(b.pieces, p)
	b.outs[s], b.byID[id] = p, p
	return true
}

// sliceOf returns the slice in which a range lies, -1 if there is none.
func (b *board) sliceOf(s span) int {
	if s.from < 0 || s.count < 1 || s.count > maxPrefixes || s.from > maxPrefixes {
		return -1
	}
	i := sort.Search(len(b.slices), func(i int) bool { return b.slices[i].From() > s.from }) - 1
	if i < 0 || s.end() > b.slices[i].From()+b.slices[i].Prefixes {
		return -1
	}
	return i
}

// A refusal is why a result does not count.
type refusal string

func (r refusal) Error() string { return string(r) }

// The refusals of a board.
const (
	unknownUnit = refusal("the unit is not known")
	duplicate   = refusal("the unit is done")
	untrusted   = refusal("its worker is not trusted any more")
)

// open returns the piece of a unit that is out.
func (b *board) open(id string) (*piece, error) {
	p := b.byID[id]
	switch {
	case p == nil:
		return nil, unknownUnit
	case p.state != out:
		return nil, duplicate
	}
	return p, nil
}

// fits reports whether a result can be one of a piece.
func (p *piece) fits(r Result) error {
	switch {
	case r.Done > p.count || len(r.Found) > 0 && r.Done == p.count:
		return refusal(fmt.Sprintf("it claims %d prefixes of %d", r.Done, p.count))
	case r.Done == 0 && r.Nodes > 0:
		return refusal("it claims nodes without prefixes")
	}
	return nil
}

// finish closes a piece with the counts of its first prefixes; the others are free
// again. It returns the slice that is complete now, -1 if there is none.
func (b *board) finish(p *piece, done int, nodes int64, sum uint64, worker string) int {
	delete(b.outs, p.span)
	rest := span{p.from + done, p.count - done}
	p.state, p.count, p.nodes, p.sum, p.worker = closed, done, nodes, sum, worker
	b.free.put(rest)
	b.free.before(b.last)
	if done > 0 {
		b.finished++
	}
	s := &b.slices[p.slice]
	s.Nodes += nodes
	s.Sum += sum
	s.OnWord = s.OnWord || worker != "" && done > 0
	b.left[p.slice] -= done
	if b.left[p.slice] > 0 || done == 0 {
		return -1
	}
	b.done[p.slice] = true
	return p.slice
}

// find notes a placement at a prefix and reports whether it is the first so far.
// What comes after it is not wanted any more.
func (b *board) find(prefix int, s core.Placement) bool {
	if prefix >= b.last {
		return false
	}
	b.last, b.found = prefix, s
	b.free.before(prefix)
	for at, p := range b.outs {
		if p.from >= prefix {
			delete(b.outs, at)
			p.state, p.count = closed, 0
		}
	}
	return true
}

// void takes back everything that counts on the word of workers. It returns how many
// pieces that are, and the slices that are not complete any more.
func (b *board) void() (pieces int, reopened []int) {
	for i := range b.slices {
		if b.kept[i] && b.slices[i].OnWord {
			b.reopen(i)
			reopened = append(reopened, i)
		}
	}
	for _, p := range b.pieces {
		if p.state != closed || p.worker == "" || p.count == 0 {
			continue
		}
		pieces++
		b.finished--
		s := &b.slices[p.slice]
		s.Nodes -= p.nodes
		s.Sum -= p.sum
		s.OnWord = false // of all pieces
		b.left[p.slice] += p.count
		if b.done[p.slice] {
			b.done[p.slice] = false
			reopened = append(reopened, p.slice)
		}
		b.free.put(p.span)
		p.count, p.worker = 0, ""
	}
	b.free.before(b.last)
	return pieces, reopened
}

// A count says how many pieces of a board are where, and how many prefixes.
type count struct {
	out, quarantined, done int
	checking               int // of those that are out
	prefixesLeft           int
}

// count counts what still matters.
func (b *board) count() (c count) {
	for _, s := range b.free {
		c.prefixesLeft += s.count
	}
	for _, p := range b.outs {
		c.prefixesLeft += p.count
		if c.out++; p.quarantined {
			c.quarantined++
		}
		if p.checking {
			c.checking++
		}
	}
	c.out -= c.quarantined
	c.done = b.finished
	return c
}

// over reports whether nothing is left that could be waited for.
func (b *board) over() bool {
	c := b.count()
	return len(b.free) == 0 && c.out == 0
}

// outstanding returns the pieces that are out, in order.
func (b *board) outstanding() []*piece {
	return slices.SortedFunc(maps.Values(b.outs), func(x, y *piece) int { return cmp.Compare(x.from, y.from) })
}

// answer returns what the board says in the words of a census.
func (b *board) answer() census.Answer {
	a := census.Answer{Slices: b.slices, Found: b.found, Complete: b.found.Size() == 0}
	for i := range b.slices {
		if a.Complete = a.Complete && b.done[i]; b.done[i] {
			a.Nodes += b.slices[i].Nodes
		}
	}
	return a
}
