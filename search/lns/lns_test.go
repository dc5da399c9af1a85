package lns

import (
	"context"
	"errors"
	"math/big"
	"slices"
	"testing"

	"leeway/core"
	"leeway/objective"
	"leeway/search"
	"leeway/search/searchtest"
)

func TestConformance(t *testing.T) { searchtest.Conform(t, Method{}) }

// run runs the method and holds what it reports against the naive evaluator.
func run(t *testing.T, p search.Params) search.Outcome {
	t.Helper()
	p.Workers = max(1, p.Workers)
	out, err := Method{}.Run(context.Background(), p)
	if err != nil {
		t.Fatalf("%s: %v", p.Problem, err)
	}
	if exact, _ := objective.Naive(p.Problem.Routing, out.Best).Max(); out.Best.Size() != p.Problem.Size || exact.Cmp(out.Value) != 0 {
		t.Fatalf("%s: %v with value %s, naive %s", p.Problem, out.Best.Nodes(), out.Value.RatString(), exact.RatString())
	}
	return out
}

// TestEqualsBruteForce has every size on tori where questions come to free everything,
// so that the run ends by itself, at the optimum; under minimal some calls stay open.
func TestEqualsBruteForce(t *testing.T) {
	for i, torus := range []string{"2", "7", "2x3", "3x3", "2x2x2", "2x5", "3x4"} {
		for j, r := range []string{"odr", "odr:tie=both", "udr:tie=both", "minimal"} {
			if testing.Short() && (i > 4 || (i+j)%2 != 0) {
				continue
			}
			nodes := searchtest.Problem(torus, r, 1).Torus().N()
			for n := 1; n <= nodes; n++ {
				p := searchtest.Problem(torus, r, n)
				out, want := run(t, search.Params{Problem: p, Seed: 1, Evaluations: 100_000}), searchtest.Optimum(p)
				if out.Value.Cmp(want) != 0 || out.Reason != search.Complete && r != "minimal" {
					t.Errorf("%s: %s, %s; optimum %s", p, out.Value.RatString(), out.Reason, want.RatString())
				}
				if f := out.Refutation; f != nil && (f.Below.Cmp(want) != 0 || f.Kind != search.SolverClaim) {
					t.Errorf("%s: refutation %+v, optimum %s", p, f, want.RatString())
				}
			}
		}
	}
}

// TestQuestionsEqualBruteForce asks for completions of random parts and tries all.
func TestQuestionsEqualBruteForce(t *testing.T) {
	found := map[bool]int{}
	for _, text := range []string{"odr", "udr:tie=both", "minimal"} {
		p := searchtest.Problem("3x4", text, 6)
		for seed := range uint64(60) {
			l := newTestLane(t, p, seed)
			l.room = 3 + int(seed%8)
			limit := l.most - 1 - int32(seed%2)
			m := l.ask(limit, false)
			nodes, _, open := m.answer(context.Background(), 1000)
			if open {
				t.Fatalf("%s seed %d: no answer", text, seed)
			}
			if nodes != nil && !within(p, nodes, limit) {
				t.Fatalf("%s seed %d: %v passes the limit", text, seed, nodes)
			}
			want := completable(p, m.fixed, limit)
			found[want]++
			if (nodes != nil) != want {
				t.Errorf("%s seed %d: fixed %v within %d: %v, brute force %v", text, seed, m.fixed, limit, nodes, want)
			}
		}
	}
	if found[true] < 20 || found[false] < 20 {
		t.Errorf("one-sided cases: %v", found)
	}
}

func newTestLane(t *testing.T, p objective.Problem, seed uint64) *lane {
	t.Helper()
	s := newSession(search.Params{Problem: p, Seed: seed})
	l := s.lanes[0]
	if err := l.start(nil, 1); err != nil {
		t.Fatal(err)
	}
	return l
}

// within reports whether the naive loads of nodes, as many as the problem has, stay
// within a limit in units of 1/D.
func within(p objective.Problem, nodes []int, limit int32) bool {
	most, _ := objective.Naive(p.Routing, core.MustPlacement(p.Torus(), nodes)).Max()
	return len(nodes) == p.Size && most.Cmp(new(big.Rat).SetFrac(big.NewInt(int64(limit)), p.Routing.Denominator())) <= 0
}

// completable tries all placements that contain the fixed nodes.
func completable(p objective.Problem, fixed []int, limit int32) bool {
	for mask := range uint64(1) << p.Torus().N() {
		set := core.Set{mask}
		if set.Count() == p.Size && !slices.ContainsFunc(fixed, func(v int) bool { return !set.Has(v) }) && within(p, set.Nodes(), limit) {
			return true
		}
	}
	return false
}

// TestMovesMove asks for another placement that is no worse.
func TestMovesMove(t *testing.T) {
	p, moved := searchtest.Problem("4x4", "udr", 6), 0
	for seed := range uint64(40) {
		l := newTestLane(t, p, seed)
		m := l.ask(l.most, true)
		nodes, _, _ := m.answer(context.Background(), 100)
		if nodes == nil {
			continue
		}
		moved++
		slices.Sort(nodes)
		if before := core.MustPlacement(p.Torus(), l.nodes); slices.Equal(nodes, before.Nodes()) || !within(p, nodes, l.most) {
			t.Errorf("seed %d: %v after %v", seed, nodes, before.Nodes())
		}
	}
	if moved < 20 {
		t.Errorf("%d moves in 40", moved)
	}
}

// TestDoesNotDependOnWorkers goes on long enough for questions that stay open and for
// lanes that begin anew.
func TestDoesNotDependOnWorkers(t *testing.T) {
	params := search.Params{Problem: searchtest.Problem("6x6", "udr:tie=both", 12), Seed: 4, Evaluations: 120_000}
	if testing.Short() {
		params.Evaluations = 40_000
	}
	first := run(t, params)
	for _, workers := range []int{1, 2, 8} {
		params.Workers = workers
		again := run(t, params)
		if again.Evaluations != first.Evaluations || again.Reason != first.Reason || !slices.Equal(again.Best.Nodes(), first.Best.Nodes()) {
			t.Errorf("%d workers: %v after %d, one: %v after %d", workers, again.Best.Nodes(), again.Evaluations, first.Best.Nodes(), first.Evaluations)
		}
	}
}

// TestImprovesAStart begins at the linear placement, twice as bad as the best; values
// from independent programs (project design notes, section 5).
func TestImprovesAStart(t *testing.T) {
	p := searchtest.Problem("6x6", "odr", 6)
	var nodes []int
	for a := range 6 {
		nodes = append(nodes, 6*a+(6-a)%6)
	}
	start := core.MustPlacement(p.Torus(), nodes)
	out := run(t, search.Params{Problem: p, Seed: 1, Goal: big.NewRat(2, 1), Starts: []core.Placement{start}, Evaluations: 500_000})
	if out.Reason != search.Reached || out.Value.Cmp(big.NewRat(2, 1)) != 0 {
		t.Errorf("%s, %s", out.Value.RatString(), out.Reason)
	}
	if out := run(t, search.Params{Problem: p, Seed: 1, Starts: []core.Placement{start}, Evaluations: 1}); out.Value.Cmp(big.NewRat(3, 1)) != 0 {
		t.Errorf("one evaluation: %s, the start has 3", out.Value.RatString())
	}
}

func TestRefuses(t *testing.T) {
	for _, p := range []objective.Problem{searchtest.Problem("3x3", "avoid", 3), searchtest.Problem("33x32", "odr", 3), searchtest.Problem("20x20", "minimal", 20)} {
		var unsupported *search.UnsupportedError
		if err := (Method{}).Supports(p); !errors.As(err, &unsupported) {
			t.Errorf("%s: %v", p, err)
		}
		if _, err := (Method{}).Run(context.Background(), search.Params{Problem: p, Workers: 1}); !errors.As(err, &unsupported) {
			t.Errorf("%s: run: %v", p, err)
		}
	}
	var input *core.InputError
	wrong := core.MustPlacement(core.MustTorus(3, 3), []int{0, 1})
	if _, err := (Method{}).Run(context.Background(), search.Params{Problem: searchtest.Problem("3x3", "odr", 3), Starts: []core.Placement{wrong}}); !errors.As(err, &input) {
		t.Errorf("a start of two processors: %v", err)
	}
}
