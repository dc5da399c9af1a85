package portfolio_test

import (
	"context"
	"math/big"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"leeway/core"
	"leeway/objective"
	"leeway/search"
	"leeway/search/family"
	"leeway/search/genetic"
	"leeway/search/local"
	"leeway/search/orbit"
	"leeway/search/portfolio"
	"leeway/search/searchtest"
)

// byTime is square without a budget of evaluations.
func byTime() search.Params {
	p := square()
	p.Evaluations = 0
	return p
}

// TestByTime checks the ends that a run without a budget or a deadline has.
func TestByTime(t *testing.T) {
	begun := make(chan struct{}) // a turn that was not begun before the goal is reached is left out
	quick := plays("quick", act{nodes: diagonal, reason: search.Reached, after: begun})
	endless := plays("endless", act{nodes: row, wait: true})
	p := byTime()
	p.Goal = fraction("3/2")
	first := sync.OnceFunc(func() { close(begun) })
	p.Observe = func(search.Event) { first() }
	got := run(t, p, portfolio.Options{}, endless, quick)
	if got.Reason != search.Reached || got.Method != "quick" || got.State.Epoch != 1 || len(got.State.Archive) != 2 {
		t.Errorf("%s by %s in epoch %d, %d in the archive", got.Reason, got.Method, got.State.Epoch, len(got.State.Archive))
	}
	got = run(t, byTime(), portfolio.Options{}, plays("a", act{nodes: row, reason: search.Complete}))
	if got.Reason != search.Complete || got.Value.RatString() != "2" || !got.State.Methods[0].Resting {
		t.Errorf("%s with %v", got.Reason, got.Value)
	}
}

// TestCutByTime checks that an epoch that the context ends counts as it stands.
func TestCutByTime(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	p := byTime()
	p.Observe = func(search.Event) { cancel() }
	checkpoints := 0
	o := portfolio.Options{Checkpoint: func(portfolio.State) error { checkpoints++; return nil }}
	got, err := portfolio.Run(ctx, []search.Method{plays("a", act{nodes: row, wait: true})}, p, o)
	if err != nil || got.Reason != search.Stopped || checkpoints != 1 || len(got.State.Archive) != 1 ||
		got.State.Methods[0].Resting {
		t.Errorf("%s, %d checkpoints, %d in the archive, %v", got.Reason, checkpoints, len(got.State.Archive), err)
	}
}

// TestReachesKnownValues runs real methods by time and by evaluations.
func TestReachesKnownValues(t *testing.T) {
	p := search.Params{Problem: searchtest.Problem("8x8", "udr:tie=both", 16), Goal: big.NewRat(4, 1), Seed: 1, Workers: 2}
	methods := []search.Method{family.Method{}, orbit.Lattice{}, orbit.Method{}, genetic.Method{}, local.Method{}}
	for _, p.Evaluations = range []int64{0, 10_000_000} {
		got := run(t, p, portfolio.Options{Recheck: 1}, methods...)
		if got.Reason != search.Reached || got.Value.RatString() != "4" {
			t.Errorf("%d evaluations: %s with %s", p.Evaluations, got.Reason, got.Value.RatString())
		}
	}
}

// A wanderer returns a random placement and a low refutation.
type wanderer struct{}

func (wanderer) Name() string                     { return "wanderer" }
func (wanderer) Supports(objective.Problem) error { return nil }
func (wanderer) Run(_ context.Context, p search.Params) (search.Outcome, error) {
	nodes := rand.New(rand.NewPCG(p.Seed, 0)).Perm(p.Problem.Torus().N())[:p.Problem.Size]
	best := core.MustPlacement(p.Problem.Torus(), nodes)
	value, _ := objective.Naive(p.Problem.Routing, best).Max()
	low := &search.Refutation{Below: big.NewRat(int64(p.Seed%64), 64), Kind: search.RefutationKind(p.Seed % 3)}
	return search.Outcome{Best: best, Value: value, Evaluations: p.Evaluations, Reason: search.Spent, Refutation: low}, nil
}

// TestStateStaysSmall runs for many epochs, each with a new orbit and a refutation.
func TestStateStaysSmall(t *testing.T) {
	p := search.Params{Problem: searchtest.Problem("16x16", "odr", 8), Evaluations: 1 << 45, Workers: 1}
	sizes, full := []int(nil), 0
	o := portfolio.Options{Checkpoint: func(s portfolio.State) error {
		sizes = append(sizes, len(text(t, s)))
		full = len(s.Archive)
		if len(s.Refutations) > 3 {
			t.Errorf("%d refutations", len(s.Refutations))
		}
		return nil
	}}
	run(t, p, o, wanderer{})
	if len(sizes) < 40 || full != 16 {
		t.Fatalf("%d epochs, %d placements", len(sizes), full)
	}
	for i, size := range sizes[20:] {
		if size > sizes[19]+200 {
			t.Errorf("epoch %d: %d bytes, %d in epoch 19", i+20, size, sizes[19])
		}
	}
}

// TestTheCheapestBeginFirst: by time, methods whose evaluations are the cheapest come right after the first, whatever
// their place in the list; by evaluations all keep theirs.
func TestTheCheapestBeginFirst(t *testing.T) {
	for evaluations, want := range map[int64]string{0: "a d b c e", 1_000_000: "a b c d e"} {
		p := byTime()
		p.Evaluations, p.Workers = evaluations, 1
		var begun []string
		p.Observe = func(e search.Event) { begun = append(begun, e.Method) }
		var methods []search.Method
		for _, name := range strings.Fields("a b c d e") {
			methods = append(methods, plays(name, act{nodes: row, reason: search.Complete}))
		}
		run(t, p, portfolio.Options{Parts: map[string]int{"d": 10}}, methods...)
		if got := strings.Join(begun, " "); got != want {
			t.Errorf("with %d evaluations %s begin, want %s", evaluations, got, want)
		}
	}
}
