package portfolio_test

import (
	"context"
	"errors"
	"math/big"
	"slices"
	"testing"

	"leeway/core/coretest"
	"leeway/search"
	"leeway/search/portfolio"
	"leeway/search/searchtest"
)

// inTurn runs methods one after the other on two processors of a ring of five.
func inTurn(t *testing.T, p search.Params, methods ...search.Method) (portfolio.Outcome, error) {
	t.Helper()
	p.Problem, p.Workers = searchtest.Problem("5", "udr", 2), 1
	return portfolio.Run(context.Background(), methods, p, portfolio.Options{InTurn: true})
}

func TestInTurnKeepsTheBestAndPassesItOn(t *testing.T) {
	a := plays("a", act{nodes: []int{0, 1}, spend: 3, reason: search.Complete})
	b := plays("b", act{spend: 10, reason: search.Complete})
	c := plays("c", act{nodes: []int{0, 2}, spend: 1, reason: search.Complete})
	got := coretest.Must(inTurn(t, search.Params{Seed: 7, Evaluations: 90}, a, b, c))
	if got.Method != "a" || got.Value.RatString() != "1" || got.Evaluations != 14 || got.Reason != search.Complete {
		t.Errorf("got method %s, value %v, %d evaluations, %s", got.Method, got.Value, got.Evaluations, got.Reason)
	}
	var quotas []int64
	for _, m := range []*scripted{a, b, c} {
		if len(m.turns) != 1 || m.turns[0].Seed != 7 {
			t.Fatalf("%s had %d turns", m.name, len(m.turns))
		}
		quotas = append(quotas, m.turns[0].Evaluations)
	}
	if !slices.Equal(quotas, []int64{30, (90 - 3) / 2, 90 - 13}) {
		t.Errorf("quotas %v of 90 evaluations, want 30, (90-3)/2, 90-13", quotas)
	}
	if len(a.turns[0].Starts) != 0 || len(b.turns[0].Starts) != 1 || b.turns[0].Starts[0].Nodes()[1] != 1 {
		t.Errorf("starts %v then %v", a.turns[0].Starts, b.turns[0].Starts)
	}
}

func TestInTurnStops(t *testing.T) {
	for name, c := range map[string]struct {
		goal   *big.Rat
		below  string
		reason search.Reason
	}{"at the goal": {big.NewRat(1, 1), "", search.Reached}, "at a refutation": {nil, "1", search.Complete}} {
		a := plays("a", act{nodes: []int{0, 1}, below: c.below})
		b := plays("b", act{})
		got, err := inTurn(t, search.Params{Goal: c.goal}, a, b)
		if err != nil || got.Reason != c.reason || len(b.turns) > 0 || (got.Refutation == nil) != (c.below == "") {
			t.Errorf("%s: %s, refutation %v, second method ran %d times, %v", name, got.Reason, got.Refutation, len(b.turns),
				err)
		}
	}
}

func TestInTurnRefusesAWrongValue(t *testing.T) {
	_, err := inTurn(t, search.Params{}, plays("a", act{nodes: []int{0, 1}, claim: "1/2"}))
	var wrong *search.WrongValueError
	if !errors.As(err, &wrong) || wrong.True.RatString() != "1" {
		t.Errorf("error %v", err)
	}
}

func TestInTurnPassesOverUnsupported(t *testing.T) {
	a := &scripted{name: "a", refuse: true}
	b := plays("b", act{nodes: []int{0, 1}})
	if got, err := inTurn(t, search.Params{}, a, b); err != nil || got.Method != "b" {
		t.Errorf("method %q, %v", got.Method, err)
	}
	var unsupported *search.UnsupportedError
	if _, err := inTurn(t, search.Params{}, a); !errors.As(err, &unsupported) {
		t.Errorf("error %v", err)
	}
}
