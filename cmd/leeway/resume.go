package main

import (
	"context"
	"runtime"

	"github.com/spf13/cobra"

	"leeway/results/plan"
	"leeway/results/store"
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
		Long: `Go on with the searches of a store that did not come to their end, in the order in
which they were begun. A search by evaluations ends with the record that it would
have come to without the stop. What a plan has not begun yet is begun by giving the
plan to "leeway search" again.`,
		Example: `  leeway resume --store nightly.store`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if storeFile == "" {
				return &usageError{err: usagef("the flag --store is missing"), hint: "leeway resume --store FILE"}
			}
			return a.withStore(n, storeFile, func() error {
				stopped, err := n.store.Unfinished()
				if err != nil {
					return err
				}
				var jobs []plan.Job
				for _, s := range stopped {
					j, err := jobOf(s.Run)
					if err != nil {
						return err
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

// registerNight adds the flags of searches that use a store.
func (n *night) registerNight(cmd *cobra.Command, storeFile *string) {
	cmd.Flags().StringVar(storeFile, "store", "", "file that keeps records, bounds, null results and the state of searches (with --plan: named after the plan)")
	cmd.Flags().StringVar(&n.serve, "serve", "", "HOST:PORT of a live page of the search; port 0 takes a free one")
	cmd.Flags().IntVar(&n.recheck, "recheck", 0, "compute every so many improvements again by the naive evaluator; 0: none")
}

// doAll does jobs, in a store if one is named.
func (a *app) doAll(ctx context.Context, n *night, jobs []plan.Job, storeFile string) error {
	if storeFile == "" {
		return a.doJobs(ctx, n, jobs)
	}
	return a.withStore(n, storeFile, func() error { return a.doJobs(ctx, n, jobs) })
}

// withStore opens a store for the time of some work.
func (a *app) withStore(n *night, file string, work func() error) error {
	var err error
	if n.store, err = store.Open(file); err != nil {
		return inFlag("store", err)
	}
	return n.close(work())
}

// doJobs does jobs in turn until the context ends.
func (a *app) doJobs(ctx context.Context, n *night, jobs []plan.Job) error {
	if n.recheck < 0 {
		return usagef("--recheck %d: a number from 0 on is needed", n.recheck)
	}
	n.list = []any{} // a list is never null
	failed := a.broadcasting(n.serve, "Search under way", func(live *broadcast) error {
		n.live = live
		n.lead.show(live)
		for _, j := range jobs {
			if err := a.do(ctx, n, j); err != nil || ctx.Err() != nil {
				return err
			}
		}
		return nil
	})
	if n.asJSON || failed != nil && len(n.list) > 0 { // what was found is not lost with its file
		if err := a.printItems(n.list, len(jobs) != 1); err != nil {
			return err
		}
	}
	return failed
}
