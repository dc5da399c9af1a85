package portfolio

import (
	"cmp"
	"context"
	"slices"

	"leeway/search"
)

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

// up is one round: the next sizes that are not over, and steps from those within the limit.
func (c *climb) up(ctx context.Context) error {
	c.tried = false
	left := c.ahead
	for n := c.size() + 1; left > 0 && n <= c.best.UpperBound; n++ {
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
	if n <= c.size() || n > c.best.UpperBound || over || c.exhausted(ctx) {
		return false, nil
	}
	c.tried = true
	p := c.params
	p.Problem = c.params.Problem.At(n)
	p.Goal, p.GoalOnly = c.limit(n), true
	p.Seed = seedOf(c.params.Seed, c.round, p.Problem.String())
	p.Starts = nil
	for _, s := range c.params.Starts {
		if s.Size() == n {
			p.Starts = append(p.Starts, s)
		}
	}
	p.Evaluations = c.share()
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

// share returns the evaluations for a size in this round.
func (c *climb) share() int64 {
	all := c.params.Evaluations
	first := 2 * firstShare * c.parts
	if all == 0 {
		return grown(first, c.round)
	}
	first = min(first, max(all/tries, int64(len(c.methods))))
	return min(grown(first, c.round), all-c.spent)
}

// exclude takes in that a size has no placement within its limit, if that was
// proved, and what follows for larger sizes.
func (c *climb) exclude(n int, r *search.Refutation) {
	if r == nil || r.Kind != search.Census {
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
