package sat

import (
	"fmt"
	"io"
	"leeway/results/check/meter"
)

// rupChecker checks proofs in the text form of DRAT (N. Wetzler and others,
// DRAT-trim, SAT 2014): lines of literals that end with 0, "d" before those that
// delete a clause. Every added clause must follow from those held by unit
// propagation (RUP). Steps that only preserve satisfiability (RAT) are refused:
// the solvers in use here hardly make any, and without them every clause held
// follows from the formula.
//
// A deletion must name a clause that is held. Others ignore one that does not;
// here it tells that the proof belongs to another formula. Steps are checked as
// they come and not kept: memory is that of the clauses held at a time.
type rupChecker struct {
	clauses *propagator
	marks   *literalSet
	vars    int
	buffer  []literal
	list    []int
	step    int64
	meter   *meter.Meter
}

func newRUPChecker(m *meter.Meter, vars int) *rupChecker {
	marks := newLiteralSet(vars)
	return &rupChecker{meter: m, clauses: newPropagator(m, vars, marks), marks: marks, vars: vars}
}

// Add implements cnf.Sink: it takes a clause of the formula.
func (c *rupChecker) Add(clause []int) error {
	var past int
	if c.buffer, past = c.marks.distinct(c.buffer[:0], clause); past != 0 {
		return fmt.Errorf("the formula has no variable %d", past)
	}
	c.clauses.insert(c.buffer)
	return nil
}

// check reads the steps up to the empty clause.
func (c *rupChecker) check(proof io.Reader) Refutation {
	s := newProofScanner(proof)
	for {
		t, err := s.next()
		if err != nil {
			return unreadableProof(c.step, err)
		}
		if t.kind == endToken {
			return wrongProof(c.step, "the proof ends without the empty clause")
		}
		c.step++
		c.list = c.list[:0]
		if t.kind == numberToken && t.number != 0 {
			c.list = append(c.list, t.number)
		}
		if t.kind == deleteToken || t.number != 0 {
			if c.list, err = s.list(c.list); err != nil {
				return unreadableProof(c.step, err)
			}
		}
		if problem := c.take(t.kind == deleteToken); problem != "" {
			return wrongProof(c.step, problem)
		}
		if t.kind == numberToken && len(c.list) == 0 {
			if err := s.rest(); err != nil {
				return unreadableProof(c.step, err)
			}
			return Refutation{Verdict: Verified, Steps: c.step}
		}
	}
}

// take does the step with the literals in the list and says what is wrong with
// it, "" if nothing.
func (c *rupChecker) take(remove bool) string {
	var past int
	c.buffer, past = c.marks.distinct(c.buffer[:0], c.list)
	switch {
	case past != 0:
		return fmt.Sprintf("variable %d is not one of the %d of the formula", past, c.vars)
	case remove && !c.clauses.remove(c.buffer):
		return fmt.Sprintf("the clause %v to delete is not there", c.buffer)
	case remove:
		return ""
	case !c.clauses.follows(c.buffer):
		return fmt.Sprintf("the clause %v does not follow by unit propagation (RAT steps are not accepted)", c.buffer)
	}
	c.meter.Charge(clauseSteps + literalSteps*int64(len(c.buffer)))
	c.clauses.insert(c.buffer)
	return ""
}
