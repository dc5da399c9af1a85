package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"leeway/objective"
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
			jobs, err := f.read(cmd.Context(), planFile)
			if err != nil {
				return err
			}
			return a.withStore(&f.night, storeFile, func() error { return f.all(cmd.Context(), storeFile, jobs) })
		},
	}
	cmd.Flags().StringVar(&planFile, "plan", "", "file with the problems and their budgets; see docs/formats.md")
	cmd.Flags().StringVar(&storeFile, "store", "", "file that keeps what is found; made if it is not there")
	cmd.Flags().DurationVar(&f.optima, "all", 0, "also list all optimal placements of cells that are proved within this time, for instance 200ms")
	cmd.Flags().IntVarP(&f.workers, "workers", "j", runtime.NumCPU(), "workers; changes the speed only")
	cmd.Flags().BoolVar(&f.list, "json", false, "print the cells of the plan as one JSON document at the end")
	return cmd
}

// A filling works through a plan.
type filling struct {
	*app
	night
	optima time.Duration
	list   bool                   // print the cells at the end
	known  map[string]*neighbours // proofs by torus
}

// read reads the flags and the plan before any work starts.
func (f *filling) read(ctx context.Context, planFile string) ([]plan.Job, error) {
	if f.workers < 1 {
		return nil, usagef("-j %d: at least 1 worker is needed", f.workers)
	}
	if f.optima < 0 {
		return nil, usagef("--all %s: the time must not be below 0", f.optima)
	}
	jobs, err := plan.Read(ctx, planFile, methodNames())
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
	f.asJSON, f.inStore = true, true // a search under way prints nothing of its own
	return jobs, nil
}

// all works on the jobs in turn until the context ends.
func (f *filling) all(ctx context.Context, file string, jobs []plan.Job) error {
	if err := f.learn(file); err != nil {
		return err
	}
	failed := false
	for i, j := range jobs {
		if ctx.Err() != nil {
			f.remark("stopped after %d of %d cells; the same command goes on", i, len(jobs))
			break
		}
		err := f.cell(ctx, j)
		var full *results.WriteError
		switch {
		case errors.As(err, &full): // so it would be with all others
			return fmt.Errorf("%s: %w", j, err)
		case err != nil:
			f.remark("%s: %v", j, err)
			failed = true
		}
	}
	if f.list {
		if err := f.print(file, jobs); err != nil {
			return err
		}
	}
	if failed {
		return quietError(1) // each was reported
	}
	return nil
}

func keyOf(j plan.Job) atlas.Key {
	return atlas.KeyOf(j.Problem)
}

// print prints the cells of the plan, each once.
func (f *filling) print(file string, jobs []plan.Job) error {
	return withAtlas(file, func(view *atlas.Atlas) error {
		list, seen := cellItems{[]atlas.Cell{}}, map[atlas.Key]bool{}
		for _, j := range jobs {
			if c, ok := view.Cell(keyOf(j)); ok && !seen[c.Key()] {
				seen[c.Key()] = true
				list.Items = append(list.Items, c)
			}
		}
		return f.printJSON(list)
	})
}

// learn takes in the proofs that the store holds, but for those of wrong cells.
func (f *filling) learn(file string) error {
	f.known = map[string]*neighbours{}
	return withAtlas(file, func(view *atlas.Atlas) error {
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
			if err := f.neighbours(p).learn(p.Routing, record); err != nil {
				return err
			}
		}
		return nil
	})
}

// neighbours returns the proofs known for the torus of a problem.
func (f *filling) neighbours(p objective.Problem) *neighbours {
	name := p.Torus().String()
	if f.known[name] == nil {
		f.known[name] = &neighbours{}
	}
	return f.known[name]
}
