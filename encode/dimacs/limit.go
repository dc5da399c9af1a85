package dimacs

import (
	"math/big"

	"leeway/core/routing"
)

// Limit returns the largest load under below: the largest multiple of 1/D that
// is smaller, D being the denominator of the routing, which must have one. It is
// below 0 when below is 0 or less.
func Limit(r routing.Routing, below *big.Rat) *big.Rat {
	d := r.Denominator()
	// The largest whole u with u/D < below is -floor(-D below) - 1.
	u := new(big.Int).Mul(below.Num(), d)
	u.Neg(u)
	// big.Int.Div rounds down for a positive divisor.
	u.Div(u, below.Denom())
	u.Neg(u)
	return new(big.Rat).SetFrac(u.Sub(u, big.NewInt(1)), d)
}
