// Package bounds derives the bounds margin and lines again, from their definitions: on networks where steps that show
// as much are too many. It shares no code with objective/margin.
package bounds

import (
	"fmt"
	"math/big"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results/check/meter"
)

// Problem says why a bound does not show that every placement of n processors on all fixed and no forbidden nodes has
// E_max at least value, "" if it does.
func Problem(m *meter.Meter, r routing.Routing, n int, fixed, forbidden core.Set, name string,
	value *big.Rat) string {
	switch name {
	case objective.BoundMargin:
		return MarginsProblem(m, r, n, fixed, forbidden, value)
	case objective.BoundLines:
		return LinesProblem(m, r, n, value)
	}
	return fmt.Sprintf("there is no checker for the bound %q", name)
}

// MarginsProblem says why margins do not show that every placement of n processors on all fixed and no forbidden
// nodes has E_max at least value, "" if they do: they must rule out every load below it. Loads are multiples of 1/D, so
// the largest of these below value stands for all; where D is not known, the largest multiple of what margins tell
// apart.
func MarginsProblem(m *meter.Meter, r routing.Routing, n int, fixed, forbidden core.Set, value *big.Rat) string {
	if !routing.Shortest(r) {
		return "margins are about shortest paths, and those of " + r.String() + " may be longer"
	}
	step := objective.Denominator(r)
	if step == nil {
		step = marginStep(r)
	}
	if step == nil {
		return "the denominator of the loads is not found in reasonable time"
	}
	if value.Sign() <= 0 {
		return "no load is below 0, so margins are not needed"
	}
	known := newConditions(m, r.Torus(), n, fixed, forbidden)
	return refuteMargins(m, r, n, known, new(big.Rat).SetFrac(objective.NumeratorBelow(value, step), step))
}
