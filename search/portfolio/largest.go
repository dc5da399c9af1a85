package portfolio

import (
	"context"
	"math/big"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/search"
	"leeway/search/census"
)

// A Sizing asks for the most processors that a load limit allows.
type Sizing struct {
	Routing routing.Routing
	// Limit returns the limit for n processors. It must not fall as n grows.
	Limit func(n int) *big.Rat
	// Lower returns a value that no placement of n processors is below.
	Lower func(n int) *big.Rat
	// Recheck is as in Options, for every size.
	Recheck int
}

// A Sized answer is the largest size for which a placement within the limit was
// found.
type Sized struct {
	Result         // for that size; Evaluations are those for all sizes
	Size       int // at least 1
	UpperBound int // no larger size has a placement within the limit
	// Excluded has the proofs that UpperBound needs besides Lower, by ascending size.
	Excluded []Exclusion
}

// An Exclusion proves that no placement of a size is below a value, which is above
// its limit.
type Exclusion struct {
	Size       int
	Refutation *search.Refutation
}

// width is how many sizes above the best are tried where one may be out of reach
// and a larger one not.
const width = 4

// Largest looks for the largest size with a placement within the limit. Of the
// parameters, Problem and Goal have no effect; Starts may be of any size, and the
// largest within the limit is where the search begins.
//
// It goes up from the largest size known in rounds, with steps that double while
// placements are found and halve when not, down to 1. Methods are asked whether the
// limit can be met, not for the optimum: the trees of a census are smaller so.
// Every size that is tried gets 4000 evaluations for each method in the first round,
// but at most a 32nd of all, half as many again in every round after, and a seed
// hashed from (seed, round, problem). Dropping a processor raises no load, so a size
// out of reach is the end for a fixed limit; where the limit grows or paths depend on
// the processors (avoid), the next sizes are tried too. It ends when the upper bound
// is met or nothing is left to look at, when the evaluations are spent or when the
// context ends; without a budget of evaluations the outcome under a deadline depends
// on the clock. Every size begins from nothing but the starts of that size.
//
// Errors are those of Run, and an *core.InputError for a limit that is negative or
// falls, or a start on another torus.
func Largest(ctx context.Context, methods []search.Method, p search.Params, s Sizing) (Sized, error) {
	c, err := newClimb(methods, p, s)
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

// A climb is one call of Largest.
type climb struct {
	methods  []search.Method
	params   search.Params
	sizing   Sizing
	monotone bool // more processors never lower a load
	ahead    int  // how many sizes above the best are tried in every round
	round    int
	tried    bool // some size in this round
	// Sizes not to be tried again: true if it was proved that there is no placement
	// within the limit, false if only nothing is left to look at.
	over    map[int]bool
	proofs  []Exclusion // in the order in which they were found
	bounded int         // the upper bound by Lower alone
	spent   int64
	best    Sized
}

// newClimb validates and begins with the largest start within the limit, or with a
// single processor, which loads no link.
func newClimb(methods []search.Method, p search.Params, s Sizing) (*climb, error) {
	t := s.Routing.Torus()
	c := &climb{methods: methods, params: p, sizing: s, monotone: !s.Routing.DependsOnPlacement(),
		ahead: width, tried: true, over: map[int]bool{}}
	if c.monotone && s.Limit(1).Cmp(s.Limit(t.N())) == 0 {
		c.ahead = 1
	}
	c.best = Sized{UpperBound: t.N()}
	last := new(big.Rat)
	for n := 1; n <= t.N(); n++ {
		limit := s.Limit(n)
		if limit.Cmp(last) < 0 {
			return c, &core.InputError{Text: limit.RatString(), Problem: "a load limit is negative or falls as the size grows"}
		}
		last = limit
	}
	c.take(found{placement: core.MustPlacement(t, []int{0}), value: new(big.Rat), method: "start"})
	for _, start := range p.Starts {
		if !start.Torus().Equal(t) {
			return c, &core.InputError{Text: start.Torus().String(), Problem: "a start is on another torus than " + t.String()}
		}
		value, _ := objective.Evaluate(s.Routing, start).Max()
		if n := start.Size(); n > c.best.Size && value.Cmp(s.Limit(n)) <= 0 {
			c.take(found{placement: start, value: value, method: "start"})
		}
	}
	return c, nil
}

// take makes a placement the best.
func (c *climb) take(f found) {
	c.best.Result = Result{Result: search.Result{Outcome: search.Outcome{Best: f.placement, Value: f.value}, Method: f.method}}
	c.best.Size = f.placement.Size()
}

// bound derives the upper bound from the lower bounds of all sizes, up to where
// none can be within its limit: more processors need at least what fewer need. It
// fails with a *census.DisagreementError if they exclude the start.
func (c *climb) bound(ctx context.Context) error {
	t := c.sizing.Routing.Torus()
	most, upper, need := c.sizing.Limit(t.N()), 0, new(big.Rat)
	for n := 1; n <= t.N(); n++ {
		if ctx.Err() != nil {
			return nil
		}
		if lower := c.sizing.Lower(n); !c.monotone || lower.Cmp(need) > 0 {
			need = lower
		}
		switch {
		case need.Cmp(c.sizing.Limit(n)) <= 0:
			upper = n
		case n == c.best.Size:
			return &census.DisagreementError{Problem: c.problem(n).String(), Below: need, Engine: "the lower bound", Nodes: c.best.Best.Nodes()}
		}
		if c.monotone && n >= c.best.Size && need.Cmp(most) > 0 {
			break
		}
	}
	c.best.UpperBound, c.bounded = upper, upper
	return nil
}

// problem returns the problem of one size.
func (c *climb) problem(n int) objective.Problem {
	return objective.Problem{Routing: c.sizing.Routing, Size: n}
}
