// Package elaborate turns a proof in DRAT, as SAT solvers write it, into one in LRAT with only the steps that are
// needed, each with its hints.
//
// A first pass takes the clauses of the formula and the steps of the proof one after the other and follows unit
// clauses, until they lead to a contradiction. A second pass goes backwards (E. Goldberg and Y. Novikov, Verification
// of proofs of unsatisfiability for CNF formulas, DATE 2003; M. Heule and others, Trimming while checking clausal
// proofs, FMCAD 2013): it takes each step back and looks by unit propagation for the clauses from which a step that was
// needed follows. Clauses that are needed already are looked at first, so that few others become needed.
//
// Steps must follow by unit propagation; those that only preserve satisfiability (RAT) are refused. Deletions of
// clauses from which a literal follows by unit propagation are passed over. What comes out is for a checker to judge.
package elaborate

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"

	"leeway/encode/dimacs"
	"leeway/encode/lrat"
)

// A ProofError says why a proof cannot be elaborated.
type ProofError struct {
	Line    int // of the proof, counts from 1
	Problem string
}

// Error names the line and the problem.
func (e *ProofError) Error() string { return fmt.Sprintf("DRAT proof, line %d: %s", e.Line, e.Problem) }

// DRAT writes the steps of a proof of the formula, in the text form of DRAT, that the empty clause needs. Steps come in
// the sequence of the proof; a clause is deleted after the last step that needs it. It fails with a *ProofError, the
// error of the formula, of the reader or of the context. Cost: unit propagation for the clauses of the formula, and for
// each step that is needed; memory for all clauses of formula and proof at once,
// at most about 8 GiB.
func DRAT(ctx context.Context, formula dimacs.Formula, proof io.Reader, w *lrat.Writer) error {
	e := &elaborator{propagator: newPropagator(formula.Vars())}
	if err := formula.Write(e); err != nil {
		return err
	}
	if err := e.read(ctx, proof); err != nil {
		return err
	}
	if err := e.back(ctx); err != nil {
		return err
	}
	return e.write(ctx, w)
}

// An elaborator knows the steps of the proof, and what was found out about them.
type elaborator struct {
	*propagator
	formula int32  // clauses of the formula
	steps   []step // of the proof, up to the contradiction
	table   table
	lines   scanner

	empty    span       // hints of the empty clause
	hints    []span     // of clause formula+i, none if it is not needed
	store    []int32    // where hints stand
	lastUse  []int32    // by clause: the one that needs it last; the empty clause is -1
	marked   []bool     // by variable: seen in the analysis at hand
	given    []bool     // by variable: fails by the clause at hand
	touched  []literal  // of marked
	sequence []position // hints with their place on the trail
}

// A step adds or deletes a clause.
type step struct {
	clause  int32
	deletes bool
	height  int32 // of the trail before a clause was added
	line    int32 // of the proof
}

// A span is a part of the hints.
type span struct{ from, to int }

// A position is a clause with the place on the trail of the literal that follows from it.
type position struct{ place, clause int32 }

// Add implements cnf.Sink: it takes a clause of the formula.
func (e *elaborator) Add(list []int) error {
	c, err := e.take(list)
	if err != nil {
		return fmt.Errorf("the formula: %w", err)
	}
	e.formula = c + 1
	e.table.add(e.literals(c), c)
	e.insert(c)
	return nil
}

// read takes the steps of the proof up to the contradiction.
func (e *elaborator) read(ctx context.Context, proof io.Reader) error {
	e.lines = newScanner(proof)
	for list := []int(nil); e.conflict < 0; {
		var deletes, more bool
		var err error
		if len(e.steps)%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		list, deletes, more, err = e.lines.step(list[:0])
		switch {
		case err != nil:
			return err
		case !more:
			return e.lines.fail("the proof ends without a contradiction")
		case deletes:
			err = e.delete(list)
		default:
			err = e.append(list)
		}
		if err != nil {
			return &ProofError{Line: e.lines.start, Problem: err.Error()}
		}
	}
	return nil
}

func (e *elaborator) append(list []int) error {
	c, err := e.take(list)
	if err != nil {
		return err
	}
	e.table.add(e.literals(c), c)
	e.steps = append(e.steps, step{clause: c, height: int32(len(e.trail)), line: int32(e.lines.start)})
	e.insert(c)
	return nil
}

// delete takes a clause out unless a literal of the trail follows from it. A clause that is not held is passed over:
// it tells that the proof is of another formula, or was read after steps that were passed over.
func (e *elaborator) delete(list []int) error {
	literals, err := e.distinct(list)
	if err != nil {
		return err
	}
	c := e.table.find(literals, e.propagator)
	if c < 0 || len(literals) < 2 || e.isReason(c) {
		return nil
	}
	e.kill(c)
	e.steps = append(e.steps, step{clause: c, deletes: true})
	return nil
}

// back goes through the steps from the contradiction to the first, and finds hints for each that is needed.
func (e *elaborator) back(ctx context.Context) error {
	e.hints = make([]span, len(e.starts)-int(e.formula))
	e.lastUse = make([]int32, len(e.starts))
	e.marked, e.given = make([]bool, e.vars+1), make([]bool, e.vars+1)
	e.empty = e.analyse(e.conflict, -1)
	for i := len(e.steps) - 1; i >= 0; i-- {
		if i%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		s := e.steps[i]
		if s.deletes {
			e.revive(s.clause)
			continue
		}
		e.kill(s.clause)
		e.undo(int(s.height))
		if e.forget(s.clause); !e.core[s.clause] {
			continue
		}
		if !e.derive(s.clause) {
			return &ProofError{Line: int(s.line), Problem: "the clause does not follow by unit propagation (RAT steps are " +
				"not taken)"}
		}
	}
	return nil
}

// derive finds the hints that show that a clause follows from those that are there, and reports whether it does so by
// unit propagation.
func (e *elaborator) derive(c int32) bool {
	height, conflict := len(e.trail), int32(-1)
	literals := e.literals(c)
	held := int32(math.MaxInt32) // place of the first literal that holds: no other of them is part of its reason
	for _, l := range literals {
		e.given[l.variable()] = true
		if e.value[l] > 0 && e.place[l.variable()] < held {
			held = e.place[l.variable()]
			conflict = e.reasonOf(l)
		}
	}
	if conflict < 0 {
		for _, l := range literals {
			if e.value[l] == 0 {
				e.assign(l.not(), -1)
			}
		}
		conflict = e.propagate()
	}
	found := conflict >= 0
	if found {
		e.hints[c-e.formula] = e.analyse(conflict, c)
	}
	for _, l := range literals {
		e.given[l.variable()] = false
	}
	e.undo(height)
	return found
}

// analyse returns the clauses that lead to a contradiction in another, in the sequence in which they become unit, that
// one last. All are needed from now on, by the clause c.
func (e *elaborator) analyse(conflict, c int32) span {
	e.sequence, e.touched = append(e.sequence[:0], position{1<<31 - 1, conflict}), e.touched[:0]
	e.mark(conflict)
	for i := 0; i < len(e.touched); i++ {
		l := e.touched[i] // fails
		reason := e.reasonOf(l.not())
		e.sequence = append(e.sequence, position{e.place[l.variable()], reason})
		if reason != e.unit[l.not()] {
			e.mark(reason)
		}
	}
	for _, l := range e.touched {
		e.marked[l.variable()] = false
	}
	slices.SortFunc(e.sequence, func(a, b position) int { return int(a.place - b.place) })
	from := len(e.store)
	for _, p := range e.sequence {
		e.store = append(e.store, p.clause)
		if !e.core[p.clause] {
			e.require(p.clause)
			e.lastUse[p.clause] = c
		}
	}
	return span{from, len(e.store)}
}

// mark notes the literals of a clause that fail for a reason.
func (e *elaborator) mark(c int32) {
	for _, l := range e.literals(c) {
		if v := l.variable(); !e.marked[v] && !e.given[v] && e.value[l] < 0 {
			e.marked[v] = true
			e.touched = append(e.touched, l)
		}
	}
}

// write writes the steps that are needed.
func (e *elaborator) write(ctx context.Context, w *lrat.Writer) error {
	numbers := make([]int64, len(e.starts))
	for c := range e.formula {
		numbers[c] = int64(c) + 1
	}
	var literals []int
	var hints, last []int64
	add := func(c int32, named span) int64 {
		hints, last = hints[:0], last[:0]
		for _, h := range e.store[named.from:named.to] {
			hints = append(hints, numbers[h])
			if h >= e.formula && e.lastUse[h] == c {
				last = append(last, numbers[h])
			}
		}
		number := w.Add(literals, hints)
		w.Delete(last...)
		return number
	}
	for i, named := range e.hints {
		if named.from == named.to {
			continue
		}
		if i%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if w.Err() != nil {
			return w.Err()
		}
		c := e.formula + int32(i)
		literals = literals[:0]
		for _, l := range e.literals(c) {
			literals = append(literals, l.number())
		}
		numbers[c] = add(c, named)
	}
	literals = literals[:0]
	add(-1, e.empty)
	return nil
}
