package fast

import (
	"math/big"

	"leeway/core"
	"leeway/core/routing"
)

// SameLoads reports whether two routings of one torus load every link alike under
// every placement, as ties plus and both do without even sides. It compares what
// node 0 sends every other; routings that depend on the placement, or that
// translations change, are alike only by name.
func SameLoads(r, other routing.Routing) bool {
	if !r.Torus().Equal(other.Torus()) {
		return false
	}
	if r.DependsOnPlacement() || other.DependsOnPlacement() || !routing.Invariant(r) || !routing.Invariant(other) {
		return r.String() == other.String() && r.String() != "table"
	}
	for d := 1; d < r.Torus().N(); d++ {
		own := func(l core.Link) core.Link { return l }
		if !sameShares(r.Flow(0, d, nil), other.Flow(0, d, nil), own, own) {
			return false
		}
	}
	return true
}

// SameLoadsBetween reports whether a routing of one torus loads every link as another routing does its image on another
// torus, under every placement and its image; image has a node of the other torus for each of this, linked if they are,
// as sides.SameGraph returns. It compares what all nodes send all others; routings that depend on the placement are
// not alike.
func SameLoadsBetween(r, other routing.Routing, image []int) bool {
	if r.DependsOnPlacement() || other.DependsOnPlacement() || r.String() == "table" || other.String() == "table" {
		return false
	}
	moved := func(l core.Link) [2]int {
		from, to := r.Torus().LinkEnds(l)
		return [2]int{image[from], image[to]}
	}
	ends := func(l core.Link) [2]int {
		from, to := other.Torus().LinkEnds(l)
		return [2]int{from, to}
	}
	for p := range image {
		for q := range image {
			if p == q {
				continue
			}
			if !sameShares(r.Flow(p, q, nil), other.Flow(image[p], image[q], nil), moved, ends) {
				return false
			}
		}
	}
	return true
}

// sameShares reports whether two flows give every link the same share, links being the same if their names are.
func sameShares[N comparable](a, b routing.Flow, name, other func(core.Link) N) bool {
	shares := map[N]*big.Rat{}
	for _, s := range a.Shares {
		shares[name(s.Link)] = new(big.Rat).SetFrac(s.Num, a.Den)
	}
	for _, s := range b.Shares {
		have, ok := shares[other(s.Link)]
		if !ok || have.Cmp(new(big.Rat).SetFrac(s.Num, b.Den)) != 0 {
			return false
		}
		delete(shares, other(s.Link))
	}
	return len(shares) == 0
}
