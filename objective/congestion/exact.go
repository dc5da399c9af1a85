package congestion

import (
	"context"
	"math/big"
)

// maxWeightBits bounds the weights that paths are priced with, so that the cost
// of any path fits in an int64.
const maxWeightBits = 40

// exact solves the problem of the classes by column generation: a master problem
// over the paths found so far,
//
//	minimise E  with  sum of shares = 1                      for each class of pairs
//	                  load of the shares + slack = links * E for each class of links
//
// whose dual values are weights of links; a cheapest path under these that is
// cheaper than the dual value of its pair enters (Dantzig and Wolfe, Operations
// Research 8, 1960, applied to flows as Ford and Fulkerson 1958). All arithmetic
// is rational. It stops at the optimum, after steps pivots, when the context
// ends, or when weights pass maxWeightBits; the master is a routing at any time.
type exact struct {
	master
	basis *basis
}

func newExact(c *classes) *exact {
	e := &exact{master: newMaster(c)}
	e.start()
	return e
}

// start makes the basis in which every pair takes its first path, with the
// maximum in the row of the most loaded class of links.
func (e *exact) start() {
	k, m := len(e.pairs), len(e.pairs)+len(e.linkCount)
	b := &basis{members: make([]variable, m), value: make([]*big.Rat, m), inverse: identityMatrix(m)}
	for i := range b.value {
		b.value[i] = new(big.Rat)
	}
	for l := range e.linkCount {
		b.members[k+l] = variable{kind: slack, index: l}
	}
	for i, v := range e.firstPaths() {
		b.members[i] = v
		b.value[i].SetInt64(1)
		for _, x := range e.column(v)[1:] {
			b.inverse[x.row][i].SetInt64(-x.value)
			b.value[x.row].SetInt64(b.value[x.row].Num().Int64() - x.value)
		}
	}
	d := b.direction(e.column(variable{kind: maximum}))
	worst := k
	for i := k; i < m; i++ { // all values are at most 0 here, and so is d
		if new(big.Rat).Quo(b.value[i], d[i]).Cmp(new(big.Rat).Quo(b.value[worst], d[worst])) > 0 {
			worst = i
		}
	}
	b.order = make([][]*big.Rat, m) // counts from the basis after this pivot
	b.pivot(worst, variable{kind: maximum}, d)
	b.order = identityMatrix(m)
	e.basis = b
}

// run improves until the optimum and reports whether it was reached.
func (e *exact) run(ctx context.Context, steps int) bool {
	for range steps {
		if ctx.Err() != nil {
			return false
		}
		v, optimal, priced := e.entering()
		if optimal || !priced {
			return optimal
		}
		d := e.basis.direction(e.column(v))
		e.basis.pivot(e.basis.leaving(d), v, d)
	}
	return false
}

// entering returns a variable that lowers the maximum. It reports whether there
// is none, and whether the prices were small enough to tell.
func (e *exact) entering() (v variable, optimal, priced bool) {
	k := len(e.pairs)
	prices := e.basis.inverse[e.basis.objective()]
	for l := range e.linkCount {
		if prices[k+l].Sign() > 0 {
			return variable{kind: slack, index: l}, false, true
		}
	}
	weights, den, ok := wholeWeights(prices[k:])
	if !ok {
		return variable{}, false, false
	}
	best, found := new(big.Rat), -1
	costs := make([]int64, k)
	for i, p := range e.pairs {
		cost, path := e.finder.cheapest(p.from, p.to, weights, e.linkClass)
		costs[i] = cost
		if gain := e.gain(prices[i], p, cost, den); gain.Cmp(best) > 0 {
			best, found = gain, i
			v = variable{kind: share, index: i, path: toInts(path)}
		}
	}
	e.lower.improve(e.classes, weights, costs)
	return v, found < 0, true
}

// gain returns how much cheaper a path is than the price of its pair.
func (e *exact) gain(price *big.Rat, p pairClass, cost int64, den *big.Int) *big.Rat {
	total := new(big.Int).Mul(big.NewInt(p.count), big.NewInt(cost))
	return new(big.Rat).Sub(price, new(big.Rat).SetFrac(total, den))
}

// wholeWeights returns the negated prices times their common denominator, and
// that; ok is false when one is too large.
func wholeWeights(prices []*big.Rat) (weights []int64, den *big.Int, ok bool) {
	den = big.NewInt(1)
	for _, p := range prices {
		g := new(big.Int).GCD(nil, nil, den, p.Denom())
		den.Mul(den, g.Div(p.Denom(), g))
	}
	weights = make([]int64, len(prices))
	for i, p := range prices {
		w := new(big.Int).Div(den, p.Denom())
		w.Mul(w, p.Num())
		if w.BitLen() > maxWeightBits {
			return nil, nil, false
		}
		weights[i] = -w.Int64()
	}
	return weights, den, true
}

// routing returns the current routing.
func (e *exact) routing() primal {
	b := e.basis
	r := newPrimal(len(e.pairs))
	for row, v := range b.members {
		if v.kind == share && b.value[row].Sign() > 0 {
			r.add(v.index, v.path, b.value[row])
		}
	}
	r.measure(e.classes)
	return r
}
