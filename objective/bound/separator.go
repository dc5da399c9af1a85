package bound

import (
	"context"
	"math/big"

	"leeway/core"
	"leeway/objective"
	"leeway/objective/bisect"
)

// Separator returns the bound |P in S| |P not in S| / out(S), out(S) being the
// directed links that leave S, for the best node set S found (seed 000, Lemma 1,
// which counts the links of both directions and the messages both ways): each of
// the messages from S to the rest uses one of these links at least once. S is
// the best there is on small tori, in particular k x k up to about 8x8 and all
// with at most 24 nodes, and a good one elsewhere; see bisect.Sparsest. The value
// is in messages; it is 0 without a witness for fewer than two processors. Cost:
// a fraction of a second up to 4096 nodes, then O(d M).
func Separator(p core.Placement) objective.Bound { return separatorBound(context.Background(), p) }

// separatorBound is Separator by the best set so far when the context ends.
func separatorBound(ctx context.Context, p core.Placement) objective.Bound {
	if p.Size() < 2 {
		return noCut(objective.BoundSeparator)
	}
	if p.Torus().N() > bisect.MaxNodes {
		set := core.NewSet(p.Torus().N())
		set.Add(p.Nodes()[0])
		return cutBound(objective.BoundSeparator, p, set, p.Torus().Degree())
	}
	set, _ := bisect.Sparsest(ctx, p)
	return cutBound(objective.BoundSeparator, p, set, bisect.Out(p.Torus(), set))
}

// noCut returns the bound 0, which needs no witness.
func noCut(name string) objective.Bound { return objective.Bound{Name: name, Value: new(big.Rat)} }

// cutBound returns the bound that a set with out links out gives. The witness is
// the set or its complement, whichever has fewer nodes: as many links enter a set
// as leave it, and the product is the same.
func cutBound(name string, p core.Placement, set core.Set, out int) objective.Bound {
	t := p.Torus()
	in := 0
	for _, v := range p.Nodes() {
		if set.Has(v) {
			in++
		}
	}
	return objective.Bound{Name: name, Value: ratio(pairs(in, p.Size()), out), Witness: objective.Witness{Set: smaller(t, set), Links: out}}
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
