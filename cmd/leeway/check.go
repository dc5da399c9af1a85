package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"leeway/cmd/cli"
	"leeway/cmd/work/progress"
	"leeway/core"
	"leeway/results"
	"leeway/results/check"
)

func (a *app) checkCommand() *cobra.Command {
	var asJSON bool
	var wanted string
	var workers int
	var steps int64
	var lrat, veripb bool
	var certificates string
	cmd := &cobra.Command{
		Use:   "check FILE...",
		Short: "Check records and schedules: recompute everything that they claim",
		RunE: func(cmd *cobra.Command, files []string) error {
			pair := "" // the flag that says that the files are a formula and a proof
			if lrat {
				pair = "lrat"
			} else if veripb {
				pair = "veripb"
			}
			switch {
			case len(files) == 0:
				return &cli.Error{Err: cli.Errorf("no file to check"), Hint: "leeway check FILE..."}
			case steps < 0:
				return cli.Errorf("--steps %d: a check needs at least 1 step; 0 is as many as the size of the file allows", steps)
			case lrat && veripb:
				return cli.Errorf("--lrat and --veripb exclude each other: a proof has one format")
			case pair != "" && (len(files) != 2 || wanted != ""):
				return &cli.Error{Err: cli.Errorf("--%s takes a formula and a proof, and no --slices; %d files are given",
					pair, len(files)), Hint: "leeway check --" + pair + " FORMULA PROOF"}
			case pair != "" && certificates != "":
				return cli.Errorf("--certificate is for records: --lrat and --veripb name the files themselves")
			}
			options := check.Options{Workers: workers, Steps: steps, Report: wanted != "", Certificate: certificates}
			var err error
			if options.Wanted, err = cli.ReadRanges("slices", wanted); err != nil {
				return err
			}
			tell := a.NowAndThen()
			options.Observe = func(done, all int64) {
				tell("census: %s of %s nodes done again", progress.Short(float64(done)), progress.Short(float64(all)))
			}
			var list []check.Item
			switch pair {
			case "lrat":
				list, err = check.LRAT(cmd.Context(), files[0], files[1], options)
			case "veripb":
				list, err = check.VeriPB(cmd.Context(), files[0], files[1], options)
			default:
				list, err = check.Files(cmd.Context(), files, options)
			}
			if asJSON {
				if err := printList(a, verdictsSchema, list, true); err != nil {
					return err
				}
			}
			if err != nil {
				return fmt.Errorf("stopped before %s was checked", files[len(list)])
			}
			return a.judge(list, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	cmd.Flags().StringVar(&wanted, "slices", "", "report every slice of a census; =3,17-20 does only these again")
	cmd.Flags().Lookup("slices").NoOptDefVal = cli.AllRanges
	cmd.Flags().StringVar(&certificates, "certificate", "",
		"folder with formula.cnf and proof.lrat of the record, if not where it says")
	cmd.Flags().BoolVar(&lrat, "lrat", false, "check a proof in LRAT for a formula in DIMACS CNF: FORMULA PROOF")
	cmd.Flags().BoolVar(&veripb, "veripb", false, "check a proof in VeriPB's format for a formula in OPB: FORMULA PROOF")
	cmd.Flags().Int64Var(&steps, "steps", 0, "maximum number of steps for each file; 0: as many as its size allows")
	cli.WorkersFlag(cmd, &workers, "")
	return cmd
}

// verdictsSchema is that of lists of verdicts.
const verdictsSchema = "leeway/verdicts/1"

// judge shows the verdicts and returns the exit status that they call for.
func (a *app) judge(list []check.Item, asJSON bool) error {
	status := 0
	for _, item := range list {
		switch {
		case item.Verdict.Verdict == check.Wrong:
			status = 1
		case item.Verdict.Verdict == check.Unreadable && status == 0:
			status = 2
		}
		if asJSON {
			continue
		}
		a.Printf("%s: %s, proof %s\n", item.File, item.Verdict.Verdict, item.ProofVerdict)
		for _, reason := range item.Reasons {
			a.Printf("  %s\n", results.WithDecimals(reason))
		}
		a.printSchedule(item.Exchange)
		for i, s := range item.Slices {
			a.Printf("  slice %-4d %s  %d nodes from %s%s\n", i+1, s.Verdict, s.Nodes, core.JoinInts(s.First, ","),
				separated(s.Reason))
		}
	}
	if status != 0 {
		return cli.Status(status)
	}
	return nil
}

// printSchedule prints the figures of a schedule that is valid; e may be nil.
func (a *app) printSchedule(e *check.ExchangeVerdict) {
	if e == nil || e.Verdict != check.Valid {
		return
	}
	a.Printf("  %s, %d processors of %d nodes: %d phases, at least %d; transmission %d blocks, at least %d\n", e.Model,
		e.Processors, e.Nodes, e.Phases, e.LowerBound.Phases, e.Transmission, e.LowerBound.Transmission)
}

// separated puts a colon before a remark, if there is one.
func separated(text string) string {
	if text == "" {
		return ""
	}
	return ": " + text
}
