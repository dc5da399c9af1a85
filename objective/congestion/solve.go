package congestion

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/core/linkname"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/lowerbound"
)

// maxPairs bounds the ordered pairs of processors that are classified.
const maxPairs = 1 << 24

// Options bounds the effort of Solve. The result depends on them only, unless
// the context ends first.
type Options struct {
	// ExactClasses is the most classes of pairs and links together of which the
	// corner found in floating point is computed in fractions.
	ExactClasses int
	// GuessClasses is the most classes that are then solved in floating point and
	// rounded; still more are approached by averaging.
	GuessClasses int
	// Pivots bounds the steps in floating point.
	Pivots int
	// Rounds bounds the rounds of averaging; 0 leaves them to Work. More than
	// 16384 are never made.
	Rounds int
	// Work bounds the lattice points that averaging looks at, times the
	// dimensions; 0 leaves them to Rounds. At least one round is made.
	Work int64
	// Flows asks for the flows of the routing, not only for its loads.
	Flows bool
}

// DefaultOptions returns an effort of a few seconds for a few hundred
// processors.
func DefaultOptions() Options {
	return Options{ExactClasses: 64, GuessClasses: 1200, Pivots: 10_000, Rounds: 500, Work: 1 << 30, Flows: true}
}

// stepsPerVolume is what a watch counts the volume between two nodes as.
const stepsPerVolume = 8

// rounds returns the rounds of averaging that the options allow.
func (o Options) rounds(c *classes) int {
	if o.Work == 0 {
		return o.Rounds
	}
	points := int64(1)
	for _, p := range c.pairs {
		points += volume(c.torus, p.from, p.to) * int64(c.torus.D())
		if points > o.Work || c.watch.Err(stepsPerVolume) != nil {
			return 1
		}
	}
	rounds := int(min(o.Work/points, math.MaxInt32))
	if o.Rounds > 0 {
		rounds = min(rounds, o.Rounds)
	}
	return rounds
}

// A PairFlow is how one unit from a processor to another is spread, for the
// Count messages of all pairs that symmetry takes this pair to.
type PairFlow struct {
	From, To int
	Count    int64 // in units of the traffic
	Flow     routing.Flow
}

// A Solution holds both sides of min-congestion minimal routing. Lower <= best <=
// Upper, both exact.
type Solution struct {
	// Lower is what Weights give.
	Lower *big.Rat
	// Weights are whole numbers of at least 0, by number of link; nil without
	// traffic.
	Weights []int64
	// Upper is the largest entry of Loads.
	Upper *big.Rat
	// Flows is the routing, if asked for: one pair for every class of pairs. The flow of any
	// other pair is the average over the automorphisms, with and without turning
	// paths around, that take its class representative to it.
	Flows []PairFlow
	// Loads is the load of every link under that routing, divided by its bandwidth.
	Loads []*big.Rat
	// Optimal says that Lower and Upper are equal.
	Optimal bool
	// LinkClasses is the number of classes of links.
	LinkClasses int
}

// Solve returns a fractional minimal routing of p with small congestion, and
// weights of links that bound every minimal routing from below: both optimal
// when the classes under symmetry are few, close to each other otherwise. It
// returns the best so far when the context ends. It fails with an
// *core.InputError when the placement is too large, and with the error of the context where that ends before there is
// any routing. Cost: O(n^2) for the
// classes, then in every step a cheapest path for every class of pairs.
func Solve(ctx context.Context, p core.Placement, o Options) (Solution, error) {
	return SolveTraffic(ctx, p, objective.Traffic{}, o)
}

// SolveTraffic is Solve for a traffic, the routing of whose replies does not matter: requests and replies of a pair are
// one number of messages. Under client traffic all nodes have pairs, and paths are turned around by symmetry only where
// a request is as long as a reply.
func SolveTraffic(ctx context.Context, p core.Placement, traffic objective.Traffic, o Options) (Solution, error) {
	t, n := p.Torus(), len(p.Nodes())
	if traffic.Clients() && n > 0 {
		n = t.N()
	}
	if n > maxPairs/max(n, 1) {
		return Solution{}, core.Invalid(fmt.Sprint(n),
			"too many processors for min-congestion routing: more than %d ordered pairs",
			maxPairs)
	}
	if n < 2 {
		return idle(t), nil
	}
	c, err := newClasses(ctx, p, traffic)
	if err != nil {
		return Solution{}, err
	}
	if len(c.pairs) == 0 { // tasks that are on one node
		return idle(t), nil
	}
	s, err := c.solve(ctx, o)
	return s.times(traffic.Unit()), err
}

// solve solves the program of some classes, whose messages are of 1.
func (c *classes) solve(ctx context.Context, o Options) (Solution, error) {
	if size := len(c.pairs) + len(c.linkCount); size <= max(o.ExactClasses, o.GuessClasses) {
		if len(c.linkCount) <= fewLinks {
			if s := c.guessed(ctx, o, 1); s.Optimal { // but for rounding
				return s, nil
			}
		}
		return c.guessed(ctx, o, len(c.pairs)), nil
	}
	a := newAveraging(c, o.Flows)
	if a.run(ctx, o.rounds(c)); a.total == 0 {
		return Solution{}, ctx.Err()
	}
	return newSolution(c, o, a.best, a.routing()), nil
}

// guessed returns the solution of a basis with a number of rows of pairs, 1 or one for each class.
func (c *classes) guessed(ctx context.Context, o Options, rows int) Solution {
	g := newGuess(c, rows, o.Pivots)
	g.run(ctx)
	g.polish()
	best := g.routing()
	if rows+len(c.linkCount) <= o.ExactClasses {
		if r, ok := g.corner(); ok && r.value.Cmp(best.value) < 0 {
			best = r
		}
	}
	return newSolution(c, o, g.lower, best)
}

// times returns the solution for messages of some amount each.
func (r Solution) times(amount *big.Rat) Solution {
	scaled := func(v *big.Rat) *big.Rat {
		if v == nil {
			return nil
		}
		return new(big.Rat).Mul(v, amount)
	}
	r.Lower, r.Upper, r.Loads = scaled(r.Lower), scaled(r.Upper), slices.Clone(r.Loads)
	for l, v := range r.Loads { // links of a class share one
		r.Loads[l] = scaled(v)
	}
	return r
}

// idle is the result without traffic.
func idle(t *core.Torus) Solution {
	r := Solution{Lower: new(big.Rat), Upper: new(big.Rat), Optimal: true, Loads: make([]*big.Rat, t.M())}
	for l := range r.Loads {
		r.Loads[l] = new(big.Rat)
	}
	return r
}

func newSolution(c *classes, o Options, lower dual, upper primal) Solution {
	r := Solution{Lower: lower.value, Upper: upper.value, LinkClasses: len(c.linkCount),
		Weights: make([]int64, c.torus.M()), Loads: make([]*big.Rat, c.torus.M())}
	if o.Flows {
		r.Flows = upper.flows(c)
	}
	weights := smallest(lower.weights)
	for l, class := range c.linkClass {
		if r.Loads[l] = new(big.Rat); class >= 0 {
			r.Weights[l], r.Loads[l] = weights[class], upper.loads[class]
		}
	}
	r.Optimal = r.Lower.Cmp(r.Upper) == 0
	return r
}

// LinkWeights returns the links with a weight above 0 in the words of a witness,
// in the order of their numbers.
func (r Solution) LinkWeights(t *core.Torus) []lowerbound.LinkWeight {
	var list []lowerbound.LinkWeight
	for l, w := range r.Weights {
		if w > 0 {
			list = append(list, lowerbound.LinkWeight{Name: linkname.New(t, core.Link(l)), Weight: fmt.Sprint(w)})
		}
	}
	return list
}
