// Package bound derives lower bounds on E_max, with witnesses, for a placement or for every placement of a size.
package bound

import (
	"context"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/bisect"
	"leeway/objective/lowerbound"
)

// PlacementBounds returns all bounds for placement p that hold under r, in a fixed order, or the error of the context
// when that ends first. Those that look at the placement more closely are left out on tori too large for them.
func PlacementBounds(ctx context.Context, r routing.Routing, p core.Placement) ([]lowerbound.Bound, error) {
	var bounds []lowerbound.Bound
	for _, one := range []func() lowerbound.Bound{
		func() lowerbound.Bound { return degree(p) },
		func() lowerbound.Bound { return mean(p) },
		func() lowerbound.Bound { return dimensionMean(p) },
		func() lowerbound.Bound { return separator(ctx, p) },
		func() lowerbound.Bound { return slab(p) },
		func() lowerbound.Bound { return bisection(ctx, p) },
		func() lowerbound.Bound {
			if !routing.Shortest(r) {
				return nothing(lowerbound.Congestion)
			}
			return congestionBound(ctx, p, objective.Traffic{})
		},
	} {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		bounds = append(bounds, one())
	}
	if p.Size() > 1 && turns(r) {
		bounds = append(bounds, corner(p))
	}
	if p.Size() > 0 {
		m, err := marginBound(ctx, r, p.Size(), nil)
		if err != nil {
			return nil, err
		}
		lines, err := linesBound(ctx, r, p.Size())
		if err != nil {
			return nil, err
		}
		bounds = append(append(bounds, m), lines...)
	}
	bounds = applying(r.Torus(), bounds)
	return append(bounds, granularity(objective.Denominator(r), Best(bounds))), ctx.Err()
}

// DemandBounds returns all bounds for a placement under routing and traffic of a problem: those of PlacementBounds,
// ClientPlacementBounds, or, of a matrix, those of mean, boxes of nodes and congestion. The error is that of the
// context.
func DemandBounds(ctx context.Context, q objective.Problem, p core.Placement) ([]lowerbound.Bound, error) {
	switch {
	case q.Traffic.Clients():
		return ClientPlacementBounds(ctx, q, p), ctx.Err()
	case q.Traffic.ToAll():
		return PlacementBounds(ctx, q.Routing, p)
	}
	list := assignedAt(q, p)
	if routing.Shortest(q.Routing) {
		list = append(list, congestionBound(ctx, p, q.Traffic))
	}
	return append(list, granularity(q.Denominator(), Best(list))), ctx.Err()
}

// QuickPlacementBounds returns the bounds of PlacementBounds that take no search: degree, mean, dimension-mean and
// slab.
func QuickPlacementBounds(p core.Placement) []lowerbound.Bound {
	return applying(p.Torus(), []lowerbound.Bound{degree(p), mean(p), dimensionMean(p), slab(p)})
}

// applying leaves the bounds out that are about dimensions where a network has none.
func applying(t *core.Torus, bounds []lowerbound.Bound) []lowerbound.Bound {
	return slices.DeleteFunc(bounds, func(b lowerbound.Bound) bool {
		return !t.HasDimensions() && slices.Contains([]string{lowerbound.DimensionMean, lowerbound.Slab,
			lowerbound.Bisection, lowerbound.Band, lowerbound.Margin}, b.Name)
	})
}

// SizeBounds returns all placement-free bounds for n processors under r, in a fixed
// order.
func SizeBounds(r routing.Routing, n int) []lowerbound.Bound {
	bounds, _ := ProblemBounds(context.Background(), objective.Problem{Routing: r, Size: n}) // no end, no error
	return bounds
}

// ProblemBounds returns all bounds for every placement of a problem with a size and a given routing, in a fixed order,
// or the error of the context when that ends first. Without fixed and forbidden nodes they are those of SizeBounds;
// with them also bounds by sets of nodes, the number of whose processors lies in a range, and by the fixed nodes alone.
// Under client traffic they are those of docs/bounds.md.
func ProblemBounds(ctx context.Context, p objective.Problem) ([]lowerbound.Bound, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if p.Traffic.Clients() {
		bounds := append(closedForms(p), clientBounds{p}.dual())
		return append(bounds, granularity(p.Denominator(), Best(bounds))), nil
	}
	m, err := marginBound(ctx, p.Routing, p.Size, slabRanges(p))
	if err != nil {
		return nil, err
	}
	lines, err := linesBound(ctx, p.Routing, p.Size)
	if err != nil {
		return nil, err
	}
	bounds := applying(p.Torus(), append(append(closedForms(p), m), lines...))
	return append(bounds, granularity(p.Denominator(), Best(bounds))), nil
}

// QuickBounds returns the bounds of ProblemBounds but for margin, lines and dual.
func QuickBounds(p objective.Problem) []lowerbound.Bound {
	bounds := closedForms(p)
	return append(bounds, granularity(p.Denominator(), Best(bounds)))
}

// closedForms returns the bounds that take no search; with a free routing those that hold under every minimal routing.
func closedForms(p objective.Problem) []lowerbound.Bound {
	t, n := p.Torus(), p.Size
	if p.Traffic.Clients() {
		return forClients(p)
	}
	var bounds []lowerbound.Bound
	switch {
	case !p.Conditioned():
		bounds = []lowerbound.Bound{sizeDegree(t, n), sizeMean(t, n), sizeDimensionMean(t, n), band(t, n)}
	case p.Free != nil:
		bounds = newConditioned(p).bounds()
	default:
		c := newConditioned(p)
		bounds = append(c.bounds(), c.fixedBound(p.Routing))
	}
	bounds = applying(t, bounds)
	if p.Free == nil && turns(p.Routing) && n >= t.Side(0)+t.Side(1)-1 {
		bounds = append(bounds, sizeCorner(t, n))
	}
	return bounds
}

// Best returns the largest of some bounds, the first among equals.
func Best(bounds []lowerbound.Bound) lowerbound.Bound {
	best := bounds[0]
	for _, b := range bounds[1:] {
		if b.Value.Cmp(best.Value) > 0 {
			best = b
		}
	}
	return best
}

// QuickBound returns the best bound with a closed form on every placement of the problem's
// size; with a free routing on every table for it too: of the bounds that hold under every
// minimal routing, rounded up where single paths make loads whole numbers.
func QuickBound(p objective.Problem) lowerbound.Bound {
	if p.Free == nil {
		return Best(QuickBounds(p))
	}
	return Whole(p.Torus(), p.Free.Single, Best(closedForms(p)))
}

// Whole returns the bound rounded up to what a load can be if paths are single: a whole
// number, over the common multiple of the bandwidths.
func Whole(t *core.Torus, single bool, b lowerbound.Bound) lowerbound.Bound {
	d := big.NewInt(int64(t.CommonBandwidth()))
	if !single || new(big.Int).Rem(d, b.Value.Denom()).Sign() == 0 {
		return b
	}
	return roundedUp(b, d)
}

// granularity rounds a bound up to what a load can be: a multiple of 1/d. Where there is no d of use it leaves the
// bound as it is.
func granularity(d *big.Int, from lowerbound.Bound) lowerbound.Bound {
	if d == nil {
		d = from.Value.Denom()
	}
	return roundedUp(from, d)
}

// roundedUp returns a bound rounded up to a multiple of 1/d.
func roundedUp(from lowerbound.Bound, d *big.Int) lowerbound.Bound {
	return lowerbound.Bound{Name: lowerbound.Granularity,
		Value:   objective.RoundUp(from.Value, d),
		Witness: lowerbound.Witness{From: from.Name, Denominator: d.String()}}
}

// degree is Lemma 2.1 of seed 001: the n-1 messages that a processor sends leave
// by its out-links. The witness is one processor with the least capacity out.
func degree(p core.Placement) lowerbound.Bound {
	if p.Size() < 2 {
		return nothing(lowerbound.Degree)
	}
	return degreeAt(p.Torus(), p.Size(), bisect.Corner(p))
}

// sizeDegree is degree for any n processors: one of them has at most the n-th largest
// capacity of a node. The witness is a node that has it; on a torus all do. Cost O(d 2^d).
func sizeDegree(t *core.Torus, n int) lowerbound.Bound {
	if n < 2 {
		return nothing(lowerbound.Degree)
	}
	kinds := nodeKinds(t)
	slices.SortStableFunc(kinds, func(a, b nodeKind) int { return t.CapacityAt(b.node) - t.CapacityAt(a.node) })
	for left := n; ; kinds = kinds[1:] {
		if left -= kinds[0].count; left <= 0 || len(kinds) == 1 {
			return degreeAt(t, n, kinds[0].node)
		}
	}
}

// A nodeKind are the nodes at the ends of the same open dimensions.
type nodeKind struct{ node, count int } // one of them, and how many they are

// nodeKinds returns the kinds of nodes: at the ends of some of the open dimensions. Without dimensions each is one.
func nodeKinds(t *core.Torus) []nodeKind {
	if !t.HasDimensions() {
		var kinds []nodeKind
		for v := range t.N() {
			kinds = append(kinds, nodeKind{v, 1})
		}
		return kinds
	}
	kinds := []nodeKind{{0, t.Translations()}}
	for j := range t.D() {
		if !t.Open(j) {
			continue
		}
		var next []nodeKind
		for _, kind := range kinds {
			next = append(next, nodeKind{kind.node, 2 * kind.count},
				nodeKind{kind.node + t.Stride(j), (t.Side(j) - 2) * kind.count})
		}
		kinds = next
	}
	return kinds
}

// turns reports whether corner holds under r.
func turns(r routing.Routing) bool {
	orders, ok := r.(*routing.Orders)
	return ok && orders.All() && r.Torus().D() == 2 && r.Torus().Separable()
}

// corner is Theorem 5 of docs/laws.md, about udr in two dimensions: what one of the a others in the row of a processor
// and one of the b in its column send each other turns at it half the time, so that n-1 + ab messages leave it. The
// witness is the processor for which this is the most on each of its links. Cost O(n + k).
func corner(p core.Placement) lowerbound.Bound {
	t := p.Torus()
	rows, columns := p.SlabCounts(0), p.SlabCounts(1)
	var best lowerbound.Bound
	for _, v := range p.Nodes() {
		messages := p.Size() - 1 + (rows[t.Coord(v, 0)]-1)*(columns[t.Coord(v, 1)]-1)
		if b := leaving(lowerbound.Corner, t, messages, v); best.Value == nil || b.Value.Cmp(best.Value) > 0 {
			best = b
		}
	}
	return best
}

// sizeCorner is corner for any n processors, as many as the two sides less one or more: for one of them a and b are at
// least 1, and it has at most the largest capacity of a node. The witness is a node that has it. Cost O(1).
func sizeCorner(t *core.Torus, n int) lowerbound.Bound {
	kinds := nodeKinds(t)
	most := slices.MaxFunc(kinds, func(a, b nodeKind) int { return t.CapacityAt(a.node) - t.CapacityAt(b.node) })
	return leaving(lowerbound.Corner, t, n, most.node)
}

// degreeAt returns the bound of what leaves one node.
func degreeAt(t *core.Torus, n, node int) lowerbound.Bound {
	return leaving(lowerbound.Degree, t, n-1, node)
}

// leaving returns the bound of a number of messages that leave a node.
func leaving(name string, t *core.Torus, messages, node int) lowerbound.Bound {
	b := lowerbound.Bound{Name: name, Witness: lowerbound.Witness{Set: [][]int{t.Coords(node)}}}
	capacity, links := t.CapacityAt(node), 0
	for range t.LinksFrom(node) {
		links++
	}
	b.Value = big.NewRat(int64(messages), int64(capacity))
	shareOf(t, &b.Witness, links, int64(capacity))
	return b
}

// shareOf sets how many links share the traffic, and their capacity where that is not their number.
func shareOf(t *core.Torus, w *lowerbound.Witness, links int, capacity int64) {
	if w.Links = links; t.CommonBandwidth() > 1 {
		w.Capacity = capacity
	}
}

// nothing returns the bound 0, which needs no witness.
func nothing(name string) lowerbound.Bound { return lowerbound.Bound{Name: name, Value: new(big.Rat)} }

// ratio returns num/den, or 0 when there is nothing to divide by.
func ratio(num *big.Int, den int64) *big.Rat {
	if den == 0 {
		return new(big.Rat)
	}
	return new(big.Rat).SetFrac(num, big.NewInt(den))
}
