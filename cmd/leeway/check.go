package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"leeway/results/check"
)

func (a *app) checkCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "check FILE...",
		Short: "Check records: recompute everything that they claim",
		Long: `Read records and recompute everything that they claim with the naive evaluator,
which lists paths, and with nothing from the searchers. A record that says
optimal must hold a proof that can be repeated here.

Exit status: 0 if all are valid, 1 if any is wrong, else 2 if any is unreadable.`,
		Example: `  leeway check best.json
  leeway check --json *.json`,
		RunE: func(_ *cobra.Command, files []string) error {
			if len(files) == 0 {
				return &usageError{err: usagef("no file to check"), hint: "leeway check FILE..."}
			}
			list := check.Files(files)
			if asJSON {
				out := make([]any, len(list))
				for i, item := range list {
					out[i] = item
				}
				if err := a.printItems(out, true); err != nil {
					return err
				}
			}
			return a.judge(list, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

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
		fmt.Fprintf(a.stdout, "%s: %s, proof %s\n", item.File, item.Verdict.Verdict, item.ProofVerdict)
		for _, reason := range item.Reasons {
			fmt.Fprintf(a.stdout, "  %s\n", reason)
		}
	}
	if status != 0 {
		return quietError(status)
	}
	return nil
}
