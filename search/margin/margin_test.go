package margin

import (
	"context"
	"errors"
	"math/big"
	"reflect"
	"testing"

	"leeway/search"
	"leeway/search/searchtest"
)

func TestConform(t *testing.T) { searchtest.Conform(t, New()) }

// TestKnownOptima holds values that other engines found (project design notes,
// sections 2 and 5): 8x8 n=16 and 10x10 n=20 by bound and placement, 6x6 n=12 by
// exhaustive generation, 6x6 n=6 odr by exhaustive generation.
func TestKnownOptima(t *testing.T) {
	for _, c := range []struct {
		torus, routing string
		n              int
		want           string
	}{
		{"8x8", "udr:tie=both", 16, "4"},
		{"7x7", "udr:tie=both", 14, "4"},
		{"10x10", "udr:tie=both", 20, "5"},
		{"6x6", "udr:tie=both", 12, "3"},
		{"6x6", "odr", 6, "2"},
		{"4x4", "odr:tie=both", 4, "1"},
	} {
		if out := solve(t, searchtest.Problem(c.torus, c.routing, c.n), 2); out.Value.RatString() != c.want {
			t.Errorf("%s %s n=%d: %s, want %s", c.torus, c.routing, c.n, out.Value.RatString(), c.want)
		}
	}
}

// TestAnswerIsTheSameForAnyWorkers compares whole answers, slices with their
// counts of nodes included, found, refuted and cut short.
func TestAnswerIsTheSameForAnyWorkers(t *testing.T) {
	for _, c := range []struct {
		limit int64
		nodes int64
		want  Verdict
	}{{5, 0, None}, {6, 0, Found}, {5, 500, Unknown}, {6, 20000, Found}, {6, 7, Unknown}} {
		p, limit := searchtest.Problem("8x8", "odr", 11), big.NewRat(c.limit, 1)
		var first Answer
		for _, workers := range []int{1, 2, 5} {
			answer, err := Decide(context.Background(), p, limit, Effort{Nodes: c.nodes, Workers: workers})
			if err != nil || answer.Verdict != c.want {
				t.Fatalf("limit %d, %d nodes: %s, %v", c.limit, c.nodes, answer.Verdict, err)
			}
			if workers == 1 {
				first = answer
			} else if !reflect.DeepEqual(answer, first) {
				t.Errorf("limit %d, %d nodes, %d workers: %d nodes in %d slices, with one worker %d in %d", c.limit, c.nodes, workers,
					answer.Nodes, len(answer.Slices), first.Nodes, len(first.Slices))
			}
		}
		if c.want == Unknown && first.Nodes != c.nodes {
			t.Errorf("limit %d: %d nodes of %d", c.limit, first.Nodes, c.nodes)
		}
	}
}

// TestSlicesAddUp: nodes of a refutation are those of its slices, one slice for
// every column margin.
func TestSlicesAddUp(t *testing.T) {
	answer, err := Decide(context.Background(), searchtest.Problem("8x8", "odr", 11), big.NewRat(5, 1), Effort{Workers: 2})
	if err != nil || answer.Verdict != None || len(answer.Slices) == 0 {
		t.Fatalf("%+v, %v", answer, err)
	}
	nodes := int64(0)
	for _, s := range answer.Slices {
		nodes += s.Nodes
		if sum(s.Columns) != 11 || s.Classes > s.Nodes {
			t.Errorf("slice %+v", s)
		}
	}
	if nodes != answer.Nodes || nodes == 0 {
		t.Errorf("%d nodes in slices, %d in all", nodes, answer.Nodes)
	}
}

func sum(c []int) (n int) {
	for _, v := range c {
		n += v
	}
	return n
}

func TestStopsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	out, err := New().Run(ctx, search.Params{Problem: searchtest.Problem("8x8", "odr", 13), Workers: 2, Observe: func(e search.Event) {
		if e.Note != "start" {
			cancel()
		}
	}})
	if err != nil || out.Reason != search.Stopped || out.Refutation != nil || out.Value == nil {
		t.Fatalf("%+v, %v", out, err)
	}
	answer, err := Decide(ctx, searchtest.Problem("8x8", "odr", 11), big.NewRat(5, 1), Effort{Workers: 1})
	if err != nil || answer.Verdict != Unknown {
		t.Errorf("%s, %v", answer.Verdict, err)
	}
}

// TestHighLimitIsRefusedByName: margins far above the optimum are not worth
// listing.
func TestHighLimitIsRefusedByName(t *testing.T) {
	var many *TooManyError
	_, err := Decide(context.Background(), searchtest.Problem("16x16", "udr:tie=both", 40), big.NewRat(100, 1), Effort{Workers: 2, Margins: 1000})
	if !errors.As(err, &many) || many.Most != 1000 {
		t.Errorf("error %v", err)
	}
}

func TestRefuses(t *testing.T) {
	for _, p := range [][2]string{{"4x4", "minimal"}, {"4x4", "avoid"}, {"2x2x2", "udr"}, {"8", "odr"}, {"17x4", "odr"}} {
		var unsupported *search.UnsupportedError
		problem := searchtest.Problem(p[0], p[1], 3)
		if err := New().Supports(problem); !errors.As(err, &unsupported) {
			t.Errorf("%v: Supports: %v", p, err)
		}
		if _, err := New().Run(context.Background(), search.Params{Problem: problem, Workers: 1}); !errors.As(err, &unsupported) {
			t.Errorf("%v: Run: %v", p, err)
		}
		if _, err := Decide(context.Background(), problem, big.NewRat(1, 1), Effort{}); !errors.As(err, &unsupported) {
			t.Errorf("%v: Decide: %v", p, err)
		}
	}
}

// TestGoal: the goal is asked for first, and a goal out of reach does no harm.
func TestGoal(t *testing.T) {
	p := searchtest.Problem("6x6", "udr:tie=both", 12)
	for _, c := range []struct {
		goal *big.Rat
		want search.Reason
	}{{big.NewRat(10, 3), search.Reached}, {big.NewRat(3, 1), search.Reached}, {big.NewRat(29, 10), search.Complete}, {new(big.Rat), search.Complete}} {
		out, err := New().Run(context.Background(), search.Params{Problem: p, Workers: 1, Goal: c.goal})
		if err != nil || out.Reason != c.want || c.want == search.Reached && out.Value.Cmp(c.goal) > 0 {
			t.Errorf("goal %s: %s, reason %s, %v", c.goal.RatString(), out.Value.RatString(), out.Reason, err)
		}
		if c.want == search.Complete && (out.Value.RatString() != "3" || out.Refutation == nil) {
			t.Errorf("goal %s: %s, refutation %v", c.goal.RatString(), out.Value.RatString(), out.Refutation)
		}
	}
}
