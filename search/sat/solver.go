package sat

import (
	"context"
	"time"

	"github.com/irifrance/gini"
	"github.com/irifrance/gini/inter"
	"github.com/irifrance/gini/z"

	"leeway/encode/dimacs"
)

// An Answer is what the solver came to.
type Answer int

// The answers.
const (
	Open    Answer = iota // it was stopped first
	Found                 // the formula can hold
	Refuted               // it cannot
)

// instant is a time that has passed when gini looks at its clock for the first time. It does so after 20000
// propagations, and between two conflicts only, so what stops a call is their number, and the clock has no part in it.
const instant = time.Nanosecond

// solve asks gini about a formula and returns the answer and, if Found, the value of every variable. It gives up soon
// after the context ends. A new solver is made each time: limits differ in most of their clauses, and what the solver
// does then depends on the formula alone. With a number of calls above 0 it gives up after a given number of short ones
// too, and returns how many it made.
func solve(ctx context.Context, f dimacs.Formula, calls int64) (answer Answer, value func(variable int) bool,
	made int64) {
	// Without hints of capacity: for millions of variables gini would allocate
	// for seconds, deaf to the context. It grows quickly enough.
	g := gini.New()
	if err := f.Write(&sink{ctx: ctx, solver: g}); err != nil {
		return Open, nil, 0 // the sink fails only when the context ends
	}
	result := 0
	if calls == 0 {
		result = wait(ctx, g.GoSolve())
	}
	for ; result == 0 && made < calls && ctx.Err() == nil; made++ {
		result = g.Try(instant)
	}
	switch result {
	case 1:
		return Found, func(v int) bool { return g.Value(z.Dimacs2Lit(v)) }, made
	case -1:
		return Refuted, nil, made
	default:
		return Open, nil, made
	}
}

// sink passes clauses to gini while the context lasts.
type sink struct {
	ctx     context.Context
	solver  *gini.Gini
	clauses int
}

// Add implements cnf.Sink.
func (s *sink) Add(clause []int) error {
	if s.clauses++; s.clauses%1024 == 0 && s.ctx.Err() != nil {
		return s.ctx.Err()
	}
	for _, l := range clause {
		s.solver.Add(z.Dimacs2Lit(l))
	}
	s.solver.Add(z.LitNull)
	return nil
}

// longestPoll is the longest time between two looks at the solver.
const longestPoll = 10 * time.Millisecond

// wait returns gini's result, 0 if the context ended first. It polls: gini's
// Wait holds a lock that its Stop needs, so the two cannot wait side by side.
func wait(ctx context.Context, s inter.Solve) int {
	pause := 20 * time.Microsecond
	for {
		if result, done := s.Test(); done {
			return result
		}
		select {
		case <-ctx.Done():
			return s.Stop()
		case <-time.After(pause):
			pause = min(2*pause, longestPoll)
		}
	}
}

// Decide asks gini about any formula: Found with the value of every variable,
// Refuted, or Open if the context ended first. It leaves no proof.
func Decide(ctx context.Context, f dimacs.Formula) (Answer, func(variable int) bool) {
	answer, value, _ := solve(ctx, f, 0)
	return answer, value
}
