package portfolio

import (
	"context"
	"math/big"

	"leeway/core"
	"leeway/objective"
	"leeway/objective/bound"
	"leeway/search"
	"leeway/search/census"
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
func largest(ctx context.Context, methods []search.Method, p search.Params, o Options) (Result, error) {
	c, err := newClimb(methods, p, o)
	if err != nil {
		return c.best, err
	}
	if err := c.bound(ctx); err != nil {
		return c.best, err
	}
	for ; !c.ended(ctx); c.round++ {
		if err := c.up(ctx); err != nil {
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
	proofs  []Exclusion // in the order in which they were found
	bounded int         // the upper bound by Lower alone
	spent   int64
	best    Result
}

// newClimb validates and begins with the largest start within the limit, or with a
// single processor, which loads no link.
func newClimb(methods []search.Method, p search.Params, o Options) (*climb, error) {
	problem := p.Problem
	t := problem.Torus()
	c := &climb{methods: methods, params: p, options: o, monotone: !problem.Routing.DependsOnPlacement(),
		ahead: width, tried: true, over: map[int]bool{}, best: Result{UpperBound: t.N()}}
	if c.monotone && c.limit(1).Cmp(c.limit(t.N())) == 0 {
		c.ahead = 1
	}
	for _, m := range methods {
		c.parts += int64(max(1, o.Parts[m.Name()]))
	}
	last := new(big.Rat)
	for n := 1; n <= t.N(); n++ {
		limit := c.limit(n)
		if limit.Cmp(last) < 0 {
			return c, &core.InputError{Text: limit.RatString(), Problem: "a load limit is negative or falls as the size grows"}
		}
		last = limit
	}
	one := search.Found{Placement: core.MustPlacement(t, []int{0}), Value: new(big.Rat), Method: "start"}
	if problem.Free != nil {
		one.Table = restrict.NewLists(t).Table(one.Placement, *problem.Free, nil)
	}
	c.take(one)
	for _, start := range p.Starts {
		if !start.Torus().Equal(t) {
			return c, &core.InputError{Text: start.Torus().String(), Problem: "a start is on another torus than " + t.String()}
		}
		if problem.Free != nil {
			continue // without paths it is for the method to take up
		}
		value, _ := objective.Evaluate(problem.Routing, start).Max()
		if n := start.Size(); n > c.size() && value.Cmp(c.limit(n)) <= 0 {
			c.take(search.Found{Placement: start, Value: value, Method: "start"})
		}
	}
	return c, nil
}

// limit returns the limit for n processors.
func (c *climb) limit(n int) *big.Rat { return c.params.Problem.Limit.At(n) }

// size returns the size of the best so far.
func (c *climb) size() int { return c.best.Best.Size() }

// lower returns a value that no placement of n processors is below.
func (c *climb) lower(n int) *big.Rat {
	if c.options.Lower != nil {
		return c.options.Lower(n)
	}
	return bound.OfProblem(c.params.Problem.At(n)).Value
}

// take makes a placement the best.
func (c *climb) take(f search.Found) {
	c.best.Outcome = search.Outcome{Best: f.Placement, Table: f.Table, Value: f.Value}
	c.best.Method = f.Method
}

// bound derives the upper bound from the lower bounds of all sizes, up to where none can be within its limit: more
// processors need at least what fewer need. It fails with a *census.DisagreementError if they exclude the start.
func (c *climb) bound(ctx context.Context) error {
	t := c.params.Problem.Torus()
	most, upper, need := c.limit(t.N()), 0, new(big.Rat)
	for n := 1; n <= t.N(); n++ {
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
			return &census.DisagreementError{Problem: c.params.Problem.At(n).String(), Below: need, Engine: "the lower bound",
				Nodes: c.best.Best.Nodes()}
		}
		if c.monotone && n >= c.size() && need.Cmp(most) > 0 {
			break
		}
	}
	c.best.UpperBound, c.bounded = upper, upper
	return nil
}
