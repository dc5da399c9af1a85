package congestion

import (
	"maps"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/core/routing"
)

// A primal is a fractional minimal routing by class of pairs with its
// congestion.
type primal struct {
	value  *big.Rat
	loads  []*big.Rat           // of one link of every class
	shares []map[int32]*big.Rat // by class of pairs: links with their shares
}

func newPrimal(pairs int) primal {
	r := primal{shares: make([]map[int32]*big.Rat, pairs)}
	for i := range r.shares {
		r.shares[i] = map[int32]*big.Rat{}
	}
	return r
}

// setLoads takes the loads of the routing and their maximum.
func (r *primal) setLoads(loads []*big.Rat) {
	r.value, r.loads = new(big.Rat), loads
	for _, load := range loads {
		if load.Cmp(r.value) > 0 {
			r.value = load
		}
	}
}

// add sends a part of a pair class along a path.
func (r *primal) add(pair int, path []int32, part *big.Rat) {
	for _, l := range path {
		if r.shares[pair][l] == nil {
			r.shares[pair][l] = new(big.Rat)
		}
		r.shares[pair][l].Add(r.shares[pair][l], part)
	}
}

// flows returns the shares in the words of routings, links in ascending order.
func (r *primal) flows(c *classes) []PairFlow {
	list := make([]PairFlow, len(r.shares))
	for i, p := range c.pairs[:len(r.shares)] {
		den := big.NewInt(1)
		for _, s := range r.shares[i] {
			g := new(big.Int).GCD(nil, nil, den, s.Denom())
			den.Mul(den, g.Div(s.Denom(), g))
		}
		f := routing.Flow{Den: den}
		for _, l := range slices.Sorted(maps.Keys(r.shares[i])) {
			s := r.shares[i][l]
			num := new(big.Int).Div(den, s.Denom())
			f.Shares = append(f.Shares, routing.Share{Link: core.Link(l), Num: num.Mul(num, s.Num())})
		}
		list[i] = PairFlow{From: p.from, To: p.to, Count: p.count, Flow: f}
	}
	return list
}

// measure adds the loads up from the shares.
func (r *primal) measure(c *classes) {
	list := make([]*big.Rat, len(c.linkCount))
	for l := range list {
		list[l] = new(big.Rat)
	}
	term, count := new(big.Rat), new(big.Rat)
	for i, p := range c.pairs {
		count.SetInt64(p.count)
		for l, s := range r.shares[i] {
			sum := list[c.linkClass[l]]
			sum.Add(sum, term.Mul(s, count))
		}
	}
	for l, links := range c.linkCount {
		list[l].Quo(list[l], count.SetInt64(links))
	}
	r.setLoads(list)
}
