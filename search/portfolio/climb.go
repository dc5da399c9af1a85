package portfolio

import (
	"context"
	"math/big"

	"leeway/search"
)

// exhausted reports whether the evaluations or the context end the climb.
func (c *climb) exhausted(ctx context.Context) bool {
	return ctx.Err() != nil || c.params.Evaluations > 0 && c.spent >= c.params.Evaluations
}

// ended reports whether the climb is over, and why.
func (c *climb) ended(ctx context.Context) bool {
	c.best.Evaluations = c.spent
	switch {
	case c.best.Size == c.best.UpperBound:
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

// up is one round: the next sizes that are not over, and steps from those within
// the limit.
func (c *climb) up(ctx context.Context) error {
	c.tried = false
	left := c.ahead
	for n := c.best.Size + 1; left > 0 && n <= c.best.UpperBound; n++ {
		if _, over := c.over[n]; over && c.ahead > 1 {
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
			n, left = c.best.Size, c.ahead
		}
	}
	return nil
}

// stride goes up in steps that double and halve, until they are 1.
func (c *climb) stride(ctx context.Context) error {
	for step := 2; step > 1; {
		within, err := c.try(ctx, min(c.best.Size+step, c.best.UpperBound))
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
	if n <= c.best.Size || n > c.best.UpperBound || over || c.exhausted(ctx) {
		return false, nil
	}
	c.tried = true
	p := c.params
	p.Problem = c.problem(n)
	p.Goal = c.sizing.Limit(n)
	p.Seed = seedOf(c.params.Seed, c.round, p.Problem.String())
	p.Starts = nil
	for _, s := range c.params.Starts {
		if s.Size() == n {
			p.Starts = append(p.Starts, s)
		}
	}
	p.Evaluations = 2 * grown(firstShare, c.round) * int64(len(c.methods))
	if c.params.Evaluations > 0 {
		p.Evaluations = min(p.Evaluations, c.params.Evaluations-c.spent)
	}
	spent := c.spent
	p.Observe = func(e search.Event) {
		e.Evaluations += spent
		c.params.Report(e)
	}
	result, err := Run(ctx, c.methods, p, Options{Recheck: c.sizing.Recheck})
	c.spent += result.Evaluations
	switch {
	case err != nil:
		return false, err
	case p.Done(result.Value):
		c.best.Result, c.best.Size = result, n
		return true, nil
	case result.Reason == search.Complete:
		c.over[n] = false
	}
	c.exclude(n, p.Goal, result.Refutation)
	return false, nil
}

// exclude takes in that a size has no placement within its limit, if that was
// proved.
func (c *climb) exclude(n int, limit *big.Rat, r *search.Refutation) {
	if r == nil || r.Kind == search.SolverClaim || r.Below.Cmp(limit) <= 0 {
		return
	}
	c.over[n] = true
	if c.monotone && r.Below.Cmp(c.sizing.Limit(c.best.UpperBound)) > 0 {
		c.best.UpperBound = n
	}
	for c.over[c.best.UpperBound] {
		c.best.UpperBound--
	}
}
