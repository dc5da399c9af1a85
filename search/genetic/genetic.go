// Package genetic is a memetic search on eaopt: islands of placements that are
// crossed over, mutated and improved by swaps of single processors.
//
// The run is cut into epochs. In an epoch every island is one short eaopt run of
// its own, with a generator seeded by (seed, epoch, island) and its share of the
// evaluations; between epochs the best of each island moves to the next in a
// ring. Islands work in parallel and meet only at the borders, so the result
// depends on the seed and the evaluations, not on the number of workers.
//
// This is the only package that imports eaopt v0.4.2, and it works around three
// of its defects: crossover there leaves a mate with a stale fitness (ours
// builds a new genome and never touches the mate), tournaments return wrong
// indexes, and no model keeps the best (the model here does both itself).
package genetic

import (
	"context"
	"math/big"
	"sync"
	"sync/atomic"

	"leeway/core"
	"leeway/objective"
	"leeway/search"
)

// Options are the knobs of the method. The zero value of a field stands for its
// default.
type Options struct {
	Islands     int   // default 4
	Population  int   // per island, default 30
	EpochLength int64 // evaluations of an island in an epoch, default 4000
	Trials      int   // swaps tried when a new placement is improved, default 60
}

func (o Options) withDefaults() Options {
	set := func(v *int, to int) {
		if *v == 0 {
			*v = to
		}
	}
	set(&o.Islands, 4)
	set(&o.Population, 30)
	set(&o.Trials, 60)
	if o.EpochLength == 0 {
		o.EpochLength = 4000
	}
	return o
}

// Method is the memetic search.
type Method struct{ Options Options }

// Name returns "genetic".
func (Method) Name() string { return "genetic" }

// Supports refuses problems whose loads overflow the incremental evaluator.
func (m Method) Supports(p objective.Problem) error {
	if _, err := objective.NewIncremental(p.Routing, p.Size); err != nil {
		return &search.UnsupportedError{Method: m.Name(), Problem: p.String(), Why: err.Error()}
	}
	return nil
}

// Run evolves placements until the goal, the budget or the context ends it. An
// evaluation is one placement whose peak load was computed.
func (m Method) Run(ctx context.Context, p search.Params) (search.Outcome, error) {
	o := m.Options.withDefaults()
	var stop atomic.Bool
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	islands, err := settle(p, o, &stop)
	if err != nil {
		return search.Outcome{}, err
	}
	out := search.Outcome{}
	if p.Problem.Size == p.Problem.Torus().N() { // one placement: no generations to go through
		islands, p.Evaluations = islands[:1], 1
	}
	for epoch := uint64(0); ; epoch++ {
		if err := evolveAll(islands, p, o, epoch, out.Evaluations); err != nil {
			return out, err
		}
		collect(islands, p, &out)
		switch {
		case p.Done(out.Value):
			out.Reason = search.Reached
		case ctx.Err() != nil:
			out.Reason = search.Stopped
		case p.Problem.Size == p.Problem.Torus().N():
			out.Reason = search.Complete
		case p.Evaluations > 0 && out.Evaluations >= p.Evaluations:
			out.Reason = search.Spent
		default:
			migrate(islands)
			continue
		}
		return out, nil
	}
}

// settle makes the islands.
func settle(p search.Params, o Options, stop *atomic.Bool) ([]*island, error) {
	islands := make([]*island, o.Islands)
	for i := range islands {
		inc, err := objective.NewIncremental(p.Problem.Routing, p.Problem.Size)
		if err != nil {
			return nil, err
		}
		islands[i] = newIsland(i, inc, p, o, stop)
	}
	return islands, nil
}

// evolveAll runs one epoch on all islands, at most p.Workers at a time. What is
// left of the evaluations is shared out evenly, the first islands taking the
// remainder.
func evolveAll(islands []*island, p search.Params, o Options, epoch uint64, spent int64) error {
	errs := make([]error, len(islands))
	slots := make(chan struct{}, max(1, p.Workers))
	var wg sync.WaitGroup
	for i, is := range islands {
		is.allowance = o.EpochLength
		if p.Evaluations > 0 {
			n := int64(len(islands))
			left := p.Evaluations - spent
			share := left / n
			if int64(i) < left%n {
				share++
			}
			is.allowance = min(is.allowance, share)
		}
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			errs[i] = is.evolve(epoch)
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// collect folds what the islands found into out, in their order, and reports.
func collect(islands []*island, p search.Params, out *search.Outcome) {
	improved := false
	for _, is := range islands {
		out.Evaluations += is.spent
		is.spent = 0
		if is.best == nil || is.reported == is.best {
			continue
		}
		is.reported = is.best
		placement := core.MustPlacement(p.Problem.Torus(), is.best.nodes)
		value := exactValue(is, p.Problem, placement)
		if out.Value == nil || value.Cmp(out.Value) < 0 {
			out.Best, out.Value, improved = placement, value, true
		}
	}
	p.Report(search.Event{Value: out.Value, Best: out.Best, Evaluations: out.Evaluations, Improved: improved})
}

func exactValue(is *island, p objective.Problem, placement core.Placement) *big.Rat {
	if is.inc.Exact() {
		return big.NewRat(is.best.score.most, is.inc.Den())
	}
	value, _ := objective.Evaluate(p.Routing, placement).Max()
	return value
}

// migrate puts a copy of the best placement of each island into the next, ring
// closed, in place of the worst there.
func migrate(islands []*island) {
	if len(islands) < 2 {
		return
	}
	bests := make([]*individual, len(islands))
	for i, is := range islands {
		bests[i] = is.best
	}
	for i, best := range bests {
		next := islands[(i+1)%len(islands)]
		if best != nil && len(next.saved) > 0 {
			next.saved[len(next.saved)-1] = best
		}
	}
}
