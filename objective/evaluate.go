package objective

import (
	"math/big"

	"leeway/core"
	"leeway/core/routing"
)

// maxTermDims is the most dimensions for which the evaluator by marginals folds
// the weights of several orders.
const maxTermDims = 9

// An Evaluator computes the loads of placements under one routing, again and
// again, by the cheapest exact way that applies:
//
//	one order (odr)         one product per ring, O(M)
//	all orders (udr)        by marginals, both directions of a link at once
//	some orders             by marginals, O(3^(d-1) M)
//	anything else           by the flows of pairs, O(n^2) flows
//
// Its buffers are reused; it is not safe for concurrent use, make one per
// worker.
type Evaluator struct {
	routing routing.Routing
	den     *big.Int
	engine  engine // nil: pair by pair
	margin  int64  // how far intermediate sums exceed loads
	nodes   []int
}

// An engine computes loads in units of the denominator of its routing.
type engine interface {
	// evaluate returns the load of every link for processors on the given
	// nodes; the slice is reused by the next call.
	evaluate(nodes []int) []int64
}

// NewEvaluator returns an evaluator for r.
func NewEvaluator(r routing.Routing) *Evaluator {
	e := &Evaluator{routing: r, den: r.Denominator()}
	orders, ok := r.(*routing.Orders)
	if !ok {
		return e
	}
	d := r.Torus().D()
	halves := e.den.Int64() != orders.OrderDenominator()
	e.margin = 1 << min(2*d, 40)
	switch {
	case len(orders.List()) == 1:
		e.engine = newOneOrder(orders, halves)
	case orders.All() && d > 1 && d <= maxTermDims:
		e.engine = newAllOrders(orders, halves)
	case d <= maxTermDims:
		e.engine = newMarginals(orders, halves)
	}
	return e
}

// Loads returns the exact loads of p. They are valid until the next call.
func (e *Evaluator) Loads(p core.Placement) *Loads {
	if e.engine == nil || !fits(e.den, p.Size(), e.margin) {
		return Pairwise(e.routing, p)
	}
	e.nodes = p.AppendNodes(e.nodes[:0])
	return &Loads{torus: e.routing.Torus(), den: e.den, small: e.engine.evaluate(e.nodes)}
}

// Evaluate returns the exact loads of placement p under routing r. To evaluate
// many placements, make an Evaluator.
func Evaluate(r routing.Routing, p core.Placement) *Loads { return NewEvaluator(r).Loads(p) }
