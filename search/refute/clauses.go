package refute

import (
	"context"

	"leeway/encode"
)

// A literal is 2v for the variable v = 0, 1, ..., and 2v+1 for its negation.
type literal uint32

const nothing = ^literal(0) // no literal

// literalOf returns the literal with a number as in DIMACS, number the reverse.
func literalOf(number int) literal {
	if number < 0 {
		return literal(-number-1)<<1 | 1
	}
	return literal(number-1) << 1
}

func (l literal) number() int {
	if l&1 != 0 {
		return -int(l>>1) - 1
	}
	return int(l>>1) + 1
}

func (l literal) not() literal     { return l ^ 1 }
func (l literal) variable() uint32 { return uint32(l >> 1) }

// A store holds clauses of two and more literals one behind the other, each behind a header. The first two literals are
// watched: as long as neither fails the clause need not be looked at.
type store []literal

// A reference is where a clause stands in a store.
type reference uint32

const none = ^reference(0) // no clause

// The words of a header.
const (
	sizeWord    = iota // number of literals
	numberWord         // the clause in the proof
	glueWord           // levels that a learnt clause spans, as last seen; 0: a clause of the formula
	usedWord           // reductions that a learnt clause survives because it took part in a conflict
	headerWords        // how many words these are
)

// forgotten in glueWord marks a clause to be dropped.
const forgotten = ^literal(0)

// add appends a clause.
func (s *store) add(clause []literal, number, glue uint32) reference {
	at := reference(len(*s))
	*s = append(append(*s, literal(len(clause)), literal(number), literal(glue), 0), clause...)
	return at
}

// literals returns the literals of a clause, which may be permuted.
func (s store) literals(c reference) []literal {
	from := c + headerWords
	return s[from : from+reference(s[c])]
}

func (s store) number(c reference) uint32  { return uint32(s[c+numberWord]) }
func (s store) next(c reference) reference { return c + headerWords + reference(s[c]) }

// A watch is a clause that must be looked at when a literal fails, unless another of its literals holds.
type watch struct {
	clause reference
	other  literal // in a clause of two literals the other one
	binary bool
}

// watch watches the first two literals of a clause.
func (s *solver) watch(c reference) {
	clause := s.clauses.literals(c)
	a, b := clause[0], clause[1]
	s.watches[a] = append(s.watches[a], watch{c, b, len(clause) == 2})
	s.watches[b] = append(s.watches[b], watch{c, a, len(clause) == 2})
}

// A reader takes the clauses of a formula, all or those of some parts, into a solver, without repeated literals.
type reader struct {
	solver *solver
	ctx    context.Context
	number uint32        // of the clause
	parts  []encode.Part // in their sequence; nil: all
	clause []literal
}

// Add implements cnf.Sink. It leaves out clauses that always hold.
func (r *reader) Add(clause []int) error {
	s := r.solver
	if r.number++; r.number%1024 == 0 {
		if err := s.interrupted(r.ctx); err != nil {
			return err
		}
	}
	if r.parts != nil {
		for len(r.parts) > 0 && int64(r.number) >= r.parts[0].Clauses[1] {
			r.parts = r.parts[1:]
		}
		if len(r.parts) == 0 || int64(r.number) < r.parts[0].Clauses[0] {
			return nil
		}
	}
	r.clause = r.clause[:0]
	always := false
	for _, n := range clause {
		l := literalOf(n)
		always = always || s.marks[l.not()]
		if !s.marks[l] {
			s.marks[l] = true
			r.clause = append(r.clause, l)
		}
	}
	for _, l := range r.clause {
		s.marks[l] = false
		s.order.add(l.variable())
	}
	switch {
	case always:
	case len(r.clause) == 0:
		s.empty = r.number
	case len(r.clause) == 1:
		s.units = append(s.units, unit{r.clause[0], r.number})
	default:
		s.watch(s.clauses.add(r.clause, r.number, 0))
	}
	return nil
}
