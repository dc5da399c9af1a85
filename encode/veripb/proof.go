// Package veripb builds proofs that linear constraints over 0 and 1 have no solution, in the text forms of VeriPB
// (S. Gocht and J. Nordstroem, Certifying parity reasoning efficiently using pseudo-Boolean proofs, AAAI 2021): that of
// version 2.0 and those that earlier and later checkers read.
//
// A constraint says that the sum of coefficients times literals is at least its degree. The constraints of the formula
// have the numbers 1, 2, ..., an equation two of them, first "at least", then "at most". A step adds a constraint with
// the next number:
//
//   - Sum: a linear combination of constraints and of "a literal is at least 0", saturated and divided on the way;
//   - Follows: one that unit propagation through the named constraints, one after the other, shows to follow;
//   - Define: one that a variable that no constraint has used decides, so that every solution still extends to one.
//
// The proof ends with a constraint that cannot hold. It is kept until it is written, without the steps that the end
// does not need, and with the deletion of every constraint after its last use.
package veripb

import (
	"cmp"
	"errors"
	"math"
	"slices"
)

// A Literal is a variable, 1, 2, ..., or its negation, which is the negative number.
type Literal int32

// A Term is a coefficient, above 0, times a literal.
type Term struct {
	Coef    int64
	Literal Literal
}

// A Row says that the sum of its terms is at least the degree. Its terms are in the order of their variables, one for
// each variable.
type Row struct {
	Terms  []Term
	Degree int64
}

// Clause returns the row "one of these literals holds", for literals of different variables.
func Clause(literals ...Literal) Row {
	r := Row{Degree: 1}
	for _, l := range literals {
		r.Terms = append(r.Terms, Term{1, l})
	}
	slices.SortFunc(r.Terms, func(a, b Term) int { return cmp.Compare(a.Literal.variable(), b.Literal.variable()) })
	return r
}

func (l Literal) variable() Literal { return max(l, -l) }

// Normal returns the row "the sum of the coefficients times variables is at least the bound": 3 y - 2 x >= 1 is
// 3 y + 2 (1-x) >= 3. Each variable may stand once.
func Normal(bound int64, terms []Term) Row {
	r := Row{Degree: bound}
	for _, t := range terms {
		if t.Coef < 0 {
			t = Term{-t.Coef, -t.Literal}
			r.Degree += t.Coef
		}
		if t.Coef != 0 {
			r.Terms = append(r.Terms, t)
		}
	}
	slices.SortFunc(r.Terms, func(a, b Term) int { return cmp.Compare(a.Literal.variable(), b.Literal.variable()) })
	return r
}

// most is what a number in a proof may not reach, so that no sum of two overflows.
const most = math.MaxInt64 / 4

// ErrTooLarge says that a number in a proof passes 61 bits.
var ErrTooLarge = errors.New("a number in the proof passes 61 bits")

// ErrUnfinished says that a proof does not end with a constraint that cannot hold.
var ErrUnfinished = errors.New("the proof does not end with a constraint that cannot hold")

// An ID is the number of a constraint, before the proof is written: then those after steps that are left out move up.
type ID int32

type kind byte

const (
	sumStep kind = iota
	followsStep
	defineStep
)

// An op is a part of a sum, in sequence.
type op struct {
	kind byte // '+' a constraint, 'x' a literal, 's', 'd', 'w'
	arg  int32
	by   int64
}

type step struct {
	kind    kind
	ops     []op
	hints   []ID
	witness Literal
}

// A Proof is a list of steps. The first error stays and is returned in the end.
type Proof struct {
	rows   []Row // by number, 0 is none
	inputs int
	steps  []step
	end    ID
	err    error
}

// New returns the empty proof for a formula with these constraints.
func New(formula []Row) *Proof {
	return &Proof{rows: append([]Row{{}}, formula...), inputs: len(formula)}
}

// Row returns a constraint. Its terms must not be changed.
func (p *Proof) Row(id ID) Row { return p.rows[id] }

// Err returns the first error: ErrTooLarge, if a number was.
func (p *Proof) Err() error { return p.err }

// Steps returns the number of steps so far, among them those that will be left out.
func (p *Proof) Steps() int { return len(p.steps) }

func (p *Proof) add(s step, r Row) ID {
	if id := ID(len(p.rows)); p.end == 0 && r.contradicts() {
		p.end = id
	}
	if r.Degree >= most {
		p.fail(ErrTooLarge)
	}
	p.steps = append(p.steps, s)
	p.rows = append(p.rows, r)
	return ID(len(p.rows) - 1)
}

func (p *Proof) fail(err error) {
	if p.err == nil {
		p.err = err
	}
}

func (r Row) contradicts() bool {
	sum := int64(0)
	for _, t := range r.Terms {
		if sum += t.Coef; sum >= r.Degree {
			return false
		}
	}
	return sum < r.Degree
}

// Follows adds a row that unit propagation shows: when it is assumed not to hold, the constraints of the hints, one
// after the other, fix literals, and the last one fails. The slices are kept.
func (p *Proof) Follows(r Row, hints []ID) ID { return p.add(step{kind: followsStep, hints: hints}, r) }

// Define adds a row that holds where the literal does, whose variable is new or was defined by rows that hold where it
// does not: such a row and this one never both ask for something.
func (p *Proof) Define(r Row, witness Literal) ID {
	return p.add(step{kind: defineStep, witness: witness}, r)
}

// names calls a function for every constraint that a step names.
func (s *step) names(each func(ID)) {
	for _, o := range s.ops {
		if o.kind == '+' {
			each(ID(o.arg))
		}
	}
	for _, h := range s.hints {
		each(h)
	}
}
