package bound

import (
	"math/big"
	"slices"

	"leeway/core/routing"
	"leeway/objective"
)

// OfProblem returns the best bound with a closed form on every placement of the problem's
// size; with a free routing on every table for it too: of the bounds that hold under every
// minimal routing, rounded up where single paths make loads whole numbers.
func OfProblem(p objective.Problem) objective.Bound {
	if p.Free == nil {
		return Best(PlainForSize(p.Routing, p.Size))
	}
	plain := PlainForSize(routing.NewMinimal(p.Torus(), routing.TieBoth), p.Size)
	best := Best(slices.DeleteFunc(plain, func(b objective.Bound) bool { return b.Name == objective.BoundGranularity }))
	return Whole(p.Free.Single, best)
}

// Whole returns the bound rounded up to a whole number if loads are whole numbers.
func Whole(whole bool, b objective.Bound) objective.Bound {
	if !whole || b.Value.IsInt() {
		return b
	}
	up := objective.UnitsUp(b.Value, big.NewInt(1))
	return objective.Bound{Name: objective.BoundGranularity, Value: new(big.Rat).SetInt(up),
		Witness: objective.Witness{From: b.Name, Denominator: "1"}}
}
