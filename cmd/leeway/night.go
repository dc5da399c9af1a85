package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"leeway/results"
	"leeway/results/check"
	"leeway/results/plan"
	"leeway/results/store"
)

// A night is a list of searches, with a store that keeps what they find at once.
type night struct {
	hunt
	store   *store.Store // nil: none
	recheck int
	workers int
	serve   string     // address of a live page, "" for none
	live    *broadcast // nil: none
	list    []any      // records so far
	failed  []error    // why jobs did not do what they should
	cluster clusterFlags
	lead    *lead // nil: this machine alone
}

// close closes the store, if there is one, and joins its error to another.
func (n *night) close(err error) error {
	if n.store == nil {
		return err
	}
	return errors.Join(err, n.store.Close())
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
	n.store.Heal(check.Judge{Folder: n.store.Folder()}, func(r store.Retraction) { a.remark("%s", r) })
	return n.close(work())
}

// doJobs does jobs in turn until the context ends.
func (a *app) doJobs(ctx context.Context, n *night, jobs []plan.Job) error {
	if n.recheck < 0 {
		return usagef("--recheck %d: a number from 0 on is needed", n.recheck)
	}
	n.list = []any{} // a list is never null
	if n.store != nil && len(jobs) > 1 {
		runs := make([]store.Run, len(jobs))
		for i, j := range jobs {
			runs[i] = runOf(j)
		}
		if err := n.store.Plan(runs); err != nil { // resume goes on with all
			return err
		}
	}
	failed := a.broadcasting(n.serve, "Search under way", func(live *broadcast) error {
		n.live = live
		n.lead.show(live)
		for i, j := range jobs {
			if err := a.attempt(ctx, n, j, len(jobs) > 1); err != nil || ctx.Err() != nil {
				if left := len(jobs) - i - 1; left > 0 && n.store != nil {
					a.remark("stopped before %d of %d problems had begun; leeway resume goes on with them", left, len(jobs))
				}
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
	if failed == nil && len(n.failed) > 0 {
		return quietError(1) // each was reported
	}
	return failed
}

// attempt does a job. Of several, one that fails is reported and the others are done; only an error
// that they would share is returned.
func (a *app) attempt(ctx context.Context, n *night, j plan.Job, several bool) error {
	err := a.do(ctx, n, j)
	var full *results.WriteError
	if err == nil || !several || errors.As(err, &full) {
		return err
	}
	a.remark("%s: %v", j, err)
	n.failed = append(n.failed, err)
	return nil
}

// do runs one job and publishes its record. A job that is known to be optimal, or
// was finished before, is passed over with a remark. A record that the store refuses is
// published all the same.
func (a *app) do(ctx context.Context, n *night, j plan.Job) error {
	r := &pursuit{app: a, night: n, job: j, key: runOf(j)}
	if n.store != nil {
		var err error
		if err := n.store.Mend(r.key.Problem); err != nil {
			return err
		}
		if r.state, _, err = n.store.Resume(r.key); err != nil {
			return err
		}
		if done, err := r.passOver(); done || err != nil {
			return err
		}
		if r.state != nil {
			a.remark("%s: going on from the last checkpoint", j)
		}
		if err := r.showNulls(); err != nil {
			return err
		}
		if err := n.store.Checkpoint(r.key, r.state); err != nil {
			return err
		}
	}
	record, refused := r.run(ctx)
	if record.Schema == "" {
		return refused
	}
	n.live.end(fmt.Sprintf("ended: %s: E_max %s, %s", j, record.MaxLoad, record.Status))
	n.list = append(n.list, record)
	return cmp.Or(a.publish(&n.hunt, fileBase(j.Torus(), record.Size, j.RoutingText(), j.Seed), record), refused)
}
