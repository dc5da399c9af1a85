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
	var bounds []objective.Bound
	for _, one := range []func() objective.Bound{
		func() objective.Bound { return degree(t, p.Size(), p.Coords()) },
		func() objective.Bound { return mean(p) },
		func() objective.Bound { return dimensionMean(p) },
		func() objective.Bound { return separatorBound(ctx, p) },
		func() objective.Bound { return Slab(p) },
		func() objective.Bound { return bisectionBound(ctx, p) },
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
	bounds = append(bounds, granularity(r, Best(bounds)))
	return bounds, ctx.Err()
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
	bounds := plain(r.Torus(), n)
	return append(bounds, granularity(r, Best(bounds)))
}

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

// ratio returns num/den, or 0 when there is nothing to divide by.
func ratio(num *big.Int, den int) *big.Rat {
	if den == 0 {
		return new(big.Rat)
	}
	return new(big.Rat).SetFrac(num, big.NewInt(int64(den)))
}
