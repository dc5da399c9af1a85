package sat

import (
	"fmt"

	"leeway/results/check/meter"
)

// rupChecker checks proofs in the text form of DRAT (N. Wetzler and others, DRAT-trim, SAT 2014): lines of literals
// that end with 0, "d" before those that delete a clause. Every added clause must follow from those held by unit
// propagation (RUP). Steps that only preserve satisfiability (RAT) are refused: the solvers in use here hardly make
// any, and without them every clause held follows from the formula.
//
// A deletion must name a clause that is held. Others ignore one that does not; here it tells that the proof belongs to
// another formula. Steps are checked as they come and not kept: memory is that of the clauses held at a time.
type rupChecker struct {
	meter   *meter.Meter
	clauses *propagator
	clause
}

func newRUPChecker(m *meter.Meter, vars int) *rupChecker {
	c := newClause(vars)
	return &rupChecker{meter: m, clauses: newPropagator(m, vars, c.marks), clause: c}
}

// Add implements cnf.Sink: it takes a clause of the formula.
func (c *rupChecker) Add(list []int) error {
	if problem := c.set(list); problem != "" {
		return fmt.Errorf("the formula: %s", problem)
	}
	c.clauses.insert(c.literals)
	return nil
}

func (c *rupChecker) read(s *proofScanner, first token, into *step) (err error) {
	if into.deletes = first.kind == deleteToken; !into.deletes {
		if first.number == 0 {
			return nil
		}
		into.list = append(into.list, first.number)
	}
	into.list, err = s.list(into.list)
	return err
}

func (c *rupChecker) take(s *step) string {
	if problem := c.set(s.list); problem != "" {
		return problem
	}
	switch {
	case s.deletes && !c.clauses.remove(c.literals):
		return fmt.Sprintf("the clause %s to delete is not there", spelt(c.literals))
	case s.deletes:
		return ""
	case !c.clauses.follows(c.literals):
		return fmt.Sprintf("the clause %s does not follow by unit propagation (RAT steps are not accepted)",
			spelt(c.literals))
	}
	c.meter.Charge(clauseSteps + literalSteps*int64(len(c.literals)))
	c.clauses.insert(c.literals)
	return ""
}

// propagator follows unit clauses by two watched literals per clause (M. Moskewicz and others, Chaff, DAC 2001) with a
// literal of the clause beside each watch, which spares most looks at clauses.
//
// What follows from the clauses alone is kept for good, also when a clause that it came from is deleted. This is sound:
// every clause that is ever held follows from the formula, so what they imply does too.
type propagator struct {
	clauseStore
	value   []int8    // by literal: 1 holds, -1 fails, 0 open
	watches [][]watch // by literal: the clauses to look at when it fails
	trail   []literal // what holds, in the sequence in which it was found
	head    int       // how much of the trail has been followed
	refuted bool      // the clauses alone lead to a contradiction
	meter   *meter.Meter
}

// A watch is a clause with a literal of it: if that holds, the clause needs no look.
type watch struct {
	clause  int32
	blocker literal
}

func newPropagator(m *meter.Meter, vars int, marks *literalSet) *propagator {
	return &propagator{meter: m, clauseStore: newClauseStore(marks), value: make([]int8, 2*vars+2),
		watches: make([][]watch, 2*vars+2)}
}

// insert adds a clause and follows what it brings.
func (p *propagator) insert(literals []literal) {
	c := p.add(literals)
	list := p.literals(c)
	open := 0
	for i, l := range list {
		if p.value[l] > 0 {
			return // it holds for good
		}
		if p.value[l] == 0 {
			list[i], list[open] = list[open], l
			open++
		}
	}
	switch {
	case p.refuted:
	case open == 0:
		p.refuted = true
	case open == 1:
		p.assign(list[0])
		p.refuted = !p.propagate()
	default:
		p.watch(c, list[0], list[1])
		p.watch(c, list[1], list[0])
	}
}

func (p *propagator) watch(c int32, l, blocker literal) {
	p.watches[l] = append(p.watches[l], watch{c, blocker})
}

func (p *propagator) assign(l literal) {
	p.value[l], p.value[l.not()] = 1, -1
	p.trail = append(p.trail, l)
}

// follows reports whether a clause follows by unit propagation: whether its negation leads to a contradiction.
func (p *propagator) follows(literals []literal) bool {
	if p.refuted {
		return true
	}
	mark, contradiction := len(p.trail), false
	for _, l := range literals {
		if p.value[l] > 0 {
			contradiction = true
			break
		}
		if p.value[l] == 0 {
			p.assign(l.not())
		}
	}
	contradiction = contradiction || !p.propagate()
	for _, l := range p.trail[mark:] {
		p.value[l], p.value[l.not()] = 0, 0
	}
	p.trail, p.head = p.trail[:mark], mark
	return contradiction
}

// propagate follows the rest of the trail; false means a contradiction.
func (p *propagator) propagate() bool {
	for p.head < len(p.trail) {
		falsified := p.trail[p.head].not()
		p.head++
		if !p.visit(falsified) {
			return false
		}
	}
	return true
}

// visit looks at the clauses that watch a literal which fails now.
func (p *propagator) visit(falsified literal) bool {
	list := p.watches[falsified]
	p.meter.Charge(int64(1 + len(list)))
	kept := 0
	for i := 0; i < len(list); i++ {
		w := list[i]
		if p.value[w.blocker] > 0 {
			list[kept] = w
			kept++
			continue
		}
		other, moved := p.move(w.clause, falsified)
		if moved {
			continue
		}
		list[kept] = watch{w.clause, other}
		kept++
		switch p.value[other] {
		case 0:
			p.assign(other)
		case -1:
			kept += copy(list[kept:], list[i+1:])
			p.watches[falsified] = list[:kept]
			return false
		}
	}
	p.watches[falsified] = list[:kept]
	return true
}

// move lets a clause watch another literal in place of one that fails. If it cannot, or need not, it returns the other
// watched literal. A deleted clause moves away.
func (p *propagator) move(c int32, falsified literal) (other literal, moved bool) {
	list := p.literals(c)
	if len(list) == 0 {
		return 0, true
	}
	if list[0] == falsified {
		list[0], list[1] = list[1], falsified
	}
	other = list[0]
	if p.value[other] > 0 {
		return other, false
	}
	for k := 2; k < len(list); k++ {
		p.meter.Charge(1)
		if l := list[k]; p.value[l] >= 0 {
			list[1], list[k] = l, falsified
			p.watch(c, l, other)
			return 0, true
		}
	}
	return other, false
}

// clauseStore holds clauses of distinct literals, each under a number counting from 0, and finds them by their content.
type clauseStore struct {
	arena []literal
	spans []span           // by clause; the length of a deleted one is 0
	waste int              // literals of the arena that belong to no clause
	heads map[uint64]int32 // by key: the clause added last with it
	next  []int32          // by clause: the one before with the same key, -1 at the end
	marks *literalSet
}

// A span is where the literals of a clause stand in the arena.
type span struct{ start, size int32 }

func newClauseStore(marks *literalSet) clauseStore {
	return clauseStore{heads: map[uint64]int32{}, marks: marks}
}

// key returns a number that does not depend on the sequence of the literals.
func key(literals []literal) uint64 {
	sum := uint64(len(literals))
	for _, l := range literals {
		x := (uint64(l) + 1) * 0x9e3779b97f4a7c15
		x ^= x >> 29
		sum += x * 0xbf58476d1ce4e5b9
	}
	return sum
}

// add stores a clause and returns its number.
func (s *clauseStore) add(literals []literal) int32 {
	if s.waste > 1<<20 && s.waste > len(s.arena)/2 {
		s.compact()
	}
	c := int32(len(s.spans))
	s.spans = append(s.spans, span{start: int32(len(s.arena)), size: int32(len(literals))})
	s.arena = append(s.arena, literals...)
	k := key(literals)
	last, ok := s.heads[k]
	if !ok {
		last = -1
	}
	s.next = append(s.next, last)
	s.heads[k] = c
	return c
}

// literals returns those of a clause, none if it was deleted. Their sequence may be changed.
func (s *clauseStore) literals(c int32) []literal {
	at := s.spans[c]
	return s.arena[at.start : at.start+at.size]
}

// remove deletes one clause with exactly these literals and reports whether there was one.
func (s *clauseStore) remove(literals []literal) bool {
	s.marks.reset()
	for _, l := range literals {
		s.marks.add(l)
	}
	k := key(literals)
	before, c := int32(-1), int32(-1)
	if head, ok := s.heads[k]; ok {
		c = head
	}
	for c >= 0 && !s.marked(c, len(literals)) {
		before, c = c, s.next[c]
	}
	switch {
	case c < 0:
		return false
	case before >= 0:
		s.next[before] = s.next[c]
	case s.next[c] >= 0:
		s.heads[k] = s.next[c]
	default:
		delete(s.heads, k)
	}
	s.waste += int(s.spans[c].size)
	s.spans[c].size = 0
	return true
}

// marked reports whether a clause has the given size and only marked literals.
func (s *clauseStore) marked(c int32, size int) bool {
	literals := s.literals(c)
	for _, l := range literals {
		if !s.marks.has(l) {
			return false
		}
	}
	return len(literals) == size
}

// compact moves the clauses together.
func (s *clauseStore) compact() {
	arena := make([]literal, 0, len(s.arena)-s.waste)
	for c := range s.spans {
		literals := s.literals(int32(c))
		s.spans[c].start = int32(len(arena))
		arena = append(arena, literals...)
	}
	s.arena, s.waste = arena, 0
}
