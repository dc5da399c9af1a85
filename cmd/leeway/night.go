package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"sync"
	"time"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/bound"
	"leeway/results"
	"leeway/results/plan"
	"leeway/results/store"
	"leeway/search"
	"leeway/search/portfolio"
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
	cluster clusterFlags
	lead    *lead // nil: this machine alone
}

// do runs one job and publishes its record. A job that is known to be optimal, or
// was finished before, is passed over with a remark.
func (a *app) do(ctx context.Context, n *night, j plan.Job) error {
	r := &pursuit{app: a, night: n, job: j, key: runOf(j)}
	if n.store != nil {
		var err error
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
	record, err := r.run(ctx)
	if err != nil {
		return err
	}
	n.live.end(fmt.Sprintf("ended: %s: E_max %s, %s", j, record.MaxLoad, record.Status))
	n.list = append(n.list, record)
	return a.publish(&n.hunt, fileBase(j.Torus, record.Size, j.RoutingText(), j.Seed), record)
}

// runOf returns the key under which the store knows a job.
func runOf(j plan.Job) store.Run {
	run := store.Run{Problem: problemOf(j), Seed: j.Seed, Budget: recordBudget(budget{time: j.Time, evaluations: j.Evaluations}), Methods: j.Methods}
	if j.MaxLoad != nil {
		run.Goal = "max-load " + j.MaxLoad.String()
	}
	return run
}

// problemOf returns the problem that the store knows a job by.
func problemOf(j plan.Job) store.Problem {
	if j.Free != nil {
		return store.FreeProblem(j.Torus, *j.Free, j.Size)
	}
	return store.NewProblem(j.Routing, j.Size)
}

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

// passOver reports whether the store makes the job needless.
func (s *pursuit) passOver() (bool, error) {
	if s.job.MaxLoad == nil {
		best, ok, err := s.store.Best(s.key.Problem)
		if err != nil {
			return false, err
		}
		if ok && best.Status == results.StatusOptimal {
			s.remark("%s: known to be optimal, E_max %s", s.job, best.MaxLoad)
			s.list = append(s.list, best)
			return true, s.store.Finish(s.key)
		}
	}
	done, err := s.store.Finished(s.key)
	if err != nil || !done {
		return false, err
	}
	s.remark("%s: was searched before with this seed and budget", s.job)
	if best, ok, err := s.store.Best(s.key.Problem); err != nil || ok {
		s.list = append(s.list, best)
		return true, err
	}
	return true, nil
}

// showNulls remarks what searches before this one did not better.
func (s *pursuit) showNulls() error {
	nulls, err := s.store.Nulls(s.key.Problem)
	s.nulls = nulls
	for _, n := range nulls {
		s.remark("%s: %s saw no less than %s in %d evaluations (seed %d)", s.job, n.Method, n.Best, n.Evaluations, n.Seed)
	}
	return err
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
	p := objective.Problem{Routing: s.job.Routing, Size: s.job.Size}
	methods, err := pickMethods(s.job.Methods, p)
	if err != nil {
		return results.Record{}, err
	}
	lower := newLowerBound(p, nil, false)
	b := s.budget()
	limited, cancel := b.limit(ctx)
	defer cancel()
	if b.evaluations > 0 {
		lower.confirm(ctx) // the goal must not depend on when that is known
	}
	show := s.newProgress(lower.value(), b)
	s.live.begin(fmt.Sprintf("%d processors on %s under %s", p.Size, p.Torus(), p.Routing), p, lower.value(), s.nulls)
	params := search.Params{Problem: p, Goal: lower.value(), Seed: b.seed, Evaluations: b.evaluations, Workers: b.workers,
		Observe: func(e search.Event) { show.observe(e); s.live.observe(e); s.keep(p, e, lower) }}
	if params.Starts, err = s.patterns(p); err != nil {
		return results.Record{}, err
	}
	options := portfolio.Options{Recheck: s.recheck, Parts: sharesOf, StartMethod: patternMethod}
	if s.store != nil {
		options.Checkpoint = s.checkpoint
	}
	if s.state != nil {
		options.Resume = new(portfolio.State)
		if err := json.Unmarshal(s.state, options.Resume); err != nil {
			return results.Record{}, fmt.Errorf("%s: the state in the store cannot be read: %w", s.job, err)
		}
	}
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

// checkpoint puts the state of the portfolio into the store.
func (s *pursuit) checkpoint(state portfolio.State) error {
	data, err := json.Marshal(state)
	if err != nil {
		return err
	}
	return s.store.Checkpoint(s.key, data)
}

// keep puts an improvement into the store at once.
func (s *pursuit) keep(p objective.Problem, e search.Event, lower *lowerBound) {
	if s.store == nil || !e.Improved || e.Best.Size() != p.Size {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept != nil && e.Value.Cmp(s.kept) >= 0 {
		return
	}
	result := search.Result{Outcome: search.Outcome{Best: e.Best, Value: e.Value, Evaluations: e.Evaluations}, Method: e.Method}
	plain := &lowerBound{best: lower.fallback, fallback: lower.fallback, sure: true}
	record, err := s.newRecord(context.Background(), p, result, plain, s.budget(), s.started)
	if err == nil {
		_, err = s.store.AddInterim(record)
	}
	if err != nil {
		s.remark("%s: E_max %s is not in the store: %v", s.job, e.Value.RatString(), err)
		return
	}
	s.kept = e.Value
}

// finish puts the record into the store, and closes the run unless it was
// interrupted: what the methods did not find then stays as null results.
func (s *pursuit) finish(ctx context.Context, record results.Record, state portfolio.State) error {
	if s.store == nil {
		return nil
	}
	if _, err := s.store.AddRecord(record); err != nil {
		return err
	}
	if ctx.Err() != nil {
		s.remark("%s: interrupted; leeway resume goes on", s.job)
		return nil
	}
	var nulls []store.Null
	for _, m := range state.Methods {
		null := store.Null{Goal: s.key.Goal, Method: m.Method, Seed: s.job.Seed, Budget: s.key.Budget, Evaluations: m.Evaluations}
		if m.Best != nil {
			null.Best = m.Best.RatString()
		}
		if m.Method != record.FoundBy.Method {
			nulls = append(nulls, null)
		}
	}
	return s.store.Finish(s.key, nulls...)
}

// largest looks for the largest size within the load limit.
func (s *pursuit) largest(ctx context.Context) (results.Record, error) {
	r, b := s.job.Routing, s.budget()
	limited, cancel := b.limit(ctx)
	defer cancel()
	s.live.begin(fmt.Sprintf("Largest placement on %s under %s with E_max at most %s", s.job.Torus, r, s.job.MaxLoad), objective.Problem{}, nil, nil)
	tell := s.tellSizes()
	found, err := portfolio.Largest(limited, named(s.job.Methods), search.Params{Seed: b.seed, Evaluations: b.evaluations, Workers: b.workers, Observe: func(e search.Event) { tell(e); s.live.observe(e) }},
		portfolio.Sizing{Routing: r, Limit: s.job.MaxLoad.At, Recheck: s.recheck,
			Lower: func(n int) *big.Rat { return bound.Best(bound.PlainForSize(r, n)).Value }})
	if err != nil {
		return results.Record{}, err
	}
	p := objective.Problem{Routing: r, Size: found.Size}
	record, err := s.newRecord(limited, p, found.Result.Result, newLowerBound(p, nil, true), b, s.started)
	if err != nil {
		return record, err
	}
	limit := s.job.MaxLoad.String()
	record.LoadLimit, record.UpperBound = &limit, &found.UpperBound
	for _, e := range found.Excluded {
		larger := objective.Problem{Routing: r, Size: e.Size}
		if proof := censusProof(larger, e.Refutation); proof != nil {
			n := neighbour{routing: r, size: e.Size, below: e.Refutation.Below, proof: *proof}
			record.UpperProofs = append(record.UpperProofs, *n.proofOf(larger))
		}
	}
	return record, s.finish(ctx, record, found.State)
}

// tellSizes returns an observer that remarks every larger size that is found within
// the limit.
func (s *pursuit) tellSizes() func(search.Event) {
	var mu sync.Mutex
	largest := 1
	return func(e search.Event) {
		mu.Lock()
		defer mu.Unlock()
		if n := e.Best.Size(); n > largest && e.Value != nil && e.Value.Cmp(s.job.MaxLoad.At(n)) <= 0 {
			largest = n
			s.remark("%s  %d processors with E_max %s (%s)", time.Since(s.started).Round(time.Second), n, e.Value.RatString(), e.Method)
		}
	}
}

// jobOf rebuilds the job of a stopped run.
func jobOf(r store.Run) (plan.Job, error) {
	t, err := core.ParseTorus(r.Problem.Torus)
	if err != nil {
		return plan.Job{}, err
	}
	j := plan.Job{Torus: t, Size: r.Problem.Size, Seed: r.Seed, Methods: r.Methods}
	if len(j.Methods) == 0 {
		j.Methods = nil
	}
	if f, free, err := routing.ParseFree(r.Problem.Routing); free && err == nil {
		j.Free = &f
	} else if r.Problem.Table != "" {
		var table results.Table
		if err := json.Unmarshal([]byte(r.Problem.Table), &table); err != nil {
			return j, err
		}
		if j.Routing, err = table.Routing(t); err != nil {
			return j, err
		}
	} else if j.Routing, err = routing.Parse(t, r.Problem.Routing); err != nil {
		return j, err
	}
	if text, ok := strings.CutPrefix(r.Goal, "max-load "); ok {
		if j.MaxLoad, err = plan.ParseLimit(text); err != nil {
			return j, err
		}
	}
	if r.Budget.Evaluations != nil {
		j.Evaluations = *r.Budget.Evaluations
	}
	if r.Budget.Time != nil {
		j.Time, err = time.ParseDuration(*r.Budget.Time)
	}
	return j, err
}

// close closes the store, if there is one, and joins its error to another.
func (n *night) close(err error) error {
	if n.store == nil {
		return err
	}
	return errors.Join(err, n.store.Close())
}
