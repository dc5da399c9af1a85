package bound

import (
	"math/big"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
)

// ForPlacement returns all bounds for placement p under r, in a fixed order.
// Those that look at the placement more closely are left out on tori too large
// for them.
func ForPlacement(r routing.Routing, p core.Placement) []objective.Bound {
	t := r.Torus()
	bounds := []objective.Bound{degree(t, p.Size(), p.Coords()), mean(p), dimensionMean(p),
		Separator(p), Slab(p), Bisection(p), Congestion(p)}
	if p.Size() > 0 {
		bounds = append(bounds, Margin(r, p.Size()))
	}
	return append(bounds, granularity(r, Best(bounds)))
}

// ForSize returns all placement-free bounds for n processors under r, in a fixed
// order.
func ForSize(r routing.Routing, n int) []objective.Bound {
	bounds := append(plain(r.Torus(), n), Margin(r, n))
	return append(bounds, granularity(r, Best(bounds)))
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
