package restrict

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"

	"leeway/core"
	"leeway/core/parallel"
)

const (
	fewAbove  = 64      // classes above the limit up to which every step looks for a new best
	maxTried  = 96      // changes of an item that are tried at a time
	drift     = 64      // one in this many steps is taken although it makes things worse
	stillFor  = 8       // steps, at most, for which an item is left alone after a change
	lookEvery = 1 << 10 // steps between looks at the context
)

// A chain is a sequence of random changes under a model, with the best state it has seen.
type chain struct {
	*state
	random *rand.Rand
	best   [][]bool
	value  int64 // largest load of best
	until  []int64
	step   int64
	list   []change
}

func newChain(m *model, start [][]bool, seed, stream uint64) *chain {
	c := &chain{state: newState(m, start), random: rand.New(rand.NewPCG(seed, stream)), until: make([]int64, len(m.items))}
	c.keep()
	return c
}

// keep takes the state as the best if it is.
func (c *chain) keep() {
	value := c.max()
	if c.best != nil && value >= c.value {
		return
	}
	c.value = value
	if c.best == nil {
		c.best = c.every(func(int) bool { return false })
	}
	for i, blocks := range c.chosen {
		copy(c.best[i], blocks)
	}
}

// run makes steps until target is reached, the given number of changes are tried or the context ends, and returns how
// many were tried; the last step may try this many over. Its limit lies between target and what it has: depth 0 aims at
// the target itself, 1 at the next smaller load.
func (c *chain) run(ctx context.Context, target, evaluations, over int64, depth float64) int64 {
	tried := int64(0)
	aim := func() { c.setLimit(target + int64(depth*float64(c.value-1-target))) }
	for aim(); tried < evaluations && c.value > target; c.step++ {
		if c.step%lookEvery == 0 && ctx.Err() != nil {
			break
		}
		if len(c.above) == 0 { // the largest load is at most the limit
			c.keep()
			aim()
			continue
		}
		tried += c.once(evaluations + over - tried)
		if len(c.above) <= fewAbove || c.step%16 == 0 {
			c.keepIfLower()
		}
	}
	return tried
}

// keepIfLower is keep, which first looks at the classes above the limit only.
func (c *chain) keepIfLower() {
	for _, class := range c.above {
		if c.loads[class] >= c.value {
			return
		}
	}
	if len(c.above) > 0 {
		c.keep()
	}
}

// once makes one step and returns how many changes it tried, at least 1 and at most this many.
func (c *chain) once(most int64) int64 {
	class := c.above[c.random.IntN(len(c.above))]
	i, ok := c.crosser(class)
	if !ok {
		return 1
	}
	c.list = c.changes(c.list[:0], i)
	c.look(i)
	n := int(min(int64(len(c.list)), maxTried, most))
	var best change
	gained, ties := int64(0), 0
	for k := range n {
		if n < len(c.list) {
			other := k + c.random.IntN(len(c.list)-k)
			c.list[k], c.list[other] = c.list[other], c.list[k]
		}
		switch gain := c.gain(c.list[k]); {
		case ties == 0 || gain > gained:
			best, gained, ties = c.list[k], gain, 1
		case gain == gained:
			if ties++; c.random.IntN(ties) == 0 {
				best = c.list[k]
			}
		}
	}
	switch {
	case ties == 0:
		return 1
	case gained >= 0 || c.random.IntN(drift) == 0:
		c.apply(best)
		c.until[i] = c.step + int64(c.random.IntN(min(stillFor, 1+len(c.items)/4)))
	}
	return int64(n)
}

// crosser draws an item that now crosses a class and may be changed.
func (c *chain) crosser(class int32) (int, bool) {
	list := c.crossing[class]
	for range min(2*len(list), 64) {
		crossed := list[c.random.IntN(len(list))]
		i := int(crossed.item)
		if c.sums[i][crossed.at] > 0 && len(c.items[i].blocks) > 1 && c.until[i] <= c.step {
			return i, true
		}
	}
	return 0, false
}

const (
	chainCount = 4       // side by side, whatever the number of workers
	round      = 1 << 14 // changes that a chain tries between two meetings
	patience   = 96      // meetings without progress after which a coarsening is left
)

// depths say how far towards the target chains set their limits, in turn.
var depths = [...]float64{1, 0.5, 0, 0.25}

// chains are some chains under one model that meet after every round.
type chains struct {
	*model
	target      int64
	each        []*chain
	best        [][]bool
	value       int64
	evaluations int64
	rounds      int
	stale       int // meetings without progress
}

// newChains sets the chains off from the starts, the best first.
func newChains(m *model, starts [][][]bool, seed uint64, target int64) *chains {
	a := &chains{model: m, target: target}
	most := make([]int64, len(starts))
	for i, start := range starts {
		most[i] = newState(m, start).max()
	}
	order := core.Range(len(starts))
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(most[i], most[j]) })
	for i := range chainCount {
		a.each = append(a.each, newChain(m, starts[order[i%len(order)]], seed, uint64(i)))
	}
	a.meet()
	return a
}

// choice reports whether there is anything to choose.
func (a *chains) choice() bool {
	return slices.ContainsFunc(a.items, func(it item) bool { return len(it.blocks) > 1 })
}

// run lets the chains go on in rounds until the target is reached, the evaluations, unless 0, are spent, the context
// ends or patience does, and calls met after every round.
func (a *chains) run(ctx context.Context, evaluations int64, workers, patience int, met func()) {
	met()
	for a.choice() && a.value > a.target && ctx.Err() == nil && a.stale < patience {
		quota, over := int64(chainCount*round), int64(maxTried)
		if evaluations > 0 {
			if a.evaluations >= evaluations {
				return
			}
			if left := evaluations - a.evaluations; left < quota+chainCount*over {
				quota, over = min(quota, left), 0 // the last rounds
			}
		}
		a.advance(ctx, quota, over, workers)
		a.meet()
		met()
	}
}

// advance lets the chains try a given number of changes, an equal number each, and end their last step with this many
// over.
func (a *chains) advance(ctx context.Context, quota, over int64, workers int) {
	tried := make([]int64, chainCount)
	parallel.Each(context.Background(), workers, chainCount, func(i int) { // a chain finds out that the context has ended
		own := quota*int64(i+1)/chainCount - quota*int64(i)/chainCount
		tried[i] = a.each[i].run(ctx, a.target, own, over, depths[(a.rounds+i)%len(depths)])
	})
	for _, n := range tried {
		a.evaluations += n
	}
	a.rounds++
}

// meet takes the best of all chains, the first among equals.
func (a *chains) meet() {
	a.stale++
	for _, c := range a.each {
		if a.best == nil || c.value < a.value {
			a.value, a.stale = c.value, 0
			a.best = make([][]bool, len(c.best))
			for k, blocks := range c.best {
				a.best[k] = slices.Clone(blocks)
			}
		}
	}
}
