// Package bounds derives the lower bounds on E_max again, from their definitions, and goes through the witnesses of
// those that a file lists. It shares no code with objective/bound and objective/margin.
package bounds

import (
	"fmt"
	"math/big"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results/check/meter"
	"leeway/results/check/shares"
)

// Problem says why the named bound does not show that every placement of n processors on all fixed and no forbidden
// nodes has E_max at least value, "" if it does.
func Problem(m *meter.Meter, r routing.Routing, n int, fixed, forbidden core.Set, name string,
	value *big.Rat) string {
	own, ok := Derive(m, r, fixed, forbidden).Named(n, name, value)
	switch {
	case ok && own.Cmp(value) >= 0:
		return ""
	case name == objective.BoundMargin, name == objective.BoundLines, name == objective.BoundGranularity:
		problem := ""
		if name != objective.BoundLines {
			problem = MarginsProblem(m, r, n, fixed, forbidden, value)
		}
		if name == objective.BoundLines || name == objective.BoundGranularity && problem != "" { // it may round up either
			problem = LinesProblem(m, r, n, value)
		}
		if problem != "" {
			return fmt.Sprintf("the bound %s: %s", name, problem)
		}
		return ""
	case !ok:
		return fmt.Sprintf("there is no checker for the bound %q", name)
	default:
		return fmt.Sprintf("the bound %s is %s, not %s", name, own.RatString(), value.RatString())
	}
}

// MarginsProblem says why margins do not show that every placement of n processors on all fixed and no forbidden
// nodes has E_max at least value, "" if they do: they must rule out every load below it. Loads are multiples of 1/D, so
// the largest of these below value stands for all; where D is not known, the largest multiple of what margins tell
// apart.
func MarginsProblem(m *meter.Meter, r routing.Routing, n int, fixed, forbidden core.Set, value *big.Rat) string {
	step := shares.Denominator(m, r)
	if step == nil {
		step = shares.MarginStep(m, r)
	}
	if step == nil {
		return "the denominator of the loads is not found in reasonable time"
	}
	if value.Sign() <= 0 {
		return "no load is below 0, so margins are not needed"
	}
	known := newConditions(m, r.Torus(), n, fixed, forbidden)
	return refuteMargins(m, r, n, known, new(big.Rat).SetFrac(shares.Below(value, step), step))
}
