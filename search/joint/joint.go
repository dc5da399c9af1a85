package joint

import (
	"context"
	"fmt"
	"math/big"

	"leeway/core"
	"leeway/core/routing"
	"leeway/core/symmetry"
	"leeway/objective"
	"leeway/search"
)

// Name is the word by which records and flags call the walks of this package.
const Name = "joint"

// Params says what to look for and how long.
type Params struct {
	Torus       *core.Torus
	Size        int
	Free        routing.Free
	Goal        *big.Rat        // stop at this value or below; nil: never
	Feeders     []search.Method // look for placements first, under udr:tie=both; may be empty
	Walk        bool            // false: only tables for the placements of the feeders
	Starts      []core.Placement
	Seed        uint64
	Evaluations int64 // choices that may be weighed; 0: no limit
	Workers     int   // at least 1; changes the speed, never the result
	Recheck     bool  // evaluate what is found from the definition too
	Observe     func(search.Event)
	// Improved is called with everything better than what was found before, nil: not
	// at all.
	Improved func(Found)
	// Checkpoint is called with the state after every epoch, nil: not at all. An
	// error ends the run.
	Checkpoint func(State) error
	Resume     *State // the state to go on from, nil: begin
}

// A Found is a placement with a table and their E_max, evaluated exactly.
type Found struct {
	Placement   core.Placement
	Table       *routing.Table
	Value       *big.Rat
	Method      string // that found it
	Evaluations int64  // of all methods until it was found
}

// A Result is the best that was found.
type Result struct {
	Found
	Evaluations int64
	Reason      search.Reason
	State       State // after the last epoch that counts
}

// Run looks until the goal is reached, the evaluations are spent or the context
// ends. It always finds something. Errors are those of the feeders, an
// *search.WrongValueError, what Checkpoint returns, and an *core.InputError for
// a problem that is too large or a state of another run.
func Run(ctx context.Context, p Params) (Result, error) {
	r, err := open(p)
	if err != nil {
		return Result{}, err
	}
	for !r.ended(ctx) {
		if err := r.epoch(ctx); err != nil {
			return r.result(), err
		}
	}
	return r.result(), nil
}

// A run is one call of Run.
type run struct {
	Params
	*ground
	pool        *pool
	udr         *routing.Orders // all paths, ties both
	group       *symmetry.Group // of udr
	tilings     tilings
	epochs      int // that are over
	best        Found
	evaluations int64
	state       State
	reason      search.Reason
}

// open validates everything and begins, or goes on from a state.
func open(p Params) (*run, error) {
	if _, err := objective.NewProblem(routing.NewUDR(p.Torus, routing.TieBoth), p.Size); err != nil {
		return nil, err
	}
	if p.Free.Single && p.Free.MinPaths > 1 {
		return nil, &core.InputError{Text: fmt.Sprint(p.Free.MinPaths), Problem: "a single path for every pair cannot be several"}
	}
	g, err := newGround(p.Torus, p.Size, p.Free)
	if err != nil {
		return nil, err
	}
	r := &run{Params: p, ground: g, udr: routing.NewUDR(p.Torus, routing.TieBoth)}
	if r.group, err = symmetry.Of(r.udr); err != nil {
		return nil, err
	}
	r.pool = newPool(r.group, p.Size)
	r.tilings = newTilings(g)
	if p.Resume != nil {
		return r, r.resume(*p.Resume)
	}
	r.state = State{Problem: r.name(), Seed: p.Seed}
	return r, r.begin()
}

// name returns the problem in the words of the command line.
func (r *run) name() string {
	return fmt.Sprintf("--torus %s --size %d --routing %s", r.Torus, r.Size, r.Free)
}

// begin puts the starts into the pool, or else a placement spread over the nodes.
func (r *run) begin() error {
	starts := r.Starts
	if len(starts) == 0 {
		nodes := make([]int, r.Size)
		for i := range nodes {
			nodes[i] = i * r.Torus.N() / r.Size
		}
		starts = []core.Placement{core.MustPlacement(r.Torus, nodes)}
	}
	for _, s := range starts {
		if s.Size() != r.Size || !s.Torus().Equal(r.Torus) {
			return &core.InputError{Text: fmt.Sprint(s.Nodes()), Problem: "a start is no placement of " + r.name()}
		}
		if err := r.take(r.greedy(s, "start")); err != nil {
			return err
		}
	}
	return nil
}

// ended reports whether the run is over, and why.
func (r *run) ended(ctx context.Context) bool {
	switch {
	case r.done():
		r.reason = search.Reached
	case ctx.Err() != nil:
		r.reason = search.Stopped
	case r.Evaluations > 0 && r.evaluations >= r.Evaluations:
		r.reason = search.Spent
	case r.epochs > 0 && !r.Walk && r.pool.pick(r.best.Value, 1) == nil:
		r.reason = search.Complete
	default:
		return false
	}
	return true
}

// done reports whether nothing better is wanted or possible.
func (r *run) done() bool {
	return r.best.Value.Sign() == 0 || r.Goal != nil && r.best.Value.Cmp(r.Goal) <= 0
}

// better reports whether a value is better than all before.
func (r *run) better(value *big.Rat) bool {
	return r.best.Value == nil || value.Cmp(r.best.Value) < 0
}

// take brings something found into the pool and, if it is better than all before,
// tells of it.
func (r *run) take(f Found) error {
	better := r.better(f.Value)
	if !r.pool.wants(f.Value) {
		return nil
	}
	if err := r.verify(f); err != nil {
		return err
	}
	r.pool.add(f)
	if better {
		f.Evaluations = r.evaluations
		r.best = f
		if r.Improved != nil {
			r.Improved(f)
		}
	}
	r.report(f.Method, better)
	return nil
}

// verify evaluates something found again: an *search.WrongValueError if it does not
// have its value.
func (r *run) verify(f Found) error {
	loads := objective.Evaluate(f.Table, f.Placement)
	if exact, _ := loads.Max(); exact.Cmp(f.Value) != 0 {
		return &search.WrongValueError{Method: f.Method, Nodes: f.Placement.Nodes(), Claimed: f.Value, True: exact}
	}
	if !r.Recheck {
		return nil
	}
	if exact, _ := objective.Naive(f.Table, f.Placement).Max(); exact.Cmp(f.Value) != 0 {
		return &search.WrongValueError{Method: f.Method, Nodes: f.Placement.Nodes(), Claimed: f.Value, True: exact}
	}
	return nil
}

// report tells the observer how things stand.
func (r *run) report(method string, improved bool) {
	if r.Observe != nil {
		r.Observe(search.Event{Method: method, Value: r.best.Value, Evaluations: r.evaluations, Improved: improved, Best: r.best.Placement})
	}
}

// result returns the best so far.
func (r *run) result() Result {
	return Result{Found: r.best, Evaluations: r.evaluations, Reason: r.reason, State: r.state}
}
