package routing

import (
	"math/big"
	"math/bits"

	"leeway/core"
)

// Weight returns, as a fraction, the share of the allowed orders of the
// dimensions before + {s} + after in which exactly those in before come ahead of
// s. The sets are bit masks over dimensions, disjoint and without s.
func (r *Orders) Weight(s int, before, after uint) (num, den int64) {
	if r.orders == nil {
		a, b := bits.OnesCount(before), bits.OnesCount(after)
		return 1, int64(a+b+1) * binomial(a+b, a)
	}
	if len(r.orders) == 1 {
		if Before(r.orders[0], s)&(before|after) == before {
			return 1, 1
		}
		return 0, 1
	}
	list := r.induced(maskDims(before | after | 1<<s))
	for _, order := range list {
		if Before(order, s) == before {
			num++
		}
	}
	return num, int64(len(list))
}

// Before returns the dimensions that stand ahead of s in order, as a bit mask.
func Before(order []int, s int) uint {
	var m uint
	for _, j := range order {
		if j == s {
			break
		}
		m |= 1 << j
	}
	return m
}

func maskDims(mask uint) []int {
	var dims []int
	for ; mask != 0; mask &= mask - 1 {
		dims = append(dims, bits.TrailingZeros(mask))
	}
	return dims
}

func binomial(n, k int) int64 {
	b := int64(1)
	for i := 1; i <= k; i++ {
		b = b * int64(n-k+i) / int64(i)
	}
	return b
}

func factorial(n int) int64 {
	f := int64(1)
	for i := 2; i <= n; i++ {
		f *= int64(i)
	}
	return f
}

// OrderDenominator returns a common denominator of all weights.
func (r *Orders) OrderDenominator() int64 {
	d := r.torus.D()
	lcm := int64(1)
	fold := func(v int64) { lcm = lcm / core.GCD(lcm, v) * v }
	switch {
	case r.orders == nil: // the denominators are those of the Leibniz triangle
		for v := 2; v <= d; v++ {
			fold(int64(v))
		}
	case len(r.orders) > 1:
		for mask := uint(1); mask < 1<<d; mask++ {
			fold(int64(len(r.induced(maskDims(mask)))))
		}
	}
	return lcm
}

// Denominator returns the common denominator of the weights, twice that when
// ties split a pair's traffic.
func (r *Orders) Denominator() *big.Int {
	d := r.OrderDenominator()
	if r.tie == TieBoth && hasTies(r.torus) {
		d *= 2
	}
	return big.NewInt(d)
}
