package bound

import (
	"context"
	"math/big"

	"leeway/core"
	"leeway/objective"
	"leeway/objective/bisect"
)

// A set S of nodes gives the bound |P in S| |P not in S| / out(S), out(S) being the
// directed links that leave S, or the sum of their bandwidths (seed 000, Lemma 1, which counts the links of both
// directions and the messages both ways): each of the messages from S to the rest uses
// one of these links at least once. The bounds of this file take such a set each. With
// fewer than two processors they are 0 without a witness.

// separator takes the best set found: the best there is on small tori, in particular
// k x k up to about 8x8 and all with at most 24 nodes, and a good one elsewhere; see
// bisect.Sparsest. It takes the best set so far when the context ends. Cost: a fraction
// of a second up to 4096 nodes, then O(d M).
func separator(ctx context.Context, p core.Placement) objective.Bound {
	if p.Size() < 2 {
		return nothing(objective.BoundSeparator)
	}
	if p.Torus().N() > bisect.MaxNodes {
		set, corner := core.NewSet(p.Torus().N()), bisect.Corner(p)
		set.Add(corner)
		return cut(objective.BoundSeparator, p, set, p.Torus().CapacityAt(corner))
	}
	set, _ := bisect.Sparsest(ctx, p)
	return cut(objective.BoundSeparator, p, set, bisect.Out(p.Torus(), set))
}

// bisection takes a set with half of the processors: 2 floor(n/2) ceil(n/2) / width
// (seed 000, (8), where the printed (n/2)^2 is wrong for odd n). It is best for the
// narrowest cut, which is found for sure where that is quick (bisect.Quick); it takes
// the best cut so far when the context ends. It is 0 without a witness on tori of more
// than bisect.MaxNodes nodes. Cost: below a second up to 4096 nodes, then O(d M).
func bisection(ctx context.Context, p core.Placement) objective.Bound {
	if p.Size() < 2 || p.Torus().N() > bisect.MaxNodes {
		return nothing(objective.BoundBisection)
	}
	r := bisect.Quick(ctx, bisect.Half(p))
	return cut(objective.BoundBisection, p, r.Side, r.Out)
}

// slab takes the best set between two parallel cuts, over all dimensions and positions of the cuts: the two cuts of
// seed 000, Theorem 1. Of the bands across one dimension all have the same links out, so the one with nearest to half
// of the processors is best; across an open dimension bands with one cut are best. The witness names the dimension too.
// Cost O(d (n + k)) and O(N) for the witness.
func slab(p core.Placement) objective.Bound {
	if p.Size() < 2 {
		return nothing(objective.BoundSlab)
	}
	t := p.Torus()
	var best *big.Rat
	var band bisect.Band
	for j := range t.D() {
		b := bisect.Middle(p, j)
		if v := ratio(pairs(b.Count, p.Size()), int64(b.Out(t))); best == nil || v.Cmp(best) > 0 {
			best, band = v, b
		}
	}
	b := cut(objective.BoundSlab, p, band.Set(t), band.Out(t))
	b.Witness.Dim = &band.Dim
	return b
}

// cut returns the bound that a set with a capacity out gives. The witness is
// the set or its complement, whichever has fewer nodes: as many links enter a set
// as leave it, and the product is the same.
func cut(name string, p core.Placement, set core.Set, out int) objective.Bound {
	in := 0
	for _, v := range p.Nodes() {
		if set.Has(v) {
			in++
		}
	}
	b := objective.Bound{Name: name, Value: ratio(pairs(in, p.Size()), int64(out)),
		Witness: objective.Witness{Set: smaller(p.Torus(), set)}}
	shareOf(p.Torus(), &b.Witness, linksOut(p.Torus(), set, out), int64(out))
	return b
}

// linksOut returns the number of links out of a set, given their capacity.
func linksOut(t *core.Torus, set core.Set, capacity int) int {
	if t.CommonBandwidth() == 1 {
		return capacity
	}
	count := 0
	for l := range t.M() {
		if from, to := t.LinkEnds(core.Link(l)); set.Has(from) && !set.Has(to) && t.HasLink(core.Link(l)) {
			count++
		}
	}
	return count
}

// pairs returns the number of messages from count of n processors to the others.
func pairs(count, n int) *big.Int {
	return new(big.Int).Mul(big.NewInt(int64(count)), big.NewInt(int64(n-count)))
}

// smaller returns the coordinates of the nodes in a set or of those outside,
// whichever are fewer.
func smaller(t *core.Torus, set core.Set) [][]int {
	in := 2*set.Count() <= t.N()
	var list [][]int
	for v := range t.N() {
		if set.Has(v) == in {
			list = append(list, t.Coords(v))
		}
	}
	return list
}
