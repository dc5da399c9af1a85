package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"leeway/cmd/work"
	"leeway/core"
	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/plan"
)

func (a *app) atlasFillCommand() *cobra.Command {
	f := &filling{app: a}
	var planFile, storeFile string
	cmd := &cobra.Command{
		Use:   "fill --plan FILE --store FILE",
		Short: "Search and prove every cell of a plan, into a store",
		Long: `Work on every problem of a plan within its budget: prove it, and if that does not
come to an end, search it for the same time and try again if something better was found.
Proofs of smaller sizes, and of routings that load every link alike, are used.

What the store knows to be optimal, and what was tried before with the same seed and
budget, is passed over. What is wrong in the store is taken back and worked on again. So the same command goes on after a stop or a kill, and a
plan with more time works on what is still open. A search that found nothing better
leaves a null result.`,
		Example: `  leeway atlas fill --plan results/atlas/first.yaml --store atlas.store -j 2
  leeway atlas --store atlas.store --open`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if planFile == "" || storeFile == "" {
				return &usageError{err: usagef("--plan and --store are needed"), hint: "leeway atlas fill --plan FILE --store FILE"}
			}
			tasks, err := f.read(cmd.Context(), planFile)
			if err != nil {
				return err
			}
			s := a.session(f.workers, nil)
			return storeHint(s.WithStore(storeFile, func() error { return f.fill(cmd.Context(), s, storeFile, tasks) }))
		},
	}
	cmd.Flags().StringVar(&planFile, "plan", "", "file with the problems and their budgets; see docs/formats.md")
	cmd.Flags().StringVar(&storeFile, "store", "", "file that keeps what is found; made if it is not there")
	cmd.Flags().DurationVar(&f.optima, "all", 0, "also list all optimal placements of cells that are proved within this time, for instance 200ms")
	cmd.Flags().IntVarP(&f.workers, "workers", "j", runtime.NumCPU(), "workers; changes the speed only")
	cmd.Flags().BoolVar(&f.list, "json", false, "print the cells of the plan as one JSON document at the end")
	return cmd
}

// A filling holds the flags of atlas fill.
type filling struct {
	*app
	workers int
	optima  time.Duration
	list    bool // print the cells at the end
}

// read reads the flags and the plan before any work starts.
func (f *filling) read(ctx context.Context, planFile string) ([]work.Task, error) {
	if f.workers < 1 {
		return nil, usagef("-j %d: at least 1 worker is needed", f.workers)
	}
	if f.optima < 0 {
		return nil, usagef("--all %s: the time must not be below 0", f.optima)
	}
	jobs, err := plan.Read(ctx, planFile, work.MethodNames())
	if err != nil {
		return nil, inFlag("plan", err)
	}
	for _, j := range jobs {
		switch {
		case j.Limit != nil:
			return nil, usagef("--plan %q, line %d: a cell has a size; max-load is for leeway search", planFile, j.Line)
		case j.Free != nil:
			return nil, usagef("--plan %q, line %d: there is no proof of a free routing; leeway search looks for one", planFile, j.Line)
		case j.Routing.String() == results.TableRouting:
			return nil, usagef("--plan %q, line %d: the routing of a cell has a name; a table is for leeway search", planFile, j.Line)
		}
	}
	runtime.GOMAXPROCS(f.workers)
	tasks, err := work.Plan(planFile, jobs)
	return tasks, inFlag("plan", err)
}

// fill works on the cells in turn until the context ends. How thousands of cells go is told by a
// line each.
func (f *filling) fill(ctx context.Context, s *work.Session, file string, tasks []work.Task) error {
	var early *stoppedError
	if err := learn(ctx, s, file); err != nil && !errors.As(err, &early) {
		return err
	}
	quiet, failed := s.Quiet(), false
	for i, t := range tasks {
		if ctx.Err() != nil {
			f.remark("stopped after %d of %d cells; the same command goes on", i, len(tasks))
			break
		}
		record, err := quiet.Fill(ctx, t, f.optima)
		if record != nil {
			f.tellCell(*record)
		}
		var full *results.WriteError
		switch {
		case errors.As(err, &full): // so it would be with all others
			return fmt.Errorf("%s: %w", t.Problem, err)
		case errors.Is(err, work.ErrNoPlacement):
			f.remark("%s: %v", t.Problem, work.ErrNoPlacement)
		case err != nil:
			f.remark("%s: %v", t.Problem, err)
			failed = true
		}
	}
	if f.list {
		if err := f.print(context.WithoutCancel(ctx), file, tasks); err != nil {
			return err
		}
	}
	if failed {
		return quietError(1) // each was reported
	}
	return nil
}

// print prints the cells of the plan, each once.
func (f *filling) print(ctx context.Context, file string, tasks []work.Task) error {
	return withAtlas(ctx, file, func(view *atlas.Atlas) error {
		list, seen := cellItems{[]atlas.Cell{}}, map[atlas.Key]bool{}
		for _, t := range tasks {
			if c, ok := view.Cell(atlas.KeyOf(t.Problem)); ok && !seen[c.Key()] {
				seen[c.Key()] = true
				list.Items = append(list.Items, c)
			}
		}
		return f.printJSON(list)
	})
}

// learn takes in the proofs that the store holds, but for those of wrong cells.
func learn(ctx context.Context, s *work.Session, file string) error {
	s.Known = &work.Known{Folder: s.Store.Folder()}
	return withAtlas(ctx, file, func(view *atlas.Atlas) error {
		cells, _ := view.Cells(atlas.Filter{})
		for _, c := range cells {
			if c.Fault != "" {
				continue
			}
			p, err := c.Key().Problem()
			if err != nil {
				return err
			}
			if p.Free != nil {
				continue
			}
			record := results.Record{Routing: c.Routing, Size: c.Size, MaxLoad: c.MaxLoad, Proof: c.Proof}
			if err := s.Known.Learn(p.Routing, record, false); err != nil {
				return err
			}
		}
		return nil
	})
}

// tellCell prints a line about a cell.
func (f *filling) tellCell(r results.Record) {
	if f.list {
		return
	}
	text := fmt.Sprintf("%s %s n=%d  E_max %s  %s", core.JoinInts(r.Torus, "x"), r.Routing, r.Size, r.MaxLoad, r.Status)
	if r.Proof != nil {
		text += ", " + describeProof(r.Proof)
	} else {
		text += fmt.Sprintf(", bound %s (%s)", r.LowerBound, r.BoundReason)
	}
	if r.Orbits != nil {
		text += fmt.Sprintf(", %d optima up to symmetry", *r.Orbits)
	}
	f.printf("%s\n", text)
}
