package learn

import (
	"context"
	"fmt"
	"slices"

	"leeway/core/parallel"
	"leeway/search/heap"
)

// A bound is one side of the count of a set: 2s stands for the count of set s, 2s+1 for its negative. That a bound is
// at least a number says that the set counts at least, or at most, some number.
type bound int32

// other is the other side of the same set.
func (v bound) other() bound { return v ^ 1 }

// A literal says that a bound is at least a number.
type literal struct {
	of bound
	at int32
}

// not says the contrary.
func (l literal) not() literal { return literal{l.of.other(), 1 - l.at} }

// A reason is why a bound was raised: a row, a clause or a form by its number, or a decision.
type reason struct {
	kind   kind
	number int32
}

type kind uint8

const (
	decision kind = iota
	byRow
	byClause
	byForm
)

// A change is one raise of a bound.
type change struct {
	of       bound
	from, to int32
	before   int32 // the change of the same bound before, -1: none
	level    int32
	why      reason
}

// A row says that the sum of bounds, each times a number above 0, is at most a limit.
type row struct {
	terms  []term
	most   int64
	widest int64 // of the bounds but the first: the most that is open at first, times the number
}

type term struct {
	of    int32
	times int64
}

// A clause says that not all of its literals are true. The first two are watched.
type clause struct {
	literals []literal
	spread   int // the levels of its literals when it was learned
	out      bool
	proof    *lemma
}

// A solver looks for counts of sets that keep to rows, clauses and forms, and learns a clause from each conflict:
// search with lazy clauses (Ohrimenko, Stuckey and Codish, Propagation via lazy clause generation, 2009) over bounds.
type solver struct {
	at, root []int32 // by bound: its value, and what rows alone give
	zero     []int32 // by bound: what the first level has
	view     []int32 // by bound: what is taken to be known while a clause is shortened
	last     []int32 // by bound: its last change, -1: none
	trail    []change
	starts   []int // by level, from the second on: the changes before it
	looked   int   // changes of which clauses were looked at

	rows      []row
	sums      []int64
	rowsOf    [][]term // by bound: rows in which it is, with its times
	dirtyRows queue

	forms      []form
	formsOf    [][]int32 // by set
	dirtyForms queue
	draws      room
	explains   room

	clauses []*clause
	live    int       // of them, with more than one literal and not out
	most    int       // of those, before some are taken out
	watches [][]watch // by literal
	offset  []int32   // by bound: what is added to the number of a literal to give its place in lists by literal

	searching bool
	facts     map[int32]fact // by change of the first level that rows alone do not give
	lemmas    []*lemma       // in the order in which they follow
	held      int64          // bytes that they take, nearly
	activity  []float64      // by literal
	weight    float64
	order     heap.Heap
	literals  []literal
	saved     []bool // by literal: as it was last

	seen []int32 // by change: the least that a conflict needs, unseen if nothing
}

const unseen = -1 << 31

// A fact is how a change of the first level follows: by a lemma, or by rows from others.
type fact struct {
	lemma *lemma
	from  []int32
}

type watch struct {
	clause int32
	other  literal // if it is false nothing is to be done
}

// A queue is numbers, each once.
type queue struct {
	list []int32
	in   []bool
}

func (q *queue) add(i int32) {
	if !q.in[i] {
		q.in[i] = true
		q.list = append(q.list, i)
	}
}

func (q *queue) next() int32 {
	i := q.list[len(q.list)-1]
	q.list = q.list[:len(q.list)-1]
	q.in[i] = false
	return i
}

func (q *queue) clear() {
	for len(q.list) > 0 {
		q.next()
	}
}

// addSet adds a set that counts from least to most.
func (s *solver) addSet(least, most int) {
	s.at = append(s.at, int32(least), int32(-most))
	s.last = append(s.last, -1, -1)
	s.rowsOf = append(s.rowsOf, nil, nil)
	s.formsOf = append(s.formsOf, nil)
}

func (s *solver) sets() int { return len(s.at) / 2 }

func (s *solver) addRow(r row) {
	number, sum := int32(len(s.rows)), int64(0)
	for i, t := range r.terms {
		s.rowsOf[t.of] = append(s.rowsOf[t.of], term{number, t.times})
		if sum += t.times * int64(s.at[t.of]); i > 0 {
			r.widest = max(r.widest, t.times*s.open(t.of))
		}
	}
	s.rows, s.sums = append(s.rows, r), append(s.sums, sum)
	s.dirtyRows.in = append(s.dirtyRows.in, false)
	s.dirtyRows.add(number)
}

// addSum says that a set counts what its parts do together, each as often as times says, once for nil.
func (s *solver) addSum(whole int, parts []int, times []int64) {
	above, below := []term{{int32(2*whole + 1), 1}}, []term{{int32(2 * whole), 1}}
	for i, p := range parts {
		n := int64(1)
		if times != nil {
			n = times[i]
		}
		above, below = append(above, term{int32(2 * p), n}), append(below, term{int32(2*p + 1), n})
	}
	s.addRow(row{terms: above})
	s.addRow(row{terms: below})
}

func (s *solver) addForm(f form) {
	number := int32(len(s.forms))
	s.forms = append(s.forms, f)
	for _, r := range f.rows {
		s.formsOf[r.set] = append(s.formsOf[r.set], number)
	}
	for _, p := range f.spans {
		s.formsOf[p.set] = append(s.formsOf[p.set], number)
	}
	s.dirtyForms.in = append(s.dirtyForms.in, false)
	s.dirtyForms.add(number)
	s.draws.fit(&f)
	s.explains.fit(&f)
}

// begin draws what rows give, and makes room for clauses. It reports whether rows leave an answer.
func (s *solver) begin() bool {
	if c := s.propagate(); c.kind != decision {
		return false
	}
	s.root, s.zero, s.view, s.offset = slices.Clone(s.at), slices.Clone(s.at), slices.Clone(s.at), make([]int32, len(s.at))
	count := int32(0)
	for v, at := range s.root {
		s.offset[v] = count - at - 1
		count += -s.root[v^1] - at
	}
	s.watches, s.activity, s.saved = make([][]watch, count), make([]float64, count), make([]bool, count)
	s.literals = make([]literal, count)
	s.weight, s.order = 1, heap.New(int(count), func(a, b int32) bool { return s.activity[a] > s.activity[b] })
	for v, at := range s.root {
		for t := at + 1; t <= -s.root[v^1]; t++ {
			i := s.number(literal{bound(v), t})
			if s.literals[i] = (literal{bound(v), t}); v%2 == 0 {
				s.order.Push(i)
			}
		}
	}
	// What rows give is what the first branch has: it is no change.
	s.trail, s.seen, s.facts, s.searching, s.most = nil, nil, map[int32]fact{}, true, 4000
	for v := range s.last {
		s.last[v] = -1
	}
	return true
}

// number returns the place of a literal in lists by literal.
func (s *solver) number(l literal) int32 { return s.offset[l.of] + l.at }

func (s *solver) holds(l literal) bool { return s.at[l.of] >= l.at }

func (s *solver) level() int32 { return int32(len(s.starts)) }

// raise makes a literal true that is open.
func (s *solver) raise(l literal, why reason) {
	number := int32(len(s.trail))
	if s.searching && s.level() == 0 {
		s.note(number, l, why)
		s.zero[l.of] = l.at
	}
	s.trail = append(s.trail, change{l.of, s.at[l.of], l.at, s.last[l.of], s.level(), why})
	s.seen = append(s.seen, unseen)
	s.last[l.of] = number
	s.set(l.of, l.at)
	for _, in := range s.rowsOf[l.of] {
		s.dirtyRows.add(in.of)
	}
	if l.of&1 == 0 {
		for _, f := range s.formsOf[l.of/2] {
			s.dirtyForms.add(f)
		}
	}
}

func (s *solver) set(v bound, to int32) {
	by := int64(to - s.at[v])
	s.at[v] = to
	for _, in := range s.rowsOf[v] {
		s.sums[in.of] += in.times * by
	}
}

// undo takes back the last change.
func (s *solver) undo() {
	n := len(s.trail) - 1
	c := s.trail[n]
	s.trail, s.seen = s.trail[:n], s.seen[:n]
	s.set(c.of, c.from)
	s.last[c.of] = c.before
	for t := c.from + 1; s.searching && t <= c.to; t++ {
		l := literal{c.of, t}
		if c.of&1 != 0 {
			l = l.not()
		}
		i := s.number(l)
		s.saved[i] = c.of&1 == 0
		s.order.Push(i)
	}
}

func (s *solver) back(level int32) {
	if s.level() > level {
		for len(s.trail) > s.starts[level] {
			s.undo()
		}
		s.starts = s.starts[:level]
	}
	s.looked = len(s.trail)
}

// propagate draws what follows, and returns what a conflict arises by, a decision where there is none. A conflict
// empties the queues: what is left of the level before it was looked at.
func (s *solver) propagate() (c reason) {
	for c.kind == decision {
		switch {
		case s.searching && s.looked < len(s.trail):
			s.looked++
			c = s.look(s.trail[s.looked-1])
		case len(s.dirtyRows.list) > 0:
			c = s.drawRow(s.dirtyRows.next())
		case s.searching && len(s.dirtyForms.list) > 0:
			c = s.drawForm(s.dirtyForms.next())
		default:
			return c
		}
	}
	s.dirtyRows.clear()
	s.dirtyForms.clear()
	return c
}

func (s *solver) drawRow(i int32) reason {
	r := &s.rows[i]
	room := r.most - s.sums[i]
	if room < 0 {
		return reason{byRow, i}
	}
	terms := r.terms
	if room >= r.widest {
		terms = terms[:1]
	}
	for _, t := range terms {
		if s.open(t.of)*t.times > room {
			s.raise(literal{bound(t.of).other(), -s.at[t.of] - int32(room/t.times)}, reason{byRow, i})
		}
	}
	return reason{}
}

// open returns what is open between a bound and the other side of its set.
func (s *solver) open(v int32) int64 { return int64(-s.at[v^1] - s.at[v]) }

// look draws what clauses say of a change.
func (s *solver) look(c change) reason {
	for t := c.from + 1; t <= c.to; t++ {
		l := literal{c.of, t}
		at := s.number(l)
		list := s.watches[at]
		kept := list[:0]
		for n, w := range list {
			if s.holds(w.other.not()) {
				kept = append(kept, w)
				continue
			}
			ls := s.clauses[w.clause].literals
			if ls[0] == l {
				ls[0], ls[1] = ls[1], ls[0]
			}
			w.other = ls[0]
			next := 2
			for next < len(ls) && s.holds(ls[next]) && !s.holds(ls[0].not()) {
				next++
			}
			if next < len(ls) && !s.holds(ls[0].not()) {
				ls[1], ls[next] = ls[next], ls[1]
				to := s.number(ls[1])
				s.watches[to] = append(s.watches[to], w)
				continue
			}
			kept = append(kept, w)
			switch {
			case s.holds(ls[0].not()):
			case s.holds(ls[0]):
				s.watches[at] = append(kept, list[n+1:]...)
				return reason{byClause, w.clause}
			default:
				s.raise(ls[0].not(), reason{byClause, w.clause})
			}
		}
		s.watches[at] = kept
	}
	return reason{}
}

// mostHeld bounds the bytes that lemmas take, which are kept until the proof is written.
const mostHeld = 1 << 30

var errHeld = fmt.Errorf("learn: the lemmas of the proof take more than %d MiB", mostHeld>>20)

// mostRun is the number of conflicts of the shortest run before a restart.
const mostRun = 32

// solve looks for an answer with some literals, and reports whether there is one; if not it returns a lemma whose
// premises are among these. It asks before it learns from each conflict.
func (s *solver) solve(ctx context.Context, with []literal, ask func(*lemma) error) (
	final *lemma, found bool, err error) {
	run, left := int64(1), int64(mostRun)
	defer func() {
		if !found {
			s.back(0)
		}
	}()
	for {
		c := s.propagate()
		if c.kind == decision {
			if left <= 0 && s.level() > 0 {
				run++
				left = mostRun * luby(run)
				s.back(0)
				s.reduce()
			}
			for int(s.level()) < len(with) && s.holds(with[s.level()]) {
				s.starts = append(s.starts, len(s.trail))
			}
			l, open := literal{}, true
			if int(s.level()) < len(with) {
				if l = with[s.level()]; s.holds(l.not()) {
					return s.refuse(l), false, nil
				}
			} else if l, open = s.decide(); !open {
				return nil, true, nil
			}
			s.starts = append(s.starts, len(s.trail))
			s.raise(l, reason{})
			continue
		}
		left--
		parallel.Pause()
		if ctx.Err() != nil {
			return nil, false, ctx.Err()
		}
		if s.held > mostHeld {
			return nil, false, errHeld
		}
		learned, level := s.analyse(c)
		if err := ask(learned.proof); err != nil || len(learned.literals) == 0 {
			return learned.proof, false, err
		}
		s.back(level)
		s.learn(learned)
		if s.weight /= 0.85; s.weight > 1e100 {
			for i := range s.activity {
				s.activity[i] /= s.weight
			}
			s.weight = 1
		}
	}
}

// luby is the i-th number, from 1, of the sequence 1, 1, 2, 1, 1, 2, 4, ... (Luby, Sinclair and Zuckerman, 1993).
func luby(i int64) int64 {
	for size := int64(1); ; size = 2*size + 1 {
		switch {
		case i == size:
			return (size + 1) / 2
		case i < size:
			return luby(i - size/2)
		}
	}
}

// decide returns the literal to decide on, false if none is open.
func (s *solver) decide() (l literal, open bool) {
	for i, ok := s.order.Pop(); ok; i, ok = s.order.Pop() {
		if l = s.literals[i]; s.holds(l) || s.holds(l.not()) {
			continue
		}
		if !s.saved[i] {
			l = l.not()
		}
		return l, true
	}
	return l, false
}

// learn adds a clause of which all literals but the first are true, and draws what it says.
func (s *solver) learn(c *clause) {
	number := int32(len(s.clauses))
	s.clauses = append(s.clauses, c)
	if len(c.literals) > 1 {
		s.live++
		s.watch(number)
	}
	s.raise(c.literals[0].not(), reason{byClause, number})
}

func (s *solver) watch(number int32) {
	ls := s.clauses[number].literals
	for i, l := range ls[:2] {
		at := s.number(l)
		s.watches[at] = append(s.watches[at], watch{number, ls[1-i]})
	}
}

// reduce takes out half of the clauses if there are too many: those of the most levels, the older ones first.
func (s *solver) reduce() {
	if s.live < s.most {
		return
	}
	s.most += 1000
	var list []int32
	for i, c := range s.clauses {
		if !c.out && len(c.literals) > 1 && c.spread > 2 {
			list = append(list, int32(i))
		}
	}
	slices.SortStableFunc(list, func(a, b int32) int { return s.clauses[b].spread - s.clauses[a].spread })
	for _, i := range list[:len(list)/2] {
		s.clauses[i].out = true
		s.live--
	}
	for at, list := range s.watches {
		s.watches[at] = slices.DeleteFunc(list, func(w watch) bool { return s.clauses[w.clause].out })
	}
}
