package main

import (
	"context"
	"errors"
	"math/big"

	"github.com/spf13/cobra"

	"leeway/cmd/work"
	"leeway/encode"
	"leeway/encode/cnf"
	"leeway/objective"
	"leeway/results"
)

// formulaFlags hold what "export --formula" is about.
type formulaFlags struct {
	subject
	format, belowText         string
	strengthen, breakSymmetry bool
}

// formulaFormats are the values of --formula.
const formulaFormats = "dimacs, opb and lp"

func (f *formulaFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.format, "formula", "", "export the question \"is there a placement below --below?\" as a formula: dimacs, opb or lp")
	f.torusFlag(cmd)
	f.sizeFlag(cmd)
	f.routingFlag(cmd)
	cmd.Flags().StringVar(&f.belowText, "below", "", "the value that E_max must stay below, a fraction")
	cmd.Flags().BoolVar(&f.strengthen, "strengthen", false, "opb and lp: add for every node how many products with it hold")
	cmd.Flags().BoolVar(&f.breakSymmetry, "break-symmetry", false, "add rows that keep few placements of every orbit, at least one")
}

// requested reports whether a formula is to be exported.
func (f *formulaFlags) requested(cmd *cobra.Command) bool { return cmd.Flags().Changed("formula") }

// exportFormula writes the formula to the file, or to stdout without one.
func (a *app) exportFormula(ctx context.Context, f *formulaFlags, out string) error {
	p, below, err := f.readQuestion(ctx)
	if err != nil {
		return err
	}
	formula := work.Formula{Problem: p, Below: below, Format: f.format, Strengthen: f.strengthen, BreakSymmetry: f.breakSymmetry}
	heeding, err := formula.Writer(ctx)
	if err != nil {
		return formulaError(err)
	}
	if out != "" {
		return a.writing(func() error { return results.WriteWhole(out, heeding) }, out)
	}
	return heeding(writer(a.write))
}

// A writer writes by a function.
type writer func(p []byte) error

// Write implements io.Writer.
func (w writer) Write(p []byte) (int, error) {
	if err := w(p); err != nil {
		return 0, err
	}
	return len(p), nil
}

// readQuestion reads the flags.
func (f *formulaFlags) readQuestion(ctx context.Context) (objective.Problem, *big.Rat, error) {
	none := objective.Problem{}
	switch f.format {
	case "opb", "lp":
	case "dimacs":
		if f.strengthen {
			return none, nil, &usageError{err: usagef("--strengthen: clauses have no such rows"), hint: "use --formula opb or lp"}
		}
	default:
		return none, nil, &usageError{err: usagef("--formula %q: unknown format", f.format), hint: "formats are " + formulaFormats}
	}
	problems, err := f.problems(ctx)
	switch {
	case err != nil:
		return none, nil, err
	case len(problems) != 1:
		return none, nil, &usageError{err: usagef("--size %q: a formula is about one size", f.sizeText), hint: "export one formula for each size"}
	case f.belowText == "":
		return none, nil, usagef("the flag --below is missing")
	}
	below, err := results.ParseFraction(f.belowText)
	if err != nil {
		return none, nil, &usageError{err: inFlag("below", err), hint: "write for instance 4 or 7/2"}
	}
	return problems[0], below, nil
}

// formulaError marks a problem that has no formula as bad usage.
func formulaError(err error) error {
	var unsupported *encode.UnsupportedError
	var size *cnf.SizeError
	if errors.As(err, &unsupported) || errors.As(err, &size) {
		return &usageError{err: err}
	}
	return err
}
