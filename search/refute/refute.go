package refute

import (
	"context"
	"fmt"
	"math"

	"leeway/encode/dimacs"
	"leeway/encode/lrat"
)

// DefaultMemory is how many bytes Refute may take, 2 GiB.
const DefaultMemory = 2 << 30

// An Answer says whether a formula can be satisfied.
type Answer struct {
	Satisfiable bool
	Conflicts   int64 // that were met on the way
	solver      *solver
}

// WriteProof writes the proof of a formula that cannot be satisfied, up to the empty clause, and returns the first
// error of the writer. Cost O(steps and hints of all learnt clauses).
func (a *Answer) WriteProof(w *lrat.Writer) error { return a.solver.proof.write(w) }

// Refute is an lrat.Refuter. It may take DefaultMemory.
func Refute(ctx context.Context, formula dimacs.Formula, w *lrat.Writer) error {
	answer, err := Solve(ctx, formula, DefaultMemory)
	switch {
	case err != nil:
		return err
	case answer.Satisfiable:
		return lrat.ErrSatisfiable
	}
	return answer.WriteProof(w)
}

// Solve decides a formula. It fails with a *LimitError if clauses and proof would take more than memory bytes, or with
// the error of the context or the formula. The time grows exponentially with hard formulas.
func Solve(ctx context.Context, formula dimacs.Formula, memory int64) (*Answer, error) {
	r := &refutation{ctx: ctx, formula: formula, memory: memory, proof: &log{original: uint32(formula.Clauses())}}
	if f, ok := formula.(lined); ok {
		if lines := f.Lines(); lines != nil {
			if err := r.byLines(lines); err != nil {
				return nil, err
			}
		}
	}
	s := r.solver(nil)
	verdict := refuted
	if !r.proof.ended {
		if err := r.read(s); err != nil {
			return nil, err
		}
		var err error
		if verdict, err = s.solve(ctx, nothing, math.MaxInt64/2); err != nil {
			return nil, err
		}
	}
	return &Answer{Satisfiable: verdict == satisfiable, Conflicts: r.proof.conflicts, solver: s.solver}, nil
}

// A LimitError says that a formula was not decided within a given number of bytes.
type LimitError struct {
	Bytes int64
}

// Error says how much was allowed.
func (e *LimitError) Error() string {
	return fmt.Sprintf("the formula is not decided within %d MB of memory", e.Bytes>>20)
}
