// Package cnf is the common ground of everything that writes clauses: a sink
// that takes them and a builder that numbers variables and counts.
//
// A literal is a variable number 1, 2, ... or its negative, as in the DIMACS
// format; a clause is a list of literals of which at least one holds; a formula
// is a set of clauses.
package cnf

import (
	"fmt"

	"leeway/core"
)

// A Sink takes the clauses of a formula one by one.
type Sink interface {
	// Add takes a clause. The slice is only valid during the call. An error
	// ends the writing and is passed on.
	Add(clause []int) error
}

// A SizeError says that a formula would have more clauses than allowed.
type SizeError struct {
	What  string // the formula or the part of it that is too large
	Limit int64  // clauses allowed
}

// Error names the formula and the limit.
func (e *SizeError) Error() string {
	return fmt.Sprintf("%s needs more than %d clauses, the most that is allowed", e.What, e.Limit)
}

// A Builder writes clauses to a sink and hands out variables. After the first
// error it writes nothing more; Err returns that error at the end, so that
// encodings need not look after every clause.
type Builder struct {
	sink    Sink
	what    string
	limit   int64
	vars    int
	clauses int64
	clause  []int
	watch   *core.Watch // nil: it never ends
	err     error
}

// NewBuilder returns a builder whose variables 1..reserved are taken already. It
// ends with a *SizeError that names the formula what when more than limit
// clauses come. A nil sink only counts.
func NewBuilder(sink Sink, what string, reserved int, limit int64) *Builder {
	return &Builder{sink: sink, what: what, limit: limit, vars: reserved}
}

// SetWatch has the builder end with the error of a watch when that ends.
func (b *Builder) SetWatch(w *core.Watch) { b.watch = w }

// Var returns a new variable.
func (b *Builder) Var() int {
	b.vars++
	return b.vars
}

// Clause writes the clause of the given literals; no literal is the clause that
// cannot hold.
func (b *Builder) Clause(literals ...int) {
	if b.err != nil {
		return
	}
	if b.clauses == b.limit {
		b.err = &SizeError{What: b.what, Limit: b.limit}
		return
	}
	b.clauses++
	if b.err = b.watch.Err(1); b.err != nil || b.sink == nil {
		return
	}
	// Copied, so that the literals of the caller stay on its stack.
	b.clause = append(b.clause[:0], literals...)
	b.err = b.sink.Add(b.clause)
}

// Vars returns the highest variable in use.
func (b *Builder) Vars() int { return b.vars }

// Clauses returns the number of clauses written.
func (b *Builder) Clauses() int64 { return b.clauses }

// Err returns the first error: of the sink or the watch, or a *SizeError.
func (b *Builder) Err() error { return b.err }
