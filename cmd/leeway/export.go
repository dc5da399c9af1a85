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

func (a *app) exportCommand() *cobra.Command {
	var format, out string
	var f formulaFlags
	cmd := &cobra.Command{
		Use:   "export FILE...",
		Short: "Write records as JSON, JSON lines or CSV, or a question as a formula",
		Long: `Write records as JSON, JSON lines or CSV; or, with --formula, the question whether
a placement of --size processors has E_max below a value, for an outside solver.`,
		Example: `  leeway export --format csv *.json
  leeway export --format jsonl --out all.jsonl *.json
  leeway export --formula opb --torus 6x6 --size 12 --routing udr:tie=both --below 3 --strengthen --out q.opb`,
		RunE: func(cmd *cobra.Command, files []string) error {
			if cmd.Flags().Changed("formula") {
				if len(files) > 0 || cmd.Flags().Changed("format") {
					return usagef("--formula writes a question, not records: leave the files and --format away")
				}
				return a.exportFormula(cmd.Context(), &f, out)
			}
			if len(files) == 0 {
				return &usageError{err: usagef("no record to export"), hint: "leeway export FILE..."}
			}
			if err := oneOf("format", format, results.ExportFormats); err != nil {
				return err
			}
			var records []results.Record
			for _, name := range files {
				r, err := results.ReadRecordFile(cmd.Context(), name)
				if err != nil {
					return err
				}
				records = append(records, r)
			}
			data, err := results.Export(format, records)
			if err != nil {
				return err
			}
			return a.deliver(out, data)
		},
	}
	f.register(cmd)
	cmd.Flags().StringVar(&format, "format", "json", "format: json, jsonl or csv")
	cmd.Flags().StringVar(&out, "out", "", "file to write (default: standard output)")
	return cmd
}

// formulaFlags hold what "export --formula" is about.
type formulaFlags struct {
	subject
	format, belowText         string
	strengthen, breakSymmetry bool
}

func (f *formulaFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.format, "formula", "",
		"export the question whether a placement has E_max below --below as a formula: dimacs, opb or lp")
	f.flags(cmd, "torus", "size", "routing")
	cmd.Flags().StringVar(&f.belowText, "below", "", "the value that E_max must stay below, a fraction")
	cmd.Flags().BoolVar(&f.strengthen, "strengthen", false,
		"opb and lp: add for every node a row that counts the products with it")
	cmd.Flags().BoolVar(&f.breakSymmetry, "break-symmetry", false,
		"add rows that exclude symmetric placements and keep at least one of every orbit")
}

// exportFormula writes the formula to the file, or to stdout without one.
func (a *app) exportFormula(ctx context.Context, f *formulaFlags, out string) error {
	p, below, err := f.readQuestion(ctx)
	if err != nil {
		return err
	}
	formula := work.Formula{Problem: p, Below: below, Format: f.format, Strengthen: f.strengthen,
		BreakSymmetry: f.breakSymmetry}
	write, err := formula.Writer(ctx)
	var unsupported *encode.UnsupportedError
	var size *cnf.SizeError
	switch {
	case errors.As(err, &unsupported), errors.As(err, &size):
		return &usageError{err: err}
	case err != nil:
		return err
	case out == "":
		return write(writer(a.write))
	}
	return a.writing(func() error { return results.WriteWhole(out, write) }, out)
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
func (f *formulaFlags) readQuestion(ctx context.Context) (p objective.Problem, below *big.Rat, err error) {
	if err := oneOf("formula", f.format, work.FormulaFormats); err != nil {
		return p, nil, err
	}
	if f.format == "dimacs" && f.strengthen {
		return p, nil, &usageError{err: usagef("--strengthen: clauses have no such rows"), hint: "use --formula opb or lp"}
	}
	if err := missing("torus", f.where(), "size", f.sizeText, "routing", f.routingText,
		"below", f.belowText); err != nil {
		return p, nil, err
	}
	if p, err = f.problem(ctx, "a formula is about"); err != nil {
		return p, nil, err
	}
	below, err = results.ParseFraction(f.belowText)
	return p, below, inFlag("below", err)
}
