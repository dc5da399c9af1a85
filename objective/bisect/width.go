package bisect

import (
	"context"
	"math/big"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/fast"
)

// Limits of what is tried. The exact engines do not begin where they have no hope
// of an end.
const (
	// MaxNodes is the most nodes of a torus that Width treats.
	MaxNodes = 1 << 20
	// MaxLinks is the most directed links of a torus whose width is found within a time.
	MaxLinks = 1 << 23

	maxTransferWork   = 4e12 // states visited
	maxTransferStates = 1 << 23
	maxBranchNodes    = 4096
	maxBranchSize     = 64 // processors
	fewProcessors     = 18 // for which branching ends soon for sure
	quickWork         = 1e8
	refineNodes       = 1 << 18
	sweepSteps        = 1 << 24 // links looked at by sweeps from several origins
	maxOrigins        = 24
)

// A Cut is the narrowest cut found for a question.
type Cut struct {
	Side       core.Set // S
	Processors [2]int   // in S and outside
	Out        int      // capacity of the directed links that leave S: their number on a torus
	LowerOut   int      // no cut for the question has less
	Exact      bool     // Out is the least
}

// Width returns the number of directed links that join the two sides, of both
// directions; where bandwidths are not 1 their sum.
func (r Cut) Width() int { return 2 * r.Out }

// LowerBound returns the number below which the width of no cut lies.
func (r Cut) LowerBound() int { return 2 * r.LowerOut }

// Width returns the narrowest cut for a question. It is anytime: when the context
// ends it returns the best cut so far, not exact unless the lower bound is met.
// It is exact where the smaller slabs of the torus have up to about 16 nodes, or
// there are few processors; elsewhere it gives a cut by sweeps, slabs and local
// moves with a lower bound, at once. It panics on tori of more than MaxNodes
// nodes.
func Width(ctx context.Context, q Question) Cut { return width(ctx, q, false) }

// Quick is Width that is exact only where that takes less than a second.
func Quick(ctx context.Context, q Question) Cut { return width(ctx, q, true) }

func width(ctx context.Context, q Question, quick bool) Cut {
	r := guess(ctx, q)
	if r.Exact || ctx.Err() != nil {
		return r
	}
	var x *transfer
	if q.Placement.Torus().HasDimensions() {
		x = newTransfer(q.Placement, q.limits(r.Out), q.tighten)
	}
	n := q.Placement.Size()
	work := maxTransferWork
	if quick {
		work = quickWork
	}
	byTransfer := x != nil && x.states() <= maxTransferStates && x.fits(work)
	byBranch := !quick && q.Placement.Torus().N() <= maxBranchNodes && n <= maxBranchSize &&
		(n <= fewProcessors || !byTransfer)
	var set core.Set
	var complete bool
	switch {
	case byBranch:
		set, complete = newBranch(q, r.Out).run(ctx)
	case byTransfer:
		set, complete = x.run(ctx)
	}
	if set != nil {
		r = q.result(set, CapacityOut(q.Placement.Torus(), set), r.LowerOut)
	}
	if complete {
		r.Exact, r.LowerOut = true, r.Out
	}
	return r
}

// tighten asks for cuts narrower than out.
func (q Question) tighten(_, out int) []int { return q.limits(out) }

func (q Question) result(set core.Set, out, low int) Cut {
	a := processorsInside(q.Placement, set)
	return Cut{Side: set, Processors: [2]int{a, q.Placement.Size() - a}, Out: out, LowerOut: low, Exact: out == low}
}

// guess returns the best of the constructive cuts, improved by local moves, and
// the lower bound; of the first cuts when the context ends.
func guess(ctx context.Context, q Question) Cut {
	t := q.Placement.Torus()
	if t.N() > MaxNodes {
		panic("bisect: torus too large")
	}
	g := newGraph(t)
	best, out := core.Set(nil), 0
	take := func(set core.Set, links int) {
		if best == nil || links < out {
			best, out = set, links
		}
	}
	if t.HasDimensions() {
		take(g.prefix(q, hyperplane(t, 0)))
		if set, ok := bandCut(q); ok {
			take(set, g.capacityOut(set))
		}
	}
	for order, levels := range sweeps(t, sweepSteps) {
		if best != nil && ctx.Err() != nil {
			break
		}
		for _, level := range levels {
			if ctx.Err() == nil {
				take(g.prefix(q, level))
			}
		}
		set, links := g.prefix(q, order)
		if t.N() <= refineNodes && ctx.Err() == nil {
			set, links = g.refine(q, set)
		}
		take(set, links)
	}
	if t.N() <= refineNodes && ctx.Err() == nil {
		take(g.refine(q, best))
	}
	if ctx.Err() != nil {
		return q.result(best, out, 0)
	}
	low := lower(q)
	if low < out {
		low = max(low, byMetric(q))
	}
	return q.result(best, out, low)
}

// A Question asks for the narrowest cut that leaves at least Least processors of
// Placement on each side.
type Question struct {
	Placement core.Placement
	Least     int
}

// Half asks for a bisection: the sides differ by at most one processor.
func Half(p core.Placement) Question { return Question{Placement: p, Least: p.Size() / 2} }

// Share asks for an alpha-separator: both sides hold at least alpha times the
// processors, or as near to that as whole processors allow (floor(n/2) when alpha
// n lies above). It fails with an *core.InputError unless 0 < alpha <= 1/2.
func Share(p core.Placement, alpha *big.Rat) (Question, error) {
	if alpha.Sign() <= 0 || alpha.Cmp(big.NewRat(1, 2)) > 0 {
		return Question{}, core.Invalid(alpha.RatString(), "the share of the smaller side lies outside 0 < alpha <= 1/2").
			Hinted("write a fraction such as 1/3")
	}
	least := new(big.Int).Mul(alpha.Num(), big.NewInt(int64(p.Size())))
	least.Add(least, alpha.Denom()).Sub(least, big.NewInt(1)).Div(least, alpha.Denom())
	return Question{Placement: p, Least: min(int(least.Int64()), p.Size()/2)}, nil
}

// most returns the largest number of processors that a side may hold.
func (q Question) most() int { return q.Placement.Size() - q.Least }

// fits reports whether a side may hold count processors.
func (q Question) fits(count int) bool { return q.Least <= count && count <= q.most() }

// limits returns, by number of processors in S, the number of links out of S that
// an improvement must stay below: out where that number fits, 0 elsewhere.
func (q Question) limits(out int) []int {
	list := make([]int, q.Placement.Size()+1)
	for c := q.Least; c <= q.most(); c++ {
		list[c] = out
	}
	return list
}

// Limits of the evaluation behind the lower bound: steps, and dimensions for which
// all their orders are taken.
const (
	maxLoadWork = 1 << 28
	maxLoadDims = 6
)

// lower returns a number of links that leave S, at least, in every cut that the
// question allows.
//
// With a and b processors on the sides, a b messages of the complete exchange
// cross outwards; under a routing whose largest load is E at most E of them use
// one link, times its bandwidth, so there are at least a b / E links: the separator
// bound read backwards. Besides, every node set but none and all has the connectivity
// of the network out. The bound rounds up to a multiple of what divides all cuts.
func lower(q Question) int {
	t := q.Placement.Torus()
	if q.Least == 0 {
		return 0
	}
	bound := connectivity(t)
	if e := largestLoad(q.Placement); e != nil {
		pairs := new(big.Rat).SetInt(new(big.Int).Mul(big.NewInt(int64(q.Least)), big.NewInt(int64(q.most()))))
		bound = max(bound, int(objective.NumeratorUp(pairs.Quo(pairs, e), big.NewInt(1)).Int64()))
	}
	return roundUp(bound, divisor(t))
}

// byMetric is lower for a processor on every node of a torus, by what all cuts are on average over its translations; 0
// where that is not known.
func byMetric(q Question) int {
	t := q.Placement.Torus()
	if q.Placement.Size() < t.N() {
		return 0
	}
	m := newMetric(t)
	if m == nil {
		return 0
	}
	bound := new(big.Rat).SetInt64(int64(q.Least) * int64(q.most()))
	return roundUp(int(objective.NumeratorUp(bound.Mul(bound, m.ratio()), big.NewInt(1)).Int64()), divisor(t))
}

// roundUp returns the least multiple of step that is not below v.
func roundUp(v, step int) int { return (v + step - 1) / step * step }

// largestLoad returns E_max under a routing that spreads well and is cheap to
// evaluate, nil where none is or there is no load.
func largestLoad(p core.Placement) *big.Rat {
	t := p.Torus()
	work := t.M()
	if work > maxLoadWork {
		return nil
	}
	for range t.D() - 1 {
		work = min(3*work, maxLoadWork+1)
	}
	var r routing.Routing = routing.NewUDR(t, routing.TieBoth)
	if !t.HasDimensions() {
		r = routing.NewMinimal(t, routing.TieBoth)
	} else if work > maxLoadWork || t.D() > maxLoadDims {
		var err error
		if r, err = routing.NewODR(t, nil, routing.TieBoth); err != nil {
			return nil
		}
	}
	if e, _ := fast.Evaluate(objective.Problem{Routing: r}, p).Max(); e.Sign() > 0 {
		return e
	}
	return nil
}
