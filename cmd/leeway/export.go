package main

import (
	"context"
	"errors"
	"io"
	"math/big"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"leeway/cmd/cli"
	"leeway/cmd/work"
	"leeway/encode"
	"leeway/encode/cnf"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/results"
	"leeway/results/disk"
	"leeway/results/export"
	"leeway/results/schedules"
)

func (a *app) exportCommand() *cobra.Command {
	var out string
	format := "json"
	var optima bool
	var f formulaFlags
	var to toolFlags
	cmd := command("export FILE...", "Write records, a network for a simulator, a schedule, or a formula", nil,
		func(cmd *cobra.Command, files []string) error {
			changed := cmd.Flags().Changed
			switch asks := changed("formula"); {
			case asks && len(files) > 0:
				return cli.Errorf("--formula writes a question, not records: omit the files")
			case asks:
				return a.exportFormula(cmd.Context(), &f, out)
			case slices.Contains(schedules.Formats, to.tool):
				return a.exportSchedule(cmd, to.tool, files, out)
			case to.tool != "":
				return a.exportTo(cmd, &f.subject, to, files, out)
			}
			for _, flag := range []string{"torus", "mesh", "network", "routing"} {
				if changed(flag) {
					return cli.Errorf("--%s is for --formula or --to: a record says itself what it is about", flag)
				}
			}
			if optima && !changed("format") {
				format = "csv"
			}
			switch err := cli.OneOf("format", format, export.Formats); {
			case len(files) == 0:
				return cli.Errorf("no record to export").Hinted("leeway export FILE...")
			case err != nil:
				return err
			case optima && format != "csv":
				return cli.Errorf("--optima writes a table: --format %s does not go with it", format).
					Hinted("records in JSON hold optima and optima_orbits")
			}
			var records []results.Record
			for _, name := range files {
				r, err := disk.ReadRecordFile(cmd.Context(), name)
				if err != nil {
					return err
				}
				records = append(records, r)
			}
			table := export.Records
			if optima {
				table = export.OptimaTable
			}
			data, err := table(format, records)
			if err != nil {
				return err
			}
			return a.deliver(out, data)
		})
	addFlags(cmd, flag{&f.format, "formula",
		"export the question whether a placement has E_max below --below as a formula: dimacs, opb or lp"})
	f.flags(cmd, "torus", "network", "size", "routing", "traffic", "placement", "conditions")
	addFlags(cmd, []flag{
		{&f.belowText, "below", "the value that E_max must stay below, a fraction"},
		{&f.strengthen, "strengthen", "opb and lp: add for every node a row that counts the products with it"},
		{&f.breakSymmetry, "break-symmetry",
			"add rows that exclude symmetric placements and keep at least one of every orbit"},
		{&to.tool, "to",
			"export a network with its processors and loads: " + strings.Join(export.Tools, ", ") + "; or a schedule of " +
				"complete exchange: " + strings.Join(schedules.Formats, ", ")},
		{&to.rateText, "rate",
			"noxim: messages that every processor sends to every other per cycle, a fraction (default: 1 over E_max, or over " +
				"the number of receivers if that is larger)"},
		{&format, "format", "format: json, jsonl or csv"},
		{&optima, "optima",
			"write the optima that records list instead, a row for each orbit, as CSV: its number, size, stabiliser, nodes"},
		{&out, "out", "file to write (default: standard output)"},
	}...)
	const ofFormula = "size below strengthen break-symmetry fixed forbidden"
	cli.Need(cmd, ofFormula, "formula", "a record says itself what it is about")
	cli.Need(cmd, "placement rate", "to", "--formula asks for any placement, and a record says its own")
	cli.Exclude(cmd, "formula", "format optima to", "a formula is a question, not a record")
	cli.Exclude(cmd, "to", "format optima", "")
	return cmd
}

// exportTargets are the values of --to.
var exportTargets = slices.Concat(export.Tools, schedules.Formats)

// exportSchedule writes the schedule in a file for other programs.
func (a *app) exportSchedule(cmd *cobra.Command, format string, files []string, out string) error {
	for _, flag := range []string{"torus", "mesh", "network", "routing", "placement", "rate", "traffic"} {
		if cmd.Flags().Changed(flag) {
			return cli.Errorf("--%s does not go with --to %s, which takes a file of leeway exchange --out", flag, format)
		}
	}
	if len(files) != 1 {
		return cli.Errorf("--to %s writes one schedule, not %d", format, len(files)).
			Hinted("leeway export --to " + format + " SCHEDULE")
	}
	r, err := schedules.Open(cmd.Context(), files[0])
	if err != nil {
		return err
	}
	defer r.Close()
	write, err := schedules.Export(format, r.Head, r.Phases())
	if err != nil {
		return cli.InFlag("to", err)
	}
	return results.InFile(a.toFile(out, write), files[0])
}

// toolFlags hold the flags of "export --to" beside its subject.
type toolFlags struct {
	tool, rateText string
}

// maxToolNodes is the most nodes of a network that is written for another program.
const maxToolNodes = 1 << 16

// exportTo writes the network of a record, or of the flags, for another program to the file, or to stdout without one.
func (a *app) exportTo(cmd *cobra.Command, s *subject, to toolFlags, files []string, out string) error {
	if err := cli.OneOf("to", to.tool, exportTargets); err != nil {
		return err
	}
	if len(files) > 1 {
		return cli.Errorf("--to writes one network, not %d: give one record", len(files))
	}
	var n export.Loaded
	if to.rateText != "" {
		var err error
		if n.Rate, err = readRate(to); err != nil {
			return err
		}
	}
	s.mostNodes = maxToolNodes
	var err error
	if n.Problem, n.Placement, err = s.given(cmd.Context(), files); err != nil {
		return err
	}
	if n.Loads, err = fast.EvaluateContext(cmd.Context(), n.Problem, n.Placement); err != nil {
		return err
	}
	write, err := n.Writer(to.tool)
	if err != nil {
		return cli.InFlag("to", err)
	}
	return a.toFile(out, write)
}

// readRate reads --rate, which only tables of traffic have.
func readRate(to toolFlags) (*big.Rat, error) {
	rate, err := results.ParseFraction(to.rateText)
	switch {
	case to.tool != "noxim":
		return nil, cli.Errorf("--rate is for --to noxim: other files have no traffic")
	case err != nil:
		return nil, cli.InFlag("rate", err)
	case rate.Sign() <= 0 || rate.Cmp(big.NewRat(1, 1)) > 0:
		return nil, cli.Errorf("--rate %s: a rate lies above 0 and is at most 1", to.rateText)
	}
	return rate, nil
}

// toFile writes by a function to the file, or to stdout without one.
func (a *app) toFile(out string, write func(io.Writer) error) error {
	if out == "" {
		return write(a.Stdout.Raw())
	}
	return a.Writing(func() error { return disk.WriteWhole(out, write) }, out)
}

// formulaFlags hold what "export --formula" is about.
type formulaFlags struct {
	subject
	format, belowText         string
	strengthen, breakSymmetry bool
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
		return &cli.Error{Err: err}
	case err != nil:
		return err
	}
	return a.toFile(out, write)
}

// readQuestion reads the flags.
func (f *formulaFlags) readQuestion(ctx context.Context) (p objective.Problem, below *big.Rat, err error) {
	if err := cli.OneOf("formula", f.format, work.FormulaFormats); err != nil {
		return p, nil, err
	}
	if f.format == "dimacs" && f.strengthen {
		return p, nil, cli.Errorf("--strengthen: clauses have no such rows").Hinted("use --formula opb or lp")
	}
	if err := cli.Missing("torus", f.where(), "size", f.sizeText, "routing", f.routingText,
		"below", f.belowText); err != nil {
		return p, nil, err
	}
	if p, err = f.problem(ctx, "a formula is about"); err != nil {
		return p, nil, err
	}
	below, err = results.ParseFraction(f.belowText)
	return p, below, cli.InFlag("below", err)
}
