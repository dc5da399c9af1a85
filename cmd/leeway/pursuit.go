package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"sync"
	"time"

	"leeway/core"
	"leeway/objective"
	"leeway/results"
	"leeway/results/plan"
	"leeway/results/store"
	"leeway/search"
	"leeway/search/portfolio"
)

// A pursuit is one search under way.
type pursuit struct {
	*app
	*night
	job     plan.Job
	key     store.Run
	state   json.RawMessage
	started time.Time
	nulls   []store.Null // of searches before

	mu   sync.Mutex
	kept *big.Rat // the best value that went into the store
}

// run does the job.
func (s *pursuit) run(ctx context.Context) (results.Record, error) {
	s.started = time.Now()
	switch {
	case s.job.Free != nil && s.job.MaxLoad != nil:
		return s.freeLargest(ctx)
	case s.job.Free != nil:
		return s.free(ctx)
	case s.job.MaxLoad != nil:
		return s.largest(ctx)
	}
	return s.smallest(ctx)
}

// smallest looks for the smallest E_max of a size.
func (s *pursuit) smallest(ctx context.Context) (results.Record, error) {
	p := objective.Problem{Routing: s.job.Routing, Size: s.job.Size}
	methods, err := pickMethods(s.job.Methods, p)
	if err != nil {
		return results.Record{}, err
	}
	lower := newLowerBound(ctx, p, nil, false)
	b := s.budget()
	limited, cancel := b.limit(ctx)
	defer cancel()
	if b.evaluations > 0 {
		lower.confirm(ctx) // the goal must not depend on when that is known
	}
	options, err := s.options()
	if err != nil {
		return results.Record{}, err
	}
	starts, err := s.patterns(p)
	if err != nil {
		return results.Record{}, err
	}
	show := s.newProgress(lower.value(), b)
	s.live.begin(fmt.Sprintf("%d processors on %s under %s", p.Size, p.Torus(), p.Routing), p, lower.value(), s.nulls)
	params := search.Params{Problem: p, Goal: lower.value(), Seed: b.seed, Evaluations: b.evaluations, Workers: b.workers, Starts: starts,
		Observe: func(e search.Event) { show.observe(e); s.live.observe(e); s.keep(p, e, lower) }}
	result, err := s.toBound(limited, methods, params, options, lower)
	show.stop()
	if err != nil {
		return results.Record{}, err
	}
	switch {
	case result.Value == nil && s.store != nil: // stopped before anything was evaluated: there is nothing to keep
		return results.Record{}, fmt.Errorf("%s: %w", p, errNoPlacement)
	case result.Value == nil:
		if result.Result, err = anyPlacement(p, b.seed); err != nil {
			return results.Record{}, err
		}
	}
	record, err := s.newRecord(limited, p, result.Result, lower, b, s.started)
	if err == nil {
		err = s.finish(ctx, record, result.State)
	}
	return record, err
}

// options returns how the portfolio runs: where it puts its state and goes on from.
func (s *pursuit) options() (portfolio.Options, error) {
	o := portfolio.Options{Recheck: s.recheck, Parts: sharesOf, StartMethod: patternMethod}
	if s.store != nil {
		o.Checkpoint = func(state portfolio.State) error { return s.checkpoint(state) }
	}
	var err error
	o.Resume, err = stateOf[portfolio.State](s)
	return o, err
}

// toBound runs the portfolio until the lower bound is met. If that turns out not to
// be confirmed, it goes on towards the one that is left.
func (s *pursuit) toBound(ctx context.Context, methods []search.Method, params search.Params, o portfolio.Options, lower *lowerBound) (portfolio.Result, error) {
	if s.lead != nil {
		return s.together(ctx, methods, params, lower)
	}
	result, err := portfolio.Run(ctx, methods, params, o)
	if err != nil || result.Reason != search.Reached || lower.confirm(ctx) {
		return result, err
	}
	o.Resume, params.Goal, params.Starts = nil, lower.value(), []core.Placement{result.Best}
	again, err := portfolio.Run(ctx, methods, params, o)
	again.Evaluations += result.Evaluations
	if again.Value != nil && again.Value.Cmp(result.Value) == 0 {
		again.Best, again.Method = result.Best, result.Method
	}
	return again, err
}

// budget returns the budget of the job.
func (s *pursuit) budget() budget {
	return budget{seed: s.job.Seed, time: s.job.Time, evaluations: s.job.Evaluations, workers: s.workers}
}
