package dimacs

import (
	"math/big"

	"leeway/core/routing"
	"leeway/objective"
)

// Limit returns the largest load under below: the largest multiple of 1/D that
// is smaller, D being the denominator of the routing, which must have one. It is
// below 0 when below is 0 or less.
func Limit(r routing.Routing, below *big.Rat) *big.Rat {
	d := r.Denominator()
	return new(big.Rat).SetFrac(objective.UnitsBelow(below, d), d)
}
