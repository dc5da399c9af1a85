package bound

import (
	"context"
	"math/big"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
)

// ForPlacement returns all bounds for placement p under r, in a fixed order.
// Those that look at the placement more closely are left out on tori too large
// for them.
func ForPlacement(r routing.Routing, p core.Placement) []objective.Bound {
	bounds, _ := ForPlacementContext(context.Background(), r, p) // no end, no error
	return bounds
}

// ForPlacementContext is ForPlacement, or the error of the context when that ends first.
func ForPlacementContext(ctx context.Context, r routing.Routing, p core.Placement) ([]objective.Bound, error) {
	t := r.Torus()
	if !t.Plain() {
		return noneYet(), ctx.Err()
	}
	var bounds []objective.Bound
	for _, one := range []func() objective.Bound{
		func() objective.Bound { return degree(t, p.Size(), p.Coords()) },
		func() objective.Bound { return mean(p) },
		func() objective.Bound { return dimensionMean(p) },
		func() objective.Bound { return separator(ctx, p) },
		func() objective.Bound { return slab(p) },
		func() objective.Bound { return bisection(ctx, p) },
		func() objective.Bound { return congestionBound(ctx, p) },
	} {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		bounds = append(bounds, one())
	}
	if p.Size() > 0 {
		m, err := marginBound(ctx, r, p.Size())
		if err != nil {
			return nil, err
		}
		bounds = append(bounds, m)
	}
	return append(bounds, granularity(r, Best(bounds))), ctx.Err()
}

// ForSize returns all placement-free bounds for n processors under r, in a fixed
// order.
func ForSize(r routing.Routing, n int) []objective.Bound {
	bounds, _ := ForSizeContext(context.Background(), r, n) // no end, no error
	return bounds
}

// ForSizeContext is ForSize, or the error of the context when that ends first.
func ForSizeContext(ctx context.Context, r routing.Routing, n int) ([]objective.Bound, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if !r.Torus().Plain() {
		return noneYet(), nil
	}
	m, err := marginBound(ctx, r, n)
	if err != nil {
		return nil, err
	}
	bounds := append(plain(r.Torus(), n), m)
	return append(bounds, granularity(r, Best(bounds))), nil
}

// PlainForSize returns the bounds of ForSize but for margin, which alone may take
// seconds.
func PlainForSize(r routing.Routing, n int) []objective.Bound {
	if !r.Torus().Plain() {
		return noneYet()
	}
	bounds := plain(r.Torus(), n)
	return append(bounds, granularity(r, Best(bounds)))
}

// noneYet returns the bound 0, all that is derived so far on networks that are not plain tori.
func noneYet() []objective.Bound { return []objective.Bound{nothing(objective.BoundDegree)} }

// plain returns the bounds that have a closed form.
func plain(t *core.Torus, n int) []objective.Bound {
	origin := [][]int{make([]int, t.D())}
	return []objective.Bound{degree(t, n, origin), sizeMean(t, n), sizeDimensionMean(t, n)}
}

// Best returns the largest of some bounds, the first among equals.
func Best(bounds []objective.Bound) objective.Bound {
	best := bounds[0]
	for _, b := range bounds[1:] {
		if b.Value.Cmp(best.Value) > 0 {
			best = b
		}
	}
	return best
}

// OfProblem returns the best bound with a closed form on every placement of the problem's
// size; with a free routing on every table for it too: of the bounds that hold under every
// minimal routing, rounded up where single paths make loads whole numbers.
func OfProblem(p objective.Problem) objective.Bound {
	if !p.Torus().Plain() {
		return noneYet()[0]
	}
	if p.Free == nil {
		return Best(PlainForSize(p.Routing, p.Size))
	}
	return Whole(p.Free.Single, Best(plain(p.Torus(), p.Size)))
}

// Whole returns the bound rounded up to a whole number if loads are whole numbers.
func Whole(whole bool, b objective.Bound) objective.Bound {
	if !whole || b.Value.IsInt() {
		return b
	}
	return roundedUp(b, big.NewInt(1))
}

// granularity rounds a bound up to what a load can be: a multiple of 1/D, D the
// denominator of the routing. A routing without a usable one leaves the bound as
// it is.
func granularity(r routing.Routing, from objective.Bound) objective.Bound {
	d := objective.Denominator(r)
	if d == nil {
		d = from.Value.Denom()
	}
	return roundedUp(from, d)
}

// roundedUp returns a bound rounded up to a multiple of 1/d.
func roundedUp(from objective.Bound, d *big.Int) objective.Bound {
	return objective.Bound{Name: objective.BoundGranularity,
		Value:   new(big.Rat).SetFrac(objective.UnitsUp(from.Value, d), d),
		Witness: objective.Witness{From: from.Name, Denominator: d.String()}}
}

// degree is Lemma 2.1 of seed 001: the n-1 messages that a processor sends leave
// by its out-links. The witness is one processor; placement-free any will do.
func degree(t *core.Torus, n int, nodes [][]int) objective.Bound {
	if n < 2 {
		return nothing(objective.BoundDegree)
	}
	return objective.Bound{Name: objective.BoundDegree, Value: big.NewRat(int64(n-1), int64(t.Degree())),
		Witness: objective.Witness{Set: nodes[:1], Links: t.Degree()}}
}

// nothing returns the bound 0, which needs no witness.
func nothing(name string) objective.Bound { return objective.Bound{Name: name, Value: new(big.Rat)} }

// ratio returns num/den, or 0 when there is nothing to divide by.
func ratio(num *big.Int, den int) *big.Rat {
	if den == 0 {
		return new(big.Rat)
	}
	return new(big.Rat).SetFrac(num, big.NewInt(int64(den)))
}
