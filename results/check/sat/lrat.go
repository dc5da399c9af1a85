package sat

import (
	"fmt"
	"slices"

	"leeway/encode/dimacs"
	"leeway/results/check/meter"
)

// lratChecker checks proofs in the text form of LRAT (L. Cruz-Filipe and others, Efficient certified RAT verification,
// CADE 2017): "ID literals 0 hints 0" adds a clause, "ID d IDs 0" deletes some. The clauses of the formula have the
// numbers 1, 2, ... in their sequence. The hints name the clauses that become unit one after the other, and last the
// one that fails, so a step costs the size of the clauses it names. Negative hints (RAT) are refused.
type lratChecker struct {
	meter   *meter.Meter
	clauses numberedClauses
	last    int         // highest number so far
	failed  *literalSet // the literals that fail under the negated clause
	clause
}

func newLRATChecker(m *meter.Meter, vars int) *lratChecker {
	return &lratChecker{meter: m, failed: newLiteralSet(vars), clause: newClause(vars)}
}

// Add implements cnf.Sink: it takes a clause of the formula.
func (c *lratChecker) Add(list []int) error {
	if problem := c.set(list); problem != "" {
		return fmt.Errorf("the formula: %s", problem)
	}
	c.keep(c.last + 1)
	return nil
}

func (c *lratChecker) keep(number int) {
	c.last = number
	c.clauses.add(number, c.literals)
}

// read reads the step that starts with a token.
func read(s *dimacs.Scanner, first dimacs.Token, into *step) error {
	if first.Kind != dimacs.Number || first.Number < 1 {
		return s.Fail("a step should start with its number")
	}
	into.number = first.Number
	t, err := s.Next()
	switch {
	case err != nil:
		return err
	case t.Kind == dimacs.End:
		return s.Fail("the proof ends before the 0 that closes a step")
	case t.Kind == dimacs.Delete:
		into.deletes = true
		into.list, err = list(s, into.list)
		return err
	case t.Number != 0:
		if into.list, err = list(s, append(into.list, t.Number)); err != nil {
			return err
		}
	}
	into.hints, err = list(s, into.hints)
	return err
}

// take does a step and says what is wrong with it, "" if nothing is.
func (c *lratChecker) take(s *step) string {
	if s.deletes {
		for _, number := range s.list {
			if !c.clauses.remove(number) {
				return fmt.Sprintf("there is no clause %d to delete", number)
			}
		}
		return ""
	}
	if s.number <= c.last {
		return fmt.Sprintf("its number %d is not above %d, the highest so far", s.number, c.last)
	}
	if problem := c.set(s.list); problem != "" {
		return problem
	}
	if problem := c.follows(s.hints); problem != "" {
		return fmt.Sprintf("the clause %s: %s", spelt(c.literals), problem)
	}
	c.meter.Charge(clauseSteps + literalSteps*int64(len(c.literals)))
	c.keep(s.number)
	return ""
}

// follows says why hints do not show that the clause at hand follows, "" if they do.
func (c *lratChecker) follows(hints []int) string {
	c.failed.reset()
	for _, l := range c.literals {
		if c.failed.has(l.not()) {
			return "" // it holds always
		}
		c.failed.add(l)
	}
	for _, hint := range hints {
		clause, ok := c.clauses.find(hint)
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
			return fmt.Sprintf("clause %d, %s, is not unit there", hint, spelt(clause))
		}
		c.failed.add(open.not()) // again if it holds already: no harm
	}
	return "the hints lead to no contradiction"
}

// open returns a literal of a clause that does not fail, and how many there are, at most 2.
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

// numberedClauses holds clauses by ascending numbers.
type numberedClauses struct {
	arena []literal
	list  []numbered // ascending
	waste int        // literals of the arena that belong to deleted clauses
	gone  int        // deleted clauses on the list
}

// numbered says where the literals of a clause stand in the arena; the size of a deleted one is -1.
type numbered struct {
	number, start int
	size          int
}

// add adds a clause with a number above all others.
func (s *numberedClauses) add(number int, literals []literal) {
	if s.waste+8*s.gone > 1<<20 && s.waste+8*s.gone > (len(s.arena)+8*len(s.list))/2 {
		s.compact()
	}
	s.list = append(s.list, numbered{number, len(s.arena), len(literals)})
	s.arena = append(s.arena, literals...)
}

// position returns where a clause stands on the list, and whether it is there. Without gaps that is known from its
// number, as it is for the clauses of a formula while none of them is deleted.
func (s *numberedClauses) position(number int) (i int, ok bool) {
	i = number - 1
	if i < 0 || i >= len(s.list) || s.list[i].number != number {
		i, ok = slices.BinarySearchFunc(s.list, number, func(c numbered, n int) int { return c.number - n })
		if !ok {
			return 0, false
		}
	}
	return i, s.list[i].size >= 0
}

// find returns the literals of a clause, and whether it is there.
func (s *numberedClauses) find(number int) ([]literal, bool) {
	i, ok := s.position(number)
	if !ok {
		return nil, false
	}
	c := s.list[i]
	return s.arena[c.start : c.start+c.size], true
}

// remove deletes a clause and reports whether it was there.
func (s *numberedClauses) remove(number int) bool {
	i, ok := s.position(number)
	if ok {
		s.waste += s.list[i].size
		s.list[i].size = -1
		s.gone++
	}
	return ok
}

// compact moves what is left together.
func (s *numberedClauses) compact() {
	kept, end := 0, 0
	for _, c := range s.list {
		if c.size < 0 {
			continue
		}
		copy(s.arena[end:], s.arena[c.start:c.start+c.size])
		c.start = end
		end += c.size
		s.list[kept] = c
		kept++
	}
	s.arena, s.list = s.arena[:end], s.list[:kept]
	s.waste, s.gone = 0, 0
}
