package audit

import (
	"context"
	"iter"
)

// stopped is the note of a claim that was not checked to the end.
const stopped = "the audit was stopped before the end of this check"

// Run checks claims by some workers at once and yields them in order, each with its
// finding. Findings do not depend on the number of workers. Once the context is done
// the claims that are not finished are untested.
func Run(ctx context.Context, claims []Claim, l Limits, workers int) iter.Seq2[Claim, Finding] {
	return func(yield func(Claim, Finding) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		found := start(ctx, claims, l, max(1, workers))
		for i, c := range claims {
			if !yield(c, <-found[i]) {
				return
			}
		}
	}
}

// start lets workers take the claims one after the other. Each finding has a channel
// of its own, with room for it, so that no worker is ever held up.
func start(ctx context.Context, claims []Claim, l Limits, workers int) []chan Finding {
	found := make([]chan Finding, len(claims))
	next := make(chan int, len(claims))
	for i := range claims {
		found[i] = make(chan Finding, 1)
		next <- i
	}
	close(next)
	for range workers {
		go func() {
			for i := range next {
				found[i] <- examine(ctx, claims[i], l)
			}
		}()
	}
	return found
}

// examine runs one claim. What a check returns after it was told to stop is dropped.
func examine(ctx context.Context, c Claim, l Limits) Finding {
	if ctx.Err() == nil {
		if f := c.Check(ctx, l); ctx.Err() == nil {
			return f
		}
	}
	return Finding{Verdict: Untested, Note: stopped}
}
