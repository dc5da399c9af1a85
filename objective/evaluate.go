package objective

import (
	"leeway/core"
	"leeway/core/routing"
)

// marginMargin bounds how far intermediate sums of the evaluator by marginals
// exceed the final loads: the folded weights of one dimension add up, without
// signs, to at most 4^(d-1).
func marginMargin(d int) int64 { return int64(1) << min(2*d, 40) }

// maxTermDims is the most dimensions for which the evaluator by marginals folds
// the weights of several orders.
const maxTermDims = 9

// Evaluate returns the exact loads of placement p under routing r by the
// cheapest way that applies: by marginals for odr, udr and orders, O(M) for ODR
// and O(3^(d-1) M) for UDR; by the flows of pairs for the others.
func Evaluate(r routing.Routing, p core.Placement) *Loads {
	if orders, ok := r.(*routing.Orders); ok && marginalsApply(orders, p.Size()) {
		return newMarginals(orders).loads(p)
	}
	return Pairwise(r, p)
}

func marginalsApply(r *routing.Orders, n int) bool {
	d := r.Torus().D()
	if d > maxTermDims && len(r.List()) != 1 {
		return false
	}
	return fits(r.Denominator(), n, marginMargin(d))
}
