package portfolio

import (
	"cmp"
	"context"
	"fmt"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/objective/bound"
	"leeway/objective/fast"
	"leeway/search"
	"leeway/search/restrict"
)

// An Exclusion proves that no placement of a size is below a value, which is above its limit.
type Exclusion struct {
	Size       int
	Refutation *search.Refutation
}

// width is how many sizes above the best are tried where one may be out of reach and a larger one not.
const width = 4

// largest looks for the largest size with a placement within the limit; see the comment of the package.
func largest(ctx context.Context, methods []search.Method, p search.Params, o Options) (Outcome, error) {
	c, err := newClimb(ctx, methods, p, o)
	if err != nil {
		return c.best, err
	}
	if err := c.bound(ctx); err != nil {
		return c.best, err
	}
	for ; !c.ended(ctx); c.round++ {
		if err := c.ascend(ctx); err != nil {
			return c.best, err
		}
	}
	c.best.Excluded = c.needed()
	return c.best, nil
}

// A climb is a run for a problem with a limit.
type climb struct {
	methods  []search.Method
	params   search.Params
	options  Options
	parts    int64 // of all methods
	monotone bool  // more processors never lower a load
	ahead    int   // how many sizes above the best are tried in every round
	round    int
	tried    bool // some size in this round
	// Sizes not to be tried again: true if it was proved that there is no placement
	// within the limit, false if only nothing is left to look at.
	over    map[int]bool
	barred  map[int]bool // sizes whose lower bound is above their limit
	proofs  []Exclusion  // in the order in which they were found
	bounded int          // the upper bound by Lower alone
	spent   int64
	best    Outcome
}

// newClimb validates and begins with the largest start within the limit, or with the fewest processors that there can
// be, else, where the limit grows with the size or paths depend on the processors, with the most, or with nothing.
func newClimb(ctx context.Context, methods []search.Method, p search.Params, o Options) (*climb, error) {
	problem := p.Problem
	t := problem.Torus()
	c := &climb{methods: methods, params: p, options: o, monotone: !problem.Routing.DependsOnPlacement(),
		ahead: width, tried: true, over: map[int]bool{}, barred: map[int]bool{}}
	_, c.best.UpperBound = problem.Sizes()
	if c.monotone && c.limit(1).Cmp(c.limit(t.N())) == 0 {
		c.ahead = 1
	}
	for _, m := range methods {
		c.parts += int64(max(1, o.Parts[m.Name()]))
	}
	if value := problem.Limit.Value; value.Sign() < 0 {
		return c, core.Invalid(value.RatString(), "a load limit is negative")
	}
	if err := c.first(ctx); err != nil {
		return c, err
	}
	for _, start := range p.Starts {
		if !start.Torus().Equal(t) {
			return c, core.Invalid(start.Torus().String(), "a start is on another torus than %s", t.String())
		}
		if !problem.Admits(start) {
			return c, core.Invalid(fmt.Sprint(start.Nodes()), "a start is not a placement of %s", problem.String())
		}
		if problem.Free != nil {
			continue // without paths it is for the method to take up
		}
		value, _ := fast.Evaluate(problem, start).Max()
		if n := start.Size(); n > c.size() && value.Cmp(c.limit(n)) <= 0 {
			c.take(search.Found{Placement: start, Value: value, Method: "start"})
		}
	}
	return c, nil
}

// fixedWork is how many choices are weighed for the paths of the fixed nodes, with a free routing.
const fixedWork = 1 << 20

// first takes the fixed nodes, one node without any, or else all that are not forbidden, as a placement within the
// limit. With a free routing it looks for paths that keep the first within. Where nothing follows for other sizes it
// may take none.
func (c *climb) first(ctx context.Context) error {
	problem, p := c.params.Problem, c.params
	nodes := problem.Fixed.Nodes()
	if problem.Fixed == nil {
		nodes = problem.Candidates()[:1]
	}
	one := search.Found{Placement: core.MustPlacement(problem.Torus(), nodes), Value: new(big.Rat), Method: "start"}
	limit, fault := c.limit(len(nodes)), "the fixed nodes alone have E_max %s, above the limit"
	hint := "raise the limit, or fix fewer nodes"
	switch {
	case problem.Free != nil:
		r, err := restrict.Run(ctx, restrict.Params{Placement: one.Placement, Single: problem.Free.Single,
			MinPaths: problem.Free.MinPaths, Goal: limit, Quick: true, Seed: p.Seed, Evaluations: fixedWork,
			Workers: p.Workers})
		if err != nil {
			return err
		}
		one.Table, one.Value = r.Table, r.Value
		if r.Lower.Cmp(limit) <= 0 {
			fault = "the fixed nodes alone have E_max %s by the best paths that were found, above the limit"
		}
	case problem.Traffic.Clients() && problem.Fixed == nil: // one processor loads links, some nodes less than others
		one, fault, hint = c.leastAlone(ctx), "one processor alone has E_max %s, above the limit", "raise the limit"
	case len(nodes) > 1 || problem.Traffic.Clients():
		one.Value, _ = fast.Evaluate(problem, one.Placement).Max()
	}
	switch {
	case one.Value == nil: // the context has ended
		return nil
	case one.Value.Cmp(limit) <= 0:
		c.take(one)
		return nil
	case c.ahead == 1 || problem.Free != nil:
		return core.Invalid(problem.String(), fault, one.Value.RatString()).Hinted(hint)
	}
	all := core.MustPlacement(problem.Torus(), append(problem.Fixed.Nodes(), problem.Candidates()...))
	loads, err := fast.EvaluateContext(ctx, problem, all)
	if err != nil {
		return nil // the context has ended
	}
	if value, _ := loads.Max(); value.Cmp(c.limit(all.Size())) <= 0 {
		c.take(search.Found{Placement: all, Value: value, Method: "start"})
	}
	return nil
}

// leastAlone returns the candidate with the smallest E_max as the only processor: of all, or of the first to be
// evaluated before the context ends.
func (c *climb) leastAlone(ctx context.Context) search.Found {
	problem, one := c.params.Problem, search.Found{Method: "start"}
	evaluator := fast.NewEvaluator(problem)
	for _, v := range problem.Candidates() {
		if ctx.Err() != nil {
			break
		}
		alone := core.MustPlacement(problem.Torus(), []int{v})
		if value, _ := evaluator.Loads(alone).Max(); one.Value == nil || value.Cmp(one.Value) < 0 {
			one.Placement, one.Value = alone, value
		}
	}
	return one
}

// limit returns the limit for n processors.
func (c *climb) limit(n int) *big.Rat { return c.params.Problem.Limit.ValueAt(n) }

// size returns the size of the best so far.
func (c *climb) size() int { return c.best.Best.Size() }

// lower returns a value that no placement of n processors is below.
func (c *climb) lower(n int) *big.Rat {
	if c.options.Lower != nil {
		return c.options.Lower(n)
	}
	return bound.QuickBound(c.params.Problem.WithSize(n)).Value
}

// take makes a placement the best.
func (c *climb) take(f search.Found) {
	c.best.Outcome = search.Outcome{Best: f.Placement, Table: f.Table, Value: f.Value}
	c.best.Method = f.Method
}

// bound derives the upper bound from the lower bounds of all sizes, up to where none can be within its limit: more
// processors need at least what fewer need. It fails with a *search.DisagreementError if they exclude the start, and
// with an *core.InputError if they exclude all sizes.
func (c *climb) bound(ctx context.Context) error {
	least, largest := c.params.Problem.Sizes()
	most, upper, need := c.limit(largest), 0, new(big.Rat)
	for n := least; n <= largest; n++ {
		if ctx.Err() != nil {
			return nil
		}
		if lower := c.lower(n); !c.monotone || lower.Cmp(need) > 0 {
			need = lower
		}
		switch {
		case need.Cmp(c.limit(n)) <= 0:
			upper = n
		case n == c.size():
			return &search.DisagreementError{Problem: c.params.Problem.WithSize(n).String(), Below: need,
				Engine: "the lower bound", Nodes: c.best.Best.Nodes()}
		default:
			c.barred[n] = true
		}
		if c.monotone && n >= c.size() && need.Cmp(most) > 0 {
			break
		}
	}
	if upper == 0 {
		p := c.params.Problem
		return core.Invalid(p.String(), "the lower bounds of all sizes are above the limit").Hinted("raise the limit")
	}
	c.best.UpperBound, c.bounded = upper, upper
	return nil
}

// tries is how many sizes can be tried at least before the first round has spent the
// evaluations: more than the steps that double and halve on most tori.
const tries = 32

// exhausted reports whether the evaluations or the context end the climb.
func (c *climb) exhausted(ctx context.Context) bool {
	return ctx.Err() != nil || c.params.Evaluations > 0 && c.spent >= c.params.Evaluations
}

// ended reports whether the climb is over, and why.
func (c *climb) ended(ctx context.Context) bool {
	c.best.Evaluations = c.spent
	switch {
	case c.size() == c.best.UpperBound:
		c.best.Reason = search.Complete
	case ctx.Err() != nil:
		c.best.Reason = search.Stopped
	case c.exhausted(ctx):
		c.best.Reason = search.Spent
	case !c.tried:
		c.best.Reason = search.Complete
	default:
		return false
	}
	return true
}

// descend looks for a first size within the limit, from the upper bound on.
func (c *climb) descend(ctx context.Context) error {
	least, _ := c.params.Problem.Sizes()
	for n := c.best.UpperBound; n >= least; n-- {
		if within, err := c.try(ctx, n); within || err != nil {
			return err
		}
	}
	return nil
}

// ascend is one round: the next sizes that are not over, and steps from those within the limit.
func (c *climb) ascend(ctx context.Context) error {
	c.tried = false
	if c.size() == 0 {
		return c.descend(ctx)
	}
	left := c.ahead
	for n := c.size() + 1; left > 0 && n <= c.best.UpperBound; n++ {
		if _, over := c.over[n]; (over || c.barred[n]) && c.ahead > 1 {
			continue
		}
		within, err := c.try(ctx, n)
		if err != nil {
			return err
		}
		if left--; within {
			if err := c.stride(ctx); err != nil {
				return err
			}
			n, left = c.size(), c.ahead
		}
	}
	return nil
}

// stride goes up in steps that double and halve, until they are 1.
func (c *climb) stride(ctx context.Context) error {
	for step := 2; step > 1; {
		within, err := c.try(ctx, min(c.size()+step, c.best.UpperBound))
		if err != nil {
			return err
		}
		if within {
			step *= 2
		} else {
			step /= 2
		}
	}
	return nil
}

// try looks for a placement of one size within its limit, if that may be worth it.
func (c *climb) try(ctx context.Context, n int) (bool, error) {
	_, over := c.over[n]
	if n <= c.size() || n > c.best.UpperBound || over || c.barred[n] || c.exhausted(ctx) {
		return false, nil
	}
	c.tried = true
	p := c.params
	p.Problem = c.params.Problem.WithSize(n)
	p.Goal, p.GoalOnly = c.limit(n), true
	p.Seed = seedOf(c.params.Seed, c.round, p.Problem.String())
	p.Starts = nil
	for _, s := range c.params.Starts {
		if s.Size() == n {
			p.Starts = append(p.Starts, s)
		}
	}
	p.Evaluations = c.quota()
	spent := c.spent
	p.Observe = func(e search.Event) {
		e.Evaluations += spent
		c.params.Report(e)
	}
	result, err := Run(ctx, c.methods, p, Options{Recheck: c.options.Recheck, Parts: c.options.Parts})
	c.spent += result.Evaluations
	switch {
	case err != nil:
		return false, err
	case p.Done(result.Value):
		result.UpperBound = c.best.UpperBound
		c.best = result
		return true, nil
	case result.Reason == search.Complete:
		c.over[n] = false
	}
	c.exclude(n, result.Refutation)
	return false, nil
}

// quota returns the evaluations for a size in this round.
func (c *climb) quota() int64 {
	all := c.params.Evaluations
	first := 2 * firstQuota * c.parts
	if all == 0 {
		return grown(first, c.round)
	}
	first = min(first, max(all/tries, int64(len(c.methods))))
	return min(grown(first, c.round), all-c.spent)
}

// exclude takes in that a size has no placement within its limit, if that was
// proved, and what follows for larger sizes.
func (c *climb) exclude(n int, r *search.Refutation) {
	if r == nil || r.Kind != search.Steps {
		return // a solver's proof is a file elsewhere, its word none
	}
	e := Exclusion{Size: n, Refutation: r}
	if !c.covers(e, n) {
		return
	}
	c.proofs = append(c.proofs, e)
	for m := n; m <= c.best.UpperBound && c.covers(e, m); m++ {
		c.over[m] = true
	}
	for c.over[c.best.UpperBound] {
		c.best.UpperBound--
	}
}

// covers reports whether a proof excludes n processors: more than it is about need
// at least as much, where routings are monotone.
func (c *climb) covers(e Exclusion, n int) bool {
	return (e.Size == n || c.monotone && e.Size < n) && e.Refutation.Below.Cmp(c.limit(n)) > 0
}

// needed returns proofs that exclude together all sizes between the upper bound and
// what bounds exclude: for each in turn the one that goes furthest.
func (c *climb) needed() (list []Exclusion) {
	for n := c.best.UpperBound + 1; n <= c.bounded; {
		var last int
		var best Exclusion
		for _, e := range c.proofs {
			m := n
			for m <= c.bounded && c.covers(e, m) {
				m++
			}
			if m > last {
				last, best = m, e
			}
		}
		list, n = append(list, best), last
	}
	slices.SortFunc(list, func(a, b Exclusion) int { return cmp.Compare(a.Size, b.Size) })
	return list
}
