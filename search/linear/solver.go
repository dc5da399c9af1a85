package linear

import (
	"cmp"
	"context"
	"slices"

	"leeway/encode/veripb"
)

// A lit is a literal as an index: twice the variable, plus 1 if negated.
type lit int32

func litOf(l veripb.Literal) lit {
	if l < 0 {
		return lit(-2*l + 1)
	}
	return lit(2 * l)
}

func (l lit) not() lit { return l ^ 1 }
func (l lit) variable() int32 {
	return int32(l >> 1)
}

func (l lit) literal() veripb.Literal {
	if l&1 != 0 {
		return -veripb.Literal(l >> 1)
	}
	return veripb.Literal(l >> 1)
}

// A row is a constraint that the solver propagates. Slack is the sum of the coefficients of the literals that do not
// fail (as far as propagation has come), minus the degree: below 0 the row fails, and a literal with a larger
// coefficient has to hold.
type row struct {
	lits   []lit
	coefs  []int64 // largest first
	total  int64   // sum of coefs minus the degree
	slack  int64
	id     veripb.ID        // 0: not yet in the proof
	derive func() veripb.ID // puts it there
	// Clauses learned are watched at their first two literals instead.
	watched bool
	size    int // levels of a learned clause; the fewer the better
}

type occurrence struct {
	row  int32
	coef int64
}

const noRow = -1

// A solver decides whether rows have a common solution, by conflict-driven search with learned clauses. Every clause
// it learns is put into the proof.
type solver struct {
	proof   *veripb.Proof
	rows    []*row
	occ     [][]occurrence // by literal: rows that are counted
	watch   [][]int32      // by literal: learned clauses that watch it
	value   []int8         // by literal: 1 holds, -1 fails
	level   []int32        // by variable
	at      []int32        // by variable: position on the trail
	reason  []int32        // by variable
	unit    []veripb.ID    // by variable: the clause that fixes it
	trail   []lit
	limits  []int
	head    int
	units   int // literals of the trail that have their unit clause
	score   []float64
	step    float64
	learned []int32
	seen    []bool

	conflicts int64
	// Variables that are decided, group by group: the first that is open, but of the last group the one with the best
	// score, which is decided to hold.
	order [][]int32
}

func newSolver(p *veripb.Proof, vars int) *solver {
	s := &solver{proof: p, step: 1}
	s.grow(vars)
	return s
}

func (s *solver) grow(vars int) {
	for len(s.level) <= vars {
		s.level, s.at, s.reason = append(s.level, 0), append(s.at, 0), append(s.reason, noRow)
		s.unit, s.score, s.seen = append(s.unit, 0), append(s.score, 0), append(s.seen, false)
		s.occ, s.watch, s.value = append(s.occ, nil, nil), append(s.watch, nil, nil), append(s.value, 0, 0)
	}
}

// add adds a constraint of the proof, at any time when propagation is at its end. It returns the row if it fails.
func (s *solver) add(id veripb.ID) int32 {
	return s.addRow(s.proof.Row(id), id, nil)
}

// addAll adds constraints of the proof, and returns a row that fails.
func (s *solver) addAll(ids []veripb.ID) int32 {
	failed := int32(noRow)
	for _, id := range ids {
		if n := s.add(id); n != noRow {
			failed = n
		}
	}
	return failed
}

// addRow adds a row with its number in the proof, or one that derive puts there once it is used.
func (s *solver) addRow(r veripb.Row, id veripb.ID, derive func() veripb.ID) int32 {
	w := &row{id: id, derive: derive, total: -r.Degree}
	terms := slices.Clone(r.Terms)
	slices.SortStableFunc(terms, func(a, b veripb.Term) int { return cmp.Compare(b.Coef, a.Coef) })
	n := int32(len(s.rows))
	for _, t := range terms {
		l := litOf(t.Literal)
		w.lits, w.coefs = append(w.lits, l), append(w.coefs, t.Coef)
		w.total += t.Coef
		s.occ[l] = append(s.occ[l], occurrence{n, t.Coef})
	}
	s.rows = append(s.rows, w)
	w.slack = w.total
	for i, l := range w.lits {
		if s.value[l] < 0 && int(s.at[l.variable()]) < s.head { // the others will be counted by propagate
			w.slack -= w.coefs[i]
		}
	}
	if !s.propagateRow(n) {
		return n
	}
	return noRow
}

func (s *solver) decided() int32 { return int32(len(s.limits)) }

func (s *solver) assign(l lit, reason int32) {
	s.value[l], s.value[l.not()] = 1, -1
	v := l.variable()
	s.level[v], s.at[v], s.reason[v] = s.decided(), int32(len(s.trail)), reason
	s.trail = append(s.trail, l)
}

// propagateRow assigns what a counted row forces; false if it fails.
func (s *solver) propagateRow(n int32) bool {
	r := s.rows[n]
	if r.slack < 0 {
		return false
	}
	for i, c := range r.coefs {
		if c <= r.slack {
			break
		}
		if l := r.lits[i]; s.value[l] == 0 {
			s.assign(l, n)
		}
	}
	return true
}

// propagate assigns what follows, and returns a row that fails, or noRow.
func (s *solver) propagate() int32 {
	for s.head < len(s.trail) {
		fails := s.trail[s.head].not()
		s.head++
		failed := int32(noRow)
		for _, o := range s.occ[fails] {
			r := s.rows[o.row]
			r.slack -= o.coef
			if failed == noRow && r.slack < r.coefs[0] && !s.propagateRow(o.row) {
				failed = o.row
			}
		}
		if failed == noRow {
			failed = s.propagateWatched(fails)
		}
		if failed != noRow {
			return failed
		}
	}
	return noRow
}

func (s *solver) propagateWatched(fails lit) int32 {
	list := s.watch[fails]
	kept := list[:0]
	for i, n := range list {
		lits := s.rows[n].lits
		if lits[0] == fails {
			lits[0], lits[1] = lits[1], lits[0]
		}
		if s.value[lits[0]] > 0 {
			kept = append(kept, n)
			continue
		}
		moved := false
		for j := 2; j < len(lits); j++ {
			if s.value[lits[j]] >= 0 {
				lits[1], lits[j] = lits[j], lits[1]
				s.watch[lits[1]] = append(s.watch[lits[1]], n)
				moved = true
				break
			}
		}
		if moved {
			continue
		}
		kept = append(kept, n)
		if s.value[lits[0]] < 0 {
			s.watch[fails] = append(kept, list[i+1:]...)
			return n
		}
		s.assign(lits[0], n)
	}
	s.watch[fails] = kept
	return noRow
}

// back undoes all decisions above a level.
func (s *solver) back(level int32) {
	if s.decided() <= level {
		return
	}
	to := s.limits[level]
	for i := len(s.trail) - 1; i >= to; i-- {
		l := s.trail[i]
		s.value[l], s.value[l.not()] = 0, 0
		if i < s.head {
			for _, o := range s.occ[l.not()] {
				s.rows[o.row].slack += o.coef
			}
		}
	}
	s.trail, s.limits, s.head = s.trail[:to], s.limits[:level], min(s.head, to)
}

// because appends literals of a row that fail and that together are why the literal has to hold, or why the row fails
// if the literal is 0. All failed before the position.
func (s *solver) because(n int32, l lit, before int32, list []lit) []lit {
	r := s.rows[n]
	if r.watched {
		for _, o := range r.lits {
			if o != l {
				list = append(list, o)
			}
		}
		return list
	}
	need := r.total + 1 // coefficients of failing literals
	for i, o := range r.lits {
		if o == l {
			need -= r.coefs[i]
		}
	}
	for i, o := range r.lits { // what fails for good costs nothing
		if need > 0 && s.value[o] < 0 && o != l && s.at[o.variable()] < before && s.level[o.variable()] == 0 {
			need -= r.coefs[i]
			list = append(list, o)
		}
	}
	for i, o := range r.lits {
		if need <= 0 {
			break
		}
		if s.value[o] < 0 && o != l && s.at[o.variable()] < before && s.level[o.variable()] > 0 {
			need -= r.coefs[i]
			list = append(list, o)
		}
	}
	return list
}

// rowID returns the number of a row in the proof, into which it is put if need be.
func (s *solver) rowID(n int32) veripb.ID {
	r := s.rows[n]
	if r.id == 0 {
		r.id = r.derive()
	}
	return r.id
}

// fix puts a clause into the proof for every literal that holds without decisions.
func (s *solver) fix() {
	for ; s.units < len(s.trail); s.units++ {
		l := s.trail[s.units]
		v := l.variable()
		var hints []veripb.ID
		for _, o := range s.because(s.reason[v], l, s.at[v], nil) {
			hints = append(hints, s.unit[o.variable()])
		}
		hints = append(hints, s.rowID(s.reason[v]))
		s.unit[v] = s.proof.Follows(veripb.Clause(l.literal()), hints)
	}
}

// A hint is a row that propagates at a position of the trail.
type hint struct {
	at int32
	id veripb.ID
}

// learn puts the clause into the proof that a failing row teaches, goes back to where it propagates, and assigns its
// literal. It returns false if nothing is left to decide: then the proof is complete.
func (s *solver) learn(failed int32) bool {
	s.conflicts++
	all := s.because(failed, 0, int32(len(s.trail)), nil)
	top := int32(0)
	for _, l := range all {
		top = max(top, s.level[l.variable()])
	}
	s.back(top)
	hints := []hint{{int32(len(s.trail)), s.rowID(failed)}}
	if top == 0 {
		s.fix()
		s.proof.Follows(veripb.Row{Degree: 1}, s.hints(hints, all))
		return false
	}
	var clause, fixed []lit
	open := 0
	var marked []int32
	mark := func(list []lit) {
		for _, l := range list {
			v := l.variable()
			if s.seen[v] {
				continue
			}
			s.seen[v] = true
			marked = append(marked, v)
			s.score[v] += s.step
			switch s.level[v] {
			case 0:
				fixed = append(fixed, l)
			case top:
				open++
			default:
				clause = append(clause, l)
			}
		}
	}
	mark(all)
	at := len(s.trail) - 1
	for {
		for !s.seen[s.trail[at].variable()] {
			at--
		}
		l := s.trail[at]
		at--
		if open == 1 {
			clause = append(clause, l.not())
			break
		}
		open--
		v := l.variable()
		hints = append(hints, hint{s.at[v], s.rowID(s.reason[v])})
		all = s.because(s.reason[v], l, s.at[v], all[:0])
		mark(all)
	}
	clause, hints, fixed = s.shorten(clause, hints, fixed)
	for _, v := range marked {
		s.seen[v] = false
	}
	s.step *= 1.05
	if s.step > 1e100 {
		for v := range s.score {
			s.score[v] *= 1e-100
		}
		s.step *= 1e-100
	}
	s.keep(clause, s.hints(hints, fixed))
	return true
}

// shorten takes out literals that fail because of others in the clause, and adds the hints for that.
func (s *solver) shorten(clause []lit, hints []hint, fixed []lit) ([]lit, []hint, []lit) {
	kept := clause[:0:0]
	for i, l := range clause {
		v := l.variable()
		if i == len(clause)-1 || s.reason[v] == noRow {
			kept = append(kept, l)
			continue
		}
		why := s.because(s.reason[v], l.not(), s.at[v], nil)
		implied := true
		for _, o := range why {
			if s.level[o.variable()] != 0 && !s.seen[o.variable()] {
				implied = false
			}
		}
		// A literal that is seen is in the clause or was resolved at the top level, above this one: only the former is
		// below it on the trail.
		if !implied {
			kept = append(kept, l)
			continue
		}
		hints = append(hints, hint{s.at[v], s.rowID(s.reason[v])})
		for _, o := range why {
			if s.level[o.variable()] == 0 {
				fixed = append(fixed, o)
			}
		}
	}
	return kept, hints, fixed
}

// hints returns the numbers in the sequence in which they propagate, after the units of the fixed literals.
func (s *solver) hints(list []hint, fixed []lit) []veripb.ID {
	var ids []veripb.ID
	for _, l := range fixed {
		ids = append(ids, s.unit[l.variable()])
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	slices.SortStableFunc(list, func(a, b hint) int { return cmp.Compare(a.at, b.at) })
	for _, h := range list {
		ids = append(ids, h.id)
	}
	return ids
}

// keep adds a learned clause, whose last literal is the one that it asserts.
func (s *solver) keep(clause []lit, hints []veripb.ID) {
	last := len(clause) - 1
	clause[0], clause[last] = clause[last], clause[0]
	literals := make([]veripb.Literal, len(clause))
	levels := map[int32]bool{}
	for i, l := range clause {
		literals[i] = l.literal()
		levels[s.level[l.variable()]] = true
		if i > 1 && s.level[l.variable()] > s.level[clause[1].variable()] {
			clause[1], clause[i] = clause[i], clause[1]
		}
	}
	id := s.proof.Follows(veripb.Clause(literals...), hints)
	n := int32(len(s.rows))
	s.rows = append(s.rows, &row{lits: clause, id: id, watched: true, size: len(levels)})
	if len(clause) == 1 {
		s.back(0)
		s.assign(clause[0], n)
		return
	}
	s.back(s.level[clause[1].variable()])
	s.watch[clause[0]] = append(s.watch[clause[0]], n)
	s.watch[clause[1]] = append(s.watch[clause[1]], n)
	s.learned = append(s.learned, n)
	s.assign(clause[0], n)
}

// forget drops the worse half of the learned clauses that are no reasons.
func (s *solver) forget() {
	slices.SortStableFunc(s.learned, func(a, b int32) int { return cmp.Compare(s.rows[a].size, s.rows[b].size) })
	half := len(s.learned) / 2
	kept := s.learned[:half:half]
	for _, n := range s.learned[half:] {
		r := s.rows[n]
		v := r.lits[0].variable()
		if r.size <= 2 || s.value[r.lits[0]] > 0 && s.reason[v] == n {
			kept = append(kept, n)
			continue
		}
		for _, l := range r.lits[:2] {
			i := slices.Index(s.watch[l], n)
			s.watch[l] = slices.Delete(s.watch[l], i, i+1)
		}
		s.rows[n] = nil
	}
	s.learned = kept
}

// decide assigns the next variable; false if all are assigned.
func (s *solver) decide() bool {
	for i, group := range s.order {
		best := int32(-1)
		for _, v := range group {
			if s.value[2*v] == 0 && (best < 0 || s.score[v] > s.score[best]) {
				best = v
				if i+1 < len(s.order) {
					break // the first of this group
				}
			}
		}
		if best >= 0 {
			s.limits = append(s.limits, len(s.trail))
			l := lit(2 * best)
			if i+1 < len(s.order) {
				l = l.not()
			}
			s.assign(l, noRow)
			return true
		}
	}
	return false
}

// solve searches until no solution is left, which completes the proof, or until one is found. Whenever nothing more
// propagates, cut may add rows and returns one that fails, or noRow, and whether it added any.
func (s *solver) solve(ctx context.Context, cut func() (int32, bool)) (found bool, err error) {
	restart, room := int64(luby(1)*128), 4000
	rounds := 1
	for {
		failed := s.propagate()
		if failed == noRow {
			added := false
			if failed, added = cut(); failed == noRow && added {
				continue
			}
		}
		if s.proof.Err() != nil {
			return false, s.proof.Err()
		}
		if failed != noRow {
			if !s.learn(failed) {
				return false, nil
			}
			if s.decided() == 0 {
				s.fix()
			}
			if s.conflicts%64 == 0 && ctx.Err() != nil {
				return false, ctx.Err()
			}
			if s.proof.Steps() > maxSteps {
				return false, ErrTooLong
			}
			continue
		}
		if s.decided() == 0 {
			s.fix()
		}
		if s.conflicts >= restart {
			rounds++
			restart = s.conflicts + int64(luby(rounds)*128)
			s.back(0)
			if len(s.learned) > room {
				s.forget()
				room += 500
			}
			continue
		}
		if !s.decide() {
			return true, nil
		}
	}
}

// luby returns the i-th number of 1 1 2 1 1 2 4 ...
func luby(i int) int {
	for k := 1; ; k++ {
		if i == 1<<k-1 {
			return 1 << (k - 1)
		}
		if i < 1<<k-1 {
			return luby(i - 1<<(k-1) + 1)
		}
	}
}
