package work

import (
	"context"
	"math/big"

	"leeway/core"
	"leeway/objective"
	"leeway/search"
	"leeway/search/portfolio"
	"leeway/search/refuters"
)

// finest says when a round of raise is over: what is open is this part of what was open at first.
const finest = 32

// raise proves larger lower bounds until a context ends or no other value lies below the best: engines are asked about
// values halfway to it, each with the same number of bytes, then with four times as many, and so on. The largest that
// is refuted is known from then on. A better placement, which an engine may meet, is returned.
func (r *run) raise(ctx context.Context, race refuters.Race, params search.Params,
	before portfolio.Outcome) (portfolio.Outcome, error) {
	r.setSearching(true)
	defer r.setSearching(false)
	first := r.lower.value()
	apart := new(big.Rat).Sub(before.Value, first)
	apart.Quo(apart, big.NewRat(finest, 1))
	den := r.Problem.Denominator()
	params.Starts = []core.Placement{before.Best}
	for race.Spend = max(race.Spend, soon); ; race.Spend *= 4 {
		above, asked := before.Value, false
		for ctx.Err() == nil {
			value := halfway(r.lower.value(), above, den)
			if value == nil || new(big.Rat).Sub(above, r.lower.value()).Cmp(apart) < 0 {
				break
			}
			asked = true
			out, err := race.At(value).Run(ctx, params)
			switch {
			case err != nil:
				return before, err
			case out.Value != nil && out.Value.Cmp(before.Value) < 0:
				return combine(before, portfolio.Outcome{Outcome: out}), nil
			}
			if before.Evaluations += out.Evaluations; out.Refutation == nil {
				above = value
				continue
			}
			proof, err := r.proofOf(out.Refutation)
			if err != nil {
				return before, err
			}
			r.lower.known = &known{where: r.Where(), routing: r.Routing, size: r.Size, below: value, proof: *proof, sure: true}
			if r.Bound != nil {
				r.Bound(value, nil)
			}
		}
		if !asked || ctx.Err() != nil {
			return before, nil
		}
	}
}

// halfway returns a value between two others, in the middle third if there is one, of a small denominator and as a
// multiple of 1/den, unless that is nil; nil where no such multiple is between them.
func halfway(low, high *big.Rat, den *big.Int) *big.Rat {
	third := new(big.Rat).Sub(high, low)
	third.Quo(third, big.NewRat(3, 1))
	value := simplest(new(big.Rat).Add(low, third), new(big.Rat).Sub(high, third))
	if den == nil {
		return value
	}
	if value = objective.RoundUp(value, den); value.Cmp(high) >= 0 {
		value = objective.MultipleBelow(high, den)
	}
	if value.Cmp(low) <= 0 {
		return nil
	}
	return value
}

// simplest returns the fraction with the smallest denominator from low to high, which are not negative.
func simplest(low, high *big.Rat) *big.Rat {
	one := big.NewInt(1)
	whole := objective.NumeratorUp(low, one)
	if up := new(big.Rat).SetInt(whole); up.Cmp(high) <= 0 {
		return up
	}
	floor := new(big.Rat).SetInt(whole.Sub(whole, one))
	rest := simplest(new(big.Rat).Inv(high.Sub(high, floor)), new(big.Rat).Inv(low.Sub(low, floor)))
	return floor.Add(floor, rest.Inv(rest))
}
