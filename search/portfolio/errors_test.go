package portfolio_test

import (
	"context"
	"errors"
	"iter"
	"testing"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/search"
	"leeway/search/portfolio"
	"leeway/search/searchtest"
)

// TestWrongMethods checks that what cannot be true ends the run, with what was found before.
func TestWrongMethods(t *testing.T) {
	broken := errors.New("broken")
	isWrong := func(err error) bool {
		e := (*search.WrongValueError)(nil)
		return errors.As(err, &e) && e.Method == "b"
	}
	isDisagreement := func(err error) bool {
		e := (*search.DisagreementError)(nil)
		return errors.As(err, &e) && e.Engine == "b"
	}
	for _, c := range []struct {
		name string
		act  act
		is   func(error) bool
	}{
		{"a value too small", act{nodes: diagonal, claim: "1"}, isWrong},
		{"a value too large", act{nodes: diagonal, claim: "2"}, isWrong},
		{"a wrong value that is no better than the best", act{nodes: row, claim: "3"}, isWrong},
		{"an error", act{err: broken}, func(err error) bool { return errors.Is(err, broken) }},
		{"another size", act{nodes: row[:3], claim: "1"}, func(err error) bool { return err != nil }},
		{"a refutation of a placement that is there", act{below: "9/4", kind: search.Steps}, isDisagreement},
		{"a claim against a placement that is there", act{below: "9/4", kind: search.SolverClaim}, isDisagreement},
	} {
		a, b := plays("a", act{nodes: row}), plays("b", act{}, c.act)
		got, err := portfolio.Run(context.Background(), []search.Method{b, a}, square(), portfolio.Options{})
		if !c.is(err) {
			t.Errorf("%s: error %v", c.name, err)
		}
		if got.Value == nil || got.Value.RatString() != "2" || got.State.Epoch != 1 {
			t.Errorf("%s: value %v after %d epochs", c.name, got.Value, got.State.Epoch)
		}
	}
}

// TestErrorStopsTheOthers would not end if it did not. What they found is kept.
func TestErrorStopsTheOthers(t *testing.T) {
	broken := errors.New("broken")
	begun := make(chan struct{})
	p := square()
	p.Observe = func(e search.Event) {
		if e.Improved {
			close(begun)
		}
	}
	endless, b := plays("a", act{nodes: even, wait: true}),
		plays("b", act{err: broken, after: begun})
	got, err := portfolio.Run(context.Background(), []search.Method{endless, b}, p, portfolio.Options{})
	if !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
	if got.Value.RatString() != "1" || got.State.Epoch != 0 {
		t.Errorf("value %s after %d epochs", got.Value.RatString(), got.State.Epoch)
	}
}

// TestRefutationAgainstALaterPlacement is the case of an engine that missed one.
func TestRefutationAgainstALaterPlacement(t *testing.T) {
	prover := plays("prover", act{nodes: row, below: "3/2", kind: search.Unsat}, act{})
	finder := plays("finder", act{}, act{}, act{nodes: even})
	_, err := portfolio.Run(context.Background(), []search.Method{prover, finder}, square(), portfolio.Options{})
	var e *search.DisagreementError
	if !errors.As(err, &e) || e.Engine != "prover" || e.Below.RatString() != "3/2" {
		t.Errorf("error %v", err)
	}
}

// TestCheckpointError checks that a state that cannot be kept ends the run.
func TestCheckpointError(t *testing.T) {
	full := errors.New("disk full")
	a := plays("a", act{nodes: row})
	got, err := portfolio.Run(context.Background(), []search.Method{a}, square(),
		portfolio.Options{Checkpoint: func(portfolio.State) error { return full }})
	if !errors.Is(err, full) || len(a.turns) != 1 || got.Value == nil {
		t.Errorf("error %v after %d turns, value %v", err, len(a.turns), got.Value)
	}
}

// A twoFaced routing lists other paths than it sums up: the flows of one order, the paths of all.
type twoFaced struct {
	routing.Routing
	listed routing.Routing
}

func (r twoFaced) Paths(p, q int, processors core.Set) iter.Seq2[[]core.Link, int64] {
	return r.listed.Paths(p, q, processors)
}

// TestRecheck counts on a routing for which the fast evaluator is wrong.
func TestRecheck(t *testing.T) {
	p := square()
	torus := p.Problem.Torus()
	p.Problem.Routing = twoFaced{Routing: p.Problem.Routing, listed: searchtest.Problem("4x4", "udr:tie=both", 4).Routing}
	value := func(nodes []int) (quick, slow string) {
		s := core.MustPlacement(torus, nodes)
		a, _ := fast.Evaluate(objective.Problem{Routing: p.Problem.Routing}, s).Max()
		b, _ := objective.Naive(p.Problem.Routing, s).Max()
		return a.RatString(), b.RatString()
	}
	if a, b := value(row); a != b {
		t.Fatalf("the row has %s and %s", a, b)
	}
	a, b := value(diagonal)
	if a == b {
		t.Fatalf("the diagonal has %s either way", a)
	}
	// The first and the second improvement are seen at once, a third never comes: the archive shows it at the end.
	for k, atOnce := range []bool{1: true, 2: true, 3: false} {
		m := plays("m", act{nodes: row}, act{nodes: diagonal, claim: a})
		_, err := portfolio.Run(context.Background(), []search.Method{m}, p, portfolio.Options{Recheck: k})
		var wrong *search.WrongValueError
		if errors.As(err, &wrong) != (k > 0) || err != nil && wrong.True.RatString() != b {
			t.Errorf("recheck %d: error %v", k, err)
		}
		if (len(m.turns) == 2) != atOnce {
			t.Errorf("recheck %d: %d turns", k, len(m.turns))
		}
	}
}
