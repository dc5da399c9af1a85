package cluster

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sort"
	"time"

	"leeway/core"
	"leeway/objective"
	"leeway/search/census"
	"leeway/search/cluster/message"
)

// A progress says of every prefix of a tree where it is: free, out in a batch, or done. It is used by
// one goroutine, knows no queue, and never waits.
type progress struct {
	slices   []census.Slice
	done     []bool // slices
	kept     []bool // slices that were done before, without batches here
	left     []int  // by slice: prefixes that are not done
	free     spans
	batches  []*batch
	out      map[span]*batch   // those that are handed out
	byID     map[string]*batch // under the ID of every unit of a batch
	finished int               // batches of which something counts
	last     int               // prefixes from here on do not matter
	found    core.Placement
}

// A batch is a range of prefixes that was handed out, in one unit after the other until one is done.
type batch struct {
	span
	lease
	slice  int
	ids    []string // of its units
	closed bool     // done, or not wanted any more
	nodes  int64    // when done
	sum    uint64
	worker string // on whose word it counts, by key; "" where it was walked here
}

// newProgress returns the progress of slices of which some are done.
func newProgress(cut []census.Slice, done []bool) *progress {
	p := &progress{slices: cut, done: done, kept: slices.Clone(done), left: make([]int, len(cut)),
		out: map[span]*batch{}, byID: map[string]*batch{}}
	for i, s := range cut {
		p.last = s.From() + s.Prefixes
		if !done[i] {
			p.reopen(i)
		}
	}
	return p
}

// reopen frees all prefixes of a slice that has no batches.
func (p *progress) reopen(slice int) {
	s := &p.slices[slice]
	s.Nodes, s.Sum, s.OnWord = 0, 0, false
	p.left[slice], p.done[slice], p.kept[slice] = s.Prefixes, false, false
	p.free.put(span{s.From(), s.Prefixes})
}

// next takes up to count free prefixes of one slice. The range is empty if none is free.
func (p *progress) next(count int) span { return p.free.take(count) }

// issue notes that a range was handed out, in the unit of an ID. It reports false, and changes nothing,
// unless the range is free, was just taken by next, or is a batch that is out.
func (p *progress) issue(id string, s span, taken bool, now time.Time) bool {
	if b := p.out[s]; b != nil {
		b.ids = append(b.ids, id)
		b.renew(now)
		p.byID[id] = b
		return true
	}
	slice := p.sliceOf(s)
	if slice < 0 || !taken && !p.free.remove(s) {
		return false
	}
	b := &batch{span: s, slice: slice, ids: []string{id}}
	b.renew(now)
	p.batches = append(p.batches, b)
	p.out[s], p.byID[id] = b, b
	return true
}

// sliceOf returns the slice in which a range lies, -1 if there is none.
func (p *progress) sliceOf(s span) int {
	if s.from < 0 || s.count < 1 || s.count > message.MaxPrefixes || s.from > message.MaxPrefixes {
		return -1
	}
	i := sort.Search(len(p.slices), func(i int) bool { return p.slices[i].From() > s.from }) - 1
	if i < 0 || s.end() > p.slices[i].From()+p.slices[i].Prefixes {
		return -1
	}
	return i
}

// open returns the batch of a unit. It fails unless the batch is out.
func (p *progress) open(id string) (*batch, error) {
	b := p.byID[id]
	switch {
	case b == nil:
		return nil, errUnknownUnit
	case b.closed:
		return nil, errDuplicate
	}
	return b, nil
}

// fits returns an error unless a report can be one of the batch.
func (b *batch) fits(r message.Report) error {
	switch {
	case r.Done > b.count || len(r.Found) > 0 && r.Done == b.count:
		return fmt.Errorf("it claims %d prefixes of %d", r.Done, b.count)
	case r.Done == 0 && r.Nodes > 0:
		return errors.New("it claims nodes without prefixes")
	}
	return nil
}

// finish closes a batch with the counts of its first prefixes and frees the others. It returns the slice
// that is complete now, -1 if there is none.
func (p *progress) finish(b *batch, done int, nodes int64, sum uint64, worker string) int {
	delete(p.out, b.span)
	rest := span{b.from + done, b.count - done}
	b.closed, b.count, b.nodes, b.sum, b.worker = true, done, nodes, sum, worker
	p.free.put(rest)
	p.free.before(p.last)
	if done > 0 {
		p.finished++
	}
	s := &p.slices[b.slice]
	s.Nodes += nodes
	s.Sum += sum
	s.OnWord = s.OnWord || worker != "" && done > 0
	p.left[b.slice] -= done
	if p.left[b.slice] > 0 || done == 0 {
		return -1
	}
	p.done[b.slice] = true
	return b.slice
}

// find notes a placement at a prefix, if it is the first so far. What comes after it is not wanted any more.
func (p *progress) find(prefix int, s core.Placement) {
	if prefix >= p.last {
		return
	}
	p.last, p.found = prefix, s
	p.free.before(prefix)
	for at, b := range p.out {
		if b.from >= prefix {
			delete(p.out, at)
			b.closed, b.count = true, 0
		}
	}
}

// void takes back everything that counts on the word of workers. It returns how many batches that is,
// and the slices that are not complete any more.
func (p *progress) void() (batches int, reopened []int) {
	for i := range p.slices {
		if p.kept[i] && p.slices[i].OnWord {
			p.reopen(i)
			reopened = append(reopened, i)
		}
	}
	for _, b := range p.batches {
		if !b.closed || b.worker == "" || b.count == 0 {
			continue
		}
		batches++
		p.finished--
		s := &p.slices[b.slice]
		s.Nodes -= b.nodes
		s.Sum -= b.sum
		s.OnWord = false // of all batches
		p.left[b.slice] += b.count
		if p.done[b.slice] {
			p.done[b.slice] = false
			reopened = append(reopened, b.slice)
		}
		p.free.put(b.span)
		b.count, b.worker = 0, ""
	}
	p.free.before(p.last)
	return batches, reopened
}

// A count says how many batches are where, and how many prefixes are left.
type count struct {
	out, quarantined, done int
	confirming             int // of those that are out
	prefixesLeft           int
}

// count counts what still matters.
func (p *progress) count() (c count) {
	for _, s := range p.free {
		c.prefixesLeft += s.count
	}
	for _, b := range p.out {
		c.prefixesLeft += b.count
		if c.out++; b.quarantined {
			c.quarantined++
		}
		if b.confirming {
			c.confirming++
		}
	}
	c.out -= c.quarantined
	c.done = p.finished
	return c
}

// over reports whether nothing is left to wait for.
func (p *progress) over() bool {
	c := p.count()
	return len(p.free) == 0 && c.out == 0
}

// outstanding returns the batches that are out, in order.
func (p *progress) outstanding() []*batch {
	return slices.SortedFunc(maps.Values(p.out), func(x, y *batch) int { return cmp.Compare(x.from, y.from) })
}

// answer returns what is done as the answer of a census.
func (p *progress) answer() census.Answer {
	a := census.Answer{Slices: p.slices, Found: p.found, Complete: p.found.Size() == 0}
	for i := range p.slices {
		if a.Complete = a.Complete && p.done[i]; p.done[i] {
			a.Nodes += p.slices[i].Nodes
		}
	}
	return a
}

// replay repeats what the ledger says. It returns the reports that wait to be walked again, by the ID of their unit.
func (p *progress) replay(entries []message.Entry, problem objective.Problem,
	now time.Time) map[string]message.Report {
	claims := map[string]message.Report{}
	for _, e := range entries {
		switch {
		case e.Issue != nil && e.Issue.Census != nil:
			p.issue(e.Issue.ID(), span{e.Issue.Census.From, e.Issue.Census.Count}, false, now)
		case e.Claim != nil:
			if b, err := p.open(e.Claim.Unit); err == nil && b.fits(*e.Claim) == nil {
				claims[e.Claim.Unit] = *e.Claim
			}
		case e.Accept != nil:
			if b, err := p.open(e.Accept.Unit); err == nil && b.fits(*e.Accept) == nil {
				p.settle(b, *e.Accept, e.OnWord, problem)
			}
		case e.Void != "":
			p.void()
		}
	}
	for _, b := range p.outstanding() {
		b.since = now
	}
	return claims
}

// settle takes in a report that was accepted. It returns the slice that is complete now, -1 if there is none.
func (p *progress) settle(b *batch, r message.Report, onWord bool, problem objective.Problem) int {
	if r.Deaths > 0 {
		b.quarantined = true
		return -1
	}
	var found core.Placement
	if len(r.Found) > 0 {
		var err error
		if found, err = message.Placement(problem, r.Found); err != nil {
			return -1 // still out
		}
	}
	worker := ""
	if onWord {
		worker = r.Key
	}
	slice := p.finish(b, r.Done, r.Nodes, r.NodeSum(), worker)
	if found.Size() > 0 {
		p.find(b.from+r.Done, found)
	}
	return slice
}

// A span is a range of prefixes of a tree.
type span struct{ from, count int }

func (s span) end() int { return s.from + s.count }

// spans are disjoint ranges in order. Ranges that touch stay apart: they may belong to different slices.
type spans []span

// put adds a range that is disjoint from the others.
func (l *spans) put(s span) {
	if s.count == 0 {
		return
	}
	at, _ := slices.BinarySearchFunc(*l, s, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	*l = slices.Insert(*l, at, s)
}

// take removes up to count prefixes from the front of the first range. The range returned is empty if there is none.
func (l *spans) take(count int) span {
	if len(*l) == 0 {
		return span{}
	}
	first := &(*l)[0]
	s := span{first.from, min(count, first.count)}
	if first.from, first.count = s.end(), first.count-s.count; first.count == 0 {
		*l = (*l)[1:]
	}
	return s
}

// remove takes a range out and reports whether all of it was there, in one range.
func (l *spans) remove(s span) bool {
	for i, have := range *l {
		if have.from <= s.from && s.end() <= have.end() {
			rest := slices.DeleteFunc([]span{{have.from, s.from - have.from}, {s.end(), have.end() - s.end()}},
				func(s span) bool { return s.count == 0 })
			*l = slices.Replace(*l, i, i+1, rest...)
			return true
		}
	}
	return false
}

// before drops everything from a prefix on.
func (l *spans) before(last int) {
	for i := range *l {
		s := &(*l)[i]
		s.count = min(s.count, max(0, last-s.from))
	}
	*l = slices.DeleteFunc(*l, func(s span) bool { return s.count == 0 })
}
