package orbit_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/objective"
	"leeway/search"
	"leeway/search/orbit"
	"leeway/search/searchtest"
)

func TestLatticeConforms(t *testing.T) { searchtest.Conform(t, orbit.Lattice{}) }

// TestLatticeFinds checks values that other programs have proved optimal: exhaustive generation, and for 8x8 the margin
// bound.
func TestLatticeFinds(t *testing.T) {
	for _, c := range []struct {
		torus, routing string
		n              int
		want           string
	}{{"8x8", "udr:tie=both", 16, "4"}, {"4x4", "odr:tie=both", 4, "1"}, {"6x6", "odr", 6, "2"}} {
		p := searchtest.Problem(c.torus, c.routing, c.n)
		out, err := orbit.Lattice{}.Run(context.Background(), search.Params{Problem: p, Workers: 1, Evaluations: 20_000})
		if err != nil || out.Value.RatString() != c.want {
			t.Errorf("%s: %v, %v, want %s", p, out.Value, err, c.want)
		}
	}
}

// TestExchangesRepeat checks that a search of which the most part exchanges cosets depends on the seed and the
// evaluations only, that it spends them to the last, and that it goes on from one budget to the next without losing
// anything.
func TestExchangesRepeat(t *testing.T) {
	p := searchtest.Problem("6x6x2", "odr", 24)
	var last search.Outcome
	for _, budget := range []int64{1000, 12_000} {
		var first search.Outcome
		for i, workers := range []int{1, 5} {
			out, err := orbit.Lattice{}.Run(context.Background(),
				search.Params{Problem: p, Workers: workers, Evaluations: budget, Seed: 9})
			if err != nil || out.Evaluations != budget || out.Reason != search.Spent {
				t.Fatalf("%d workers: %d of %d evaluations, %s, %v", workers, out.Evaluations, budget, out.Reason, err)
			}
			if i == 0 {
				first = out
			}
			if !slices.Equal(out.Best.Nodes(), first.Best.Nodes()) {
				t.Errorf("%d evaluations, %d workers: %v, at first %v", budget, workers, out.Best.Nodes(), first.Best.Nodes())
			}
		}
		if last.Value != nil && first.Value.Cmp(last.Value) > 0 {
			t.Errorf("%s after %d evaluations, %s before", first.Value.RatString(), budget, last.Value.RatString())
		}
		last = first
	}
}

// TestBudgetsArePrefixes checks that with a smaller budget the same unions are evaluated in the same order: the best
// with e evaluations is the latest reported up to e.
func TestBudgetsArePrefixes(t *testing.T) {
	for _, p := range []objective.Problem{searchtest.Problem("6x6", "odr:tie=both", 18),
		searchtest.Problem("9x9", "odr", 9), searchtest.Problem("4x4", "odr:tie=both", 4)} {
		prefixes(t, p)
	}
}

func prefixes(t *testing.T, p objective.Problem) {
	var events []search.Event
	observe := func(e search.Event) {
		if e.Improved {
			events = append(events, e)
		}
	}
	if _, err := (orbit.Lattice{}).Run(context.Background(),
		search.Params{Problem: p, Workers: 2, Evaluations: 5000, Observe: observe}); err != nil {
		t.Fatal(err)
	}
	if len(events) < 2 {
		t.Fatalf("%d improvements", len(events))
	}
	for i, e := range events {
		if i > 0 && e.Value.Cmp(events[i-1].Value) >= 0 {
			t.Errorf("%s is no improvement on %s", e.Value.RatString(), events[i-1].Value.RatString())
		}
		for _, budget := range []int64{e.Evaluations - 1, e.Evaluations} {
			if budget == 0 {
				continue
			}
			want := e.Value
			if budget < e.Evaluations {
				if i == 0 {
					want = nil
				} else {
					want = events[i-1].Value
				}
			}
			out, err := orbit.Lattice{}.Run(context.Background(), search.Params{Problem: p, Workers: 1, Evaluations: budget})
			if err != nil || (out.Value == nil) != (want == nil) || want != nil && out.Value.Cmp(want) != 0 {
				t.Errorf("%d evaluations: %v, want %v, %v", budget, out.Value, want, err)
			}
		}
	}
}

// TestLatticeStarts checks that a start counts, and that one of another size or torus does not.
func TestLatticeStarts(t *testing.T) {
	p := searchtest.Problem("5x5", "odr", 7) // no sublattice of 7 nodes
	good := core.MustPlacement(p.Torus(), []int{0, 6, 12, 18, 24, 3, 9})
	value, _ := objective.Naive(p.Routing, good).Max()
	other := core.MustPlacement(core.MustTorus(7, 7), []int{0, 1, 2, 3, 4, 5, 6})
	out, err := orbit.Lattice{}.Run(context.Background(), search.Params{Problem: p, Workers: 1, Evaluations: 1,
		Starts: []core.Placement{other, core.MustPlacement(p.Torus(), []int{1}), good}})
	if err != nil || out.Value == nil || out.Value.Cmp(value) != 0 || out.Evaluations != 1 {
		t.Errorf("%v after %d evaluations, %v, want %s", out.Value, out.Evaluations, err, value.RatString())
	}
	out, err = orbit.Lattice{}.Run(context.Background(),
		search.Params{Problem: searchtest.Problem("13x13", "odr", 11), Workers: 1})
	if err != nil || out.Value != nil || out.Reason != search.Complete {
		t.Errorf("11 of 13x13: %v, %s, %v", out.Value, out.Reason, err)
	}
}

// TestLatticeSupports checks what is refused.
func TestLatticeSupports(t *testing.T) {
	torus := core.MustTorus(4, 4)
	byPair := coretest.Must(objective.NewProblem(coretest.Table(coretest.Rng(1, 1), torus, true), 4))
	for _, p := range []objective.Problem{byPair, searchtest.Problem("4x4", "avoid", 4),
		searchtest.Problem("200x200", "odr", 4),
		searchtest.Problem("100x100", "minimal", 4)} {
		var e *search.UnsupportedError
		if err := (orbit.Lattice{}).Supports(p); !errors.As(err, &e) {
			t.Errorf("%s: %v", p, err)
		}
		if _, err := (orbit.Lattice{}).Run(context.Background(), search.Params{Problem: p, Workers: 1}); !errors.As(err, &e) {
			t.Errorf("%s: run gives %v", p, err)
		}
	}
}
