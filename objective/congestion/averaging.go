package congestion

import (
	"context"
	"math"
	"math/big"
	"slices"

	"leeway/core"
)

// weightUnit is what the weight of a most loaded link is rounded to a multiple
// of.
const weightUnit = 1 << 20

// averaging approaches the optimum for classes that are too many for a master
// program. In round t every pair takes a path that is cheapest under weights
// exponential in the loads so far, and t shares are added to it (the
// multiplicative weights method of Young, SODA 1995, with the step sizes of
// Frank and Wolfe). The lower side is that of the weights of all rounds together. Weights are rounded to whole
// numbers and everything that is
// claimed is added up in whole numbers; floats only choose the weights.
type averaging struct {
	*classes
	shares []map[core.Link]int64 // by class of pairs: links with their shares; nil if not asked for
	total  int64                 // shares of every pair
	loads  []int64               // by class of links
	sum    []int64               // of the weights so far
	best   dual
}

func newAveraging(c *classes, flows bool) *averaging {
	a := &averaging{classes: c, loads: make([]int64, len(c.linkCount)), sum: make([]int64, len(c.linkCount))}
	if flows {
		a.shares = make([]map[core.Link]int64, len(c.pairs))
		for i := range a.shares {
			a.shares[i] = map[core.Link]int64{}
		}
	}
	return a
}

// maxRounds keeps all sums of shares inside an int64.
const maxRounds = 1 << 14

// evaluated is the number of rounds after which the bound is taken again.
const evaluated = 32

// batches is into how many parts the pairs of a round are cut; weights follow
// the loads after each, so that pairs do not all flee to the same links.
const batches = 16

// run makes a number of rounds, at least one, fewer when the context ends: none, and no shares, where it ends in the
// first.
func (a *averaging) run(ctx context.Context, rounds int) {
	a.bound() // of equal weights, there being no loads
	for t := range min(max(rounds, 1), maxRounds) {
		if t > 0 && ctx.Err() != nil {
			break
		}
		before := slices.Clone(a.loads)
		for b := range batches {
			if !a.batch(t, len(a.pairs)*b/batches, len(a.pairs)*(b+1)/batches) {
				a.loads = before
				a.bound()
				return
			}
		}
		a.total += int64(t + 1)
		if t%evaluated == evaluated-1 {
			a.bound()
		}
	}
	a.bound()
}

// batch adds the shares of round t of the pairs from one to before another. It returns false where the watch ends,
// which is not looked at in later rounds that cannot be taken back.
func (a *averaging) batch(t, from, to int) bool {
	if from == to {
		return true
	}
	part, weights := int64(t+1), a.weights(sharpness(t))
	for i, p := range a.pairs[from:to] {
		if (a.shares == nil || t == 0) && a.watch.Err(int(volume(a.torus, p.from, p.to))) != nil {
			return false
		}
		_, path := a.finder.cheapest(p.from, p.to, weights, a.linkClass)
		for _, l := range path {
			if a.shares != nil {
				a.shares[from+i][l] += part
			}
			a.loads[a.linkClass[l]] += part * p.count
		}
	}
	for l, w := range weights {
		a.sum[l] += part * w / batches
	}
	return true
}

// bound takes the bound of the sum of the weights so far, scaled to fit.
func (a *averaging) bound() {
	weights := slices.Clone(a.sum)
	if a.total == 0 {
		weights = a.weights(1)
	}
	for slices.Max(weights) >= 1<<maxWeightBits {
		for l := range weights {
			weights[l] /= 2
		}
	}
	a.best.improve(a.classes, weights, nil)
}

// sharpness is how strongly weights favour the most loaded links: from a factor
// of e^4 between full and empty links on, growing as the steps get finer.
func sharpness(round int) float64 { return 4 + 2*math.Sqrt(float64(round)) }

// weights returns whole weights exponential in the mean loads of the classes.
func (a *averaging) weights(beta float64) []int64 {
	most := 0.0
	for l, count := range a.linkCount {
		most = max(most, float64(a.loads[l])/float64(count))
	}
	list := make([]int64, len(a.loads))
	for l, count := range a.linkCount {
		w := 1.0
		if most > 0 {
			w = math.Exp(beta * (float64(a.loads[l])/float64(count)/most - 1))
		}
		list[l] = int64(math.Round(weightUnit * w))
	}
	return list
}

// routing returns the average of all rounds, without shares if they were not
// asked for.
func (a *averaging) routing() primal {
	r := newPrimal(len(a.shares))
	for i, shares := range a.shares {
		for l, s := range shares {
			r.shares[i][l] = big.NewRat(s, a.total)
		}
	}
	loads := make([]*big.Rat, len(a.loads)) // of one link of every class
	for l, load := range a.loads {
		loads[l] = new(big.Rat).SetFrac(big.NewInt(load), new(big.Int).Mul(big.NewInt(a.linkCount[l]),
			big.NewInt(a.total)))
	}
	r.setLoads(loads)
	return r
}
