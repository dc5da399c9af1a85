package work

import (
	"context"
	"fmt"
	"io"
	"math/big"

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

// Writer returns what writes the formula until the context ends. All that can be wrong with the
// question is found before.
func (f Formula) Writer(ctx context.Context) (func(io.Writer) error, error) {
	write, err := f.writer(ctx)
	if err != nil {
		return nil, err
	}
	return func(w io.Writer) error { return write(stopper{ctx, w}) }, nil
}

// writer returns what writes the formula with a first comment that spells the question. All
// that can be wrong with the question is found before.
func (f Formula) writer(ctx context.Context) (func(io.Writer) error, error) {
	title := fmt.Sprintf("leeway export --formula %s %s --below %s", f.Format, f.Problem, f.Below.RatString())
	if f.Strengthen {
		title += " --strengthen"
	}
	if f.BreakSymmetry {
		title += " --break-symmetry"
	}
	if f.Format == "dimacs" {
		return f.dimacs(ctx, title)
	}
	model, err := opb.New(ctx, f.Problem, f.Below, opb.Options{Strengthen: f.Strengthen, BreakSymmetry: f.BreakSymmetry})
	if err != nil {
		return nil, err
	}
	if f.Format == "lp" {
		return func(w io.Writer) error { return lp.Write(w, []string{title}, model) }, nil
	}
	return func(w io.Writer) error { return opb.Write(w, []string{title}, model) }, nil
}

// dimacs is writer for clauses.
func (f Formula) dimacs(ctx context.Context, title string) (func(io.Writer) error, error) {
	formula, err := f.Clauses(ctx)
	if err != nil {
		return nil, err
	}
	return func(w io.Writer) error {
		return dimacs.Write(w, append([]string{title}, dimacs.Names(f.Problem.Torus(), "")...), formula)
	}, nil
}

// Clauses returns the formula in clauses, whatever its format. Errors are *encode.UnsupportedError, *cnf.SizeError and
// that of the context.
func (f Formula) Clauses(ctx context.Context) (*encode.Formula, error) {
	model, err := encode.NewModel(ctx, f.Problem, encode.Options{BreakSymmetry: f.BreakSymmetry})
	if err != nil {
		return nil, err
	}
	return model.Formula(ctx, dimacs.Limit(f.Problem, f.Below))
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
