package sat

import (
	"leeway/results/check/meter"
)

// propagator follows unit clauses by two watched literals per clause (M.
// Moskewicz and others, Chaff, DAC 2001) with a literal of the clause beside
// each watch, which spares most looks at clauses.
//
// What follows from the clauses alone is kept for good, also when a clause that
// it came from is deleted. This is sound: every clause that is ever held follows
// from the formula, so what they imply does too.
type propagator struct {
	clauseStore
	value   []int8    // by literal: 1 holds, -1 fails, 0 open
	watches [][]watch // by literal: the clauses to look at when it fails
	trail   []literal // what holds, in the sequence in which it was found
	head    int       // how much of the trail has been followed
	refuted bool      // the clauses alone lead to a contradiction
	meter   *meter.Meter
}

// A watch is a clause with a literal of it: if that holds, the clause needs no
// look.
type watch struct {
	clause  int32
	blocker literal
}

func newPropagator(m *meter.Meter, vars int, marks *literalSet) *propagator {
	return &propagator{meter: m, clauseStore: newClauseStore(marks), value: make([]int8, 2*vars+2), watches: make([][]watch, 2*vars+2)}
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

// follows reports whether a clause follows by unit propagation: whether its
// negation leads to a contradiction.
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

// move lets a clause watch another literal in place of one that fails. If it
// cannot, or need not, it returns the other watched literal. A deleted clause
// moves away.
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
