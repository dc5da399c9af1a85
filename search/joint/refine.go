package joint

import (
	"context"
	"errors"
	"strings"
	"time"

	"leeway/core/parallel"
	"leeway/objective/bound"
	"leeway/objective/lowerbound"
	"leeway/search"
	"leeway/search/restrict"
)

// refine looks for better tables of some of the pool, with package restrict.
func (r *run) refine(ctx context.Context, work int64) error {
	if work < 1 {
		return nil
	}
	r.evaluations++ // so that a run without any choice ends too
	work--
	count := int64(streams)
	switch r.rounds {
	case 0:
		count = maxPool
	case 1: // in full
		count = 2 * streams
	}
	picked := r.pool.pick(r.best.Value, int(min(count, work)))
	results, failed := make([]restrict.Restriction, len(picked)), make([]error, len(picked))
	parallel.Each(context.Background(), r.Workers, len(picked),
		func(i int) { results[i], failed[i] = r.look(ctx, picked[i], work/int64(len(picked))) })
	for i, e := range picked {
		if failed[i] != nil && !errors.Is(failed[i], context.DeadlineExceeded) && !errors.Is(failed[i], context.Canceled) {
			return failed[i]
		}
		if failed[i] != nil { // the time was over before the look had begun
			e.looks++
			continue
		}
		r.evaluations += results[i].Evaluations
		if e.looks++; results[i].Lower.Sign() > 0 {
			e.lower = bound.Whole(r.torus, r.free.Single, lowerbound.Bound{Value: results[i].Lower}).Value
		}
	}
	for i, e := range picked {
		f := results[i]
		if f.Value == nil || f.Value.Cmp(e.Value) >= 0 {
			continue
		}
		chosen := r.lists.ChoicesOf(e.Placement, f.Table)
		placed, _, _ := strings.Cut(e.Method, ",") // how the placement was found; what follows is about its table
		r.take(search.Found{Placement: e.Placement, Table: r.lists.Table(e.Placement, r.free, chosen), Value: f.Value,
			Method: placed + ", " + f.Method})
	}
	return nil
}

// look looks for a better table of an entry. Looks at an entry are in turns quick, from the table that it has, and in
// full, from what linear programming says: that alone finds some tables and takes long.
func (r *run) look(ctx context.Context, e *entry, work int64) (restrict.Restriction, error) {
	p := restrict.Params{Placement: e.Placement, Single: r.free.Single, MinPaths: r.free.MinPaths, Goal: r.Goal,
		Group: r.group, Seed: r.Seed + uint64(r.rounds), Evaluations: work, Workers: 1}
	if e.looks%2 == 0 {
		p.Start, p.Quick = e.Table, true
	} else if deadline, ok := ctx.Deadline(); ok && r.Evaluations == 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Until(deadline)/fullPart)
		defer cancel()
	}
	return restrict.Run(ctx, p)
}

// fullPart is the part of the time left that a full look may take: one in this many.
const fullPart = 4 * streams
