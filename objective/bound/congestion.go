package bound

import (
	"context"

	"leeway/core"
	"leeway/objective"
	"leeway/objective/congestion"
)

// Limits of what the congestion bound takes on, so that it stays within seconds.
const (
	maxCongestionSize  = 1024    // processors
	maxCongestionLinks = 1 << 16 // links, each of which may get a weight
	maxCongestionWork  = 1 << 28 // lattice points between all ordered pairs
)

// congestionBound returns the bound of the best link weights found for p: the total
// over ordered pairs of the cheapest minimal path, over the total weight. It is
// LP-optimal, the most that holds for every minimal routing, where symmetry
// leaves few classes of links and pairs, and close to that elsewhere. The effort
// depends on the placement only; when the context ends it takes the best weights so
// far. Placements past the limits above get the value 0 and no weights.
func congestionBound(ctx context.Context, p core.Placement) objective.Bound {
	if p.Size() < 2 || p.Size() > maxCongestionSize || p.Torus().M() > maxCongestionLinks ||
		congestionWork(p) > maxCongestionWork {
		return nothing(objective.BoundCongestion)
	}
	r, err := congestion.Solve(ctx, p,
		congestion.Options{ExactClasses: 64, GuessClasses: 800, Pivots: 4000, Work: 1 << 26})
	if err != nil { // too large, which the limits above exclude
		return nothing(objective.BoundCongestion)
	}
	return objective.Bound{Name: objective.BoundCongestion, Value: r.Lower,
		Witness: objective.Witness{Weights: r.LinkWeights(p.Torus())}}
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
