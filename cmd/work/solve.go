package work

import (
	"cmp"
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"leeway/core"
	"leeway/core/parallel"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/results"
	"leeway/results/compose"
	"leeway/search"
	"leeway/search/local"
	"leeway/search/portfolio"
)

// solve looks for the best placement of the task and returns its record.
func (r *run) solve(ctx context.Context) (Answer, error) {
	methods, options, err := r.methods()
	if err != nil {
		return Answer{}, err
	}
	limited, cancel := r.Deadline(ctx)
	defer cancel()
	params := search.Params{Problem: r.Problem, Seed: r.Seed, Evaluations: r.Evaluations, Workers: r.Workers,
		Starts: r.Starts}
	first := limited
	if r.Nearest { // a quarter of the budget is for that
		params.Evaluations -= params.Evaluations / 4
		if r.Time > 0 {
			var end context.CancelFunc
			first, end = context.WithTimeout(limited, r.Time-r.Time/4)
			defer end()
		}
	}
	if r.Proof != nil && r.Proof.Log != nil {
		params.Starts = r.Proof.Log.starts(r.Problem)
	}
	fallback, drop := anyPlacement(limited, r.Problem, r.Seed)
	defer drop()
	var result portfolio.Outcome
	if r.Limit != nil {
		result, err = r.largest(first, methods, params, options)
	} else {
		result, err = r.smallest(first, methods, params, options)
	}
	if err == nil && r.Nearest && result.Value != nil {
		err = r.moveNearer(limited, &result)
	}
	switch {
	case err != nil:
		return Answer{}, err
	case result.Value == nil && r.recalled != nil: // the end came before it was evaluated
		result.Outcome = *r.recalled
	case result.Value == nil && r.stored() && r.Proof == nil: // stopped at once: there is nothing to keep
		return Answer{}, fmt.Errorf("%s: %w", r.Problem, ErrNoPlacement)
	case result.Value == nil && r.Near.Asked() && result.Refutation != nil:
		return Answer{}, fmt.Errorf("%s: there is no such placement, by %s", r.Problem, result.Refutation.Engine)
	case result.Value == nil:
		if result.Outcome, err = fallback(); err != nil {
			return Answer{}, err
		}
	}
	found := r.WithSize(result.Best.Size())
	if r.Limit != nil {
		r.baseline = startBaseline(limited, found)
		r.lower = newLowerBound(ctx, found, nil, true)
	}
	record, err := r.record(limited, found, result.Outcome, r.lower)
	if err != nil {
		return Answer{}, err
	}
	switch {
	case record.Status == results.StatusOptimal || r.Limit != nil || r.Free != nil:
	case r.Proof != nil:
		r.tellUnproved(limited, methods, result, "no proof")
	case !r.stored() && r.Head == nil && Task{Problem: r.Problem, Proof: &Proof{Engine: EngineAuto}}.Unshared() == "":
		r.remark("leeway prove %s may close the gap", r.Problem)
	}
	if r.Limit == nil && r.lower.late && record.Status != results.StatusOptimal {
		r.remark("leeway bound %s may have a better lower bound: margins and lines take it more than a quarter of this time",
			r.Problem)
	}
	if r.Limit != nil {
		limit := r.Limit.String()
		record.LoadLimit, record.UpperBound = &limit, &result.UpperBound
		record.UpperProofs = r.upperProofs(limited, result.Excluded)
	}
	if !r.wantsCertificate() || r.Proof.All {
		return r.conclude(ctx, limited, record, result)
	}
	var failed error // that is not a reason to lose the record
	record.Certificate, failed = r.certify(limited, record)
	answer, err := r.conclude(ctx, limited, record, result)
	return answer, cmp.Or(err, failed)
}

// nearerMethod is the method that records name for a placement that was moved nearer to its clients.
const nearerMethod = "distance"

// moveNearer replaces the best placement by one of no more E_max that is nearer to its clients, if the store has one or
// the rest of the budget finds one.
func (r *run) moveNearer(ctx context.Context, result *portfolio.Outcome) error {
	if err := r.takeStored(result); err != nil {
		return err
	}
	left := int64(0)
	if r.Evaluations > 0 {
		if left = r.Evaluations - result.Evaluations; left <= 0 {
			return nil
		}
	}
	best, spent, err := local.Nearer(ctx, r.WithSize(result.Best.Size()), result.Best, result.Value, r.Seed, left)
	if err != nil {
		return err
	}
	result.Evaluations += spent
	if slices.Equal(best.Nodes(), result.Best.Nodes()) {
		return nil
	}
	result.Best, result.Method = best, nearerMethod
	result.Value, _ = fast.Evaluate(r.Task.Problem, best).Max()
	return nil
}

// takeStored replaces the best placement by that of the store if it has a smaller E_max, or the same and is nearer.
func (r *run) takeStored(result *portfolio.Outcome) error {
	if !r.stored() {
		return nil
	}
	best, known, err := r.Store.Best(compose.KeyOf(r.WithSize(result.Best.Size())))
	if err != nil || !known {
		return err
	}
	s, err := core.PlacementFromCoords(r.Torus(), best.Nodes)
	if err != nil {
		return err
	}
	value, _ := fast.Evaluate(r.Task.Problem, s).Max()
	c := value.Cmp(result.Value)
	if c < 0 || c == 0 && fast.MeanDistance(s).Cmp(fast.MeanDistance(result.Best)) < 0 {
		result.Best, result.Value, result.Method = s, value, best.FoundBy.Method
	}
	return nil
}

// conclude lists the optima where that is asked for, within what is left of the time, lets others know what was found,
// and puts it where it is kept. An error says why there is no list or no certificate, or why the record could not be
// kept.
func (r *run) conclude(ctx, limited context.Context, record results.Record, result portfolio.Outcome) (Answer, error) {
	var failed error // of the list or its certificate: that is not a reason to lose the record
	if r.Proof != nil {
		if r.Proof.Log != nil {
			r.Proof.Log.end(result.Best, result.Value)
		}
		if r.Known != nil {
			if err := r.Known.Learn(r.Routing, record, true); err != nil {
				return Answer{}, err
			}
		}
		record.Proof, failed = r.writeStream(limited, record.Proof, record.MaxLoad)
		if r.Proof.All {
			if failed = r.addOptima(limited, &record); failed == nil && r.wantsCertificate() {
				record.Certificate, failed = r.certify(limited, record)
			}
		} else {
			var err error
			if record, err = r.listWithin(ctx, record); err != nil {
				return Answer{}, err
			}
		}
	}
	record, err := r.addStoredProof(record)
	if err != nil {
		return Answer{}, err
	}
	return r.answer(record), cmp.Or(r.finish(ctx, record, result.State), failed)
}

// methods returns what looks, and how: the methods of a search side by side, those of a proof
// in turn.
func (r *run) methods() (list []search.Method, o portfolio.Options, err error) {
	if r.Proof != nil {
		if list, err = r.proofMethods(r.Task); err == nil {
			r.tellUntreated(list)
		}
		return list, portfolio.Options{InTurn: true, StartMethod: r.startMethod()}, err
	}
	if list, err = pickMethods(r.Methods, r.Problem); err == nil {
		o, err = r.options()
	}
	return list, o, err
}

// smallest looks for the smallest E_max of a size.
func (r *run) smallest(ctx context.Context, methods []search.Method, params search.Params,
	o portfolio.Options) (portfolio.Outcome, error) {
	r.baseline = startBaseline(ctx, r.Problem)
	r.lower = r.deriveBound(ctx, false)
	if r.Proof == nil && r.Evaluations > 0 {
		r.lower.confirm(ctx) // the goal must not depend on when that is known
	}
	defer r.watch(&params, r.lower, func(e search.Event) {
		r.keep(e)
		if r.Head != nil && e.Value != nil {
			proved, _ := r.lower.standing()
			r.Head.Know(e.Value.RatString(), proved.RatString())
		}
	})()
	switch {
	case r.Head != nil && r.Proof == nil:
		return r.searchOnCluster(ctx, methods, params)
	case r.needsEngine():
		return portfolio.Run(ctx, methods, params, o)
	}
	if r.Proof != nil && r.Proof.Engine == EngineAuto && !r.Proof.Only && r.Head == nil {
		return r.attempts(ctx, methods, params, o)
	}
	return r.searchToBound(ctx, ctx, methods, params, o)
}

// combine returns what two runs have come to, one after the other: the placement of the first
// unless the second has a better one.
func combine(first, second portfolio.Outcome) portfolio.Outcome {
	second.Evaluations += first.Evaluations
	if second.Value == nil || first.Value != nil && second.Value.Cmp(first.Value) >= 0 {
		second.Best, second.Value, second.Method = first.Best, first.Value, first.Method
	}
	return second
}

// deriveBound derives what is known of all placements, only by closed forms if plain.
func (r *run) deriveBound(ctx context.Context, plain bool) *lowerBound {
	var n *known
	if r.Proof != nil || r.recalled != nil {
		n = r.Known.best(ctx, r.Problem, r.Workers)
	}
	l := newLowerBound(ctx, r.Problem, n, plain || n != nil && r.closes(n))
	if r.Proof == nil { // else an engine may come first, and say more
		l.verdict.begin()
	}
	return l
}

// needsEngine reports whether the engine that was named is to give the proof, not a bound.
func (r *run) needsEngine() bool {
	return r.Proof != nil && (r.Proof.Solver != "" || r.Proof.Engine != EngineAuto && r.Proof.Engine != EngineBound)
}

// watch shows the observer that the task begins and what comes of its bound, and has events go to it
// and to another; what it returns is called at the end. The bound is nil for a problem with a limit.
func (r *run) watch(params *search.Params, lower *lowerBound, also func(search.Event)) func() {
	var proved, checking *big.Rat
	if lower != nil {
		proved, checking = lower.standing()
	}
	if r.Begin != nil {
		r.Begin(r.Task, proved)
	}
	r.began = time.Now()
	params.Observe = func(e search.Event) {
		if r.Event != nil {
			r.Event(e)
		}
		also(e)
		r.noteImprovement(e)
		r.noteProgress(e)
	}
	ended := make(chan struct{})
	var bounding sync.WaitGroup
	if r.Bound != nil && checking != nil {
		r.Bound(proved, checking)
		verdict := lower.verdict
		bounding.Go(func() {
			select {
			case <-ended:
				return
			case <-verdict.done:
			}
			if now := verdict.proved.Value; now.Cmp(proved) > 0 {
				proved = now
			}
			r.Bound(proved, nil)
		})
	}
	return func() {
		close(ended)
		bounding.Wait()
		if r.End != nil {
			r.End()
		}
	}
}

// searchToBound runs methods within a context until the lower bound is met; that is confirmed within the
// other, which may last longer. If the bound turns out not to be confirmed, or to be wrong, they go on
// towards the one that is left.
func (r *run) searchToBound(
	ctx, within context.Context, methods []search.Method, params search.Params, o portfolio.Options,
) (portfolio.Outcome, error) {
	params.Goal = r.lower.value()
	result, err := portfolio.Run(within, methods, params, o)
	if err != nil || result.Value == nil || result.Reason != search.Reached {
		return result, err
	}
	if !r.dropRefuted(r.lower, result.Value) && r.lower.confirm(ctx) || o.InTurn && params.Evaluations > 0 ||
		ctx.Err() != nil {
		return result, nil
	}
	if u := r.lower.unconfirmed; u != nil {
		r.remark("%s: the bound %s (%s) takes too many steps to prove: only an engine below it makes it a proof",
			r.Problem, u.Value.RatString(), u.Name)
	}
	o.Resume, params.Goal, params.Starts = nil, r.lower.value(), []core.Placement{result.Best}
	again, err := portfolio.Run(within, methods, params, o)
	return combine(result, again), err
}

// searchOnCluster has the cluster look, with the methods that support the problem.
func (r *run) searchOnCluster(ctx context.Context, methods []search.Method,
	params search.Params) (portfolio.Outcome, error) {
	l := portfolio.Portfolio{Parts: map[string]int{}}
	for _, m := range methods {
		if name := m.Name(); !IsEngine(name) {
			l.Methods = append(l.Methods, name)
			if n, ok := sharesOf[name]; ok {
				l.Parts[name] = n
			}
		}
	}
	r.lower.confirm(ctx) // the goal is part of the units
	params.Goal = r.lower.value()
	result, err := r.Head.Search(ctx, l, params)
	return portfolio.Outcome{Outcome: result}, err
}

// largest looks for the largest size within the load limit.
func (r *run) largest(ctx context.Context, methods []search.Method, params search.Params,
	o portfolio.Options) (portfolio.Outcome, error) {
	defer r.watch(&params, nil, func(search.Event) {})()
	return portfolio.Run(ctx, methods, params, o)
}

// upperProofs returns the proofs that some sizes have no placement within a limit.
func (r *run) upperProofs(ctx context.Context, excluded []portfolio.Exclusion) (list []results.Proof) {
	for _, e := range excluded {
		larger := r.WithSize(e.Size)
		if proof := r.writeProof(ctx, wanted{Problem: larger, value: e.Refutation.Below},
			pendingProof(e.Refutation.Below)); proof != nil {
			n := known{routing: r.Routing, size: e.Size, below: e.Refutation.Below, proof: *proof}
			list = append(list, *n.monotone(larger))
		}
	}
	return list
}

// mostAhead is the most nodes of a torus on which a placement to fall back on is evaluated ahead: it takes the memory
// of another evaluator.
const mostAhead = 1 << 20

// anyPlacement returns what returns a random placement of a problem: what a budget too small for the methods is worth.
// Under a deadline its evaluation begins at once, beside whatever the methods plan first, else when it is asked for.
// The error is ErrNoPlacement where a table does not cover it, or its E_max is not known soon after the context has
// ended. The second function ends the evaluation.
func anyPlacement(ctx context.Context, p objective.Problem, seed uint64) (func() (search.Outcome, error), func()) {
	none := fmt.Errorf("%s: %w", p, ErrNoPlacement)
	if p.Free != nil || p.Limit != nil {
		return func() (search.Outcome, error) { return search.Outcome{}, none }, func() {}
	}
	longer, end := context.WithCancel(context.WithoutCancel(ctx))
	evaluate := sync.OnceValues(func() (search.Outcome, error) {
		drawn := search.Draw(p, rand.New(rand.NewPCG(seed, 0)))
		if routing.Covers(p.Routing, drawn) != nil || !p.Admits(drawn) {
			return search.Outcome{}, none
		}
		loads, err := fast.EvaluateContext(longer, p, drawn)
		if err != nil {
			return search.Outcome{}, none
		}
		value, _ := loads.Max()
		return search.Outcome{Method: "random", Best: drawn, Value: value, Evaluations: 1}, nil
	})
	if _, timed := ctx.Deadline(); timed && p.Torus().N() <= mostAhead {
		go evaluate()
	}
	return func() (search.Outcome, error) {
		out, err := parallel.Await(ctx, Grace, evaluate)
		if err != nil {
			return search.Outcome{}, none
		}
		return out, nil
	}, end
}
