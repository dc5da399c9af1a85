package elaborate

import (
	"fmt"
	"math"
	"slices"
)

// A literal is 2v for variable v and 2v+1 for its negation.
type literal int32

func toLiteral(l int) literal {
	if l < 0 {
		return literal(-2*l + 1)
	}
	return literal(2 * l)
}

func (l literal) not() literal  { return l ^ 1 }
func (l literal) variable() int { return int(l >> 1) }

// number returns the literal as DIMACS has it.
func (l literal) number() int {
	if l&1 != 0 {
		return -l.variable()
	}
	return l.variable()
}

// propagator holds clauses and follows those that become unit, by two watched literals per clause (M. Moskewicz and
// others, Chaff, DAC 2001), which stand first in it. Clauses that are needed have watches of their own, which come
// first.
//
// The trail is a stack. What a step adds to it is taken back in one piece, so that watches stay right: a literal that
// is watched fails only where the clause holds by one that was assigned no later, or in the same step.
type propagator struct {
	vars   int
	memory int64 // bytes that clauses may take
	arena  []literal
	starts []int64 // by clause: where its literals start; they end where the next one's start
	core   []bool  // by clause: it is needed
	dead   []bool  // by clause: not there at the step at hand
	marks  []int32 // by literal, for distinct
	round  int32
	buffer []literal

	value    []int8       // by literal: 1 holds, -1 fails, 0 open
	reason   []int32      // by variable on the trail: the clause from which it follows, -1 if it was assumed
	place    []int32      // by variable on the trail: where
	unit     []int32      // by literal: a clause of it alone that is there, -1 if there is none
	watches  [2][][]watch // of clauses that are needed, and of others: by literal, those to look at when it fails
	trail    []literal    // what holds, in the sequence in which it was found
	conflict int32        // clause that fails by those there alone, -1 if there is none
	heads    [2]int       // how much of the trail was followed in each of the watches
	at       int          // place in the list of others that is gone through
}

// A watch is a clause with a literal of it: if that holds, the clause needs no look.
type watch struct {
	clause  int32
	blocker literal
}

// The two kinds of watches.
const (
	needed = iota
	others
)

// What the clauses may take: less than 2^31 of them fit.
const (
	maxMemory   = 8 << 30
	clauseBytes = 128 // beside its literals: place, watches, key, step, hints
)

func newPropagator(vars int) *propagator {
	p := &propagator{vars: vars, memory: maxMemory, starts: []int64{0}, conflict: -1,
		value: make([]int8, 2*vars+2), marks: make([]int32, 2*vars+2), unit: make([]int32, 2*vars+2),
		reason: make([]int32, vars+1), place: make([]int32, vars+1),
		watches: [2][][]watch{make([][]watch, 2*vars+2), make([][]watch, 2*vars+2)}}
	for l := range p.unit {
		p.unit[l] = -1
	}
	return p
}

func (p *propagator) literals(c int32) []literal { return p.arena[p.starts[c]:p.starts[c+1]] }

// distinct returns the literals of a clause without repeats, valid until the next call.
func (p *propagator) distinct(list []int) ([]literal, error) {
	if p.round++; p.round < 0 { // all rounds are used up
		clear(p.marks)
		p.round = 1
	}
	p.buffer = p.buffer[:0]
	for _, x := range list {
		if v := max(x, -x); v > p.vars {
			return nil, fmt.Errorf("variable %d is not one of the %d of the formula", v, p.vars)
		}
		if l := toLiteral(x); p.marks[l] != p.round {
			p.marks[l] = p.round
			p.buffer = append(p.buffer, l)
		}
	}
	return p.buffer, nil
}

// take stores a clause and returns its number.
func (p *propagator) take(list []int) (int32, error) {
	literals, err := p.distinct(list)
	if err != nil {
		return 0, err
	}
	if int64(len(p.arena)+len(literals))*4+int64(len(p.starts))*clauseBytes > p.memory {
		return 0, fmt.Errorf("formula and proof up to here take more than %d MiB of memory", p.memory>>20)
	}
	p.arena = append(p.arena, literals...)
	p.starts = append(p.starts, int64(len(p.arena)))
	p.core, p.dead = append(p.core, false), append(p.dead, false)
	return int32(len(p.starts) - 2), nil
}

// insert watches a clause and follows what it brings.
func (p *propagator) insert(c int32) {
	list := p.literals(c)
	if p.conflict >= 0 {
		return
	}
	for i := range min(2, len(list)) { // first what is open, then what was assigned last
		for j := i + 1; j < len(list); j++ {
			if p.age(list[j]) > p.age(list[i]) {
				list[i], list[j] = list[j], list[i]
			}
		}
	}
	if len(list) > 1 {
		p.watch(c)
	}
	switch {
	case len(list) == 0, p.value[list[0]] < 0 && !slices.ContainsFunc(list, p.holds):
		p.conflict = c
		return
	case len(list) == 1 && p.unit[list[0]] < 0:
		p.unit[list[0]] = c
	}
	if p.value[list[0]] == 0 && (len(list) == 1 || p.value[list[1]] < 0 && !slices.ContainsFunc(list[1:], p.holds)) {
		p.assign(list[0], c)
		p.conflict = p.propagate()
	}
}

func (p *propagator) holds(l literal) bool { return p.value[l] > 0 }

// age returns the place of a literal on the trail, above all if it is open.
func (p *propagator) age(l literal) int32 {
	if p.value[l] == 0 {
		return math.MaxInt32
	}
	return p.place[l.variable()]
}

// watch puts a clause of at least two literals on the lists of its first two.
func (p *propagator) watch(c int32) {
	list, watches := p.literals(c), p.watches[others]
	if p.core[c] {
		watches = p.watches[needed]
	}
	watches[list[0]] = append(watches[list[0]], watch{c, list[1]})
	watches[list[1]] = append(watches[list[1]], watch{c, list[0]})
}

// kill takes a clause away; its watches go when they are met.
func (p *propagator) kill(c int32) { p.dead[c] = true }

// revive puts it back where the trail is what it was when it went.
func (p *propagator) revive(c int32) {
	p.dead[c] = false
	p.watch(c)
}

// forget is for a clause that was just taken away, with what followed from it.
func (p *propagator) forget(c int32) {
	if list := p.literals(c); len(list) == 1 && p.unit[list[0]] == c {
		p.unit[list[0]] = -1
	}
}

// require makes a clause a needed one.
func (p *propagator) require(c int32) {
	if p.core[c] = true; p.starts[c+1]-p.starts[c] > 1 {
		p.watch(c)
	}
}

func (p *propagator) assign(l literal, reason int32) {
	p.value[l], p.value[l.not()] = 1, -1
	p.reason[l.variable()], p.place[l.variable()] = reason, int32(len(p.trail))
	p.trail = append(p.trail, l)
}

// reasonOf returns the clause from which a literal of the trail follows, one of it alone if there is one.
func (p *propagator) reasonOf(l literal) int32 {
	if p.unit[l] >= 0 {
		return p.unit[l]
	}
	return p.reason[l.variable()]
}

// isReason reports whether a literal of the trail follows from the clause.
func (p *propagator) isReason(c int32) bool {
	follows := func(l literal) bool { return p.value[l] > 0 && p.reason[l.variable()] == c }
	return slices.ContainsFunc(p.literals(c), follows)
}

// undo takes the trail back to a height, below which all was followed.
func (p *propagator) undo(height int) {
	if len(p.trail) <= height {
		return
	}
	for _, l := range p.trail[height:] {
		p.value[l], p.value[l.not()] = 0, 0
	}
	p.trail = p.trail[:height]
	p.heads, p.at = [2]int{height, height}, 0
}

// propagate follows the rest of the trail and returns the clause that fails, -1 if none does. Whenever a clause that is
// not needed brings something, all that are needed come first again.
func (p *propagator) propagate() int32 {
	for {
		for p.heads[needed] < len(p.trail) {
			falsified := p.trail[p.heads[needed]].not()
			p.heads[needed]++
			for i := 0; i < len(p.watches[needed][falsified]); {
				stays, conflict := p.look(needed, falsified, i)
				if conflict >= 0 {
					return conflict
				}
				if stays {
					i++
				}
			}
		}
		if p.heads[others] == len(p.trail) {
			return -1
		}
		falsified := p.trail[p.heads[others]].not()
		for p.heads[needed] == len(p.trail) && p.at < len(p.watches[others][falsified]) {
			stays, conflict := p.look(others, falsified, p.at)
			if conflict >= 0 {
				return conflict
			}
			if stays {
				p.at++
			}
		}
		if p.at == len(p.watches[others][falsified]) {
			p.heads[others]++
			p.at = 0
		}
	}
}

// look looks at a clause that watches a literal which fails now, and returns it if it fails, otherwise -1. It says
// whether its watch stays in the list; if not, the last of the list is in its place.
func (p *propagator) look(kind int, falsified literal, i int) (stays bool, conflict int32) {
	watches := p.watches[kind]
	w := &watches[falsified][i]
	if p.value[w.blocker] > 0 {
		return true, -1
	}
	c := w.clause
	list := p.arena[p.starts[c]:p.starts[c+1]]
	// Watches of clauses that are gone, became needed, or have others since they came back, are left over.
	if !p.dead[c] && p.core[c] == (kind == needed) && (list[0] == falsified || list[1] == falsified) {
		if list[0] == falsified {
			list[0], list[1] = list[1], falsified
		}
		other := list[0]
		if p.value[other] > 0 {
			w.blocker = other
			return true, -1
		}
		next := 2
		for next < len(list) && p.value[list[next]] < 0 {
			next++
		}
		switch {
		case next < len(list):
			l := list[next]
			list[1], list[next] = l, falsified
			watches[l] = append(watches[l], watch{c, other})
		case p.value[other] < 0:
			return true, c
		default:
			p.assign(other, c)
			w.blocker = other
			return true, -1
		}
	}
	last := len(watches[falsified]) - 1
	watches[falsified][i] = watches[falsified][last]
	watches[falsified] = watches[falsified][:last]
	return false, -1
}
