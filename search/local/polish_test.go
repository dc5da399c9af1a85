package local_test

import (
	"math/big"
	"slices"
	"testing"

	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/objective"
	"leeway/search/local"
	"leeway/search/searchtest"
)

// TestPolisher makes chains from random placements: the load is that of the naive evaluator, no larger than at the
// start, the evaluations are kept to, and one polisher gives the same as a new one.
func TestPolisher(t *testing.T) {
	never := func() bool { return false }
	for _, p := range searchtest.Small() {
		kept := coretest.Must(local.NewPolisher(t.Context(), p, nil))
		for seed := range uint64(5) {
			w := local.Params{Start: family.Random(p.Torus(), p.Size, seed), Seed: seed, Known: local.Unknown, Patience: 5,
				Evaluations: 1 + int64(seed)*40, Quit: never}
			got := kept.Run(w)
			start, _ := objective.Naive(p.Routing, w.Start).Max()
			value, _ := objective.Naive(p.Routing, got.Best).Max()
			if value.Cmp(start) > 0 || got.Evaluations > w.Evaluations || got.Best.Size() != p.Size {
				t.Errorf("%s: from %s to %s in %d evaluations of %d", p, start.RatString(), value.RatString(), got.Evaluations,
					w.Evaluations)
			}
			fresh, _ := local.NewPolisher(t.Context(), p, nil)
			if again := fresh.Run(w); !slices.Equal(again.Best.Nodes(), got.Best.Nodes()) ||
				again.Evaluations != got.Evaluations || again.Most != got.Most {
				t.Errorf("%s: a new polisher ends elsewhere", p)
			}
		}
	}
}

// TestPolisherEnds checks the goal, the patience and the question to quit.
func TestPolisherEnds(t *testing.T) {
	p := searchtest.Problem("4x4", "odr:tie=both", 4)
	polisher := coretest.Must(local.NewPolisher(t.Context(), p, big.NewRat(1, 1)))
	w := local.Params{Start: family.Random(p.Torus(), 4, 1), Known: local.Unknown, Patience: 1000,
		Evaluations: 1_000_000, Quit: func() bool { return false }}
	got := polisher.Run(w)
	if value, _ := objective.Naive(p.Routing, got.Best).Max(); !got.Reached || value.Cmp(big.NewRat(1, 1)) > 0 {
		t.Errorf("the goal 1 is not reached but %s", value.RatString())
	}
	asked := 0
	w.Quit = func() bool { asked++; return asked > 3 }
	polisher, _ = local.NewPolisher(t.Context(), p, nil)
	got = polisher.Run(w)
	// A whole step is 4 removals and 3 times 12 swaps; it is asked every few of them.
	if asked > 10 || got.Evaluations > 40 {
		t.Errorf("went on when told to quit: asked %d times, %d evaluations", asked, got.Evaluations)
	}
	w.Quit, w.Patience = func() bool { return false }, 10
	if got = polisher.Run(w); got.Evaluations > 10_000 {
		t.Errorf("no patience left, yet %d evaluations", got.Evaluations)
	}
}
