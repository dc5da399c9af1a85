package work

import (
	"cmp"
	"context"
	"math/big"
	"sync/atomic"
	"time"

	"leeway/core/parallel"
	"leeway/objective"
	"leeway/objective/bound"
	"leeway/objective/lowerbound"
	"leeway/results"
	"leeway/results/check"
	"leeway/results/compose"
	"leeway/search/slabs"
)

// A lowerBound is what is known of all placements of a problem: its best placement-free bound and
// the best proof about another size. Every value but those of the bounds margin and lines has a closed
// form, or was proved before. Until steps prove one of margin or lines, the value is what the search aims at, but
// neither shown as a bound nor claimed by a record.
type lowerBound struct {
	best        lowerbound.Bound // as derived, and once the verdict is taken what that says
	fallback    lowerbound.Bound // the best without margins and lines
	unconfirmed *lowerbound.Bound
	known       *known         // nil if there is none
	verdict     *verdict       // on the best, nil if there is nothing to confirm, or that is done
	proof       *results.Proof // of the best by steps, nil if it was confirmed otherwise
	late        bool           // the time was too short for margins and lines
}

// A verdict says which bound is proved.
type verdict struct {
	seek   func() (lowerbound.Bound, *results.Proof)
	begun  atomic.Bool
	done   chan struct{}    // closed when the others are known
	proved lowerbound.Bound // the bound that was derived, a smaller one, or the fallback
	proof  *results.Proof   // nil of the fallback
}

// begin has the verdict found beside what else goes on.
func (v *verdict) begin() {
	if v != nil && v.begun.CompareAndSwap(false, true) {
		go func() {
			v.proved, v.proof = v.seek()
			close(v.done)
		}()
	}
}

// newLowerBound derives the bounds; only those with a closed form if plain, or if a quarter of the time is over before
// the others are there.
func newLowerBound(ctx context.Context, p objective.Problem, n *known, plain bool) *lowerBound {
	l := &lowerBound{fallback: quickBound(p), known: n}
	l.best = l.fallback
	if plain || p.Free != nil || !p.Traffic.ToAll() {
		return l
	}
	limited, cancel := BoundTime(ctx)
	defer cancel()
	bounds, err := parallel.Await(limited, 0, func() ([]lowerbound.Bound, error) {
		return bound.ProblemBounds(limited, p)
	})
	if err != nil {
		l.late = true
		return l
	}
	if best := bound.Best(bounds); best.Value.Cmp(l.fallback.Value) != 0 {
		l.proveBySteps(ctx, p, best)
	}
	return l
}

// proveBySteps takes in the best bound, derived by a search, which is to be proved by steps until the context ends.
func (l *lowerBound) proveBySteps(ctx context.Context, p objective.Problem, best lowerbound.Bound) {
	l.proveInBackground(best, objective.Denominator(p.Routing), func(b lowerbound.Bound) *results.Proof {
		w := wanted{Problem: p, value: b.Value}
		if p.Torus().D() > 2 && p.Torus().N() > mostStepped {
			w.engine = slabs.Name
		}
		proof, _, err := w.write(ctx)
		if err != nil {
			return nil
		}
		return proof
	})
}

// proveInBackground takes in the best bound and the function that proves it: the verdict is the largest bound proved,
// the best or one that is smaller by a few units of 1/den.
func (l *lowerBound) proveInBackground(best lowerbound.Bound, den *big.Int,
	prove func(lowerbound.Bound) *results.Proof) {
	l.best = best
	l.verdict = &verdict{done: make(chan struct{}), seek: func() (lowerbound.Bound, *results.Proof) {
		for i, b := 0, best; i <= lesserTries && b.Value.Cmp(l.fallback.Value) > 0; i++ {
			if proof := prove(b); proof != nil {
				return b, proof
			}
			if den == nil {
				break
			}
			b = lowered(best, den, i+1)
		}
		return l.fallback, nil
	}}
}

// mostStepped is the most nodes of a network of more than two dimensions for which all engines write steps of the
// bounds margin and lines: on larger ones only slabs does, since the others write many.
const mostStepped = 150

// lesserTries is for how many smaller values of the margin bound steps are tried.
const lesserTries = 4

// lowered returns the bound of a value that is a given number of units of 1/den smaller, by margins or what else
// refutes limits.
func lowered(best lowerbound.Bound, den *big.Int, units int) lowerbound.Bound {
	unit := new(big.Rat).SetFrac(big.NewInt(1), den)
	less := new(big.Rat).Sub(best.Value, new(big.Rat).Mul(unit, big.NewRat(int64(units), 1)))
	refuted := new(big.Rat).Sub(less, unit)
	name := lowerbound.Margin
	if best.Name == lowerbound.Lines {
		name = best.Name
	}
	return lowerbound.Bound{Name: name, Value: less,
		Witness: lowerbound.Witness{Refuted: refuted.RatString(), Denominator: den.String()}}
}

// MarginClaim and LinesClaim name, in the claim of a record, a bound that the checker did not repeat.
const (
	MarginClaim = "margin bound"
	LinesClaim  = "lines bound"
)

// BoundTime returns a context for bounds that take long: a quarter of the time that is left, if
// there is a budget, which is for the search.
func BoundTime(ctx context.Context) (context.Context, context.CancelFunc) {
	if end, ok := ctx.Deadline(); ok {
		return context.WithTimeout(ctx, time.Until(end)/4)
	}
	return ctx, func() {}
}

// proofByBound returns the proof of a lower bound of a problem: its closed form where check derives that, else steps
// that are still to be written.
func proofByBound(p objective.Problem, value *big.Rat) *results.Proof {
	if p.Traffic.Matrix != nil || check.ClosedForm(p).Cmp(value) >= 0 {
		return &results.Proof{Kind: results.ProofBound, Below: value.RatString()}
	}
	return &results.Proof{Kind: results.ProofSteps, Bound: lowerbound.Degree, Below: value.RatString()}
}

// value returns the best value that is known or waits to be confirmed: what a search aims at.
func (l *lowerBound) value() *big.Rat { return l.valueWith(l.best) }

// standing returns the best value that is confirmed, and a larger one that the checker is still
// confirming, nil if there is none. It may be called from any goroutine while nobody confirms.
func (l *lowerBound) standing() (proved, checking *big.Rat) {
	if l.verdict == nil {
		return l.value(), nil
	}
	select {
	case <-l.verdict.done:
		return l.valueWith(l.verdict.proved), nil
	default:
	}
	if proved = l.valueWith(l.fallback); l.verdict.begun.Load() && l.best.Value.Cmp(proved) > 0 {
		checking = l.best.Value
	}
	return proved, checking
}

// valueWith returns the value of a bound, or that of the known proof where it is larger.
func (l *lowerBound) valueWith(b lowerbound.Bound) *big.Rat {
	if l.known != nil && l.known.below.Cmp(b.Value) > 0 {
		return l.known.below
	}
	return b.Value
}

// dropRefuted drops the known proof where a placement has a load below what it claims to prove, and
// reports whether it did.
func (r *run) dropRefuted(lower *lowerBound, load *big.Rat) bool {
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

// setBound sets the lower bound of a claim that no proof of an engine supports, with the proof
// if that is the bound or one about another size.
func (l *lowerBound) setBound(ctx context.Context, p objective.Problem, claim *compose.Values) {
	l.confirm(ctx)
	claim.LowerBound, claim.BoundReason = l.best.Value, l.best.Reason()
	switch n := l.known; {
	case l.best.Value.Cmp(claim.MaxLoad) == 0:
		claim.Proof = cmp.Or(l.proof, proofByBound(p, l.best.Value))
		return
	case n != nil && n.below.Cmp(l.best.Value) > 0:
		claim.LowerBound, claim.BoundReason = n.below, n.reason(p)
		claim.BoundProof = n.proofOf(p)
	default:
		claim.BoundProof = l.proof
	}
	if u := l.unconfirmed; u != nil && claim.SolverClaim == nil {
		claim.SolverClaim = &results.SolverClaim{Engine: MarginClaim, Below: u.Value.RatString()}
		if u.Name == lowerbound.Lines {
			claim.SolverClaim.Engine = LinesClaim
		}
	}
}

// confirm waits for the verdict on the best bound and takes it; where the context ends first it falls back to the best
// other one. It returns false if that changed the bound.
func (l *lowerBound) confirm(ctx context.Context) bool {
	v := l.verdict
	if v == nil || l.known != nil && l.known.below.Cmp(l.best.Value) >= 0 {
		return true
	}
	v.begin()
	derived, ended := l.best, false
	select {
	case <-v.done:
	default:
		select {
		case <-v.done:
		case <-ctx.Done():
			ended = true
		}
	}
	l.verdict, l.best = nil, l.fallback
	if !ended {
		l.best, l.proof = v.proved, v.proof
	}
	if l.best.Value.Cmp(derived.Value) == 0 {
		return true
	}
	l.unconfirmed = &derived
	return false
}
