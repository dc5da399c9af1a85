package congestion

import (
	"math/big"

	"leeway/core"
)

// A dual is the best lower bound so far with its weights by class of links.
type dual struct {
	value   *big.Rat // nil before the first
	weights []int64
}

// improve takes weights if the bound that they give is better. The costs are
// those of the cheapest paths by class of pairs.
func (d *dual) improve(c *classes, weights, costs []int64) {
	sum, total, term := new(big.Int), new(big.Int), new(big.Int)
	for i, p := range c.pairs {
		sum.Add(sum, term.Mul(big.NewInt(p.count), big.NewInt(costs[i])))
	}
	for l, count := range c.linkCount {
		total.Add(total, term.Mul(big.NewInt(count), big.NewInt(weights[l])))
	}
	if total.Sign() == 0 {
		return
	}
	if v := new(big.Rat).SetFrac(sum, total); d.value == nil || v.Cmp(d.value) > 0 {
		d.value, d.weights = v, append(d.weights[:0], weights...)
	}
}

// smallest returns the weights divided by their greatest common divisor.
func smallest(weights []int64) []int64 {
	g := int64(0)
	for _, w := range weights {
		for a := w; a != 0; {
			g, a = a, g%a
		}
	}
	list := make([]int64, len(weights))
	for i, w := range weights {
		list[i] = w / max(g, 1)
	}
	return list
}

func toInts(path []core.Link) []int32 {
	list := make([]int32, len(path))
	for i, l := range path {
		list[i] = int32(l)
	}
	return list
}
