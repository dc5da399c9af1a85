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
		a, b := r.Flow(0, d, nil), other.Flow(0, d, nil)
		if !sameShares(a, b) {
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
	for p := range image {
		for q := range image {
			if p == q {
				continue
			}
			shares := map[[2]int]*big.Rat{}
			a, b := r.Flow(p, q, nil), other.Flow(image[p], image[q], nil)
			for _, s := range a.Shares {
				from, to := r.Torus().LinkEnds(s.Link)
				shares[[2]int{image[from], image[to]}] = new(big.Rat).SetFrac(s.Num, a.Den)
			}
			for _, s := range b.Shares {
				from, to := other.Torus().LinkEnds(s.Link)
				have, ok := shares[[2]int{from, to}]
				if !ok || have.Cmp(new(big.Rat).SetFrac(s.Num, b.Den)) != 0 {
					return false
				}
				delete(shares, [2]int{from, to})
			}
			if len(shares) > 0 {
				return false
			}
		}
	}
	return true
}

// sameShares reports whether two flows give every link the same share.
func sameShares(a, b routing.Flow) bool {
	shares := map[core.Link]*big.Rat{}
	for _, s := range a.Shares {
		shares[s.Link] = new(big.Rat).SetFrac(s.Num, a.Den)
	}
	for _, s := range b.Shares {
		have, ok := shares[s.Link]
		if !ok || have.Cmp(new(big.Rat).SetFrac(s.Num, b.Den)) != 0 {
			return false
		}
		delete(shares, s.Link)
	}
	return len(shares) == 0
}
