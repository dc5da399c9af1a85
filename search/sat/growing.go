package sat

import (
	"context"
	"time"

	"github.com/irifrance/gini"
	"github.com/irifrance/gini/z"

	"leeway/encode/cnf"
)

// An Answer is what one call of the solver came to.
type Answer int

// The answers.
const (
	Open    Answer = iota // the call ended first; another goes on where it stopped
	Found                 // the clauses so far can hold
	Refuted               // they cannot
)

// Growing is a formula that may grow between calls of the solver, each of which
// is short. It is not safe for concurrent use.
type Growing struct {
	*cnf.Builder
	solver *gini.Gini
}

// NewGrowing returns a formula without clauses whose variables 1..reserved are
// taken. Its builder ends with a *cnf.SizeError that names the formula what when
// more than limit clauses come; calls then answer for those that came before.
func NewGrowing(what string, reserved int, limit int64) *Growing {
	solver := gini.New()
	sink := &sink{ctx: context.Background(), solver: solver}
	return &Growing{Builder: cnf.NewBuilder(sink, what, reserved, limit), solver: solver}
}

// instant is a time that has passed when gini looks at its clock for the first
// time. It does so after 20000 propagations, and between two conflicts only, so
// what stops a call is their number, and the clock has no part in it.
const instant = time.Nanosecond

// Call asks gini about the clauses so far for about 20000 propagations. What was
// learned stays, so further calls go on from there. The sequence of answers and
// models depends on the sequence of clauses and calls only.
func (g *Growing) Call() Answer {
	switch g.solver.Try(instant) {
	case 1:
		return Found
	case -1:
		return Refuted
	default:
		return Open
	}
}

// Holds reports the value of a variable after a call that answered Found, until
// clauses are added.
func (g *Growing) Holds(variable int) bool { return g.solver.Value(z.Dimacs2Lit(variable)) }
