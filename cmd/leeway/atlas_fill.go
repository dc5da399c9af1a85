package main

import (
	"cmp"
	"context"
	"errors"
	"os"
	"runtime"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"leeway/cmd/cli"
	"leeway/cmd/work"
	"leeway/objective/texts"
	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/check"
	"leeway/results/check/meter"
	"leeway/results/plan"
	"leeway/results/store"
	"leeway/search/refuters"
)

func (a *app) atlasFillCommand() *cobra.Command {
	f := &filling{app: a}
	cmd := command("fill --plan FILE --store FILE", "Search and prove every cell of a plan, into a store", cobra.NoArgs,
		func(cmd *cobra.Command, _ []string) error {
			tasks, err := f.read(cmd.Context())
			if err != nil {
				return err
			}
			s := a.session(f.workers)
			return storeHint(s.WithStore(f.storeFile, func() error { return f.fill(cmd.Context(), s, tasks) }))
		})
	addFlags(cmd, []flag{
		{&f.planFile, "plan", "file with the problems and their budgets; see docs/formats.md"},
		{&f.storeFile, "store", "file that keeps what is found; created if it does not exist"},
		{&f.optima, "all", "also list all optimal placements of cells that are proved within this time, for instance 200ms"},
	}...)
	cli.WorkersFlag(cmd, &f.workers, "")
	jsonFlag(cmd)
	cli.Require(cmd, "plan store")
	return cmd
}

// A filling holds the flags of atlas fill.
type filling struct {
	*app
	planFile, storeFile string
	workers             int
	optima              time.Duration
}

// read reads the flags and the plan before any work starts.
func (f *filling) read(ctx context.Context) ([]work.Task, error) {
	searches, err := plan.Read(ctx, f.planFile, work.MethodNames())
	if err != nil {
		return nil, cli.InFlag("plan", err)
	}
	runtime.GOMAXPROCS(f.workers)
	tasks, err := work.FillTasks(f.planFile, searches)
	return tasks, cli.InFlag("plan", err)
}

// fill works on the cells in turn until the context ends. How thousands of cells go is told by a line each.
func (f *filling) fill(ctx context.Context, s *work.Session, tasks []work.Task) error {
	failed, err := s.FillStore(ctx, f.storeFile, tasks, f.optima, func(r results.Record) {
		if !f.asJSON() {
			f.tell("filled", r)
		}
	})
	if err == nil && f.asJSON() {
		var keys []texts.Key
		for _, t := range tasks {
			keys = append(keys, texts.KeyOf(t.Problem))
		}
		err = withAtlas(context.WithoutCancel(ctx), f.storeFile, func(view *atlas.Atlas) error {
			return printList(f.app, "leeway/cells/1", view.Known(keys), true)
		})
	}
	if err == nil && failed {
		return cli.Status(statusFailed) // each was reported
	}
	return err
}

func (a *app) atlasMergeCommand() *cobra.Command {
	var workers int
	var limits meter.Limits
	cmd := command("merge STORE FILE...", "Merge stores, exports, atlas files and records into a store", nil,
		func(cmd *cobra.Command, files []string) error {
			if len(files) < 2 {
				return cli.Errorf("a store and at least one file to merge into it are needed").
					Hinted("leeway atlas merge STORE FILE...")
			}
			into, missing := os.Stat(files[0])
			for _, from := range files[1:] {
				if info, err := os.Stat(from); missing == nil && err == nil && os.SameFile(into, info) {
					return cli.Errorf("%q cannot be merged into itself", from)
				}
			}
			options := check.Options{Workers: workers, Produce: refuters.Produce, Limits: limits}
			return a.merge(cmd.Context(), files[0], files[1:], options)
		})
	limitFlags(cmd, &limits, "record")
	cli.WorkersFlag(cmd, &workers, "")
	jsonFlag(cmd)
	return cmd
}

// merge merges files in turn, says what came of each, and prints the cells that are new or better as the store has them
// in the end.
func (a *app) merge(ctx context.Context, into string, files []string, options check.Options) error {
	s, err := store.Open(into)
	if err != nil {
		return err
	}
	var all atlas.Merged
	for _, file := range files {
		var m atlas.Merged
		m, err = atlas.Merge(ctx, s, file, options)
		all.Taken = append(all.Taken, m.Taken...)
		all.Faults, all.Undecided = append(all.Faults, m.Faults...), append(all.Undecided, m.Undecided...)
		for _, text := range slices.Concat(m.Faults, m.Undecided) {
			a.Remark("%s: %s", file, text)
		}
		stopped := errors.Is(err, context.Canceled)
		if err != nil && !stopped {
			break
		}
		if !a.asJSON() {
			a.Printf("%s: %d new or better, %d known, %d left out\n", file, len(m.Taken), m.Known,
				len(m.Faults)+len(m.Undecided))
		}
		if err = nil; stopped {
			a.Remark("%s: stopped before %d records were checked; the same command continues", file, m.Left)
			break
		}
	}
	if err := errors.Join(err, s.Close()); err != nil {
		return err
	}
	if a.asJSON() {
		err = withAtlas(context.WithoutCancel(ctx), into, func(view *atlas.Atlas) error {
			return a.printJSON(struct {
				Schema    string       `json:"schema"`
				Items     []atlas.Cell `json:"items"`
				Faults    []string     `json:"faults"`
				Undecided []string     `json:"undecided"`
			}{"leeway/merge/1", view.Known(all.Taken), append([]string{}, all.Faults...), append([]string{}, all.Undecided...)})
		})
	}
	return cmp.Or(err, judged(len(all.Faults), len(all.Undecided)))
}
