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
	"leeway/objective/fast"
	"leeway/results"
	"leeway/results/disk"
	"leeway/results/export"
	"leeway/results/schedules"
)

// An exporting holds the flags of export.
type exporting struct {
	subject
	formula                        work.Formula // without its question
	below, tool, rate, format, out string
	optima                         bool
}

func (a *app) exportCommand() *cobra.Command {
	f := exporting{format: "json"}
	cmd := command("export FILE...", "Write records, a network for a simulator, a schedule, or a formula", nil,
		func(cmd *cobra.Command, files []string) error {
			changed := cmd.Flags().Changed
			switch asks := changed("formula"); {
			case asks && len(files) > 0:
				return cli.Errorf("--formula writes a question, not records: omit the files")
			case asks:
				return a.exportFormula(cmd.Context(), &f)
			case slices.Contains(schedules.Formats, f.tool):
				return a.exportSchedule(cmd, &f, files)
			case f.tool != "":
				return a.exportTo(cmd.Context(), &f, files)
			}
			for _, flag := range []string{"torus", "mesh", "network", "routing"} {
				if changed(flag) {
					return cli.Errorf("--%s is for --formula or --to: a record says itself what it is about", flag)
				}
			}
			if f.optima && !changed("format") {
				f.format = "csv"
			}
			switch err := cli.OneOf("format", f.format, export.Formats); {
			case len(files) == 0:
				return cli.Errorf("no record to export").Hinted("leeway export FILE...")
			case err != nil:
				return err
			case f.optima && f.format != "csv":
				return cli.Errorf("--optima writes a table: --format %s does not go with it", f.format).
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
			if f.optima {
				table = export.OptimaTable
			}
			data, err := table(f.format, records)
			if err != nil {
				return err
			}
			return a.deliver(f.out, data)
		})
	addFlags(cmd, flag{&f.formula.Format, "formula",
		"export the question whether a placement has E_max below --below as a formula: dimacs, opb or lp"})
	f.flags(cmd, "torus", "network", "size", "routing", "traffic", "placement", "conditions")
	addFlags(cmd, []flag{
		{&f.below, "below", "the value that E_max must stay below, a fraction"},
		{&f.formula.Strengthen, "strengthen", "opb and lp: add for every node a row that counts the products with it"},
		{&f.formula.BreakSymmetry, "break-symmetry",
			"add rows that exclude symmetric placements and keep at least one of every orbit"},
		{&f.tool, "to",
			"export a network with its processors and loads: " + strings.Join(export.Tools, ", ") + "; or a schedule of " +
				"complete exchange: " + strings.Join(schedules.Formats, ", ")},
		{&f.rate, "rate",
			"noxim: messages that every processor sends to every other per cycle, a fraction (default: 1 over E_max, or over " +
				"the number of receivers if that is larger)"},
		{&f.format, "format", "format: json, jsonl or csv"},
		{&f.optima, "optima",
			"write the optima that records list instead, a row for each orbit, as CSV: its number, size, stabiliser, nodes"},
		{&f.out, "out", "file to write (default: standard output)"},
	}...)
	const ofFormula = "size below strengthen break-symmetry fixed forbidden"
	cli.Need(cmd, ofFormula, "formula", "a record says itself what it is about")
	cli.Need(cmd, "placement", "to", "--formula asks for any placement, and a record says its own")
	cli.Need(cmd, "rate", "to=noxim", "other files have no traffic")
	cli.Exclude(cmd, "formula", "format optima to", "a formula is a question, not a record")
	cli.Exclude(cmd, "to", "format optima", "")
	return cmd
}

// exportTargets are the values of --to.
var exportTargets = slices.Concat(export.Tools, schedules.Formats)

// exportSchedule writes the schedule in a file for other programs.
func (a *app) exportSchedule(cmd *cobra.Command, f *exporting, files []string) error {
	for _, flag := range []string{"torus", "mesh", "network", "routing", "placement", "traffic"} {
		if cmd.Flags().Changed(flag) {
			return cli.Errorf("--%s does not go with --to %s, which takes a file of leeway exchange --out", flag, f.tool)
		}
	}
	if len(files) != 1 {
		return cli.Errorf("--to %s writes one schedule, not %d", f.tool, len(files)).
			Hinted("leeway export --to " + f.tool + " SCHEDULE")
	}
	r, err := schedules.Open(cmd.Context(), files[0])
	if err != nil {
		return err
	}
	defer r.Close()
	write, err := schedules.Export(f.tool, r.Head, r.Phases())
	if err != nil {
		return cli.InFlag("to", err)
	}
	return results.InFile(a.toFile(f.out, write), files[0])
}

// maxToolNodes is the most nodes of a network that is written for another program.
const maxToolNodes = 1 << 16

// exportTo writes the network of a record, or of the flags, for another program to the file, or to stdout without one.
func (a *app) exportTo(ctx context.Context, f *exporting, files []string) (err error) {
	if err := cli.OneOf("to", f.tool, exportTargets); err != nil {
		return err
	}
	if len(files) > 1 {
		return cli.Errorf("--to writes one network, not %d: give one record", len(files))
	}
	var n export.Loaded
	if f.rate != "" {
		switch n.Rate, err = results.ParseFraction(f.rate); {
		case err != nil:
			return cli.InFlag("rate", err)
		case n.Rate.Sign() <= 0 || n.Rate.Cmp(big.NewRat(1, 1)) > 0:
			return cli.Errorf("--rate %s: a rate lies above 0 and is at most 1", f.rate)
		}
	}
	f.mostNodes = maxToolNodes
	if n.Problem, n.Placement, err = f.placedProblem(ctx, files); err != nil {
		return err
	}
	if n.Loads, err = fast.EvaluateContext(ctx, n.Problem, n.Placement); err != nil {
		return err
	}
	write, err := n.Writer(f.tool)
	if err != nil {
		return cli.InFlag("to", err)
	}
	return a.toFile(f.out, write)
}

// toFile writes by a function to the file, or to stdout without one.
func (a *app) toFile(out string, write func(io.Writer) error) error {
	if out == "" {
		return write(a.Stdout.Raw())
	}
	return a.Writing(func() error { return disk.WriteWhole(out, write) }, out)
}

// exportFormula writes the formula to the file, or to stdout without one.
func (a *app) exportFormula(ctx context.Context, f *exporting) (err error) {
	q := &f.formula
	if err := cli.OneOf("formula", q.Format, work.FormulaFormats); err != nil {
		return err
	}
	if q.Format == "dimacs" && q.Strengthen {
		return cli.Errorf("--strengthen: clauses have no such rows").Hinted("use --formula opb or lp")
	}
	if err := cli.Missing("torus", f.where(), "size", f.sizeText, "routing", f.routingText, "below", f.below); err != nil {
		return err
	}
	if q.Problem, err = f.problem(ctx, "a formula is about"); err != nil {
		return err
	}
	if q.Below, err = results.ParseFraction(f.below); err != nil {
		return cli.InFlag("below", err)
	}
	write, err := q.Writer(ctx)
	var unsupported *encode.UnsupportedError
	var size *cnf.SizeError
	switch {
	case errors.As(err, &unsupported), errors.As(err, &size):
		return &cli.Error{Err: err}
	case err != nil:
		return err
	}
	return a.toFile(f.out, write)
}
