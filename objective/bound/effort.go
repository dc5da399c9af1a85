package bound

import (
	"context"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/congestion"
	"leeway/objective/lowerbound"
	"leeway/objective/margin"
)

// Limits of what the congestion bound takes on, so that it stays within seconds.
const (
	maxCongestionSize  = 1024    // processors
	maxCongestionLinks = 1 << 16 // links, each of which may get a weight
	maxCongestionWork  = 1 << 28 // lattice points between all ordered pairs
)

// congestionBound returns the bound of the best link weights found for p under a traffic: the total
// over messages of the cheapest minimal path, over the total weight. It is
// LP-optimal, the most that holds for every minimal routing, where symmetry
// leaves few classes of links and pairs, and close to that elsewhere. The effort
// depends on the placement only; when the context ends it takes the best weights so
// far. Placements past the limits above get the value 0 and no weights.
func congestionBound(ctx context.Context, p core.Placement, traffic objective.Traffic) lowerbound.Bound {
	ends := p.Size()
	if traffic.Clients() && ends > 0 {
		ends = p.Torus().N()
	}
	if ends < 2 || ends > maxCongestionSize || p.Torus().M() > maxCongestionLinks ||
		congestionWork(p.Torus(), ends) > maxCongestionWork {
		return nothing(lowerbound.Congestion)
	}
	r, err := congestion.SolveTraffic(ctx, p, traffic,
		congestion.Options{ExactClasses: 64, GuessClasses: 800, Pivots: 4000, Work: 1 << 26})
	if err != nil { // too large, which the limits above exclude
		return nothing(lowerbound.Congestion)
	}
	return lowerbound.Bound{Name: lowerbound.Congestion, Value: r.Lower,
		Witness: lowerbound.Witness{Weights: r.LinkWeights(p.Torus())}}
}

// congestionWork returns about how many lattice points lie between the ordered
// pairs of a given number of nodes.
func congestionWork(t *core.Torus, ends int) float64 {
	work := float64(ends) * float64(ends)
	for j := range t.D() {
		work *= float64(t.Side(j))/4 + 1
	}
	return work
}

// marginEffort keeps the margin bound of a command that prints bounds within
// about a second. It is fixed so that the same command always prints the same.
const marginEffort = 12_000_000

// Limits of the torus for the margin bound: what is claimed beyond them could
// not be checked again in reasonable time.
const (
	maxMarginDims = 6
	maxMarginSide = 64
)

// marginApplies reports whether slab counts say what crosses a cut, as they do not on a twisted torus and under
// routings with detours, and a torus is within the limits.
func marginApplies(r routing.Routing) bool {
	t := r.Torus()
	return routing.Shortest(r) && t.Separable() && t.D() <= maxMarginDims && slices.Max(t.Dims()) <= maxMarginSide
}

// marginBound returns the margin bound on E_max that holds for every placement of n
// processors under r, with the limit that is refuted as its witness, within a
// fixed effort; with slab counts in ranges, if there are any, the better of those with
// and without. It applies to every routing by shortest paths and is 0, without
// a witness, where margins refute nothing. See docs/margin-bound.md. When the context
// ends first it returns the error of that: what margins refute then would depend on
// the time.
func marginBound(ctx context.Context, r routing.Routing, n int, ranges [][]margin.Range) (lowerbound.Bound, error) {
	b := nothing(lowerbound.Margin)
	if !marginApplies(r) {
		return b, nil
	}
	result, err := margin.LowerBound(ctx, r, n, marginEffort)
	if err == nil && ranges != nil {
		var within margin.Bound
		within, err = margin.LowerBoundWithin(ctx, r, n, ranges, marginEffort)
		if err == nil && within.Value.Cmp(result.Value) > 0 {
			result = within
		}
	}
	if ctx.Err() != nil {
		return b, ctx.Err()
	}
	if err != nil { // a size that no placement has
		return b, nil
	}
	return refuting(lowerbound.Margin, result), nil
}

// BoundAbove returns the bound margin, else the bound lines, for the value that follows a limit, a multiple of 1/D,
// where it shows that no placement has an E_max of at most this limit. It asks for that limit alone, with the effort of
// ProblemBounds, in a part of its time. It is not ok otherwise, under client traffic, under routings but odr, udr and
// orders, and when the context ends.
func BoundAbove(ctx context.Context, p objective.Problem, limit *big.Rat) (b lowerbound.Bound, ok bool) {
	den := objective.Denominator(p.Routing)
	_, ordered := p.Routing.(*routing.Orders)
	if p.Traffic.Clients() || !ordered {
		return b, false
	}
	next := new(big.Rat).Add(limit, new(big.Rat).SetFrac(big.NewInt(1), den))
	result := margin.Bound{Value: next, Refuted: limit, Denominator: den}
	switch {
	case marginApplies(p.Routing) && margin.Refutes(ctx, p.Routing, p.Size, slabRanges(p), limit, marginEffort):
		return refuting(lowerbound.Margin, result), true
	case margin.RefutesByLines(ctx, p.Routing, p.Size, limit, linesEffort):
		return refuting(lowerbound.Lines, result), true
	}
	return b, false
}

// refuting returns the bound that follows from a refuted limit, 0 without a witness if there is none.
func refuting(name string, result margin.Bound) lowerbound.Bound {
	b := nothing(name)
	if result.Refuted != nil {
		b.Value = result.Value
		b.Witness = lowerbound.Witness{Refuted: result.Refuted.RatString(), Denominator: result.Denominator.String()}
	}
	return b
}

// linesEffort is marginEffort for lines.
const linesEffort = 12_000_000

// linesBound returns the bound by lines, if they say anything under r, in a list of one; see docs/bounds.md. The error
// is that of the context.
func linesBound(ctx context.Context, r routing.Routing, n int) ([]lowerbound.Bound, error) {
	if !margin.LinesApply(r, n) {
		return nil, nil
	}
	result, err := margin.Lines(ctx, r, n, linesEffort)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil { // a size that no placement has
		return nil, nil
	}
	return []lowerbound.Bound{refuting(lowerbound.Lines, result)}, nil
}
