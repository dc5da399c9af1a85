// Package margin derives the bounds margin and lines: which slab counts a limit on loads admits.
package margin

import (
	"context"
	"math/big"
	"slices"
	"strconv"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
)

// A Bound says what margins prove about all placements of a size.
type Bound struct {
	// Value is a lower bound on E_max: the next multiple of 1/Denominator after
	// Refuted, 0 if nothing is refuted.
	Value *big.Rat
	// Refuted is the largest multiple of 1/Denominator found to have no margins,
	// nil if there is none.
	Refuted *big.Rat
	// Denominator is that of the loads under odr, udr and orders; otherwise 4N,
	// times the common multiple of the bandwidths, which no two limits that
	// margins tell apart share a step of.
	Denominator *big.Int
	// Complete reports whether margins exist for Value: more effort proves no
	// more.
	Complete bool
	// Steps is the effort that it took.
	Steps int64
}

// LowerBound returns the best lower bound on the E_max of n processors under r
// that margins give within an effort, counted in steps (a step takes 10 to 100
// ns). The effort is spent anew on what holds for all shortest paths, on what the
// split of ties adds, and on what the order of dimensions does: the bound is never
// below that of a routing about which less is known. It holds whatever the effort
// and does not depend on the machine. When ctx ends it returns what is proved so
// far. It fails with an *core.InputError when n lies outside 0..N or the effort is
// negative.
//
// Sources: the project's own; see docs/margin-bound.md.
func LowerBound(ctx context.Context, r routing.Routing, n int, effort int64) (Bound, error) {
	return LowerBoundWithin(ctx, r, n, nil, effort)
}

// A Range says how many processors a slab may hold.
type Range struct{ Low, High int }

// LowerBoundWithin is LowerBound for placements whose slab counts lie in ranges, by dimension and slab; nil restricts
// nothing. The slabs of a ring then differ, so that it cannot be turned until the first is the fullest: the same
// effort may show less than without ranges.
func LowerBoundWithin(ctx context.Context, r routing.Routing, n int, ranges [][]Range, effort int64) (Bound, error) {
	if err := checked(r.Torus(), n, effort); err != nil {
		return Bound{}, err
	}
	return lowerBound(ctx, r, n, scopes(r, n, ranges), effort), nil
}

// Refutes reports whether margins, also those within ranges where there are any, show within an effort for each that
// no placement of n processors has an E_max of at most a limit, and RefutesByLines whether lines do. They ask for one
// limit what LowerBound, LowerBoundWithin and Lines ask for many; they are false too where n is not a size and when ctx
// ends.
func Refutes(ctx context.Context, r routing.Routing, n int, ranges [][]Range, limit *big.Rat, effort int64) bool {
	if n < 2 || checked(r.Torus(), n, effort) != nil {
		return false
	}
	return refutes(ctx, scopes(r, n, nil), limit, effort) ||
		ranges != nil && refutes(ctx, scopes(r, n, ranges), limit, effort)
}

// RefutesByLines is described with Refutes.
func RefutesByLines(ctx context.Context, r routing.Routing, n int, limit *big.Rat, effort int64) bool {
	return n >= 2 && checked(r.Torus(), n, effort) == nil && refutes(ctx, lineScopes(r, n), limit, effort)
}

func refutes(ctx context.Context, list []scope, limit *big.Rat, effort int64) bool {
	return limit.Sign() >= 0 && slices.ContainsFunc(list, func(in scope) bool {
		units := new(big.Int).Mul(limit.Num(), in.den)
		b := &bisection{ctx: ctx, scope: in, left: effort, share: effort}
		return b.ask(units.Div(units, limit.Denom()).Int64()) == none
	})
}

// checked returns an *core.InputError when n lies outside 0..N or the effort is negative.
func checked(t *core.Torus, n int, effort int64) error {
	if most := t.N(); n < 0 || n > most {
		return core.Invalid(strconv.Itoa(n), "the size lies outside 0..%d, the nodes of torus %s", most, t)
	}
	if effort < 0 {
		return core.Invalid(strconv.FormatInt(effort, 10), "the effort is negative")
	}
	return nil
}

// lowerBound is what some scopes of r prove, one after the other.
func lowerBound(ctx context.Context, r routing.Routing, n int, list []scope, effort int64) Bound {
	result := Bound{Value: new(big.Rat), Denominator: denominator(r), Complete: true}
	if n < 2 {
		return result
	}
	for _, in := range list {
		b := &bisection{ctx: ctx, scope: in, left: effort, share: effort / shares}
		refuted := b.run(b.largestBelow(result.Value), b.guess(r.Torus(), n))
		result.Value, result.Complete, result.Steps = b.multiple(refuted+1), b.decided, result.Steps+effort-b.left
	}
	// No limit from the largest refuted one to below the value has margins.
	units := objective.NumeratorUp(result.Value, result.Denominator)
	result.Value = new(big.Rat).SetFrac(units, result.Denominator)
	if units.Sign() > 0 {
		result.Refuted = new(big.Rat).SetFrac(units.Sub(units, big.NewInt(1)), result.Denominator)
	}
	return result
}

// denominator returns the D whose multiples of 1/D bounds under r are: those that all
// loads are for odr, udr and orders, for the others what scopes compares.
func denominator(r routing.Routing) *big.Int {
	if orders, ok := r.(*routing.Orders); ok {
		return objective.Denominator(orders)
	}
	return big.NewInt(4 * int64(r.Torus().N()) * int64(r.Torus().CommonBandwidth()))
}

// shares says into how many parts the effort is divided: while the largest
// refuted limit is still being closed in on, one question gets one part, so that
// a hard one does not take the effort from the easy ones below it.
const shares = 16

// A bisection looks for the largest refuted multiple of 1/den.
type bisection struct {
	ctx context.Context
	scope
	left    int64 // effort
	share   int64 // effort that one question may take
	decided bool  // the multiple after the largest refuted one has margins
}

// guess returns the multiple just below (n-1)/degree, the degree counting bandwidths:
// no limit below that is possible, so margins that are worth anything refute it.
func (b *bisection) guess(t *core.Torus, n int) int64 {
	units := new(big.Int).Mul(b.den, big.NewInt(int64(n-1)))
	units.Sub(units, big.NewInt(1))
	degree := 0
	for _, port := range t.Ports() {
		degree += t.Bandwidth(port.Dim)
	}
	return units.Div(units, big.NewInt(int64(degree))).Int64()
}

// largestBelow returns the largest multiple below a value, -1 for 0.
func (b *bisection) largestBelow(value *big.Rat) int64 {
	return objective.NumeratorUp(value, b.den).Int64() - 1
}

// run steps up from a guess as long as limits are refuted, halves what is left,
// and puts all remaining effort into the first limit that is not. It returns the
// largest refuted multiple, which is at least the one given; -1 if none is.
func (b *bisection) run(refuted, guess int64) int64 {
	open, v := max(refuted+1, guess), none
	for step := int64(1); ; step *= 2 {
		if v = b.ask(open); v != none {
			break
		}
		refuted, open = open, open+step
	}
	for open-refuted > 1 {
		middle := refuted + (open-refuted)/2
		if w := b.ask(middle); w == none {
			refuted = middle
		} else {
			open, v = middle, w
		}
	}
	for v == spent && b.left > 0 {
		b.share = b.left
		if v = b.ask(open); v == none {
			refuted, open, v = open, open+1, spent
		}
	}
	b.decided = v == some
	return refuted
}

// ask answers whether every projection has margins within a multiple of 1/den.
func (b *bisection) ask(units int64) verdict {
	limit, answer := b.multiple(units), some
	for _, p := range b.sides {
		given := min(b.share, b.left)
		steps := &budget{left: given, stop: func() bool { return b.ctx.Err() != nil }}
		v := p.exist(limit, steps)
		b.left -= given - max(0, steps.left)
		switch v {
		case none:
			return none
		case spent:
			answer = spent
		}
	}
	return answer
}

func (b *bisection) multiple(units int64) *big.Rat {
	return new(big.Rat).SetFrac(big.NewInt(units), b.den)
}
