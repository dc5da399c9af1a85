package congestion

import (
	"maps"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
)

// A dual is the best lower bound so far with its weights by class of links.
type dual struct {
	value   *big.Rat // nil before the first
	weights []int64
}

// improve takes weights if the bound that they give is better. If visit is not nil it sees the cheapest path of
// every class of pairs, valid during the call, with its cost; otherwise pairs that come after the end of the watch are
// left out, without which it is a bound, too.
func (d *dual) improve(c *classes, weights []int64, visit func(pair int, cost int64, path []core.Link)) {
	sum, total, term := new(big.Int), new(big.Int), new(big.Int)
	for i, p := range c.pairs {
		if visit == nil && c.watch.Err(int(volume(c.torus, p.from, p.to))) != nil {
			break
		}
		cost, path := c.finder.cheapest(p.from, p.to, weights, c.linkClass)
		sum.Add(sum, term.Mul(big.NewInt(p.count), big.NewInt(cost)))
		if visit != nil {
			visit(i, cost, path)
		}
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

// smallest returns the weights, of which one is above 0, divided by their greatest common divisor.
func smallest(weights []int64) []int64 {
	g := int64(0)
	for _, w := range weights {
		g = core.GCD(g, w)
	}
	list := make([]int64, len(weights))
	for i, w := range weights {
		list[i] = w / max(g, 1)
	}
	return list
}

// A primal is a fractional minimal routing by class of pairs with its
// congestion.
type primal struct {
	value  *big.Rat
	loads  []*big.Rat               // of one link of every class
	shares []map[core.Link]*big.Rat // by class of pairs: links with their shares
}

func newPrimal(pairs int) primal {
	r := primal{shares: make([]map[core.Link]*big.Rat, pairs)}
	for i := range r.shares {
		r.shares[i] = map[core.Link]*big.Rat{}
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
func (r *primal) add(pair int, path []core.Link, part *big.Rat) {
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
		links := slices.Sorted(maps.Keys(r.shares[i]))
		parts := make([]*big.Rat, len(links))
		for k, l := range links {
			parts[k] = r.shares[i][l]
		}
		nums, den := objective.Whole(parts)
		f := routing.Flow{Den: den}
		for k, l := range links {
			f.Shares = append(f.Shares, routing.Share{Link: l, Num: nums[k]})
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
