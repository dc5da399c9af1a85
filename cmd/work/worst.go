package work

import (
	"cmp"
	"context"
	"fmt"
	"math/big"
	"time"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/bound"
	"leeway/objective/deadlock"
	"leeway/objective/fast"
	"leeway/objective/rounds"
	worstcase "leeway/objective/worst"
	"leeway/results"
	"leeway/results/answers"
	"leeway/results/compose"
	"leeway/search"
	"leeway/search/channels"
	"leeway/search/restrict"
	"leeway/search/worst"
)

// Worst returns the worst case of a placement over all permutations of its processors. Errors are *core.InputError:
// those of worst.New, and client traffic, whose messages do not form permutations.
func Worst(q objective.Problem, p core.Placement) (answers.Worst, error) {
	if !q.Traffic.ToAll() {
		return answers.Worst{}, core.Invalid(q.Traffic.String(),
			"permutations are of the processors, and say themselves who sends to whom").Hinted("omit --traffic")
	}
	e, err := worstcase.NewFor(q.Routing, p)
	if err != nil {
		return answers.Worst{}, err
	}
	return compose.NewWorst(q.Routing, p, e.Case(p.Nodes())), nil
}

// SearchWorst returns the placement of a problem with the least worst case that is found within a budget, with that
// case. Better ones are told as they are found. Errors are those of Worst.
func SearchWorst(ctx context.Context, p objective.Problem, b Budget, found func(load *big.Rat)) (answers.Worst, error) {
	if !p.Traffic.ToAll() {
		return Worst(p, core.Placement{})
	}
	start := time.Now()
	limited, cancel := b.Deadline(ctx)
	defer cancel()
	best, err := worst.Search(limited, p, b.Seed, b.Evaluations, func(load, den int64) { found(big.NewRat(load, den)) })
	if err != nil {
		return answers.Worst{}, err
	}
	d, err := Worst(p, core.MustPlacement(p.Torus(), best.Nodes))
	d.FoundBy = &results.FoundBy{Method: "swaps", Seed: b.Seed, Evaluations: best.Evaluations,
		Seconds: float64(time.Since(start).Milliseconds()) / 1000}
	return d, err
}

// Rounds returns what random rounds of traffic put on the busiest link. Errors are those of rounds.Draw.
func Rounds(ctx context.Context, q objective.Problem, p core.Placement, count int,
	seed uint64) (compose.Rounds, error) {
	sample, err := rounds.Draw(ctx, q, p, count, seed)
	if err != nil {
		return compose.Rounds{}, err
	}
	loads, err := fast.EvaluateContext(ctx, q, p)
	if err != nil {
		return compose.Rounds{}, err
	}
	most, _ := loads.Max()
	return compose.NewRounds(q, p, count, seed, sample, most), nil
}

// Deadlock returns whether the messages of a placement can deadlock, and with how many virtual channels they cannot.
// Errors are those of deadlock.New.
func Deadlock(ctx context.Context, q objective.Problem, p core.Placement) (answers.Deadlock, error) {
	g, err := deadlock.New(ctx, q, p)
	if err != nil {
		return answers.Deadlock{}, err
	}
	order, err := g.Virtual(ctx)
	if err != nil {
		return answers.Deadlock{}, err
	}
	datelines, err := g.Datelines(ctx)
	return compose.NewDeadlock(q, p, g, order, datelines), err
}

// RestrictChannels returns the table of single shortest paths with the least E_max that is found within a budget, of
// those that some virtual channels for each link keep free of deadlock, as an answer about deadlock. It starts in turn
// from the best table of single paths without a limit of channels, and from a dimension order; on networks without
// dimensions from any. Errors are those of channels.Search, and a *core.InputError where no table is found.
func RestrictChannels(ctx context.Context, p core.Placement, traffic objective.Traffic, numbers int, b Budget,
	watch func(lower *big.Rat) (observe func(search.Event), end func())) (answers.Deadlock, error) {
	started, t := time.Now(), p.Torus()
	any := boundOfAny(ctx, p, traffic)
	lower := bound.Whole(t, true, any)
	params := channels.Params{Placement: p, Traffic: traffic, Channels: numbers, Goal: lower.Value, Seed: b.Seed}
	observe, end := watch(lower.Value)
	defer end()
	params.Observe = func(value *big.Rat, evaluations int64) {
		observe(search.Event{Method: "channels", Value: value, Evaluations: evaluations, Improved: true})
	}
	limited, cancel := b.Deadline(ctx)
	defer cancel()
	starts := []routing.Routing{nil}
	if t.HasDimensions() {
		part, cancel := BoundTime(limited)
		defer cancel()
		order, err := routing.NewODR(t, nil, routing.TiePlus)
		if err != nil {
			return answers.Deadlock{}, err
		}
		free, err := restrict.Run(part, restrict.Params{Placement: p, Traffic: traffic, Single: true, Goal: lower.Value,
			Seed: b.Seed, Evaluations: cmp.Or(b.Evaluations, freeChanges), Workers: 1})
		if err != nil {
			return answers.Deadlock{}, err
		}
		starts = []routing.Routing{free.Table, order}
	}
	var best channels.Result
	for i, start := range starts {
		params.Start, params.Evaluations = start, b.Evaluations
		part, cancel := b.share(limited, 1+3*(len(starts)-1-i))
		next, err := channels.Search(part, params)
		if cancel(); err != nil {
			return answers.Deadlock{}, err
		}
		next.Evaluations += best.Evaluations
		if best.Table != nil && (next.Table == nil || next.Value.Cmp(best.Value) >= 0) {
			best.Evaluations = next.Evaluations
		} else {
			best = next
		}
		if best.Table != nil && best.Value.Cmp(lower.Value) == 0 {
			break
		}
	}
	if best.Table == nil {
		return answers.Deadlock{}, core.Invalid(fmt.Sprint(numbers),
			"no table of single shortest paths was found that this number of virtual channels keeps free of deadlock").
			Hinted("allow more channels, or more time")
	}
	q := objective.Problem{Routing: best.Table, Size: p.Size(), Terms: objective.Terms{Traffic: traffic}}
	g, err := deadlock.New(ctx, q, p)
	if err != nil {
		return answers.Deadlock{}, err
	}
	datelines, err := g.Datelines(ctx)
	d := compose.NewDeadlock(q, p, g, best.Order, datelines)
	d.Channelled = answers.Channelled{Channels: numbers, MaxLoad: results.FormatFraction(best.Value),
		LowerBound: results.FormatFraction(lower.Value), BoundReason: lower.Reason(),
		Bound: &answers.Bound{Name: any.Name, Value: results.FormatFraction(any.Value), Witness: any.Witness},
		FoundBy: &results.FoundBy{Method: "channels", Seed: b.Seed, Evaluations: best.Evaluations,
			Seconds: float64(time.Since(started).Milliseconds()) / 1000}}
	return d, err
}

// freeChanges is how many changes a table without a limit of channels is looked for, if no number is given.
const freeChanges = 1 << 18

// share returns a context that ends when a fraction 1/parts of the time that is left in another is over.
func (b Budget) share(ctx context.Context, parts int) (context.Context, context.CancelFunc) {
	if end, ok := ctx.Deadline(); ok {
		return context.WithTimeout(ctx, time.Until(end)/time.Duration(parts))
	}
	return ctx, func() {}
}
