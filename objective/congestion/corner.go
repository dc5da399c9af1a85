package congestion

import (
	"math/big"

	"leeway/objective"
	"leeway/objective/simplex"
)

// maxWeightBits bounds the weights that paths are priced with, so that the cost
// of any path fits in an int64.
const maxWeightBits = 40

// corner returns the routing of the basis, in fractions, and prices the paths with its weights: both are the optimum if
// the basis is one of an optimum. It returns false where rounding led to a basis without a routing. Cost: O(m^3)
// operations with fractions for m classes.
func (g *guess) corner() (primal, bool) {
	k, m := g.rows, len(g.members)
	parts, prices := equations(m), equations(m)
	for j, v := range g.members {
		for _, e := range g.column(v) {
			parts[e.row][j].SetInt64(e.value)
			prices[j][e.row].SetInt64(e.value)
		}
	}
	for i := range k {
		parts[i][m].SetInt64(1)
	}
	prices[g.goal][m].SetInt64(1)
	values, determined := simplex.Solve(parts)
	duals, ok := simplex.Solve(prices)
	if !ok || !determined {
		return primal{}, false
	}
	weights := make([]int64, m-k)
	units, _ := objective.Whole(duals[k:])
	for l, w := range units {
		if w.BitLen() > maxWeightBits {
			return primal{}, false
		}
		weights[l] = max(0, -w.Int64())
	}
	g.lower.improve(g.classes, weights, nil)
	r := newPrimal(len(g.pairs))
	for j, v := range g.members {
		switch {
		case v.kind != share:
		case values[j].Sign() < 0:
			return r, false
		case values[j].Sign() > 0:
			g.spread(&r, v, values[j])
		}
	}
	r.measure(g.classes)
	return r, true
}

// equations returns m rows of m numbers and a right hand side, all 0.
func equations(m int) [][]*big.Rat {
	rows := make([][]*big.Rat, m)
	for i := range rows {
		for range m + 1 {
			rows[i] = append(rows[i], new(big.Rat))
		}
	}
	return rows
}
