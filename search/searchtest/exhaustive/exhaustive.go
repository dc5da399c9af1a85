// Package exhaustive finds the best placement by looking at all of them where they are few, for any routing.
//
// On a torus without conditions translations preserve E_max and take some processor of any placement to node 0. So only
// placements with node 0 are looked at; there are C(N-1, n-1). With open dimensions, or with fixed or forbidden nodes,
// all placements that keep to the conditions are: objective.Problem.Placements.
package exhaustive

import (
	"context"
	"math/big"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/search"
)

// Limits of the method: nodes of the torus, placements (objective.Problem.Placements), which are C(20,10), so that all
// tori of 20 nodes are taken, and paths of all pairs of which the placements consist, that a checker has to list.
const (
	MaxNodes      = 256
	MaxPlacements = 184756
	maxPaths      = 1 << 26
)

// maxUnitBits is the most bits of the unit of loads on a torus of more than smallTorus nodes.
const (
	maxUnitBits = 40
	smallTorus  = 20
)

// Method is the full count. The zero value is ready.
type Method struct{}

// Name returns "exhaustive".
func (Method) Name() string { return "exhaustive" }

// Supports returns nil for at most MaxPlacements placements on tori of at most MaxNodes nodes, and routings that
// translations preserve, otherwise an *search.UnsupportedError.
func (m Method) Supports(p objective.Problem) error {
	if err := m.few(p); err != nil {
		return err
	}
	if routing.ByPair(p.Routing) {
		return search.Unsupported(m.Name(), p,
			"the full count takes one of every N translates, which differ in E_max under a table by pair")
	}
	return nil
}

// few refuses problems with too many placements, or too many paths.
func (m Method) few(p objective.Problem) error {
	n := p.Torus().N()
	if n > MaxNodes {
		return search.Unsupported(m.Name(), p, "the torus has %d nodes, the full count stops at %d", n, MaxNodes)
	}
	if all := p.Placements(); all.Cmp(big.NewInt(MaxPlacements)) > 0 {
		return search.Unsupported(m.Name(), p, "there are %s placements, the full count stops at %d", all, MaxPlacements)
	}
	if n <= smallTorus {
		return nil
	}
	if den := p.Denominator(); den == nil || den.BitLen() > maxUnitBits {
		return search.Unsupported(m.Name(), p, "the denominator of its loads is too large")
	}
	if paths(p).Cmp(big.NewInt(maxPaths)) > 0 {
		return search.Unsupported(m.Name(), p, "the paths of its pairs may be more than %d", maxPaths)
	}
	return nil
}

// paths returns an upper estimate of the paths of all pairs that can occur in a placement: what the farthest nodes
// have.
func paths(p objective.Problem) *big.Int {
	t := p.Torus()
	most := big.NewInt(1)
	steps, length := 0, 0
	_, minimal := p.Routing.(*routing.Minimal)
	if _, back := p.ReplyRouting().(*routing.Minimal); p.Traffic.Clients() && back {
		minimal = true
	}
	for j := range t.D() {
		k := t.Side(j) / 2
		if t.Open(j) {
			k = t.Side(j) - 1
		}
		steps, length = steps+1, length+k
		if minimal {
			most.Mul(most, new(big.Int).Binomial(int64(length), int64(k)))
		} else {
			most.Mul(most, big.NewInt(int64(steps)))
		}
		if !t.Open(j) {
			most.Lsh(most, 1) // both ways around
		}
	}
	first, free := p.Fixed.Count(), p.Torus().N()-p.Fixed.Count()-p.Forbidden.Count()
	if p.Translatable() {
		first, free = 1, t.N()-1
	}
	pairs := first * (first - 1)
	switch left := p.Size - first; {
	case p.Traffic.Clients():
		pairs = 2 * (first + min(left, 1)*free) * t.N()
	case left == 1:
		pairs += 2 * first * free
	case left > 1:
		pairs = (first + free) * (first + free - 1)
	}
	return most.Mul(most, big.NewInt(int64(pairs)))
}

// Run returns the best placement; of several the one whose ascending node list comes first. It is the same for every
// seed, start and number of workers. An evaluation is one placement of full size; where the routing does not depend on
// the placement, loads only grow with processors, and what holds a part that is no better than the best is counted
// without a look. The refutation counts objective.Problem.Placements.
func (m Method) Run(ctx context.Context, p search.Params) (search.Outcome, error) {
	if err := m.Supports(p.Problem); err != nil {
		return search.Outcome{}, err
	}
	c := &census{
		ctx: ctx, params: p, name: m.Name(), candidates: p.Problem.Candidates(),
		prune:   !p.Problem.Routing.DependsOnPlacement(),
		counter: newCounter(p.Problem),
	}
	for _, v := range p.Problem.Fixed.Nodes() {
		c.take(v)
	}
	if p.Problem.Translatable() {
		c.take(0)
		c.candidates = c.candidates[1:]
	}
	all := p.Problem.Placements()
	if !c.extend(0) {
		if c.covered > 0 && c.out.Reason != search.Reached {
			c.out.Turns = (all.Int64() + c.covered - 1) / c.covered
		}
	} else {
		c.out.Reason = search.Complete
		c.out.Refutation = &search.Refutation{Below: c.out.Value, Kind: search.Steps, Engine: m.Name()}
		if c.out.Value == nil { // none is near enough
			c.out.Refutation.Below = search.UpperValue(p.Problem)
		}
	}
	return c.out, nil
}

// census runs through the placements in lexicographic order of the candidates that they take.
type census struct {
	ctx        context.Context
	params     search.Params
	name       string
	candidates []int // nodes that may be taken beside those taken at first
	prune      bool  // loads only grow with processors
	counter    counter
	nodes      []int
	covered    int64 // placements looked at or ruled out
	out        search.Outcome
}

func (c *census) take(v int) {
	c.counter.Add(v)
	c.nodes = append(c.nodes, v)
}

func (c *census) drop() {
	last := len(c.nodes) - 1
	c.counter.Remove(c.nodes[last])
	c.nodes = c.nodes[:last]
}

// extend looks at all ways to complete the nodes with candidates from number from on. It returns false when it had to
// stop, with the reason in the outcome.
func (c *census) extend(from int) bool {
	if c.ctx.Err() != nil {
		c.out.Reason = search.Stopped
		return false
	}
	left := c.params.Problem.Size - len(c.nodes)
	if left == 0 {
		return c.evaluate()
	}
	if c.prune && !c.counter.Less() {
		c.covered += choose(len(c.candidates)-from, left)
		return true
	}
	for i := from; i <= len(c.candidates)-left; i++ {
		c.take(c.candidates[i])
		more := c.extend(i + 1)
		c.drop()
		if !more {
			return false
		}
	}
	return true
}

// evaluate compares the complete placement with the best and reports whether to go on.
func (c *census) evaluate() bool {
	if budget := c.params.Evaluations; budget > 0 && c.out.Evaluations >= budget {
		c.out.Reason = search.Spent
		return false
	}
	c.out.Evaluations++
	c.covered++
	if p := c.params.Problem; c.counter.Less() && (!p.Near.Asked() || p.Admits(core.MustPlacement(p.Torus(), c.nodes))) {
		c.out.Value = c.counter.Keep()
		c.out.Best = core.MustPlacement(p.Torus(), c.nodes)
		c.report(true)
		if c.params.Done(c.out.Value) {
			c.out.Reason = search.Reached
			return false
		}
	} else if c.out.Evaluations%signOfLife == 0 {
		c.report(false)
	}
	return true
}

// signOfLife is the number of evaluations between events without news.
const signOfLife = 4096

func (c *census) report(improved bool) {
	c.params.Report(search.Event{Method: c.name, Value: c.out.Value, Best: c.out.Best, Evaluations: c.out.Evaluations,
		Improved: improved})
}

// choose returns the binomial coefficient of n and k.
func choose(n, k int) int64 {
	b := int64(1)
	for i := 1; i <= k; i++ {
		b = b * int64(n-k+i) / int64(i)
	}
	return b
}

// A counter keeps the exact E_max of a set of processors that grows and shrinks.
type counter interface {
	Add(v int)
	Remove(v int)
	// Less reports whether E_max is below that of the last call of Keep, true before the first.
	Less() bool
	// Keep remembers the present E_max and returns it.
	Keep() *big.Rat
}

// newCounter returns the fastest exact counter for the problem.
func newCounter(p objective.Problem) counter {
	own, err := fast.NewIncremental(p, p.Size)
	if err != nil || !own.Exact() {
		return newAnew(p)
	}
	own.Reset(nil)
	return &kept{Incremental: own, least: -1}
}

// kept counts with the incremental evaluator.
type kept struct {
	fast.Incremental
	least int64 // -1: nothing is kept yet
}

func (k *kept) Less() bool {
	peak, _ := k.Peak()
	return k.least < 0 || peak < k.least
}

func (k *kept) Keep() *big.Rat {
	k.least, _ = k.Peak()
	return big.NewRat(k.least, k.Den())
}

// anew evaluates the whole set every time, where the loads do not fit the words of the incremental evaluator.
type anew struct {
	torus *core.Torus
	exact *fast.Evaluator
	nodes core.Set
	least *big.Rat
}

func newAnew(p objective.Problem) *anew {
	return &anew{torus: p.Torus(), exact: fast.NewEvaluator(p), nodes: core.NewSet(p.Torus().N())}
}

func (a *anew) Add(v int)    { a.nodes.Add(v) }
func (a *anew) Remove(v int) { a.nodes.Remove(v) }

func (a *anew) value() *big.Rat {
	value, _ := a.exact.Loads(core.MustPlacement(a.torus, a.nodes.Nodes())).Max()
	return value
}

func (a *anew) Less() bool { return a.least == nil || a.value().Cmp(a.least) < 0 }

func (a *anew) Keep() *big.Rat {
	a.least = a.value()
	return a.least
}
