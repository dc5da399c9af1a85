package work

import (
	"cmp"
	"context"
	"math/big"
	"slices"
	"time"

	"leeway/core"
	"leeway/objective"
	"leeway/objective/bound"
	"leeway/objective/fast"
	"leeway/objective/lowerbound"
	"leeway/results"
	"leeway/results/answers"
	"leeway/results/check/assigned"
	"leeway/results/check/meter"
	"leeway/results/compose"
	"leeway/search/assign"
)

// pairsOf returns an assignment as documents have it: [task, node number].
func pairsOf(a objective.Assignment) [][2]int {
	list := make([][2]int, len(a))
	for task, v := range a {
		list[task] = [2]int{task, v}
	}
	return list
}

// AssignmentOf returns the assignment of a document, which lists all tasks, ascending.
func AssignmentOf(list [][2]int) (objective.Assignment, error) {
	a := make(objective.Assignment, len(list))
	for task, pair := range list {
		if pair[0] != task {
			return nil, &core.InputError{Text: "assignment", Problem: "it does not list all tasks, ascending"}
		}
		a[task] = pair[1]
	}
	return a, nil
}

// EvaluateAssigned returns the loads of an assignment under a problem whose traffic is a matrix, with every link that
// has one, if asked for. Errors are *core.InputError: it is no assignment of the problem.
func EvaluateAssigned(q objective.Problem, a objective.Assignment, links bool) (compose.Evaluation, error) {
	if problem := q.Refusal(a); problem != "" {
		return compose.Evaluation{}, &core.InputError{Text: "assignment", Problem: problem}
	}
	var loads *objective.Loads
	table, err := fast.NewAssigned(q)
	if err == nil {
		loads = table.Loads(a)
	} else if loads, err = q.NaiveAssigned(func(int64) error { return nil }, a); err != nil {
		return compose.Evaluation{}, err
	}
	e := compose.NewEvaluation(q, core.MustPlacement(q.Torus(), a.Nodes()), loads, links)
	e.Assignment = pairsOf(a)
	return e, nil
}

// BoundsAssigned returns lower bounds on E_max of an assignment, or where that is nil of every assignment, whatever the
// routing. Errors are those of Problem.CheckRoom, and a *core.InputError about an assignment that is none.
func BoundsAssigned(q objective.Problem, a objective.Assignment) (answers.Bounds, error) {
	if a == nil {
		list := boundsOf(q)
		d := compose.NewBounds(q.Routing, q.Size, nil, list, bound.Best(list))
		d.Setting = compose.SettingOf(q)
		return d, q.CheckRoom()
	}
	if problem := q.Refusal(a); problem != "" {
		return answers.Bounds{}, &core.InputError{Text: "assignment", Problem: problem}
	}
	list := append(bound.AssignedAt(q, a), boundsOf(q)[:1]...)
	at := core.MustPlacement(q.Torus(), a.Nodes())
	d := compose.NewBounds(q.Routing, at.Size(), &at, list, bound.Best(list))
	d.Setting, d.Assignment = compose.SettingOf(q), pairsOf(a)
	return d, nil
}

// boundsOf returns lower bounds on E_max of every assignment.
func boundsOf(q objective.Problem) (list []lowerbound.Bound) {
	m := meter.Unlimited(context.Background())
	m.Run(func() { list = assigned.Bounds(m, q) })
	return list
}

// proveAssigned puts better assignments in the place of the one that was found until there is no better one, and
// reports whether it came to that before the context ended.
func proveAssigned(ctx context.Context, q objective.Problem, found *assign.Result) bool {
	m := meter.Unlimited(ctx)
	for {
		var better objective.Assignment
		if m.Run(func() { better = assigned.Below(m, q, found.Value) }) != nil {
			return false
		}
		if better == nil {
			return true
		}
		loads, err := q.NaiveAssigned(func(int64) error { return nil }, better)
		if err != nil {
			return false
		}
		found.Best = better
		found.Value, _ = loads.Max()
	}
}

// Annealing is the name of the method that looks for assignments.
const Annealing = "annealing"

// share of the time of a proof that goes to the search before it.
const searchShare = 8

// Assign returns the record of the best assignment that is found for a problem whose traffic is a matrix, with
// proving after a proof that none is better, or as far as the budget goes. Errors are those of assign.Search.
func (s *Session) Assign(ctx context.Context, q objective.Problem, b Budget, proving bool) (results.Record, error) {
	started := time.Now()
	limited, cancel := b.Deadline(ctx)
	defer cancel()
	best := bound.Best(boundsOf(q))
	params := assign.Params{Problem: q, Seed: b.Seed, Evaluations: b.Evaluations, Goal: best.Value, Workers: s.Workers}
	looking, done := limited, context.CancelFunc(func() {})
	switch {
	case proving && b.Evaluations == 0 && b.Time == 0:
		params.Evaluations = 1_000_000
	case proving && b.Evaluations == 0:
		looking, done = context.WithTimeout(limited, b.Time/searchShare)
	}
	found, err := assign.Search(looking, params)
	done()
	if err != nil {
		return results.Record{}, err
	}
	var proof *results.Proof
	reason := best.Name
	if found.Value.Cmp(best.Value) == 0 {
		proof = &results.Proof{Kind: results.ProofBound, Engine: best.Name, Below: best.Value.RatString()}
	} else if proving {
		if proveAssigned(limited, q, &found) {
			best.Value, reason = found.Value, results.ProofAssignments+noneBelow
			proof = &results.Proof{Kind: results.ProofAssignments, Engine: "assign", Below: found.Value.RatString()}
		}
	}
	r, err := compose.New(compose.Values{Routing: q.Routing, Setting: compose.SettingOf(q),
		Placement: core.MustPlacement(q.Torus(), found.Best.Nodes()), MaxLoad: found.Value,
		LowerBound: slices.MinFunc([]*big.Rat{best.Value, found.Value}, (*big.Rat).Cmp), BoundReason: reason, Proof: proof,
		FoundBy: results.FoundBy{Method: Annealing, Seed: b.Seed, Evaluations: found.Evaluations,
			Seconds: float64(time.Since(started).Milliseconds()) / 1000},
		Provenance: results.Provenance{Version: cmp.Or(s.Version, "unknown"), Command: s.Command,
			Started: compose.FormatTime(started), Seed: b.Seed, Budget: b.record()}})
	if err != nil {
		return r, err
	}
	r.Assignment = pairsOf(found.Best)
	r.ClaimSHA256 = r.Hash()
	return r, nil
}
