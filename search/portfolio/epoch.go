package portfolio

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"sync"
	"time"

	"leeway/core"
	"leeway/core/parallel"
	"leeway/search"
)

// An epoch is one round of the methods that are awake.
type epoch struct {
	run   *run
	ctx   context.Context // of the run
	goal  *big.Rat
	known *big.Rat // the best value when it began; nil: none
	turns []*turn
	timed bool // quotas are time

	mu    sync.Mutex
	least int64    // evaluations of the shortest turn that closed the problem
	told  *big.Rat // the best value that was reported
}

// A turn is what one method does in an epoch.
type turn struct {
	number int // of the method
	method search.Method
	params search.Params
	length time.Duration // 0: evaluations are the limit

	ctx    context.Context
	cancel context.CancelFunc
	seen   int64 // evaluations reported
	begun  bool
	rests  bool // nothing is left to look at
	out    search.Outcome
	err    error
}

// found returns the placement of the outcome.
func (t *turn) found() search.Found {
	return search.Found{Placement: t.out.Best, Table: t.out.Table, Value: t.out.Value,
		Method: cmp.Or(t.out.How, t.method.Name())}
}

// epoch lets the methods that are awake have their turns and takes in what they found.
func (r *run) epoch(ctx context.Context) error {
	e := r.plan(ctx)
	e.runAll()
	for _, t := range e.turns {
		t.cancel()
	}
	for _, t := range e.turns {
		if t.err != nil {
			return errors.Join(fmt.Errorf("portfolio: method %s: %w", t.method.Name(), t.err), r.salvage(e))
		}
	}
	if e.timed || ctx.Err() == nil {
		return r.merge(e)
	}
	return r.salvage(e)
}

// plan gives every method that is awake its turn.
func (r *run) plan(ctx context.Context) *epoch {
	e := &epoch{run: r, ctx: ctx, goal: r.goal(), known: r.best.Value, told: r.best.Value,
		timed: r.params.Evaluations == 0, least: math.MaxInt64}
	awake := r.awake()
	idle, parts := make([]int, len(awake)), make([]int64, len(awake))
	for i, number := range awake {
		idle[i], parts[i] = r.state.Methods[number].Idle, r.parts(number)
	}
	length := r.state.Epoch
	if len(awake) == 1 && plansAhead(r.methods[awake[0]]) {
		length = lastEpoch
	}
	var evaluations []int64
	var times []time.Duration
	switch {
	case r.options.InTurn:
		n := len(r.methods) - r.state.Epoch
		evaluations = []int64{max(1, (r.params.Evaluations-r.state.Evaluations)/int64(n))}
		times = []time.Duration{timeLeft(ctx) / time.Duration(n)}
	case e.timed:
		times = timeShares(length, timeLeft(ctx), r.atOnce(len(awake)), idle)
	default:
		evaluations = quotas(length, r.params.Evaluations-r.state.Evaluations, parts)
	}
	starts := r.archive.starts()
	for i, number := range awake {
		t := &turn{number: number, method: r.methods[number], params: r.params}
		t.params.Goal, t.params.Starts = e.goal, starts
		t.params.State = r.state.Methods[number].State
		if !r.options.InTurn {
			t.params.Seed = seedOf(r.params.Seed, r.state.Epoch, t.method.Name())
		}
		t.params.Observe = func(event search.Event) { e.observe(t, event) }
		if e.timed {
			t.length = times[i]
		} else if t.params.Evaluations = evaluations[i]; evaluations[i] == 0 {
			continue // fewer evaluations are left than methods
		}
		t.ctx, t.cancel = context.WithCancel(ctx)
		e.turns = append(e.turns, t)
	}
	return e
}

// parts returns how many parts of the evaluations a method gets.
func (r *run) parts(number int) int64 {
	return int64(max(1, r.options.Parts[r.methods[number].Name()]))
}

// atOnce returns how many of n turns run at a time.
func (r *run) atOnce(n int) int { return max(1, min(r.params.Workers, n)) }

// runAll makes the turns, in their order, as many at a time as there are workers. By time these share the workers, and
// after the first turn those of methods with the most parts come first, whose evaluations are the cheapest: they have a
// good placement soonest.
// Otherwise each may use all: the methods differ so much in what an evaluation costs that one is often alone at the
// end, and GOMAXPROCS keeps the cores from being claimed twice.
func (e *epoch) runAll() {
	atOnce := e.run.atOnce(len(e.turns))
	workersOf := func(place int) int {
		workers := max(1, e.run.params.Workers)
		if e.timed {
			workers = (workers + place) / atOnce // they add up to all
		}
		return workers
	}
	order := slices.Clone(e.turns)
	if e.timed && len(order) > 1 {
		slices.SortStableFunc(order[1:], func(a, b *turn) int {
			return cmp.Compare(e.run.parts(b.number), e.run.parts(a.number))
		})
	}
	parallel.EachWithState(context.Background(), atOnce, len(order), workersOf, func(workers, i int) {
		t := order[i]
		t.params.Workers = workers
		e.take(t)
	})
}

// take makes one turn. An error stops the others.
func (e *epoch) take(t *turn) {
	if t.ctx.Err() != nil {
		return
	}
	ctx, cancel := t.ctx, context.CancelFunc(func() {})
	if t.length > 0 {
		ctx, cancel = context.WithTimeout(ctx, t.length)
	}
	defer cancel()
	out, err := search.Anytime(e.ctx, t.params, func(p search.Params) (search.Outcome, error) {
		return t.method.Run(ctx, p)
	})
	early := ctx.Err() == nil && (e.timed || out.Evaluations < t.params.Evaluations)
	if err == nil && out.Value != nil {
		err = e.run.verify(e.ctx, search.Found{Placement: out.Best, Table: out.Table, Value: out.Value,
			Method: t.method.Name()})
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	t.out, t.err, t.begun = out, err, true
	t.seen = max(t.seen, out.Evaluations)
	t.rests = out.Reason == search.Complete || out.Reason != search.Reached && early
	switch {
	case err != nil:
		e.stop(func(*turn) bool { return true })
	case e.closed(t):
		e.least = min(e.least, out.Evaluations)
		e.stop(func(t *turn) bool { return e.timed || e.late(t) })
	}
}

// closed reports whether a turn reached the goal, refuted everything below the best
// that it could know, or showed that a goal that is all is out of reach.
func (e *epoch) closed(t *turn) bool {
	best := t.out.Value
	if best == nil || e.known != nil && e.known.Cmp(best) < 0 {
		best = e.known
	}
	r := t.out.Refutation
	return closes(e.goal, best) || e.run.params.Hopeless(r) ||
		r != nil && r.Kind != search.SolverClaim && closes(r.Below, best)
}

// late reports whether a turn made more evaluations than the one that closed the
// problem, as its reports or its outcome say.
func (e *epoch) late(t *turn) bool { return !e.timed && t.seen > e.least }

// stop stops the turns named; those that are over do not notice.
func (e *epoch) stop(which func(*turn) bool) {
	for _, t := range e.turns {
		if which(t) {
			t.cancel()
		}
	}
}

// observe passes an event on, with what all methods together have done and found.
func (e *epoch) observe(t *turn, event search.Event) {
	e.mu.Lock()
	defer e.mu.Unlock()
	t.seen = max(t.seen, event.Evaluations)
	if !e.timed {
		t.seen = min(t.seen, t.params.Evaluations)
	}
	if e.late(t) {
		t.cancel()
	}
	event.Method = t.method.Name()
	event.Evaluations = e.run.spent
	for _, other := range e.turns {
		event.Evaluations += other.seen
	}
	e.tell(event)
}

// tell reports an event: as an improvement if its value is better than all that
// were reported, otherwise with the best of these.
func (e *epoch) tell(event search.Event) {
	event.Improved = event.Value != nil && (e.told == nil || event.Value.Cmp(e.told) < 0)
	if event.Improved {
		e.told = event.Value
	} else {
		event.Value, event.Best, event.Table = e.told, core.Placement{}, nil // the best may be another method's
	}
	e.run.params.Report(event)
}

// merge takes in an epoch that counts, in the order of the methods, and makes what is known then the state.
func (r *run) merge(e *epoch) error {
	stands := slices.Clone(r.state.Methods)
	for _, t := range e.turns {
		if !t.begun {
			continue
		}
		if e.late(t) { // as if it had been stopped with the turn that closed the problem
			t.out, t.rests = search.Outcome{Evaluations: e.least}, false
		}
		if err := r.learn(e, t); err != nil {
			return err
		}
		if f := t.found(); f.Value != nil {
			r.archive.add(f)
		}
		note(&stands[t.number], e, t)
	}
	if err := r.agree(); err != nil {
		return err
	}
	return r.snapshot(stands)
}

// salvage takes what holds whatever comes out of an epoch that does not count.
func (r *run) salvage(e *epoch) error {
	for _, t := range e.turns {
		if t.err != nil {
			continue
		}
		if err := r.learn(e, t); err != nil {
			return err
		}
	}
	return r.agree()
}

// learn takes a better placement and a refutation.
func (r *run) learn(e *epoch, t *turn) error {
	r.spent += t.out.Evaluations
	r.gaveUp = t.out.GaveUp
	if r.options.InTurn {
		r.reason = t.out.Reason
	}
	if t.out.Refutation != nil {
		r.refute(t.out.Refutation)
	}
	f := t.found()
	if !f.IsBelow(r.best.Value) {
		return nil
	}
	r.best = f
	r.improvements++
	if f.IsBelow(e.told) { // the method did not report it
		e.tell(search.Event{Method: f.Method, Value: f.Value, Best: f.Placement, Table: f.Table, Evaluations: r.spent})
	}
	if k := r.options.Recheck; k > 0 && r.improvements%k == 0 {
		return r.recheck(f)
	}
	return nil
}

// note updates how a method stands after its turn.
func note(s *Status, e *epoch, t *turn) {
	f := t.found()
	s.Epochs++
	s.Evaluations += t.out.Evaluations
	s.Seed, s.State = t.params.Seed, t.out.State
	if s.Idle++; f.IsBelow(e.known) {
		s.Idle = 0
	}
	if f.IsBelow(s.Best) {
		s.Best = f.Value
	}
	pause := pauseFor(t.out.Turns)
	s.Resting, s.Met, s.Until = t.rests || pause > 0, nil, 0
	if !s.Resting {
		return
	}
	if s.Met = e.known; f.IsBelow(e.known) {
		s.Met = f.Value
	}
	if pause > 0 {
		s.Until = e.run.state.Epoch + 1 + pause
	}
}

// refute keeps the refutation of the highest value of each kind, proofs first.
func (r *run) refute(f *search.Refutation) {
	for i, have := range r.refutations {
		if have.Kind == f.Kind {
			if f.Below.Cmp(have.Below) > 0 {
				r.refutations[i] = f
			}
			return
		}
	}
	if f.Kind == search.SolverClaim {
		r.refutations = append(r.refutations, f)
	} else {
		r.refutations = append([]*search.Refutation{f}, r.refutations...)
	}
}

// agree returns a *search.DisagreementError if the best placement is below a value
// below which there is said to be none.
func (r *run) agree() error {
	for _, f := range r.refutations {
		if r.best.IsBelow(f.Below) {
			return &search.DisagreementError{Problem: r.params.Problem.String(), Below: f.Below, Engine: f.Engine,
				Nodes: r.best.Placement.Nodes()}
		}
	}
	return nil
}
