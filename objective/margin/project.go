package margin

import (
	"math/bits"

	"leeway/core/routing"
)

// maxSide is the longest side that is reasoned about: the tables of a side take
// memory with the third power of it.
const maxSide = 64

// maxMixedDims is the most dimensions for which the shares of several listed
// orders are compared: all subsets of the dimensions are looked at.
const maxMixedDims = 6

// A projection is a pair of dimensions with all others summed up: a torus of two
// dimensions with several processors in a cell. With only one side the patterns
// are left out and the boundaries remain.
type projection struct {
	first, second *side
	alike         bool // both sides ask the same
}

// projections returns the projections of n processors under r, one of each
// shape. Dimensions that stand in none, because the routing is not ordered or
// mixes the two in varying shares, are reasoned about alone.
func projections(r routing.Routing, n int) []projection {
	t := r.Torus()
	var list []projection
	seen := map[[4]int64]bool{}
	paired := make([]bool, t.D())
	for s := range t.D() {
		for o := s + 1; o < t.D(); o++ {
			a, b := t.Side(s), t.Side(o)
			w, ok := firstShare(r, s, o)
			if !ok || a > maxSide || b > maxSide {
				continue
			}
			paired[s], paired[o] = true, true
			if shape := [4]int64{int64(a), int64(b), w.num, w.den}; !seen[shape] {
				seen[shape] = true
				depth := t.N() / a / b
				list = append(list, projection{
					first:  newSide(a, n, t.N()/a, depth, splitOf(r), w),
					second: newSide(b, n, t.N()/b, depth, splitOf(r), weight{w.den - w.num, w.den}),
					alike:  a == b && 2*w.num == w.den,
				})
			}
		}
	}
	for s := range t.D() {
		if k := t.Side(s); !paired[s] && k <= maxSide && !seen[[4]int64{int64(k)}] {
			seen[[4]int64{int64(k)}] = true
			list = append(list, projection{first: newSide(k, n, t.N()/k, 0, splitOf(r), weight{1, 2})})
		}
	}
	return list
}

// firstShare returns which part of a pair's traffic corrects s before o, for
// pairs that differ in both, and whether that is the same whatever the other
// dimensions in which they differ.
func firstShare(r routing.Routing, s, o int) (weight, bool) {
	orders, ok := r.(*routing.Orders)
	switch {
	case !ok:
		return weight{}, false
	case orders.All(): // reversing an order exchanges the two
		return weight{1, 2}, true
	case len(orders.List()) == 1:
		if routing.Before(orders.List()[0], o)>>s&1 != 0 {
			return weight{1, 1}, true
		}
		return weight{0, 1}, true
	}
	if r.Torus().D() > maxMixedDims {
		return weight{}, false
	}
	others := (uint(1)<<r.Torus().D() - 1) &^ (1<<s | 1<<o)
	share, same := sharedOrders(orders, s, o, 0), true
	for rest := others; rest != 0 && same; rest = (rest - 1) & others {
		next := sharedOrders(orders, s, o, rest)
		same = next.num*share.den == share.num*next.den
	}
	return share, same
}

// sharedOrders returns the share of the orders of s, o and the dimensions in
// rest in which s stands before o.
func sharedOrders(r *routing.Orders, s, o int, rest uint) weight {
	var w weight
	for before := rest; ; before = (before - 1) & rest {
		num, den := r.Weight(s, before, rest&^before|1<<o)
		w.num, w.den = w.num+num, den
		if bits.OnesCount(before) == 0 {
			return w
		}
	}
}
