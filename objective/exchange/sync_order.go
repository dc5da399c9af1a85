package exchange

import (
	"slices"

	"leeway/core"
)

// signals returns the pairs of sends that must be in order, are not so for free, and are
// not joined by a chain of other pairs in order.
func (o *sendOrder) signals() [][2]int {
	earlier := o.closure(o.free, o.forced)
	var pairs [][2]int
	for f, list := range o.forced {
		before := slices.Concat(o.free[f], list)
		for _, e := range list {
			implied := slices.ContainsFunc(before, func(g int) bool { return g > e && earlier[g].Has(e) })
			if !implied && !slices.Contains(o.free[f], e) {
				pairs = append(pairs, [2]int{e, f})
			}
		}
	}
	return pairs
}

// barriers returns the fewest phases after which a barrier orders what must be in order
// and is not for free. A chain from one send to another stays within their phases, so a
// barrier helps a pair only if it lies between them: this is the least set of points
// that meets all intervals, and the latest useful point for the interval that ends first
// is always part of one.
func (o *sendOrder) barriers() []int {
	earlier := o.closure(o.free)
	var points []int
	last := 0
	for f, list := range o.forced { // ascending by the phase of f
		for _, e := range list {
			if o.events[e].Phase > last && !earlier[f].Has(e) {
				last = o.events[f].Phase - 1
				points = append(points, last)
			}
		}
	}
	return points
}

// closure returns for each send the set of those before it, by chains of the given lists.
// A set has room for sends of smaller numbers only.
func (o *sendOrder) closure(relations ...[][]int) []core.Set {
	earlier := make([]core.Set, len(o.events))
	for f := range o.events {
		earlier[f] = core.NewSet(f)
		for _, before := range relations {
			for _, e := range before[f] {
				earlier[f].Add(e)
				for w, word := range earlier[e] {
					earlier[f][w] |= word
				}
			}
		}
	}
	return earlier
}
