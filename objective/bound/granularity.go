package bound

import (
	"math/big"

	"leeway/core/routing"
	"leeway/objective"
)

// granularity rounds a bound up to what a load can be: a multiple of 1/D, D the
// denominator of the routing. A routing without a usable one leaves the bound as
// it is.
func granularity(r routing.Routing, from objective.Bound) objective.Bound {
	d := r.Denominator()
	if d == nil {
		d = from.Value.Denom()
	}
	num := new(big.Int).Mul(from.Value.Num(), d)
	num.Add(num, from.Value.Denom())
	num.Sub(num, big.NewInt(1))
	num.Div(num, from.Value.Denom())
	return objective.Bound{Name: objective.BoundGranularity, Value: new(big.Rat).SetFrac(num, d),
		Witness: objective.Witness{From: from.Name, Denominator: d.String()}}
}
