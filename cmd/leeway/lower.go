package main

import (
	"context"

	"leeway/objective"
	"leeway/objective/bound"
	"leeway/results"
	"leeway/results/check"
)

// A lowerBound is the best placement-free bound of a problem, while the checker
// is still confirming it. Only margins can be too many for the checker to try
// again; a record must not rest on them then.
type lowerBound struct {
	best     objective.Bound // as derived
	fallback objective.Bound // the best without margins
	verdict  chan bool       // nil if there is nothing to confirm
}

// newLowerBound derives the bounds and starts to confirm the best.
func newLowerBound(p objective.Problem) *lowerBound {
	bounds := bound.ForSize(p.Routing, p.Size)
	l := &lowerBound{best: bound.Best(bounds), fallback: bound.Best(bound.WithoutMargin(p.Routing, bounds))}
	if l.best.Value.Cmp(l.fallback.Value) == 0 {
		l.best = l.fallback
		return l
	}
	l.verdict = make(chan bool, 1)
	go func() {
		data, err := results.Encode(results.NewBounds(p.Routing, p.Size, nil, bounds, l.best))
		l.verdict <- err == nil && check.Bounds(data).Verdict == check.Valid
	}()
	return l
}

// confirmed returns the best bound that the checker confirms before the context
// ends, and whether that is the one derived.
func (l *lowerBound) confirmed(ctx context.Context) (objective.Bound, bool) {
	if l.verdict == nil {
		return l.best, true
	}
	ok := false
	select {
	case ok = <-l.verdict:
	default:
		select {
		case ok = <-l.verdict:
		case <-ctx.Done():
		}
	}
	if ok {
		return l.best, true
	}
	return l.fallback, false
}
