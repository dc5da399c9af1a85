package work

import (
	"context"
	"math/big"
	"time"

	"leeway/core"
	"leeway/objective"
	"leeway/objective/deadlock"
	"leeway/objective/fast"
	"leeway/objective/rounds"
	"leeway/objective/worst"
	"leeway/results"
	"leeway/results/answers"
	"leeway/results/compose"
	search "leeway/search/worst"
)

// Worst returns the worst case of a placement over all permutations of its processors. Errors are *core.InputError:
// those of worst.New, and client traffic, whose messages are no permutations.
func Worst(q objective.Problem, p core.Placement) (answers.Worst, error) {
	if !q.Traffic.ToAll() {
		return answers.Worst{}, &core.InputError{Text: q.Traffic.String(),
			Problem: "permutations are of the processors, and say themselves who sends to whom",
			Hint:    "omit --traffic"}
	}
	e, err := worst.NewFor(q.Routing, p)
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
	best, err := search.Search(limited, p, b.Seed, b.Evaluations, func(load, den int64) { found(big.NewRat(load, den)) })
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
	order, channels, err := g.Virtual(ctx)
	if err != nil {
		return answers.Deadlock{}, err
	}
	datelines, enough, err := g.Datelines(ctx)
	if !enough {
		datelines = 0
	}
	return compose.NewDeadlock(q, p, g, order, channels, datelines), err
}
