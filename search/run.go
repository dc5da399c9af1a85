package search

import (
	"context"
	"fmt"
	"math/big"
	"time"

	"leeway/core"
	"leeway/objective"
)

// A Result is the outcome of a chain of methods.
type Result struct {
	Outcome
	Method string // the method that found Best
}

// A WrongValueError says that a method reported a value that the exact
// evaluation of its placement does not have. It means a bug in the method.
type WrongValueError struct {
	Method        string
	Nodes         []int
	Claimed, True *big.Rat
}

// Error names the method, the placement and both values.
func (e *WrongValueError) Error() string {
	return fmt.Sprintf("search: method %s claims E_max %s for nodes %v, exact evaluation gives %s",
		e.Method, e.Claimed.RatString(), e.Nodes, e.True.RatString())
}

// Run lets the methods look one after the other. Each gets an equal share of the
// evaluations and of the time that are left, so that what one does not need goes
// to the next, and starts from the best placement so far. Run stops at the goal,
// at a refutation that meets the best value, or when the context ends.
//
// Methods that do not support the problem are passed over; if none does, the
// error of the first is returned. Every best placement is evaluated again before
// it counts.
func Run(ctx context.Context, methods []Method, p Params) (Result, error) {
	var best Result
	var unsupported error
	supported := 0
	for i, m := range methods {
		if err := m.Supports(p.Problem); err != nil {
			if unsupported == nil {
				unsupported = err
			}
			continue
		}
		supported++
		out, err := runOne(ctx, m, best, len(methods)-i, p)
		if err != nil {
			return best, err
		}
		best.absorb(out, m.Name())
		if best.ended(ctx, p) {
			break
		}
	}
	if supported == 0 {
		return best, unsupported
	}
	return best, nil
}

// runOne runs one method with its share of what is left for the given number of
// methods.
func runOne(ctx context.Context, m Method, best Result, methods int, p Params) (Outcome, error) {
	share := p
	if p.Evaluations > 0 {
		left := p.Evaluations - best.Evaluations
		if left <= 0 {
			return Outcome{Reason: Spent}, nil
		}
		share.Evaluations = max(1, left/int64(methods))
	}
	if best.Value != nil {
		share.Starts = append([]core.Placement{best.Best}, share.Starts...)
	}
	if deadline, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Until(deadline)/time.Duration(methods))
		defer cancel()
	}
	spent := best.Evaluations
	share.Observe = func(e Event) {
		e.Method = m.Name()
		e.Evaluations += spent
		if best.Value != nil && (e.Value == nil || e.Value.Cmp(best.Value) >= 0) {
			e.Value, e.Improved = best.Value, false
		}
		p.Report(e)
	}
	out, err := m.Run(ctx, share)
	if err != nil || out.Value == nil {
		return out, err
	}
	if exact, _ := objective.Evaluate(p.Problem.Routing, out.Best).Max(); exact.Cmp(out.Value) != 0 {
		return out, &WrongValueError{Method: m.Name(), Nodes: out.Best.Nodes(), Claimed: out.Value, True: exact}
	}
	return out, nil
}

// absorb takes over what a method found.
func (r *Result) absorb(out Outcome, method string) {
	r.Evaluations += out.Evaluations
	r.Reason, r.GaveUp = out.Reason, out.GaveUp
	if out.Value != nil && (r.Value == nil || out.Value.Cmp(r.Value) < 0) {
		r.Best, r.Value, r.Method = out.Best, out.Value, method
	}
	if out.Refutation != nil {
		r.Refutation = out.Refutation
	}
}

// ended reports whether nothing better can or may be looked for.
func (r *Result) ended(ctx context.Context, p Params) bool {
	closed := r.Refutation != nil && r.Value != nil && r.Refutation.Below.Cmp(r.Value) >= 0
	switch {
	case p.Done(r.Value):
		r.Reason = Reached
	case closed || p.Hopeless(r.Refutation):
		r.Reason = Complete
	case ctx.Err() != nil:
		r.Reason = Stopped
	default:
		return false
	}
	return true
}
