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
	best        lowerbound.Bound // as derived, the fallback once that is not confirmed
	fallback    lowerbound.Bound // the best without margins and lines
	unconfirmed *lowerbound.Bound
	known       *known   // nil if there is none
	verdict     *verdict // nil if there is nothing to confirm
	sure        bool     // the best is confirmed
	late        bool     // the time was too short for margins and lines
	patient     bool     // wait for the whole verdict: what holds must not depend on the time
}

// A verdict says whether a bound is proved. Where it is not, smaller values are tried.
type verdict struct {
	seek   func() // finds it
	begun  atomic.Bool
	done   chan struct{} // closed when valid is known
	valid  bool
	proof  *results.Proof // of what is valid
	over   chan struct{}  // closed when lesser is known too
	lesser *lowerbound.Bound
}

func newVerdict() *verdict { return &verdict{done: make(chan struct{}), over: make(chan struct{})} }

// begin has the verdict found beside what else goes on.
func (v *verdict) begin() {
	if v != nil && v.seek != nil && v.begun.CompareAndSwap(false, true) {
		go v.seek()
	}
}

// newLowerBound derives the bounds; only those with a closed form if plain, or if a quarter of the time is over before
// the others are there.
func newLowerBound(ctx context.Context, p objective.Problem, n *known, plain bool) *lowerBound {
	l := &lowerBound{fallback: quickBound(p), known: n, sure: true}
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
		l.claim(ctx, p, best)
	}
	return l
}

// claim takes in the best bound, derived by a search, which is to be proved by steps until the context ends.
func (l *lowerBound) claim(ctx context.Context, p objective.Problem, best lowerbound.Bound) {
	l.best, l.sure, l.verdict = best, false, newVerdict()
	valid := func(b lowerbound.Bound) bool {
		w := wanted{Problem: p, value: b.Value}
		if p.Torus().D() > 2 && p.Torus().N() > mostStepped {
			w.engine = slabs.Name
		}
		proof, _, err := w.steps(ctx)
		l.verdict.proof = proof
		return err == nil
	}
	l.verdict.seek = func() {
		l.verdict.find(best, func(i int) (lowerbound.Bound, bool) {
			b, ok := lowered(best, objective.Denominator(p.Routing), i)
			return b, ok && b.Value.Cmp(l.fallback.Value) > 0 && ctx.Err() == nil
		}, valid)
	}
}

// mostStepped is the most nodes of a network of more than two dimensions for which all engines write steps of the
// bounds margin and lines: on larger ones those of others than slabs are many.
const mostStepped = 150

// lesserTries is for how many smaller values of the margin bound steps are tried.
const lesserTries = 4

// find asks for the verdict on the best bound, and, where that is not confirmed, on those below it, from 1
// on, for as long as there are any.
func (v *verdict) find(best lowerbound.Bound, below func(i int) (lowerbound.Bound, bool),
	valid func(lowerbound.Bound) bool) {
	defer close(v.over)
	v.valid = valid(best)
	close(v.done)
	for i := 1; i <= lesserTries && !v.valid; i++ {
		b, ok := below(i)
		if !ok {
			return
		}
		if valid(b) {
			v.lesser = &b
			return
		}
	}
}

// lowered returns the bound of a value that is a given number of units of 1/den smaller, by margins or what else
// refutes limits; false without units.
func lowered(best lowerbound.Bound, den *big.Int, units int) (lowerbound.Bound, bool) {
	if den == nil {
		return lowerbound.Bound{}, false
	}
	unit := new(big.Rat).SetFrac(big.NewInt(1), den)
	less := new(big.Rat).Sub(best.Value, new(big.Rat).Mul(unit, big.NewRat(int64(units), 1)))
	refuted := new(big.Rat).Sub(less, unit)
	name := lowerbound.Margin
	if best.Name == lowerbound.Lines {
		name = best.Name
	}
	return lowerbound.Bound{Name: name, Value: less,
		Witness: lowerbound.Witness{Refuted: refuted.RatString(), Denominator: den.String()}}, true
}

// left returns the bound that holds where the best is not confirmed.
func (l *lowerBound) left() lowerbound.Bound {
	select {
	case <-l.verdict.over:
		if less := l.verdict.lesser; less != nil {
			return *less
		}
	default:
	}
	return l.fallback
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
	if l.sure {
		return l.value(), nil
	}
	select {
	case <-l.verdict.done:
		if l.verdict.valid {
			return l.value(), nil
		}
		return l.valueWith(l.left()), nil
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

// bound sets the lower bound of a claim that no proof of an engine supports, with the proof
// if that is the bound or one about another size.
func (l *lowerBound) bound(ctx context.Context, p objective.Problem, claim *compose.Values) {
	if !l.confirm(ctx) || l.unconfirmed != nil {
		if l.patient {
			select {
			case <-l.verdict.over:
			case <-ctx.Done():
			}
		}
		l.best = l.left()
	}
	claim.LowerBound, claim.BoundReason = l.best.Value, l.best.Reason()
	switch n := l.known; {
	case l.best.Value.Cmp(claim.MaxLoad) == 0:
		claim.Proof = cmp.Or(l.inSteps(), proofByBound(p, l.best.Value))
		return
	case n != nil && n.below.Cmp(l.best.Value) > 0:
		claim.LowerBound, claim.BoundReason = n.below, n.reason(p)
		claim.BoundProof = n.proofOf(p)
	default:
		claim.BoundProof = l.inSteps()
	}
	if u := l.unconfirmed; u != nil && claim.SolverClaim == nil {
		claim.SolverClaim = &results.SolverClaim{Engine: MarginClaim, Below: u.Value.RatString()}
		if u.Name == lowerbound.Lines {
			claim.SolverClaim.Engine = LinesClaim
		}
	}
}

// inSteps returns the proof of the best bound that confirmed it, nil if it was confirmed otherwise.
func (l *lowerBound) inSteps() *results.Proof {
	if l.verdict == nil {
		return nil
	}
	settled := l.verdict.over
	if l.confirmed() {
		settled = l.verdict.done
	}
	select {
	case <-settled:
		if p := l.verdict.proof; p != nil && p.Below == l.best.Value.RatString() {
			return p
		}
	default:
	}
	return nil
}

// confirm waits until the checker has confirmed the best bound, or falls back to
// the best other one; also when the context ends first. It returns false if that
// changed the bound.
func (l *lowerBound) confirm(ctx context.Context) bool {
	if l.sure || l.known != nil && l.known.below.Cmp(l.best.Value) >= 0 {
		return true
	}
	l.verdict.begin()
	select {
	case <-l.verdict.done:
	default:
		select {
		case <-l.verdict.done:
		case <-ctx.Done():
		}
	}
	if l.sure = true; l.confirmed() {
		return true
	}
	derived := l.best
	l.unconfirmed, l.best = &derived, l.left()
	return false
}

// confirmed reports whether the checker has confirmed the best bound by now.
func (l *lowerBound) confirmed() bool {
	select {
	case <-l.verdict.done:
		return l.verdict.valid
	default:
		return false
	}
}
