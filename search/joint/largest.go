package joint

import (
	"context"
	"math/big"

	"leeway/core"
	"leeway/search"
	"leeway/search/census"
)

// How hard Largest tries a size.
const (
	firstTry = 1 << 17 // choices in the first round, at most a 32nd of all; half as many again in each after
	ahead    = 4       // sizes above the best that a round tries at least
)

// A Sizing asks for the most processors that a load limit allows.
type Sizing struct {
	Limit func(n int) *big.Rat // for n processors; must not fall as n grows
	Lower func(n int) *big.Rat // no placement of n processors is below it, under any restriction
}

// A Sized answer is the largest size for which something within the limit was found.
type Sized struct {
	Result         // for that size; Evaluations are those for all sizes
	Size       int // at least 1
	UpperBound int // no larger size is within the limit
}

// Largest looks for the largest size with a placement and a table within the limit.
// Of the parameters Size, Goal, Starts, Checkpoint and Resume have no effect. It
// goes up from the largest size known in steps that double while something is found and
// halve when not, and then tries the next few sizes; every round gives a size
// half as many choices again as the last. It ends when the upper bound is
// met, when the evaluations are spent or when the context ends. Errors are those
// of Run.
func Largest(ctx context.Context, p Params, s Sizing) (Sized, error) {
	p.Starts, p.Resume, p.Checkpoint, p.Goal = nil, nil, nil, nil
	c := &climb{Params: p, Sizing: s, best: Sized{UpperBound: s.upper(p.Torus)}}
	if err := c.one(ctx); err != nil {
		return c.best, err
	}
	for !c.ended(ctx) {
		for step := 1; step > 0 && !c.ended(ctx); {
			within, err := c.try(ctx, min(c.best.Size+step, c.best.UpperBound))
			if err != nil {
				return c.best, err
			}
			if step /= 2; within {
				step = max(4*step, 2)
			}
		}
		for n, known := c.best.Size+2, c.best.Size; n <= min(known+ahead, c.best.UpperBound) && c.best.Size == known && !c.ended(ctx); n++ {
			if _, err := c.try(ctx, n); err != nil {
				return c.best, err
			}
		}
		c.round++
	}
	return c.best, nil
}

// A climb is one call of Largest.
type climb struct {
	Params
	Sizing
	best  Sized
	round int
	spent int64
}

// upper returns the largest size that the lower bounds leave. More processors need
// at least what fewer need, since a table need not change when one is dropped.
func (s Sizing) upper(t *core.Torus) int {
	upper, need, most := 1, new(big.Rat), s.Limit(t.N())
	for n := 1; n <= t.N() && need.Cmp(most) <= 0; n++ {
		if lower := s.Lower(n); lower.Cmp(need) > 0 {
			need = lower
		}
		if need.Cmp(s.Limit(n)) <= 0 {
			upper = n
		}
	}
	return upper
}

// one begins with a single processor, which loads no link.
func (c *climb) one(ctx context.Context) error {
	p := c.Params
	p.Size, p.Improved, p.Feeders = 1, nil, nil
	r, err := Run(ctx, p)
	c.best.Result, c.best.Size = r, 1
	return err
}

// try looks for something of one size within its limit.
func (c *climb) try(ctx context.Context, n int) (bool, error) {
	p := c.Params
	p.Size, p.Goal, p.Improved = n, c.Limit(n), nil
	p.Seed = census.Hash(census.Hash(census.Hash(0, int(c.Seed)), c.round), n)
	p.Evaluations = firstTry
	if c.Evaluations > 0 { // small budgets climb too
		p.Evaluations = min(p.Evaluations, max(c.Evaluations/32, 1))
	}
	for r := 0; r < c.round && p.Evaluations < mostWork; r++ {
		p.Evaluations += p.Evaluations / 2
	}
	if c.Evaluations > 0 {
		p.Evaluations = min(p.Evaluations, c.Evaluations-c.spent)
	}
	spent := c.spent
	p.Observe = func(e search.Event) {
		if e.Evaluations += spent; c.Observe != nil {
			c.Observe(e)
		}
	}
	r, err := Run(ctx, p)
	if err != nil {
		return false, err
	}
	c.spent += r.Evaluations
	if r.Value.Cmp(p.Goal) > 0 {
		return false, nil
	}
	r.Found.Evaluations += spent
	if c.best.Result, c.best.Size = r, n; c.Improved != nil {
		c.Improved(r.Found)
	}
	return true, nil
}

// ended reports whether the climb is over, and why.
func (c *climb) ended(ctx context.Context) bool {
	c.best.Result.Evaluations = c.spent
	switch {
	case c.best.Size >= c.best.UpperBound:
		c.best.Reason = search.Complete
	case ctx.Err() != nil:
		c.best.Reason = search.Stopped
	case c.Evaluations > 0 && c.spent >= c.Evaluations:
		c.best.Reason = search.Spent
	default:
		return false
	}
	return true
}
