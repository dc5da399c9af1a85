package work

import (
	"context"
	"math/big"

	"leeway/objective"
	"leeway/objective/bound"
	"leeway/objective/fast"
	"leeway/objective/lowerbound"
	"leeway/results/check/assigned"
	"leeway/results/check/meter"
	"leeway/search"
)

// quickBounds is bound.QuickBounds, also for a problem with a matrix.
func quickBounds(p objective.Problem) (list []lowerbound.Bound) {
	if p.Traffic.Matrix == nil {
		return bound.QuickBounds(p)
	}
	m := meter.Unlimited(context.Background())
	m.Run(func() { list = assigned.Bounds(m, p) })
	return list
}

// problemBounds is bound.ProblemBounds, also for a problem with a matrix.
func problemBounds(ctx context.Context, p objective.Problem) ([]lowerbound.Bound, error) {
	if p.Traffic.Matrix == nil {
		return bound.ProblemBounds(ctx, p)
	}
	return quickBounds(p), ctx.Err()
}

// quickBound is bound.QuickBound, also for a problem with a matrix.
func quickBound(p objective.Problem) lowerbound.Bound {
	if p.Traffic.Matrix == nil {
		return bound.QuickBound(p)
	}
	return bound.Best(quickBounds(p))
}

// A taskProver proves by going through all placements of tasks, as check does.
type taskProver struct{}

// Name returns "assignments".
func (taskProver) Name() string { return "assignments" }

// PlacesTasks is true; see search.Supports.
func (taskProver) PlacesTasks() bool { return true }

// Supports returns nil for problems with a matrix, otherwise an *search.UnsupportedError.
func (m taskProver) Supports(p objective.Problem) error {
	if p.Traffic.Matrix == nil {
		return search.Unsupported(m.Name(), p, "it places the tasks of a traffic matrix only")
	}
	return nil
}

// Run puts better placements in the place of the best start until there is no better one. A search for any takes as
// many steps of a meter as there are evaluations.
func (m taskProver) Run(ctx context.Context, p search.Params) (search.Outcome, error) {
	return search.Descend(ctx, p, m.Name(), func(out *search.Outcome) (bool, error) {
		limits := meter.Limits{}
		if p.Evaluations > 0 {
			limits.Steps = p.Evaluations - out.Evaluations
		}
		steps := meter.New(ctx, limits)
		if p.Evaluations == 0 {
			steps = meter.Unlimited(ctx)
		}
		var better []int
		ended := steps.Run(func() { better = assigned.PlacementBelow(steps, p.Problem, out.Value) })
		switch {
		case ended != nil:
			out.Reason, out.Evaluations = search.Stopped, p.Evaluations
			if p.Evaluations > 0 {
				out.Reason = search.Spent
			}
			return false, nil
		case better == nil:
			out.Reason = search.Complete
			out.Refutation = &search.Refutation{Below: new(big.Rat).Set(out.Value), Kind: search.All, Engine: m.Name()}
			return false, nil
		}
		placed, err := p.Problem.Place(better)
		if err == nil {
			out.Best, out.Method = placed, m.Name()
			out.Value, _ = fast.Evaluate(p.Problem, placed).Max()
			p.Report(search.Event{Method: m.Name(), Value: out.Value, Best: placed, Improved: true})
		}
		return true, err
	})
}
