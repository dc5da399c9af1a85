package work

import (
	"context"
	"fmt"
	"io"
	"math/big"

	"leeway/core"
	"leeway/encode"
	"leeway/encode/dimacs"
	"leeway/encode/lp"
	"leeway/encode/opb"
	"leeway/objective"
)

// FormulaFormats lists the formats of formulas.
var FormulaFormats = []string{"dimacs", "opb", "lp"}

// A Formula is the question whether a placement with E_max below a value exists, for an outside
// solver.
type Formula struct {
	Problem                   objective.Problem
	Below                     *big.Rat
	Format                    string // of FormulaFormats
	Strengthen, BreakSymmetry bool   // as in opb.Options and encode.Options
}

// Writer returns what writes the formula until the context ends, with a first comment that spells the question. All
// that can be wrong with the question is found before.
func (f Formula) Writer(ctx context.Context) (func(io.Writer) error, error) {
	if f.Format == "dimacs" {
		clauses, err := f.Clauses(ctx)
		if err != nil {
			return nil, err
		}
		return clauses.WriteFile, nil
	}
	model, err := opb.New(ctx, f.Problem, f.Below, opb.Options{Strengthen: f.Strengthen, BreakSymmetry: f.BreakSymmetry})
	if err != nil {
		return nil, err
	}
	write := opb.Write
	if f.Format == "lp" {
		write = lp.Write
	}
	return func(w io.Writer) error { return write(stopper{ctx, w}, []string{f.title()}, model) }, nil
}

// title spells the question.
func (f Formula) title() string {
	title := fmt.Sprintf("leeway export --formula %s %s --below %s", f.Format, f.Problem, f.Below.RatString())
	if f.Strengthen {
		title += " --strengthen"
	}
	if f.BreakSymmetry {
		title += " --break-symmetry"
	}
	return title
}

// Clauses are a formula in clauses that can be written as a file, with the question in its first comment.
type Clauses struct {
	dimacs.Formula
	Labelled  int                   // placements that RestOf lists, with all their images
	WriteFile func(io.Writer) error // in DIMACS CNF, until the context ends
}

func newClauses(ctx context.Context, title string, t *core.Torus, f dimacs.Formula) *Clauses {
	return &Clauses{Formula: f, WriteFile: func(w io.Writer) error {
		return dimacs.Write(stopper{ctx, w}, append([]string{title}, dimacs.Names(t, "")...), f)
	}}
}

// Clauses returns the formula in clauses, whatever its format. Errors are *encode.UnsupportedError, *cnf.SizeError and
// that of the context.
func (f Formula) Clauses(ctx context.Context) (*Clauses, error) {
	model, err := encode.NewModel(ctx, f.Problem, encode.Options{BreakSymmetry: f.BreakSymmetry})
	if err != nil {
		return nil, err
	}
	formula, err := model.Formula(ctx, dimacs.Limit(f.Problem, f.Below))
	if err != nil {
		return nil, err
	}
	return newClauses(ctx, f.title(), f.Problem.Torus(), formula), nil
}

// A stopper writes until a context ends.
type stopper struct {
	ctx context.Context
	to  io.Writer
}

// Write writes, or returns the error of the context.
func (s stopper) Write(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.to.Write(p)
}
