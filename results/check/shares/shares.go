// Package shares counts on listed paths what one pair of nodes puts on links: the shares of its traffic and their
// common denominators. The checker of formulas derives what these say from them.
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

// Below returns how many parts of 1/d the largest multiple of 1/d has that is less than a value.
func Below(v *big.Rat, d *big.Int) *big.Int {
	units := Ceil(new(big.Rat).Mul(v, new(big.Rat).SetInt(d)))
	return units.Sub(units, big.NewInt(1))
}

// LCM returns the least common multiple of two numbers above 0.
func LCM(a, b *big.Int) *big.Int {
	g := new(big.Int).GCD(nil, nil, a, b)
	return g.Mul(g.Div(a, g), b)
}

// Between returns what nodes p and v send each other on every link.
func Between(m *meter.Meter, r routing.Routing, p, v int) map[core.Link]*big.Rat {
	shares := map[core.Link]*big.Rat{}
	addShares(m, shares, r, p, v)
	addShares(m, shares, r, v, p)
	m.ChargeAll(linkSteps, len(shares))
	return shares
}

// linkSteps is what the share of a link takes.
const linkSteps = 64

// addShares adds up the weights of the paths from p to q through every link and adds their part of all of them.
func addShares(m *meter.Meter, to map[core.Link]*big.Rat, r routing.Routing, p, q int) {
	paths, through := int64(0), map[core.Link]int64{}
	for path, weight := range m.Paths(r, p, q, nil) {
		paths += weight
		m.ChargeAll(8, len(path))
		for _, l := range path {
			through[l] += weight
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

// NewTable returns k rows of k zeros.
func NewTable(k int) [][]int64 { return NewRows(k, k) }

// NewRows returns rows of zeros.
func NewRows(rows, length int) [][]int64 {
	t := make([][]int64, rows)
	for x := range t {
		t[x] = make([]int64, length)
	}
	return t
}
