package search_test

import (
	"context"
	"errors"
	"math/big"
	"testing"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/search"
)

// scripted is a method that returns what a test wrote down for it.
type scripted struct {
	name     string
	nodes    []int
	claim    string // value to report, "" for the true one
	below    string // refutation, "" for none
	spend    int64
	refuse   bool
	received *search.Params
}

func (s *scripted) Name() string { return s.name }

func (s *scripted) Supports(p objective.Problem) error {
	if s.refuse {
		return &search.UnsupportedError{Method: s.name, Problem: p.String(), Why: "told so"}
	}
	return nil
}

func (s *scripted) Run(_ context.Context, p search.Params) (search.Outcome, error) {
	s.received = &p
	out := search.Outcome{Evaluations: s.spend, Reason: search.Complete}
	if s.nodes != nil {
		out.Best = core.MustPlacement(p.Problem.Torus(), s.nodes)
		out.Value, _ = objective.Naive(p.Problem.Routing, out.Best).Max()
		if s.claim != "" {
			out.Value, _ = new(big.Rat).SetString(s.claim)
		}
	}
	if s.below != "" {
		below, _ := new(big.Rat).SetString(s.below)
		out.Refutation = &search.Refutation{Below: below, Engine: s.name}
	}
	return out, nil
}

func pair(t *testing.T) objective.Problem {
	t.Helper()
	p, err := objective.NewProblem(routing.NewUDR(core.MustTorus(5), routing.TiePlus), 2)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestRunKeepsTheBestAndPassesItOn(t *testing.T) {
	a := &scripted{name: "a", nodes: []int{0, 1}, spend: 3}
	b := &scripted{name: "b", spend: 10}
	c := &scripted{name: "c", nodes: []int{0, 2}, spend: 1}
	got, err := search.Run(context.Background(), []search.Method{a, b, c}, search.Params{Problem: pair(t), Evaluations: 90, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if got.Method != "a" || got.Value.RatString() != "1" || got.Evaluations != 14 {
		t.Errorf("got method %s, value %v, %d evaluations", got.Method, got.Value, got.Evaluations)
	}
	if a.received.Evaluations != 30 || b.received.Evaluations != 43 || c.received.Evaluations != 77 {
		t.Errorf("shares %d, %d, %d of 90 evaluations, want 30, (90-3)/2, 90-13", a.received.Evaluations, b.received.Evaluations, c.received.Evaluations)
	}
	if len(a.received.Starts) != 0 || len(b.received.Starts) != 1 || b.received.Starts[0].Nodes()[1] != 1 {
		t.Errorf("starts %v then %v", a.received.Starts, b.received.Starts)
	}
}

func TestRunStopsAtTheGoal(t *testing.T) {
	a := &scripted{name: "a", nodes: []int{0, 1}}
	b := &scripted{name: "b"}
	got, err := search.Run(context.Background(), []search.Method{a, b}, search.Params{Problem: pair(t), Goal: big.NewRat(1, 1), Workers: 1})
	if err != nil || got.Reason != search.Reached || b.received != nil {
		t.Errorf("reason %s, second method ran: %v, %v", got.Reason, b.received != nil, err)
	}
}

func TestRunStopsAtARefutation(t *testing.T) {
	a := &scripted{name: "a", nodes: []int{0, 1}, below: "1"}
	b := &scripted{name: "b"}
	got, err := search.Run(context.Background(), []search.Method{a, b}, search.Params{Problem: pair(t), Workers: 1})
	if err != nil || got.Reason != search.Complete || b.received != nil || got.Refutation == nil {
		t.Errorf("reason %s, refutation %v, second method ran: %v, %v", got.Reason, got.Refutation, b.received != nil, err)
	}
}

func TestRunRefusesAWrongValue(t *testing.T) {
	a := &scripted{name: "a", nodes: []int{0, 1}, claim: "1/2"}
	_, err := search.Run(context.Background(), []search.Method{a}, search.Params{Problem: pair(t), Workers: 1})
	var wrong *search.WrongValueError
	if !errors.As(err, &wrong) || wrong.True.RatString() != "1" {
		t.Errorf("error %v", err)
	}
}

func TestRunPassesOverUnsupported(t *testing.T) {
	a := &scripted{name: "a", refuse: true}
	b := &scripted{name: "b", nodes: []int{0, 1}}
	if got, err := search.Run(context.Background(), []search.Method{a, b}, search.Params{Problem: pair(t), Workers: 1}); err != nil || got.Method != "b" {
		t.Errorf("method %q, %v", got.Method, err)
	}
	var unsupported *search.UnsupportedError
	if _, err := search.Run(context.Background(), []search.Method{a}, search.Params{Problem: pair(t), Workers: 1}); !errors.As(err, &unsupported) {
		t.Errorf("error %v", err)
	}
}
