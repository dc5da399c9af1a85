package main

import (
	"errors"
	"io/fs"
	"os"
	"runtime"

	"github.com/spf13/cobra"

	"leeway/results/plan"
)

// storeEnding ends the name of a store that is made up for a plan.
const storeEnding = ".store"

func (a *app) resumeCommand() *cobra.Command {
	n := &night{}
	n.inStore = true
	var storeFile string
	cmd := &cobra.Command{
		Use:   "resume",
		Short: "Go on with searches that were stopped or killed",
		Long: `Go on with the searches of a store that did not come to their end, and with those of a
plan that had not begun, in their order. A search by evaluations ends with the record
that it would have come to without the stop.`,
		Example: `  leeway resume --store nightly.store`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if storeFile == "" {
				return &usageError{err: usagef("the flag --store is missing"), hint: "leeway resume --store FILE"}
			}
			if _, err := os.Stat(storeFile); errors.Is(err, fs.ErrNotExist) {
				return &usageError{err: usagef("--store %s: there is no such file", storeFile), hint: "leeway search --store makes a store"}
			}
			return a.withStore(n, storeFile, func() error {
				stopped, err := n.store.Unfinished()
				if err != nil {
					return err
				}
				var jobs []plan.Job
				for _, s := range stopped {
					j, err := jobOf(s.Run)
					if err == nil {
						_, err = pickMethods(j.Methods, j.Problem)
					}
					if err != nil {
						a.remark("--store %s: a run cannot be gone on with: %v", storeFile, err)
						n.failed = append(n.failed, err)
						continue
					}
					jobs = append(jobs, j)
				}
				return a.doJobs(cmd.Context(), n, jobs)
			})
		},
	}
	cmd.Flags().IntVarP(&n.workers, "workers", "j", runtime.NumCPU(), "workers; changes the speed, not the result of a run by evaluations")
	cmd.Flags().BoolVar(&n.asJSON, "json", false, "print one JSON document")
	n.registerNight(cmd, &storeFile)
	return cmd
}
