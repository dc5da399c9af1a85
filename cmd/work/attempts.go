package work

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"leeway/core"
	"leeway/search"
	"leeway/search/backend"
	"leeway/search/portfolio"
	"leeway/search/refuters"
)

// attempts tries a proof and, within the budget, searches for something better to begin another from:
// proofs of smaller values are shorter. With a time the first attempt and the search have an eighth
// each, and what the first has walked counts for the second, before which a quarter goes into a larger lower bound;
// where no engine can prove the problem, all that is left of a budget goes to the search.
func (r *run) attempts(
	ctx context.Context, methods []search.Method, params search.Params, o portfolio.Options,
) (portfolio.Outcome, error) {
	timed := r.Time > 0 && r.Evaluations == 0
	first, cancel := context.WithCancel(ctx)
	if timed {
		r.Proof.recalled = &Log{}
		first, cancel = context.WithTimeout(ctx, r.Time/8)
	}
	defer cancel()
	result, err := r.searchToBound(ctx, first, methods, params, o)
	over := func() bool { return err != nil || r.settled(result) || ctx.Err() != nil }
	hopeless := result.GaveUp != "" || !slices.ContainsFunc(methods, proves)
	if over() || r.Time == 0 && r.Evaluations == 0 || !hopeless && !timed {
		return result, err
	}
	second, cancel := context.WithCancel(ctx)
	if !hopeless {
		second, cancel = context.WithTimeout(ctx, r.Time/8)
	}
	defer cancel()
	searching, err := pickMethods(nil, r.Problem)
	if err != nil {
		return result, err
	}
	why := result.GaveUp
	r.setSearching(true)
	result, err = r.proceed(ctx, second, searching, params, portfolio.Options{Parts: sharesOf}, result)
	r.setSearching(false)
	if result.GaveUp = why; hopeless || over() {
		return result, err
	}
	if i := slices.IndexFunc(methods, isRace); i >= 0 {
		third, cancel := context.WithTimeout(ctx, r.Time/4)
		result, err = r.raise(third, methods[i].(refuters.Race), params, result)
		if cancel(); over() {
			return result, err
		}
	}
	return r.proceed(ctx, ctx, methods, params, o, result)
}

// proceed goes on from a result with other methods and what is left of the evaluations.
func (r *run) proceed(
	ctx, within context.Context, methods []search.Method, params search.Params, o portfolio.Options,
	before portfolio.Outcome,
) (portfolio.Outcome, error) {
	if params.Evaluations > 0 {
		if params.Evaluations -= before.Evaluations; params.Evaluations <= 0 {
			return before, nil
		}
	}
	if before.Value != nil {
		params.Starts = []core.Placement{before.Best}
	}
	report := params.Report
	params.Observe = func(e search.Event) {
		e.Evaluations += before.Evaluations
		report(e)
	}
	after, err := r.searchToBound(ctx, within, methods, params, o)
	return combine(before, after), err
}

func isRace(m search.Method) bool { _, ok := m.(refuters.Race); return ok }

// settled reports whether nothing is left to look for.
func (r *run) settled(result portfolio.Outcome) bool {
	f := result.Refutation
	return result.Value != nil && (result.Value.Cmp(r.lower.value()) <= 0 || f != nil && f.Below.Cmp(result.Value) == 0)
}

// setSearching says that what runs is a search, whose own small proofs are not how far the proof is.
func (r *run) setSearching(searching bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.searching = searching
}

// noteProgress takes in how far a proof is. It may be called from any goroutine.
func (r *run) noteProgress(e search.Event) {
	if r.Proof == nil || e.Total == 0 || !IsEngine(e.Method) {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.searching {
		r.walked = e
	}
}

// tellUnproved remarks why a proof did not come to its end, how far it came, and what can be done.
func (r *run) tellUnproved(ctx context.Context, methods []search.Method, result portfolio.Outcome, what string) {
	advice := "--backend tries a solver, --symmetry looks at fewer placements"
	if r.Time == 0 && r.Evaluations == 0 && r.Proof.Engine == EngineAuto {
		advice = "with --time a search continues, " + advice
	}
	switch {
	case r.Proof.Engine == EngineBound || r.untreated(methods):
	case result.Refutation != nil && result.Refutation.Kind == search.SolverClaim:
		r.remark("%s: %s reports that none is below %s, without a proof; --backend takes a solver that writes one", what,
			result.Refutation.Engine, result.Refutation.Below.RatString())
	case result.GaveUp != "":
		r.remark("%s: %s; %s", what, result.GaveUp, advice)
	default:
		r.remark("%s: %s, %s; %s", what, r.endText(ctx), r.progressText(), r.advice())
	}
}

// untreated reports whether no method that was chosen for a proof can finish it.
func (r *run) untreated(methods []search.Method) bool {
	return r.Proof.Engine == EngineAuto && !slices.ContainsFunc(methods, proves)
}

// tellUntreated remarks, before a proof, that only a bound can prove it, and why.
func (r *run) tellUntreated(methods []search.Method) {
	if r.untreated(methods) {
		r.remark("no engine takes this problem: %s; only a lower bound can prove an optimum; --backend tries a solver, "+
			"--symmetry looks at fewer placements", strings.Join(refusals(r.Task), "; "))
	}
}

// endText says what ended a task.
func (r *run) endText(ctx context.Context) string {
	switch {
	case ctx.Err() == context.DeadlineExceeded:
		return fmt.Sprintf("the time of %s was over", r.Time)
	case ctx.Err() != nil:
		return "interrupted"
	case r.Evaluations > 0:
		return fmt.Sprintf("the %d evaluations are spent", r.Evaluations)
	}
	return "the engine did not finish"
}

// progressText says how far the last proof is.
func (r *run) progressText() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e := r.walked; e.Total > 0 {
		return fmt.Sprintf("%s has finished %d of %d parts of the proof for E_max %s", e.Method, e.Done, e.Total, e.Note)
	}
	return "no part of a proof is finished"
}

// advice says how to come further.
func (r *run) advice() string {
	if r.Proof.Log != nil {
		return "the same command continues from there"
	}
	return "a longer --time may be enough; --work FILE keeps finished parts"
}

// proves reports whether a method of a proof can come to an end.
func proves(m search.Method) bool {
	_, outside := m.(backend.Method)
	return outside || IsEngine(m.Name())
}

// refusals lists why the engines that write steps cannot treat a problem.
func refusals(t Task) (list []string) {
	_, others := refuters.Supporting(t.Problem)
	for _, err := range others {
		if u := (*search.UnsupportedError)(nil); errors.As(err, &u) {
			list = append(list, u.Method+": "+u.Why)
		}
	}
	return list
}
