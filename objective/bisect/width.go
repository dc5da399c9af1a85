package bisect

import (
	"context"

	"leeway/core"
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

// A Result is the narrowest cut found for a question.
type Result struct {
	Side       core.Set // S
	Processors [2]int   // in S and outside
	Out        int      // directed links that leave S
	LowerOut   int      // no cut for the question has fewer
	Exact      bool     // Out is the least
}

// Width returns the number of directed links that join the two sides, of both
// directions.
func (r Result) Width() int { return 2 * r.Out }

// LowerBound returns the number below which the width of no cut lies.
func (r Result) LowerBound() int { return 2 * r.LowerOut }

// Width returns the narrowest cut for a question. It is anytime: when the context
// ends it returns the best cut so far, not exact unless the lower bound is met.
// It is exact where the smaller slabs of the torus have up to about 16 nodes, or
// there are few processors; elsewhere it gives a cut by sweeps, slabs and local
// moves with a lower bound, at once. It panics on tori of more than MaxNodes
// nodes.
func Width(ctx context.Context, q Question) Result { return width(ctx, q, false) }

// Quick is Width that is exact only where that takes less than a second.
func Quick(ctx context.Context, q Question) Result { return width(ctx, q, true) }

func width(ctx context.Context, q Question, quick bool) Result {
	r := guess(ctx, q)
	if r.Exact || ctx.Err() != nil {
		return r
	}
	x := newTransfer(q.Placement, q.limits(r.Out), q.tighten)
	n := q.Placement.Size()
	work := maxTransferWork
	if quick {
		work = quickWork
	}
	byTransfer := x != nil && x.states() <= maxTransferStates && x.within(work)
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
		r = q.result(set, Out(q.Placement.Torus(), set), r.LowerOut)
	}
	if complete {
		r.Exact, r.LowerOut = true, r.Out
	}
	return r
}

// tighten asks for cuts narrower than out.
func (q Question) tighten(_, out int) []int { return q.limits(out) }

func (q Question) result(set core.Set, out, low int) Result {
	a := inside(q.Placement, set)
	return Result{Side: set, Processors: [2]int{a, q.Placement.Size() - a}, Out: out, LowerOut: low, Exact: out == low}
}

// guess returns the best of the constructive cuts, improved by local moves, and
// the lower bound; of the first cuts when the context ends.
func guess(ctx context.Context, q Question) Result {
	t := q.Placement.Torus()
	if t.N() > MaxNodes {
		panic("bisect: torus too large")
	}
	g := newGraph(t)
	best, out := g.prefix(q, hyperplane(t, 0))
	take := func(set core.Set, links int) {
		if links < out {
			best, out = set, links
		}
	}
	if set, ok := bandCut(q); ok {
		take(set, g.out(set))
	}
	count := max(1, min(maxOrigins, sweepSteps/(t.M()*(t.D()+1))))
	for _, origin := range origins(t, count) {
		for j := range t.D() {
			if ctx.Err() != nil {
				return q.result(best, out, 0)
			}
			take(g.prefix(q, layers(t, j, origin)))
		}
		set, links := g.prefix(q, hyperplane(t, origin))
		if t.N() <= refineNodes {
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
	return q.result(best, out, lower(q))
}
