package main

import (
	"context"
	"math/big"
	"slices"

	"github.com/spf13/cobra"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/bound"
	"leeway/results"
	"leeway/results/store"
	"leeway/search"
	"leeway/search/joint"
)

// freeMethods are the methods of a search with a free routing unless told otherwise:
// the first look for placements under all paths, then joint goes on from these.
var freeMethods = append(slices.Clone(defaultMethods), joint.Name)

// allPaths is the routing under which placements to begin with are looked for.
const allPaths = "udr:tie=both"

// placing returns the methods of a list that look for placements alone; nil, the
// default, stays.
func placing(names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == joint.Name })
}

// A freedom holds the flags that restrict a free routing.
type freedom struct {
	single   bool
	minPaths int
}

func (f *freedom) register(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.single, "single-path", false, "with --routing free: exactly one path for every pair")
	cmd.Flags().IntVar(&f.minPaths, "min-paths", 1, "with --routing free: paths that every pair keeps, or all it has if those are fewer")
	cmd.MarkFlagsMutuallyExclusive("single-path", "min-paths")
}

// read returns what --routing and the flags leave free, nil if the routing is given.
func (f *freedom) read(text string) (*routing.Free, error) {
	free, ok, err := routing.ParseFree(text)
	given := f.single || f.minPaths != 1
	switch {
	case err != nil:
		return nil, inFlag("routing", err)
	case !ok && given:
		return nil, &usageError{err: usagef("--single-path and --min-paths restrict a free routing"), hint: "add --routing free"}
	case !ok:
		return nil, nil
	case f.minPaths < 1:
		return nil, usagef("--min-paths %d: at least 1 is needed", f.minPaths)
	case given && free != (routing.Free{MinPaths: 1}):
		return nil, usagef("--routing %q says which paths a pair has: leave --single-path and --min-paths away", text)
	case given:
		free = routing.Free{Single: f.single, MinPaths: f.minPaths}
	}
	return &free, nil
}

// freeBound returns the best bound that holds for every placement of a size under every
// restriction: of those that hold for every minimal routing, rounded up where single
// paths make loads whole numbers.
func freeBound(t *core.Torus, f routing.Free, n int) objective.Bound {
	plain := bound.PlainForSize(routing.NewMinimal(t, routing.TieBoth), n)
	best := bound.Best(slices.DeleteFunc(plain, func(b objective.Bound) bool { return b.Name == objective.BoundGranularity }))
	return wholeIf(f.Single, best)
}

// freeParams returns what a job with a free routing looks for.
func (s *pursuit) freeParams() joint.Params {
	b, names := s.budget(), s.job.Methods
	if names == nil {
		names = freeMethods
	}
	p := joint.Params{Torus: s.job.Torus, Size: s.job.Size, Free: *s.job.Free, Walk: slices.Contains(names, joint.Name),
		Seed: b.seed, Evaluations: b.evaluations, Workers: b.workers, Recheck: s.recheck > 0}
	p.Feeders = named(placing(names)) // those that do not support the problem are passed over
	return p
}

// free does a job that leaves the routing to the search.
func (s *pursuit) free(ctx context.Context) (results.Record, error) {
	p := s.freeParams()
	var err error
	if p.Resume, err = stateOf[joint.State](s); err != nil {
		return results.Record{}, err
	}
	lower := freeBound(p.Torus, p.Free, p.Size)
	limited, cancel := s.budget().limit(ctx)
	defer cancel()
	show := s.newProgress(lower.Value, s.budget())
	s.live.begin(s.job.String(), objective.Problem{Size: p.Size}, lower.Value, s.nulls)
	p.Goal, p.Observe = lower.Value, func(e search.Event) { show.observe(e); s.live.observe(e) }
	if s.store != nil {
		p.Improved = func(f joint.Found) { s.keepFree(f, lower) }
		p.Checkpoint = func(state joint.State) error { return s.checkpoint(state) }
	}
	found, err := joint.Run(limited, p)
	show.stop()
	if err != nil {
		return results.Record{}, err
	}
	record, err := s.freeRecord(found.Found, found.Evaluations, lower)
	if err == nil {
		err = s.finishFree(ctx, record)
	}
	return record, err
}

// freeRecord returns the record of a placement with its table.
func (s *pursuit) freeRecord(f joint.Found, evaluations int64, lower objective.Bound) (results.Record, error) {
	b := s.budget()
	claim := results.Claim{Routing: f.Table, Free: s.job.Free, Placement: f.Placement, MaxLoad: f.Value, LowerBound: lower.Value, BoundReason: lower.Reason(),
		Baseline: baseline(objective.Problem{Routing: f.Table, Size: f.Placement.Size()}),
		FoundBy:  foundBy(f.Method, evaluations, b, s.started), Provenance: s.provenance(b, s.started)}
	if lower.Value.Cmp(f.Value) == 0 {
		claim.Proof = proofByBound(lower)
	}
	return results.New(claim)
}

// keepFree puts an improvement into the store at once.
func (s *pursuit) keepFree(f joint.Found, lower objective.Bound) {
	record, err := s.freeRecord(f, f.Evaluations, lower)
	s.addInterim(record, err, f.Value)
}

// finishFree puts the record into the store; what did not better the store is kept as a
// null result.
func (s *pursuit) finishFree(ctx context.Context, record results.Record) error {
	return s.end(ctx, record, func(kept bool) []store.Null {
		if kept {
			return nil
		}
		null := s.null(joint.Name, record.FoundBy.Evaluations)
		null.Best = record.MaxLoad
		return []store.Null{null}
	})
}

// freeLargest looks for the largest size within the load limit under a free
// routing.
func (s *pursuit) freeLargest(ctx context.Context) (results.Record, error) {
	p := s.freeParams()
	limited, cancel := s.budget().limit(ctx)
	defer cancel()
	tell := s.tellSizes()
	p.Improved = func(f joint.Found) {
		tell(search.Event{Method: f.Method, Value: f.Value, Best: f.Placement})
	}
	found, err := joint.Largest(limited, p, joint.Sizing{Limit: s.job.MaxLoad.At,
		Lower: func(n int) *big.Rat { return freeBound(p.Torus, p.Free, n).Value }})
	if err != nil {
		return results.Record{}, err
	}
	record, err := s.freeRecord(found.Found, found.Result.Evaluations, freeBound(p.Torus, p.Free, found.Size))
	if err != nil {
		return record, err
	}
	limit := s.job.MaxLoad.String()
	record.LoadLimit, record.UpperBound = &limit, &found.UpperBound
	return record, s.finishFree(ctx, record)
}
