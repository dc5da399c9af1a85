// Package bounds derives the bounds margin and lines again, from their definitions: on networks where steps that show
// as much are too many. It shares no code with objective/margin.
package bounds

import (
	"context"
	"fmt"
	"math/big"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/lowerbound"
	"leeway/results"
	"leeway/results/check/meter"
)

// Holds reports whether the bound of a name, margin or lines, shows that no placement of a problem has E_max below a
// value, so that a proof may claim it; not where that takes more than the default limits, or the context ends.
func Holds(ctx context.Context, p objective.Problem, name string, value *big.Rat) bool {
	m, problem := meter.New(ctx, meter.Limits{}), "it was not derived"
	ended := m.Run(func() { problem = Problem(m, "", p, value, &results.Proof{Bound: name}) })
	return ended == nil && problem == ""
}

// Problem is a check.Judge of proofs by a bound of a name.
func Problem(m *meter.Meter, _ string, p objective.Problem, value *big.Rat, proof *results.Proof) string {
	switch {
	case p.Free != nil || p.Traffic.Clients():
		return fmt.Sprintf("the bound %s is about a given routing, all to all", proof.Bound)
	case proof.Bound == lowerbound.Margin:
		return MarginsProblem(m, p.Routing, p.Size, p.Fixed, p.Forbidden, value)
	case proof.Bound == lowerbound.Lines:
		return LinesProblem(m, p.Routing, p.Size, value)
	}
	return fmt.Sprintf("there is no checker for the bound %q", proof.Bound)
}

// MarginsProblem says why margins do not show that every placement of n processors on all fixed and no forbidden
// nodes has E_max at least value, "" if they do: they must rule out every load below it. Loads are multiples of 1/D, so
// the largest of these below value stands for all; where D is not known, the largest multiple of what margins tell
// apart.
func MarginsProblem(m *meter.Meter, r routing.Routing, n int, fixed, forbidden core.Set, value *big.Rat) string {
	if !routing.Shortest(r) {
		return "margins are about shortest paths, and those of " + r.String() + " may be longer"
	}
	step := stepOf(r)
	if value.Sign() <= 0 {
		return "no load is below 0, so margins are not needed"
	}
	known := newConditions(m, r.Torus(), n, fixed, forbidden)
	return refuteMargins(m, r, n, known, new(big.Rat).SetFrac(objective.NumeratorBelow(value, step), step))
}
