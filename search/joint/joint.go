package joint

import (
	"cmp"
	"context"
	"encoding/json"

	"leeway/core"
	"leeway/core/symmetry"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/search"
	"leeway/search/portfolio"
)

// Name is the word by which records and flags call the method.
const Name = "joint"

// Method looks for a placement together with a table of paths.
type Method struct {
	// Finders look for placements under all paths, for a part of every turn as long as
	// they have something to look at; nil: none.
	Finders []search.Method
	// TablesOnly leaves out the chains: only tables for the placements of the finders and of the starts are looked for.
	TablesOnly bool
}

// Name returns "joint".
func (Method) Name() string { return Name }

// FindsTables is true; see search.Supports.
func (Method) FindsTables() bool { return true }

// Supports returns nil if the routing is free, single paths are not to be several, and
// torus and pairs are not too many for the lists of paths.
func (m Method) Supports(p objective.Problem) error {
	refuse := func(format string, args ...any) error {
		return search.Unsupported(Name, p, format, args...)
	}
	switch {
	case p.Free == nil:
		return refuse("the routing must be free")
	case p.Free.Single && p.Free.MinPaths > 1:
		return refuse("a single path for every pair cannot be several")
	}
	if err := fits(p.Torus(), p.Size); err != nil {
		return refuse("%s", err)
	}
	return cmp.Or(search.AllToAll(Name, p), search.Anywhere(Name, p))
}

// Run looks until the goal is reached, the evaluations (choices weighed) are spent or the context ends; without chains
// until there is nothing left to look at. It always finds something. In a later turn it goes on from its state. Errors
// are those of the finders and an *core.InputError for a start or a state of another problem.
func (m Method) Run(ctx context.Context, p search.Params) (search.Outcome, error) {
	if err := m.Supports(p.Problem); err != nil {
		return search.Outcome{}, err
	}
	r, err := m.open(ctx, p)
	if err != nil {
		return search.Outcome{}, err
	}
	if err := r.feed(ctx); err != nil {
		return search.Outcome{}, err
	}
	for !r.ended(ctx) {
		if err := r.round(ctx); err != nil {
			return search.Outcome{}, err
		}
	}
	return r.outcome()
}

// A run is one turn.
type run struct {
	search.Params
	*instance
	method      Method
	pool        *pool
	group       *symmetry.Group // of all paths
	tilings     tilings
	rounds      int // that are over, in all turns
	finderState *portfolio.State
	finding     bool // the finders have something to look at
	best        search.Found
	evaluations int64 // of this turn
	reason      search.Reason
}

// open begins, or goes on from the state of the last turn.
func (m Method) open(ctx context.Context, p search.Params) (*run, error) {
	r := &run{Params: p, method: m, instance: newInstance(p.Problem), finding: true}
	var err error
	if r.group, err = symmetry.GroupOfContext(ctx, p.Problem.Routing); err != nil && ctx.Err() == nil {
		return nil, err
	}
	r.pool = &pool{Kinship: search.KinshipOf(r.kin(ctx), p.Problem.Size, maxCanonical)}
	r.tilings = newTilings(r.instance)
	if p.State != nil {
		var s saved
		if err := json.Unmarshal(p.State, &s); err != nil {
			return nil, core.Invalid(p.Problem.String(), "the state of joint cannot be read: %v", err)
		}
		if err := r.resume(ctx, s); err != nil {
			return nil, err
		}
	}
	return r, r.begin()
}

// kin returns the group of the problem; nil where there was no time for it.
func (r *run) kin(ctx context.Context) *symmetry.Group {
	if r.group == nil || !r.Problem.Conditioned() {
		return r.group
	}
	group, err := fast.Group(ctx, r.Problem)
	if err != nil {
		return nil
	}
	return group
}

// begin takes up the starts that are new, or, without any placement, one spread over the nodes.
func (r *run) begin() error {
	if err := r.CheckStarts(); err != nil {
		return err
	}
	starts := r.Starts
	if len(starts) == 0 && len(r.pool.list) == 0 {
		starts = []core.Placement{search.Spread(r.Problem)}
	}
	for _, s := range starts {
		r.consider(s, "start")
	}
	return nil
}

// ended reports whether the turn is over, and why.
func (r *run) ended(ctx context.Context) bool {
	switch {
	case r.done():
		r.reason = search.Reached
	case ctx.Err() != nil:
		r.reason = search.Stopped
	case r.Evaluations > 0 && r.evaluations >= r.Evaluations:
		r.reason = search.Spent
	case r.method.TablesOnly && !r.finding && r.pool.pick(r.best.Value, 1) == nil:
		r.reason = search.Complete
	default:
		return false
	}
	return true
}

// done reports whether nothing better is wanted or possible.
func (r *run) done() bool { return r.best.Value.Sign() == 0 || r.Done(r.best.Value) }

// consider gives a placement that the pool does not have paths chosen in turn where loads are low.
func (r *run) consider(p core.Placement, method string) {
	if !r.pool.has(p) {
		r.take(r.greedy(p, method))
	}
}

// take brings something found into the pool and, if it is better than all before, tells of it.
func (r *run) take(f search.Found) {
	if !r.pool.wants(f.Value) {
		return
	}
	r.pool.add(f)
	better := f.IsBelow(r.best.Value)
	if better {
		r.best = f
	}
	r.report(better)
}

// report tells the observer how things stand.
func (r *run) report(improved bool) {
	r.Report(search.Event{Method: Name, Value: r.best.Value, Evaluations: r.evaluations, Improved: improved,
		Best: r.best.Placement, Table: r.best.Table, Note: r.best.Method})
}

// outcome returns the best so far, with the state for the next turn.
func (r *run) outcome() (search.Outcome, error) {
	data, err := json.Marshal(r.save())
	return search.Outcome{How: r.best.Method, Best: r.best.Placement, Table: r.best.Table, Value: r.best.Value,
		Evaluations: r.evaluations, Reason: r.reason, State: data}, err
}
