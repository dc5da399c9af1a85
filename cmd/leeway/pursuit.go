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
	lower   *lowerBound  // once it is derived
	papers  *papers      // of a search for a size

	mu   sync.Mutex
	kept *big.Rat // the best value that went into the store
}

// run does the job and returns the record of the best that was found.
func (s *pursuit) run(ctx context.Context) (results.Record, error) {
	s.started = time.Now()
	p, b := s.job.Problem, s.budget()
	methods, err := pickMethods(s.job.Methods, p)
	if err != nil {
		return results.Record{}, err
	}
	limited, cancel := b.limit(ctx)
	defer cancel()
	options, err := s.options()
	if err != nil {
		return results.Record{}, err
	}
	params := search.Params{Problem: p, Seed: b.seed, Evaluations: b.evaluations, Workers: b.workers}
	var result portfolio.Result
	if p.Limit != nil {
		result, err = s.largest(limited, methods, params, options)
	} else {
		result, err = s.smallest(limited, methods, params, options)
	}
	switch {
	case err != nil:
		return results.Record{}, err
	case result.Value == nil && s.store != nil: // stopped before anything was evaluated: there is nothing to keep
		return results.Record{}, fmt.Errorf("%s: %w", p, errNoPlacement)
	case result.Value == nil:
		if result.Result, err = anyPlacement(limited, p, b.seed); err != nil {
			return results.Record{}, err
		}
	}
	found := p.At(result.Best.Size())
	if p.Limit != nil {
		s.lower, s.papers = newLowerBound(ctx, found, nil, true), startBaseline(ctx, found)
	}
	record, err := s.newRecord(limited, found, result.Result, s.lower, s.papers, b, s.started)
	if err != nil {
		return record, err
	}
	if p.Limit != nil {
		limit := p.Limit.String()
		record.LoadLimit, record.UpperBound = &limit, &result.UpperBound
		record.UpperProofs = upperProofs(p, result.Excluded)
	}
	return record, s.finish(ctx, record, result.State)
}

// smallest looks for the smallest E_max of a size.
func (s *pursuit) smallest(limited context.Context, methods []search.Method, params search.Params, o portfolio.Options) (portfolio.Result, error) {
	p := params.Problem
	s.papers = startBaseline(limited, p)
	s.lower = newLowerBound(limited, p, nil, false)
	if params.Evaluations > 0 {
		s.lower.confirm(limited) // the goal must not depend on when that is known
	}
	var err error
	if params.Starts, err = s.patterns(p); err != nil {
		return portfolio.Result{}, err
	}
	show := s.newProgress(s.lower.value(), s.budget())
	defer show.stop()
	s.live.begin(fmt.Sprintf("%d processors on %s under %s", p.Size, p.Torus(), p.RoutingText()), p, s.lower.value(), s.nulls)
	params.Observe = func(e search.Event) { show.observe(e); s.live.observe(e); s.keep(p, e) }
	if s.lead != nil {
		return s.together(limited, methods, params, s.lower)
	}
	return toBound(limited, methods, params, o, s.lower)
}

// largest looks for the largest size within the load limit.
func (s *pursuit) largest(ctx context.Context, methods []search.Method, params search.Params, o portfolio.Options) (portfolio.Result, error) {
	p := params.Problem
	s.live.begin(fmt.Sprintf("Largest placement on %s under %s with E_max at most %s", p.Torus(), p.RoutingText(), p.Limit), p, nil, nil)
	tell := s.tellSizes()
	params.Observe = func(e search.Event) { tell(e); s.live.observe(e) }
	return portfolio.Run(ctx, methods, params, o)
}

// upperProofs returns the proofs that some sizes have no placement within a limit.
func upperProofs(p objective.Problem, excluded []portfolio.Exclusion) (list []results.Proof) {
	for _, e := range excluded {
		larger := p.At(e.Size)
		if proof := censusProof(larger, e.Refutation); proof != nil {
			n := neighbour{routing: p.Routing, size: e.Size, below: e.Refutation.Below, proof: *proof}
			list = append(list, *n.proofOf(larger))
		}
	}
	return list
}

// tellSizes returns an observer that remarks every larger size that is found within
// the limit.
func (s *pursuit) tellSizes() func(search.Event) {
	var mu sync.Mutex
	largest := 1
	return func(e search.Event) {
		mu.Lock()
		defer mu.Unlock()
		if n := e.Best.Size(); n > largest && e.Value != nil && e.Value.Cmp(s.job.Limit.At(n)) <= 0 {
			largest = n
			s.remark("%s  %d processors with E_max %s (%s)", time.Since(s.started).Round(time.Second), n, e.Value.RatString(), e.Method)
		}
	}
}

// options returns how the portfolio runs: where it puts its state and goes on from.
func (s *pursuit) options() (portfolio.Options, error) {
	o := portfolio.Options{Recheck: s.recheck, Parts: sharesOf, StartMethod: patternMethod}
	if s.job.Limit != nil && s.job.Free == nil {
		o.Parts = nil // every size begins anew: small parts find out sooner that one is out of reach
	}
	if s.store == nil {
		return o, nil
	}
	o.Checkpoint = func(state portfolio.State) error {
		data, err := json.Marshal(state)
		if err != nil {
			return err
		}
		return s.store.Checkpoint(s.key, data)
	}
	if s.state != nil {
		o.Resume = new(portfolio.State)
		if err := json.Unmarshal(s.state, o.Resume); err != nil {
			s.remark("%s: the state in the store cannot be read, the search begins anew: %v", s.job, err)
			o.Resume = nil
		}
	}
	return o, nil
}

// toBound runs methods until the lower bound is met. If that turns out not to
// be confirmed, they go on towards the one that is left.
func toBound(ctx context.Context, methods []search.Method, params search.Params, o portfolio.Options, lower *lowerBound) (portfolio.Result, error) {
	params.Goal = lower.value()
	result, err := portfolio.Run(ctx, methods, params, o)
	if err != nil || result.Value == nil || result.Reason != search.Reached || lower.confirm(ctx) || o.InTurn && params.Evaluations > 0 {
		return result, err
	}
	o.Resume, params.Goal, params.Starts = nil, lower.value(), []core.Placement{result.Best}
	again, err := portfolio.Run(ctx, methods, params, o)
	again.Evaluations += result.Evaluations
	if again.Value == nil || again.Value.Cmp(result.Value) == 0 {
		again.Best, again.Value, again.Method = result.Best, result.Value, result.Method
	}
	return again, err
}

// budget returns the budget of the job.
func (s *pursuit) budget() budget {
	return budget{seed: s.job.Seed, time: s.job.Time, evaluations: s.job.Evaluations, workers: s.workers}
}
