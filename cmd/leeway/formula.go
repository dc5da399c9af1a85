package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/big"

	"github.com/spf13/cobra"

	"leeway/encode"
	"leeway/encode/cnf"
	"leeway/encode/dimacs"
	"leeway/encode/lp"
	"leeway/encode/opb"
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
func (a *app) exportFormula(f *formulaFlags, out string) error {
	p, below, err := f.question()
	if err != nil {
		return err
	}
	var text bytes.Buffer
	if err := f.write(&text, p, below); err != nil {
		return formulaError(err)
	}
	if out != "" {
		return a.writeFile(out, text.Bytes())
	}
	return a.write(text.Bytes())
}

// question reads the flags.
func (f *formulaFlags) question() (objective.Problem, *big.Rat, error) {
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
	problems, err := f.problems()
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

// write writes the formula with a first comment that spells the question.
func (f *formulaFlags) write(w io.Writer, p objective.Problem, below *big.Rat) error {
	title := fmt.Sprintf("leeway export --formula %s %s --below %s", f.format, p, results.FormatFraction(below))
	if f.strengthen {
		title += " --strengthen"
	}
	if f.breakSymmetry {
		title += " --break-symmetry"
	}
	if f.format == "dimacs" {
		return f.writeClauses(w, title, p, below)
	}
	model, err := opb.New(p, below, opb.Options{Strengthen: f.strengthen, BreakSymmetry: f.breakSymmetry})
	if err != nil {
		return err
	}
	if f.format == "lp" {
		return lp.Write(w, []string{title}, model)
	}
	return opb.Write(w, []string{title}, model)
}

func (f *formulaFlags) writeClauses(w io.Writer, title string, p objective.Problem, below *big.Rat) error {
	model, err := encode.NewModel(p, encode.Options{BreakSymmetry: f.breakSymmetry})
	if err != nil {
		return err
	}
	formula, err := model.Formula(dimacs.Limit(p.Routing, below))
	if err != nil {
		return err
	}
	return dimacs.Write(w, append([]string{title}, dimacs.Names(p.Torus(), "")...), formula)
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
