package portfolio

import (
	"cmp"
	"context"
	"fmt"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/search"
	"leeway/search/restrict"
)

// Options say what to do besides searching. The zero value does nothing.
type Options struct {
	// InTurn has the methods look one after the other instead of side by side, each once, with the seed of the run and
	// an equal part of the evaluations and of the time that are left, so that what one does not need goes to the next.
	InTurn bool
	// Parts says by name how many parts of the evaluations a method gets, 1..1000; 1 without an entry. What one calls
	// an evaluation may cost a hundred times what another does. It has no effect on time, and to go on from a state as
	// if nothing had happened it must be the same.
	Parts map[string]int
	// StartMethod is what results and states name as the method that found Params.Starts; "" is "start".
	StartMethod string
	// Recheck has every Recheck-th improvement, and at the end every placement of
	// the archive, evaluated by objective.Naive; 0: none.
	Recheck int
	// Checkpoint is called with the state after every epoch, nil: not at all. An error ends the run.
	Checkpoint func(State) error
	// Resume is the state to go on from, nil: begin. Params.Starts have no effect then.
	Resume *State
	// Lower returns a value that no placement of a size is below, for problems with a
	// limit; nil: the best bound with a closed form.
	Lower func(n int) *big.Rat
}

// An Outcome is what a run found, with the state after its last epoch.
type Outcome struct {
	search.Outcome
	State State
	// UpperBound is, of a problem with a limit, a size above which no placement is within
	// it, and Excluded has the proofs that it needs besides Lower, by ascending size.
	UpperBound int
	Excluded   []Exclusion
}

// Run runs the methods that support the problem until the goal is reached, a refutation meets the best value, nothing
// is left to look at, or the budget or the context ends it. Evaluations are the sum of what the methods call so. A
// problem with a limit is one of many sizes; see the comment of the package.
//
// Errors are those of the methods, an *search.UnsupportedError if none supports the problem, an
// *search.WrongValueError, a *search.DisagreementError, and an *core.InputError for two methods of one name, parts out
// of range, a start that does not fit the problem or a state of another run. What was found comes with them.
func Run(ctx context.Context, methods []search.Method, p search.Params, o Options) (Outcome, error) {
	if p.Problem.Limit != nil {
		return largest(ctx, methods, p, o)
	}
	r, err := open(ctx, methods, p, o)
	if err != nil {
		return Outcome{}, err
	}
	for !r.ended(ctx) {
		if err := r.epoch(ctx); err != nil {
			return r.result(), err
		}
	}
	return r.result(), r.recheckAll()
}

// maxParts bounds the parts of one method.
const maxParts = 1000

// A run is one call of Run.
type run struct {
	params  search.Params
	options Options
	methods []search.Method // as in state.Methods
	archive *archive
	lists   *restrict.Lists // with a free routing
	state   State           // after the last epoch that counts
	reason  search.Reason

	// What is known, from an epoch that does not count too.
	best         search.Found
	refutations  []*search.Refutation
	improvements int
	spent        int64  // evaluations
	gaveUp       string // of the last method that ended
}

// open validates everything and begins, or goes on from a state.
func open(ctx context.Context, methods []search.Method, p search.Params, o Options) (*run, error) {
	r := &run{params: p, options: o, methods: search.Supporting(methods, p.Problem)}
	if len(r.methods) == 0 {
		return nil, none(methods, p.Problem)
	}
	r.state = State{Problem: p.Problem.String(), Seed: p.Seed}
	for i, m := range r.methods {
		if slices.ContainsFunc(r.methods[:i], func(have search.Method) bool { return have.Name() == m.Name() }) {
			return nil, core.Invalid(m.Name(), "the method is repeated in a portfolio")
		}
		if parts, ok := o.Parts[m.Name()]; ok && (parts < 1 || parts > maxParts) {
			return nil, core.Invalid(fmt.Sprint(parts), "the parts of method %s lie outside 1..%d", m.Name(), maxParts)
		}
		r.state.Methods = append(r.state.Methods, Status{Method: m.Name()})
	}
	var err error
	if r.archive, err = newArchive(ctx, p.Problem, o.InTurn); err != nil {
		return nil, err
	}
	if p.Problem.Free != nil {
		r.lists = restrict.NewLists(p.Problem.Torus())
	}
	if o.Resume != nil {
		return r, r.resume(ctx, *o.Resume)
	}
	if err = r.takeStarts(ctx); err != nil {
		return nil, err
	}
	return r, nil
}

// none returns the error that no method supports the problem.
func none(methods []search.Method, p objective.Problem) error {
	if len(methods) == 0 {
		return core.Invalid(p.String(), "a portfolio without methods")
	}
	return search.Supports(methods[0], p)
}

// takeStarts puts the starts into the archive. Those of a free routing have no paths
// yet: they are for the methods to take up.
func (r *run) takeStarts(ctx context.Context) error {
	p := r.params
	if len(p.Starts) == 0 || p.Problem.Free != nil {
		return nil
	}
	if err := p.CheckStarts(); err != nil {
		return err
	}
	for _, s := range p.Starts {
		loads, err := fast.EvaluateContext(ctx, p.Problem, s)
		if err != nil {
			break // the context has ended
		}
		value, _ := loads.Max()
		r.archive.add(search.Found{Placement: s, Value: value, Method: cmp.Or(r.options.StartMethod, "start")})
	}
	if r.best = r.archive.best(); r.best.Value == nil {
		return nil
	}
	p.Report(search.Event{Method: r.best.Method, Value: r.best.Value, Best: r.best.Placement, Improved: true})
	return nil
}

// goal returns the value at which nothing better is wanted or possible: the goal given, or what is refuted.
func (r *run) goal() *big.Rat {
	goal := r.params.Goal
	for _, f := range r.refutations {
		if f.Kind != search.SolverClaim && (goal == nil || f.Below.Cmp(goal) > 0) {
			goal = f.Below
		}
	}
	return goal
}

// ended reports whether the run is over, and why.
func (r *run) ended(ctx context.Context) bool {
	switch {
	case r.params.Done(r.best.Value):
		r.reason = search.Reached
	case closes(r.goal(), r.best.Value) || slices.ContainsFunc(r.refutations, r.params.Hopeless):
		r.reason = search.Complete
	case len(r.awake()) == 0:
		if !r.options.InTurn { // else it is that of the last method
			r.reason = search.Complete
		}
	case ctx.Err() != nil:
		r.reason = search.Stopped
	case r.params.Evaluations > 0 && r.state.Evaluations >= r.params.Evaluations:
		r.reason = search.Spent
	default:
		return false
	}
	return true
}

// closes reports whether nothing is below the value: nothing ever is below 0.
func closes(goal, value *big.Rat) bool {
	return value != nil && (value.Sign() == 0 || goal != nil && value.Cmp(goal) <= 0)
}

// awake returns the numbers of the methods that do not rest. When all do, a rest that has an end has it now.
func (r *run) awake() []int {
	var list, early []int
	if next := r.state.Epoch; r.options.InTurn {
		if next < len(r.methods) {
			list = []int{next}
		}
		return list
	}
	for i, s := range r.state.Methods {
		switch {
		case !s.Resting || s.Until > 0 && s.Until <= r.state.Epoch || r.best.IsBelow(s.Met) && usesStarts(r.methods[i]):
			list = append(list, i)
		case s.Until > 0:
			early = append(early, i)
		}
	}
	if len(list) == 0 {
		return early
	}
	return list
}

// usesStarts reports whether starts can change what a method does. A method that none can change says so by UsesStarts.
func usesStarts(m search.Method) bool {
	u, ok := m.(interface{ UsesStarts() bool })
	return !ok || u.UsesStarts()
}

// plansAhead reports whether a method gets what is left of the budget in one epoch where it is alone.
func plansAhead(m search.Method) bool {
	u, ok := m.(interface{ PlansAhead() bool })
	return ok && u.PlansAhead()
}

// result returns what was found so far.
func (r *run) result() Outcome {
	out := search.Outcome{Best: r.best.Placement, Table: r.best.Table, Value: r.best.Value, Method: r.best.Method,
		Evaluations: r.spent, Reason: r.reason, GaveUp: r.gaveUp}
	for _, f := range r.refutations { // proofs first
		if out.Refutation == nil || f.Below.Cmp(out.Refutation.Below) > 0 {
			out.Refutation = f
		}
	}
	return Outcome{Outcome: out, State: r.state}
}

// A Portfolio says by which methods the units of a search look that machines share.
type Portfolio struct {
	Methods []string       // of every unit, at least one
	Parts   map[string]int // as of a portfolio
}
