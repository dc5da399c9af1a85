package congestion

import (
	"math"
	"math/big"
	"slices"
)

// polish tries the weights with small denominators that are close to the ones
// found.
func (g *guess) polish() {
	fine := g.weights(priceUnit)
	floats := make([]float64, len(fine))
	for l, w := range fine {
		floats[l] = float64(w) / priceUnit
	}
	unit, ok := commonDenominator(floats)
	if !ok {
		return
	}
	weights, costs := g.weights(float64(unit)), make([]int64, len(g.pairs))
	for i, p := range g.pairs {
		costs[i], _ = g.finder.cheapest(p.from, p.to, weights, g.linkClass)
	}
	g.lower.improve(g.classes, weights, costs)
}

// commonDenominator returns the least of 1, ..., 5000 by which all values become
// whole numbers, up to rounding errors.
func commonDenominator(values []float64) (int64, bool) {
	for d := 1.0; d <= 5000; d++ {
		if !slices.ContainsFunc(values, func(v float64) bool { return math.Abs(v*d-math.Round(v*d)) > 1e-4 }) {
			return int64(d), true
		}
	}
	return 0, false
}

// routing returns the better of the shares rounded finely and, if there is one,
// rounded to a small denominator.
func (g *guess) routing() primal {
	best := g.rounded(priceUnit)
	var values []float64
	for row, v := range g.members {
		if v.kind == share {
			values = append(values, g.value[row])
		}
	}
	if d, ok := commonDenominator(values); ok {
		if r := g.rounded(d); r.value.Cmp(best.value) < 0 {
			best = r
		}
	}
	return best
}

// rounded returns the routing with shares of whole multiples of 1/den: all
// rounded, then the largest of every pair corrected so that they make up 1. A
// basis holds a share of every pair.
func (g *guess) rounded(den int64) primal {
	parts, left, largest := make([]int64, len(g.members)), make([]int64, len(g.pairs)), make([]int, len(g.pairs))
	for i := range left {
		left[i], largest[i] = den, -1
	}
	for row, v := range g.members {
		if v.kind != share {
			continue
		}
		parts[row] = int64(math.Round(max(g.value[row], 0) * float64(den)))
		left[v.index] -= parts[row]
		if most := largest[v.index]; most < 0 || parts[row] > parts[most] {
			largest[v.index] = row
		}
	}
	for pair, row := range largest {
		parts[row] += left[pair]
	}
	r := newPrimal(len(g.pairs))
	for row, v := range g.members {
		switch {
		case v.kind != share || parts[row] == 0:
		case parts[largest[v.index]] < 0: // badly conditioned: the shares of the pair are worth nothing
			if row == largest[v.index] {
				r.add(v.index, v.path, big.NewRat(1, 1))
			}
		default:
			r.add(v.index, v.path, big.NewRat(parts[row], den))
		}
	}
	r.measure(g.classes)
	return r
}
