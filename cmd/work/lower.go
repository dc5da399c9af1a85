package work

import (
	"context"
	"math/big"
	"time"

	"leeway/core"
	"leeway/objective"
	"leeway/objective/bound"
	"leeway/results"
	"leeway/results/check"
)

// A lowerBound is what is known of all placements of a problem: its best
// placement-free bound, while the checker is still confirming it, and the best
// proof about another size. Only margins can be too many for the checker to try again; a record
// must not rest on them then.
type lowerBound struct {
	best        objective.Bound // as derived, the fallback once that is not confirmed
	fallback    objective.Bound // the best without margins
	unconfirmed *objective.Bound
	known       *known    // nil if there is none
	verdict     chan bool // nil if there is nothing to confirm
	sure        bool      // the best is confirmed
}

// newLowerBound derives the bounds and starts to confirm the best; only those
// with a closed form if plain, as where an engine walks the margins anyway, or if half of
// the time is over before the others are there.
func newLowerBound(ctx context.Context, p objective.Problem, n *known, plain bool) *lowerBound {
	l := &lowerBound{fallback: bound.OfProblem(p), known: n, sure: true}
	l.best = l.fallback
	if plain || p.Free != nil {
		return l
	}
	ctx, cancel := BoundTime(ctx)
	defer cancel()
	bounds, err := core.Await(ctx, 0, func() ([]objective.Bound, error) { return bound.ForSizeContext(ctx, p.Routing, p.Size) })
	if err != nil {
		return l
	}
	best := bound.Best(bounds)
	if best.Value.Cmp(l.fallback.Value) == 0 {
		return l
	}
	l.best, l.sure, l.verdict = best, false, make(chan bool, 1)
	go func() {
		data, err := results.Encode(results.NewBounds(p.Routing, p.Size, nil, bounds, best))
		l.verdict <- err == nil && check.Bounds(data).Verdict == check.Valid
	}()
	return l
}

// BoundTime returns a context for bounds that take long: a quarter of the time that is left, if
// there is a budget, which is for the search.
func BoundTime(ctx context.Context) (context.Context, context.CancelFunc) {
	if end, ok := ctx.Deadline(); ok {
		return context.WithTimeout(ctx, time.Until(end)/4)
	}
	return ctx, func() {}
}

// proofByBound returns the proof that a bound is of its value.
func proofByBound(b objective.Bound) *results.Proof {
	return &results.Proof{Kind: results.ProofBound, Engine: "bound", Bound: b.Name, Value: b.Value.RatString()}
}

// value returns the best value that is known or waits to be confirmed.
func (l *lowerBound) value() *big.Rat {
	if l.known != nil && l.known.below.Cmp(l.best.Value) > 0 {
		return l.known.below
	}
	return l.best.Value
}

// refutes drops the known proof where a placement has a load below what it claims to prove, and
// reports whether it did.
func (r *run) refutes(lower *lowerBound, load *big.Rat) bool {
	n := lower.known
	if n == nil || load.Cmp(n.below) >= 0 {
		return false
	}
	r.remark("%s: a placement with E_max %s refutes the known bound %s (%s), which is not used",
		r.Problem, load.RatString(), n.below.RatString(), n.reason(r.Problem))
	lower.known = nil
	r.Known.forget(n)
	return true
}

// bound sets the lower bound of a claim that no census supports, with the proof
// if that is the bound or one about another size.
func (l *lowerBound) bound(ctx context.Context, p objective.Problem, claim *results.Claim) {
	l.confirm(ctx)
	claim.LowerBound, claim.BoundReason = l.best.Value, l.best.Reason()
	switch n := l.known; {
	case l.best.Value.Cmp(claim.MaxLoad) == 0:
		claim.Proof = proofByBound(l.best)
		return
	case n != nil && n.below.Cmp(l.best.Value) > 0:
		claim.LowerBound, claim.BoundReason, claim.BoundProof = n.below, n.reason(p), n.proofOf(p)
	}
	if u := l.unconfirmed; u != nil && claim.SolverClaim == nil {
		claim.SolverClaim = &results.SolverClaim{Engine: "margin bound", Below: u.Value.RatString()}
	}
}

// confirm waits until the checker has confirmed the best bound, or falls back to
// the best other one; also when the context ends first. It returns false if that
// changed the bound.
func (l *lowerBound) confirm(ctx context.Context) bool {
	if l.sure || l.known != nil && l.known.below.Cmp(l.best.Value) >= 0 {
		return true
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
	if l.sure = true; !ok {
		derived := l.best
		l.unconfirmed, l.best = &derived, l.fallback
	}
	return ok
}
