// Package orders evaluates dimension-ordered routings: it counts the loads of all links for processors that all send
// to each other, in time linear in the number of links, without looking at pairs. The package objective chooses among
// its kernels and others.
//
//	one order     odr.go: one product per ring, O(M)
//	all orders    udr.go: by marginals, both directions of a link at once; by popcounts on a word in 2D with N <= 64
//	some orders   as all orders, with the net flow over every edge: net.go; O(3^(d-1) M)
//
// Marginals are in marginal.go, windows around a ring in ring.go.
package orders

import (
	"leeway/core"
	"leeway/core/routing"
)

// maxTermDims is the most dimensions for which the weights of several orders are
// folded.
const maxTermDims = 9

// oneOrderMargin is how far the sums of a single product a ring exceed loads: a
// step adds one product of at most the square of the size and takes off another.
const oneOrderMargin = 4

// A kernel returns the loads of all links for processors on some nodes; see New.
type kernel func(nodes []int, w *core.Watch) ([]int64, error)

// New returns a kernel of r, which returns the loads of all links for processors on some nodes, and by which factor its
// intermediate sums may exceed loads. Loads are in units of one over the denominator of r times the common multiple of
// the bandwidths. The slice is reused, by one goroutine at a time; the error is that of the watch, and after one the
// kernel is of no use. The kernel is nil for several orders of more than 9 dimensions.
func New(r *routing.Orders) (count func(nodes []int, w *core.Watch) ([]int64, error), margin int64) {
	t := r.Torus()
	if t.Twisted() { // paths are no ways around rings
		return nil, 1
	}
	halves := r.Denominator().Int64() != r.OrderDenominator()
	margin = 1 << min(2*t.D(), 40) // inclusion and exclusion of many marginals
	switch {
	case len(r.List()) == 1 || t.D() == 1:
		count, margin = newOneOrder(r, halves).loads, oneOrderMargin
	case t.D() > maxTermDims:
		return nil, 1
	case r.All() && t.D() == 2 && t.N() <= wordNodes:
		count = newWordOrders(r, halves).loads
	default:
		count = newAllOrders(r, halves).loads
	}
	if t.CommonBandwidth() > 1 {
		count = perBandwidth(t, count)
	}
	return count, margin
}

// perBandwidth returns a kernel that counts the loads of another, which knows of no bandwidths,
// in units smaller by their common multiple, divided by the bandwidths.
func perBandwidth(t *core.Torus, raw kernel) kernel {
	return func(nodes []int, w *core.Watch) ([]int64, error) {
		loads, err := raw(nodes, w)
		if err != nil {
			return nil, err
		}
		for i, port := range t.Ports() {
			if scale := int64(t.Scale(port.Dim)); scale > 1 {
				scaleRow(loads[i*t.N():][:t.N()], loads, scale, 0)
			}
		}
		return loads, nil
	}
}
