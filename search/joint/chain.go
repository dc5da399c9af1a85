package joint

import (
	"context"
	"math/rand/v2"
	"slices"
)

// How a chain goes.
const (
	memory    = 64      // steps that a step may be as bad as
	nearby    = 2       // one move in this many goes to a node next to some processor
	keepBest  = 4       // states of the best value that a chain hands back
	patience  = 1 << 13 // choices that a chain weighs, or up to 16 times as many
	lookEvery = 16      // steps between looks at the context
)

// A chain is a sequence of states, of one limit after the other: a move is taken when the excess after it is no larger
// than now, or than a given number of steps ago (late acceptance: Burke and Bykov 2017).
type chain struct {
	*state
	before *state
	random *rand.Rand
	past   [memory]int64
	step   int
	target int64   // nothing better is wanted
	depth  float64 // of the way from the target to the best value at which the limit lies
	value  int64   // largest load of the best states
	best   []*state
}

// newChain begins at a state.
func newChain(start *state, target int64, depth float64, random *rand.Rand) *chain {
	c := &chain{state: start, before: newState(start.tiling, start.nodes, 0), random: random, target: target,
		depth: depth, value: -1}
	c.keep()
	return c
}

// keep takes the state as one of the best if it is, and brings the limit down.
func (c *chain) keep() {
	value := c.most()
	switch {
	case c.value >= 0 && value > c.value:
		return
	case value == c.value && (len(c.best) == keepBest || slices.ContainsFunc(c.best, c.sameNodes)):
		return
	case value != c.value:
		c.value, c.best = value, nil
		c.aim()
	}
	kept := newState(c.tiling, c.nodes, 0)
	kept.copyFrom(c.state)
	c.best = append(c.best, kept)
}

// sameNodes reports whether a state has the processors of the chain.
func (c *chain) sameNodes(s *state) bool { return slices.Equal(s.taken, c.taken) }

// aim sets the limit for the best value.
func (c *chain) aim() {
	c.setLimit(c.target + int64(c.depth*float64(max(c.value-1-c.target, 0))))
	for i := range c.past {
		c.past[i] = c.excess
	}
}

// run makes moves until the target is reached, the context ends, or a given number of sets are weighed and the step is
// over.
func (c *chain) run(ctx context.Context, quota int64) {
	for end := max(0, c.left-quota); c.left > end && c.value > c.target &&
		(c.step%lookEvery != 0 || ctx.Err() == nil); c.step++ {
		c.before.copyFrom(c.state)
		if held := len(c.fixed); held < c.slots && c.slots < c.room {
			c.move(held+c.random.IntN(c.slots-held), c.destination(), c.random)
		}
		c.settle(c.random)
		c.left = max(0, c.left-1) // so that a chain without any choice ends too
		past := &c.past[c.step%memory]
		if c.excess <= c.before.excess || c.excess <= *past {
			c.keep()
		} else {
			c.copyFrom(c.before)
		}
		*past = c.excess
	}
}

// destination draws a free node: next to a processor, or any.
func (c *chain) destination() int {
	if c.random.IntN(nearby) == 0 {
		port := c.torus.Port(c.random.IntN(c.torus.Degree()))
		v := c.torus.Shift(c.nodes[c.random.IntN(c.slots)], port.Dim, int(port.Dir))
		if !c.taken[c.reps[v]] && c.open(v) {
			return v
		}
	}
	for {
		if v := c.random.IntN(c.torus.N()); !c.taken[c.reps[v]] && c.open(v) {
			return v
		}
	}
}
