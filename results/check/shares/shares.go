package shares

import (
	"math/big"

	"leeway/core"
	"leeway/core/routing"
	"leeway/results/check/meter"
)

// Ceil returns the least whole number that is not below v.
func Ceil(v *big.Rat) *big.Int {
	q, m := new(big.Int).DivMod(v.Num(), v.Denom(), new(big.Int))
	if m.Sign() > 0 {
		q.Add(q, big.NewInt(1))
	}
	return q
}

// LCM returns the least common multiple of two numbers above 0.
func LCM(a, b *big.Int) *big.Int {
	g := new(big.Int).GCD(nil, nil, a, b)
	return g.Mul(g.Div(a, g), b)
}

// Joint returns what nodes 0 and v send each other on every link.
func Joint(m *meter.Meter, r routing.Routing, v int) map[core.Link]*big.Rat {
	shares := map[core.Link]*big.Rat{}
	addShares(m, shares, r, 0, v)
	addShares(m, shares, r, v, 0)
	m.ChargeAll(64, len(shares))
	return shares
}

// addShares counts the paths from p to q through every link and adds their part
// of all of them.
func addShares(m *meter.Meter, to map[core.Link]*big.Rat, r routing.Routing, p, q int) {
	paths, through := int64(0), map[core.Link]int64{}
	for path := range m.Paths(r, p, q, nil) {
		paths++
		m.ChargeAll(8, len(path))
		for _, l := range path {
			through[l]++
		}
	}
	for l, count := range through {
		share := big.NewRat(count, paths)
		if have := to[l]; have != nil {
			share.Add(share, have)
		}
		to[l] = share
	}
}

// RoundedUp returns the least multiple of 1/d that is not below v.
func RoundedUp(v *big.Rat, d *big.Int) *big.Rat {
	return new(big.Rat).SetFrac(Ceil(new(big.Rat).Mul(v, new(big.Rat).SetInt(d))), d)
}
