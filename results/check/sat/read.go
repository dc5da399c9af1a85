package sat

import (
	"fmt"

	"leeway/encode/dimacs"
)

// list appends the numbers up to the next 0.
func list(s *dimacs.Scanner, numbers []int) ([]int, error) {
	for {
		t, err := s.Next()
		switch {
		case err != nil:
			return numbers, err
		case t.Kind == dimacs.End:
			return numbers, s.Fail("the proof ends before the 0 that closes a step")
		case t.Kind == dimacs.Delete:
			return numbers, s.Fail("d stands inside a step")
		case t.Number == 0:
			return numbers, nil
		}
		numbers = append(numbers, t.Number)
	}
}

// A literal is 2v for variable v and 2v+1 for its negation.
type literal int32

func toLiteral(l int) literal {
	if l < 0 {
		return literal(-2*l + 1)
	}
	return literal(2 * l)
}

func (l literal) not() literal { return l ^ 1 }

func (l literal) variable() int { return int(l >> 1) }

// String returns the literal as DIMACS has it.
func (l literal) String() string {
	if l&1 != 0 {
		return fmt.Sprint(-l.variable())
	}
	return fmt.Sprint(l.variable())
}

// spelt returns the literals of a clause for a message, of a long one the first.
func spelt(clause []literal) string {
	if most := 20; len(clause) > most {
		return fmt.Sprintf("%v of %d literals", clause[:most], len(clause))
	}
	return fmt.Sprint(clause)
}

// literalSet is a set of literals that is emptied in one step.
type literalSet struct {
	mark  []int32 // by literal: the round in which it was added last
	round int32
}

func newLiteralSet(vars int) *literalSet {
	return &literalSet{mark: make([]int32, 2*vars+2)}
}

// reset empties the set.
func (s *literalSet) reset() {
	s.round++
	if s.round < 0 { // all rounds are used up
		clear(s.mark)
		s.round = 1
	}
}

func (s *literalSet) add(l literal)      { s.mark[l] = s.round }
func (s *literalSet) has(l literal) bool { return s.mark[l] == s.round }

// distinct turns the clause into literals without repeats, appended to list. It returns the first variable past the
// last one that the set has room for, 0 if there is none.
func (s *literalSet) distinct(list []literal, clause []int) ([]literal, int) {
	s.reset()
	for _, l := range clause {
		if v := max(l, -l); 2*v+1 >= len(s.mark) {
			return list, v
		}
		if x := toLiteral(l); !s.has(x) {
			s.add(x)
			list = append(list, x)
		}
	}
	return list, 0
}
