package backend

import (
	"context"
	"math/big"
	"path/filepath"

	"leeway/encode"
	"leeway/encode/dimacs"
	"leeway/objective"
	"leeway/search"
)

// A Method asks an outside solver for placements below the best so far, until it says that there is none.
type Method struct {
	Solver string   // path, or the name of a program on PATH
	Proof  string   // path of the proof file to write; "": none, and the end is a claim
	Below  *big.Rat // ask about nothing above this value; nil: no limit
}

// Name returns the name of the solver.
func (m Method) Name() string { return filepath.Base(m.Solver) }

// Supports is encode.Supports with an *search.UnsupportedError.
func (m Method) Supports(p objective.Problem) error {
	if err := encode.Supports(p); err != nil {
		return search.Unsupported(m.Name(), p, "%v", err)
	}
	return nil
}

// Run starts below the best start, or the first nodes of the torus without one.
// An evaluation is a call of the solver. Errors are those of Decide.
func (m Method) Run(ctx context.Context, p search.Params) (search.Outcome, error) {
	return search.Descend(ctx, p, m.Name(), func(out *search.Outcome) (bool, error) { return m.ask(ctx, p, out) })
}

// ask puts one question to the solver.
func (m Method) ask(ctx context.Context, p search.Params, out *search.Outcome) (more bool, err error) {
	below := out.Value
	if m.Below != nil && m.Below.Cmp(below) < 0 {
		below = m.Below
	}
	p.Report(search.Event{Method: m.Name(), Value: out.Value, Evaluations: out.Evaluations,
		Note: "below " + below.RatString()})
	d, err := Decide(ctx, m.Solver, p.Problem, below, m.Proof)
	if err != nil {
		return false, err
	}
	out.Evaluations++
	switch d.Status {
	case dimacs.Satisfiable:
		out.Best, out.Value = d.Placement, d.Value
		return true, nil
	case dimacs.Unsatisfiable:
		out.Reason = search.Complete
		out.Refutation = &search.Refutation{Below: below, Kind: search.SolverClaim, Engine: m.Name()}
		if d.Proved {
			out.Refutation.Kind, out.Refutation.File = search.Unsat, m.Proof
		}
		return false, nil
	}
	if ctx.Err() == nil {
		return false, &SolverError{Solver: m.Solver, Why: "it gave no answer below " + below.RatString()}
	}
	return true, nil
}
