package margin

import (
	"context"
	"fmt"
	"math/big"
	"strconv"

	"leeway/core"
	"leeway/core/routing"
)

// A Result says what margins prove about all placements of a size.
type Result struct {
	// Value is a lower bound on E_max: the next multiple of 1/Denominator after
	// Refuted, 0 if nothing is refuted.
	Value *big.Rat
	// Refuted is the largest multiple of 1/Denominator found to have no margins,
	// nil if there is none.
	Refuted *big.Rat
	// Denominator is that of the loads under odr, udr and orders; otherwise 4N,
	// which no two limits that margins tell apart share a step of.
	Denominator *big.Int
	// Complete reports whether margins exist for Value: more effort proves no
	// more.
	Complete bool
	// Steps is the effort that it took.
	Steps int64
}

// LowerBound returns the best lower bound on the E_max of n processors under r
// that margins give within an effort, counted in steps (a step takes 10 to 100
// ns). It holds whatever the effort and does not depend on the machine. When ctx
// ends it returns what is proved so far. It fails with an *core.InputError when
// n lies outside 0..N or the effort is negative.
//
// Sources: the project's own; see docs/margin-bound.md.
func LowerBound(ctx context.Context, r routing.Routing, n int, effort int64) (Result, error) {
	if most := r.Torus().N(); n < 0 || n > most {
		return Result{}, &core.InputError{Text: strconv.Itoa(n),
			Problem: fmt.Sprintf("the size lies outside 0..%d, the nodes of torus %s", most, r.Torus())}
	}
	if effort < 0 {
		return Result{}, &core.InputError{Text: strconv.FormatInt(effort, 10), Problem: "the effort is negative"}
	}
	b := &bisection{ctx: ctx, sides: projections(r, n), den: denominator(r), left: effort, share: effort / shares}
	refuted := int64(-1)
	if n < 2 {
		b.decided = true
	} else {
		refuted = b.run(b.guess(r.Torus(), n))
	}
	result := Result{Value: b.multiple(refuted + 1), Denominator: b.den, Complete: b.decided, Steps: effort - b.left}
	if refuted >= 0 {
		result.Refuted = b.multiple(refuted)
	}
	return result, nil
}

// denominator returns the D whose multiples of 1/D are the limits that are worth
// refuting under r. For odr, udr and orders all loads are such multiples. For
// the others the sums that a limit L is compared with are multiples of 1/4, at
// most N of them in a comparison with L times a divisor of N: between two
// multiples of 1/(4N) no comparison changes.
func denominator(r routing.Routing) *big.Int {
	if orders, ok := r.(*routing.Orders); ok {
		return orders.Denominator()
	}
	return big.NewInt(4 * int64(r.Torus().N()))
}
