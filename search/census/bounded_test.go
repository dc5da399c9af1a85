package census_test

import (
	"context"
	"errors"
	"testing"

	"leeway/core"
	"leeway/objective"
	"leeway/search"
	"leeway/search/census"
	"leeway/search/orderly"
	"leeway/search/searchtest"
	"leeway/search/slabs"
)

func bounded(list ...census.Engine) census.Bounded {
	return census.Bounded{Engines: func(int, int64) []census.Engine { return list }}
}

func TestShareConforms(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds under the race detector")
	}
	searchtest.Conform(t, bounded(slabs.Margin{}, slabs.Levels{}, orderly.Engine{}))
}

// best returns a placement whose E_max is the optimum.
func best(t *testing.T, p objective.Problem) core.Placement {
	t.Helper()
	out, err := census.Method{Engines: []census.Engine{plain{name: "plain"}}}.Run(context.Background(),
		search.Params{Problem: p, Workers: 1})
	if err != nil || out.Value.Cmp(searchtest.Optimum(p)) != 0 {
		t.Fatal(out, err)
	}
	return out.Best
}

// TestShareEstimates lets walks of 84 nodes in 28 slices end early: the fewer nodes, the more turns it takes; all
// slices if not one was walked.
func TestShareEstimates(t *testing.T) {
	p := searchtest.Problem("3x3", "odr", 3)
	last := int64(1 << 30)
	for _, nodes := range []int64{1, 20, 42, 70, 84} {
		out, err := bounded(plain{name: "plain"}).Run(context.Background(),
			search.Params{Problem: p, Starts: []core.Placement{best(t, p)}, Evaluations: nodes, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		if (out.Refutation != nil) != (nodes == 84) || (out.Turns == 0) != (nodes == 84) {
			t.Errorf("%d nodes of 84: refutation %v, %d turns", nodes, out.Refutation, out.Turns)
		}
		if out.Turns > last || nodes == 1 && out.Turns != 28 {
			t.Errorf("%d nodes of 84: %d turns, with fewer nodes %d", nodes, out.Turns, last)
		}
		last = out.Turns
	}
}

// TestShareTooLarge: a longer turn may plan what this one could not.
func TestShareTooLarge(t *testing.T) {
	p := searchtest.Problem("3x3", "odr", 3)
	out, err := bounded(plain{name: "plain", narrow: true}).Run(context.Background(),
		search.Params{Problem: p, Evaluations: 100, Workers: 1})
	if err != nil || out.Turns < 2 || out.GaveUp == "" || out.Reason != search.Complete {
		t.Errorf("%+v, %v", out, err)
	}
}

// TestShareTakesTheFirstThatFits: margin needs two dimensions, levels three.
func TestShareTakesTheFirstThatFits(t *testing.T) {
	s := bounded(slabs.Margin{}, slabs.Levels{})
	for torus, engine := range map[string]string{"3x4": "margin", "3x3x2": "levels"} {
		out, err := s.Run(context.Background(), search.Params{Problem: searchtest.Problem(torus, "odr", 4), Workers: 2})
		if err != nil || out.Refutation == nil || out.Refutation.Engine != engine || out.How != "census:"+engine {
			t.Errorf("%s: %+v, %v", torus, out, err)
		}
	}
	var why *search.UnsupportedError
	if err := s.Supports(searchtest.Problem("9", "odr", 4)); !errors.As(err, &why) || why.Method != "census" {
		t.Errorf("a ring: %v", err)
	}
}
