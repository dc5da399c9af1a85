package search_test

import (
	"context"
	"errors"
	"math/big"
	"testing"

	"leeway/core"
	"leeway/core/family"
	"leeway/objective"
	"leeway/search"
	"leeway/search/searchtest"
)

// TestAnytimeLeaves has a method that reports and never returns: its best report is the
// outcome, and later ones are not heard.
func TestAnytimeLeaves(t *testing.T) {
	p := searchtest.Problem("4x4", "odr", 4)
	ctx, cancel := context.WithCancel(t.Context())
	release, over := make(chan bool), make(chan bool)
	heard := 0
	params := search.Params{Problem: p, Observe: func(search.Event) { heard++ }}
	place := func(seed uint64) core.Placement { return family.Random(p.Torus(), 4, seed) }
	out, err := search.Anytime(ctx, params, func(own search.Params) (search.Outcome, error) {
		own.Report(search.Event{Value: big.NewRat(3, 1), Best: place(1), Evaluations: 7, Improved: true})
		own.Report(search.Event{Value: big.NewRat(2, 1), Best: place(2), Evaluations: 9, Improved: true})
		own.Report(search.Event{Value: big.NewRat(1, 1), Evaluations: 12}) // without a placement
		cancel()
		<-release
		own.Report(search.Event{Value: new(big.Rat), Best: place(3), Evaluations: 20, Improved: true})
		close(over)
		return search.Outcome{}, errors.New("too late")
	})
	close(release)
	<-over
	if err != nil || out.Value == nil || out.Value.Cmp(big.NewRat(2, 1)) != 0 || out.Evaluations != 12 ||
		out.Reason != search.Stopped || heard != 3 {
		t.Errorf("left behind: %+v, %v, %d events", out, err, heard)
	}
	if have, want := out.Best.Nodes(), place(2).Nodes(); len(have) != 4 || have[0] != want[0] || have[3] != want[3] {
		t.Errorf("nodes %v, want %v", have, want)
	}
	out, err = search.Anytime(t.Context(), params, func(search.Params) (search.Outcome, error) {
		return search.Outcome{Evaluations: 5, Reason: search.Complete}, nil
	})
	if err != nil || out.Evaluations != 5 || out.Reason != search.Complete {
		t.Errorf("returned: %+v, %v", out, err)
	}
}

// TestConfirm finds a value that a placement does not have.
func TestConfirm(t *testing.T) {
	p := searchtest.Problem("4x4", "odr", 4)
	best := family.Random(p.Torus(), 4, 1)
	value, _ := objective.Naive(p.Routing, best).Max()
	if err := search.Confirm(t.Context(), p, search.Found{Placement: best, Value: value, Method: "m"}); err != nil {
		t.Error(err)
	}
	err := search.Confirm(t.Context(), p, search.Found{Placement: best, Value: new(big.Rat), Method: "m"})
	var wrong *search.WrongValueError
	if !errors.As(err, &wrong) || wrong.True.Cmp(value) != 0 {
		t.Errorf("a wrong value gives %v", err)
	}
}
