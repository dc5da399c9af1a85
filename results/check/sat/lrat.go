package sat

import (
	"fmt"
	"io"
	"leeway/results/check/meter"
)

// lratChecker checks proofs in the text form of LRAT (L. Cruz-Filipe and
// others, Efficient certified RAT verification, CADE 2017): "ID literals 0 hints
// 0" adds a clause, "ID d IDs 0" deletes some. The clauses of the formula have the
// numbers 1, 2, ... in their sequence. The hints name the clauses that become
// unit one after the other, and last the one that fails, so a step costs the
// size of the clauses it names. Negative hints (RAT) are refused.
type lratChecker struct {
	clauses map[int][]literal // by number
	last    int               // highest number so far
	deletes bool              // of the step at hand
	marks   *literalSet       // to take out repeats
	failed  *literalSet       // the literals that fail under the negated clause
	vars    int
	buffer  []literal
	list    []int
	hints   []int
	step    int64
	meter   *meter.Meter
}

func newLRATChecker(m *meter.Meter, vars int) *lratChecker {
	return &lratChecker{meter: m, clauses: map[int][]literal{}, marks: newLiteralSet(vars), failed: newLiteralSet(vars), vars: vars}
}

// Add implements cnf.Sink: it takes a clause of the formula.
func (c *lratChecker) Add(clause []int) error {
	if problem := c.distinct(clause); problem != "" {
		return fmt.Errorf("the formula: %s", problem)
	}
	c.last++
	c.keep(c.last)
	return nil
}

func (c *lratChecker) distinct(clause []int) string {
	var past int
	if c.buffer, past = c.marks.distinct(c.buffer[:0], clause); past != 0 {
		return fmt.Sprintf("variable %d is not one of the %d of the formula", past, c.vars)
	}
	return ""
}

func (c *lratChecker) keep(number int) {
	c.clauses[number] = append([]literal(nil), c.buffer...)
}

// check reads the steps up to the empty clause.
func (c *lratChecker) check(proof io.Reader) Refutation {
	s := newProofScanner(proof)
	for {
		t, err := s.next()
		switch {
		case err != nil:
			return unreadableProof(c.step, err)
		case t.kind == endToken:
			return wrongProof(c.step, "the proof ends without the empty clause")
		}
		c.step++
		if err := c.read(s, t); err != nil {
			return unreadableProof(c.step, err)
		}
		if problem := c.take(t.number); problem != "" {
			return wrongProof(c.step, problem)
		}
		if !c.deletes && len(c.list) == 0 {
			if err := s.rest(); err != nil {
				return unreadableProof(c.step, err)
			}
			return Refutation{Verdict: Verified, Steps: c.step}
		}
	}
}

// read reads the rest of the step that starts with a token.
func (c *lratChecker) read(s *proofScanner, first token) error {
	if first.kind != numberToken || first.number < 1 {
		return s.fail("a step should start with its number")
	}
	c.list, c.hints, c.deletes = c.list[:0], c.hints[:0], false
	t, err := s.next()
	switch {
	case err != nil:
		return err
	case t.kind == endToken:
		return s.fail("the proof ends before the 0 that closes a step")
	case t.kind == deleteToken:
		c.deletes = true
		c.list, err = s.list(c.list)
		return err
	case t.number != 0:
		if c.list, err = s.list(append(c.list, t.number)); err != nil {
			return err
		}
	}
	c.hints, err = s.list(c.hints)
	return err
}

// take does the step that was read and says what is wrong with it, "" if
// nothing.
func (c *lratChecker) take(number int) string {
	if c.deletes {
		return c.remove()
	}
	if number <= c.last {
		return fmt.Sprintf("its number %d is not above %d, the highest so far", number, c.last)
	}
	if problem := c.distinct(c.list); problem != "" {
		return problem
	}
	if problem := c.follows(); problem != "" {
		return fmt.Sprintf("the clause %v: %s", c.buffer, problem)
	}
	c.last = number
	c.meter.Charge(clauseSteps + literalSteps*int64(len(c.buffer)))
	c.keep(number)
	return ""
}

func (c *lratChecker) remove() string {
	for _, number := range c.list {
		if _, ok := c.clauses[number]; !ok {
			return fmt.Sprintf("there is no clause %d to delete", number)
		}
		delete(c.clauses, number)
	}
	return ""
}

// follows says why the hints do not show that the clause in the buffer follows,
// "" if they do.
func (c *lratChecker) follows() string {
	c.failed.reset()
	for _, l := range c.buffer {
		if c.failed.has(l.not()) {
			return "" // it holds always
		}
		c.failed.add(l)
	}
	for _, hint := range c.hints {
		clause, ok := c.clauses[hint]
		switch {
		case hint < 0:
			return "RAT steps are not accepted"
		case !ok:
			return fmt.Sprintf("there is no clause %d", hint)
		}
		c.meter.Charge(int64(1 + len(clause)))
		open, count := c.open(clause)
		switch {
		case count == 0:
			return ""
		case count > 1:
			return fmt.Sprintf("clause %d, %v, is not unit there", hint, clause)
		}
		c.failed.add(open.not()) // again if it holds already: no harm
	}
	return "the hints lead to no contradiction"
}

// open returns a literal of a clause that does not fail, and how many there are,
// at most 2.
func (c *lratChecker) open(clause []literal) (open literal, count int) {
	for _, l := range clause {
		if c.failed.has(l) {
			continue
		}
		if count++; count > 1 {
			break
		}
		open = l
	}
	return open, count
}
