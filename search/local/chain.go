package local

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"

	"leeway/core"
	"leeway/objective"
	"leeway/search"
)

// A chain is a sequence of swaps from one placement.
type chain struct {
	problem   objective.Problem
	number    uint64          // counts through all rounds
	start     *core.Placement // nil: random
	known     int64           // the best load of the rounds before
	goal      int64           // load at which to stop, 0 if none was asked for
	allowance int64           // evaluations left
	quit      func() bool     // asked once a step
	halted    func() bool     // asked within steps: is nothing wanted any more?

	spent   int64
	best    []int // nil until a placement was looked at
	most    int64 // the load of best
	reached bool  // the goal

	model model
	rng   *rand.Rand
	nodes []int // with a processor, but for the fixed ones, in no order
	free  []int // without one, but for the forbidden ones
	fixed []int
}

// run makes steps from the start until the goal, the allowance or quit ends it.
func (c *chain) run(seed uint64, m model) {
	c.model = m
	c.rng = rand.New(rand.NewPCG(seed, c.number))
	c.settle()
	c.allowance--
	c.spent++
	c.look()
	if c.settled() {
		return
	}
	if c.start != nil {
		c.disturb()
	}
	c.steps()
}

// settle puts the processors where the chain starts.
func (c *chain) settle() {
	t := c.problem.Torus()
	placement := c.start
	if placement == nil {
		drawn := search.Draw(c.problem, c.rng)
		placement = &drawn
	}
	c.nodes = placement.Nodes()
	c.model.reset(c.nodes)
	set := placement.Set()
	c.free = make([]int, 0, t.N()-len(c.nodes))
	for v := range t.N() {
		if !set.Has(v) && c.problem.MayHave(v) {
			c.free = append(c.free, v)
		}
	}
	if c.problem.Fixed != nil {
		c.fixed = c.problem.Fixed.Nodes()
		c.nodes = slices.DeleteFunc(c.nodes, c.problem.MustHave)
	}
}

// settled reports whether no processor can move.
func (c *chain) settled() bool { return len(c.nodes) == 0 || len(c.free) == 0 }

// disturb moves an eighth of the processors, at least one, to random nodes.
func (c *chain) disturb() {
	for range (len(c.nodes) + 7) / 8 {
		c.swap(c.rng.IntN(len(c.nodes)), c.rng.IntN(len(c.free)))
	}
}

// swap exchanges the processor at place i with the free node at place j.
func (c *chain) swap(i, j int) {
	c.model.swap(c.nodes[i], c.free[j])
	c.nodes[i], c.free[j] = c.free[j], c.nodes[i]
}

// look remembers the placement if it beats the best of the chain.
func (c *chain) look() {
	if most := c.model.most(); c.best == nil || most < c.most {
		c.best, c.most = append(append(c.best[:0], c.nodes...), c.fixed...), most
		c.reached = most <= c.goal
	}
}

// ended reports whether the chain should do no more.
func (c *chain) ended() bool { return c.reached || c.allowance <= 0 || c.quit() }

// randomLimit returns a limit below the best load of this chain and of the rounds before,
// at a random depth of up to one part of this many.
func (c *chain) randomLimit(part int64) int64 {
	record := min(c.most, c.known)
	return record - 1 - c.rng.Int64N(record/part+1)
}

// placement returns the best placement of the chain.
func (c *chain) placement() core.Placement {
	return core.MustPlacement(c.problem.Torus(), slices.Sorted(slices.Values(c.best)))
}

// Unknown stands for the best load before the first round.
const Unknown = math.MaxInt64

// A Gate stops those of several numbered searches that can no longer matter: all when the context has ended, and
// once one has reached the goal those with higher numbers.
type Gate struct {
	stop  atomic.Bool
	first atomic.Uint64 // the lowest number that reached the goal
}

// NewGate returns an open gate. Release it at the end.
func NewGate(ctx context.Context) (g *Gate, release func() bool) {
	g = &Gate{}
	g.first.Store(math.MaxUint64)
	return g, context.AfterFunc(ctx, func() { g.stop.Store(true) })
}

// Shut reports whether the search of a number should stop.
func (g *Gate) Shut(number uint64) bool { return g.stop.Load() || g.first.Load() < number }

// Reach notes that the search of a number has reached the goal.
func (g *Gate) Reach(number uint64) {
	for {
		first := g.first.Load()
		if first <= number || g.first.CompareAndSwap(first, number) {
			return
		}
	}
}
