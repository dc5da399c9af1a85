package bound

import (
	"context"
	"math/big"

	"leeway/core"
	"leeway/objective"
	"leeway/objective/congestion"
)

// Limits of what Congestion takes on, so that it stays within seconds.
const (
	maxCongestionSize  = 1024    // processors
	maxCongestionLinks = 1 << 16 // links, each of which may get a weight
	maxCongestionWork  = 1 << 28 // lattice points between all ordered pairs
)

// Congestion returns the bound of the best link weights found for p: the total
// over ordered pairs of the cheapest minimal path, over the total weight. It is
// LP-optimal, the most that holds for every minimal routing, where symmetry
// leaves few classes of links and pairs, and close to that elsewhere. The effort
// depends on the placement only. Placements past the limits above get the value
// 0 and no weights.
func Congestion(p core.Placement) objective.Bound { return congestionBound(context.Background(), p) }

// congestionBound is Congestion with the best weights so far when the context ends.
func congestionBound(ctx context.Context, p core.Placement) objective.Bound {
	none := objective.Bound{Name: objective.BoundCongestion, Value: new(big.Rat)}
	if p.Size() < 2 || p.Size() > maxCongestionSize || p.Torus().M() > maxCongestionLinks || congestionWork(p) > maxCongestionWork {
		return none
	}
	r, err := congestion.Solve(ctx, p, congestionEffort())
	if err != nil { // too large, which the limits above exclude
		return none
	}
	return objective.Bound{Name: objective.BoundCongestion, Value: r.Lower,
		Witness: objective.Witness{Weights: r.LinkWeights(p.Torus())}}
}

func congestionEffort() congestion.Options {
	return congestion.Options{ExactClasses: 64, GuessClasses: 800, Pivots: 4000, Work: 1 << 26}
}

// congestionWork returns about how many lattice points lie between the ordered
// pairs of processors.
func congestionWork(p core.Placement) float64 {
	work := float64(p.Size()) * float64(p.Size())
	for j := range p.Torus().D() {
		work *= float64(p.Torus().Side(j))/4 + 1
	}
	return work
}
