package portfolio_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/objective"
	"leeway/search"
	"leeway/search/family"
	"leeway/search/genetic"
	"leeway/search/local"
	"leeway/search/orbit"
	"leeway/search/portfolio"
	"leeway/search/searchtest"
	"leeway/search/searchtest/exhaustive"
)

// together is a portfolio as a method, for the conformance suite.
type together struct {
	methods []search.Method
	options portfolio.Options
}

func (together) Name() string { return "portfolio" }

func (m together) Supports(p objective.Problem) error {
	if len(search.Supporting(m.methods, p)) > 0 {
		return nil
	}
	return m.methods[0].Supports(p)
}

func (m together) Run(ctx context.Context, p search.Params) (search.Outcome, error) {
	result, err := portfolio.Run(ctx, m.methods, p, m.options)
	return result.Outcome, err
}

func TestConform(t *testing.T) {
	searchtest.Conform(t, together{methods: []search.Method{family.Method{}, local.Method{}, exhaustive.Method{}}})
}

func TestConformWithoutProof(t *testing.T) {
	if testing.Short() {
		t.Skip("TestConform goes through the same")
	}
	searchtest.Conform(t, together{[]search.Method{genetic.Method{}, orbit.Lattice{}}, portfolio.Options{Recheck: 1}})
}

// square is four processors on 4x4.
func square() search.Params {
	return search.Params{Problem: searchtest.Problem("4x4", "odr:tie=both", 4), Seed: 1, Evaluations: 40_000, Workers: 2}
}

// Placements of square with their naive values; 1 is the optimum.
var (
	row      = []int{0, 1, 2, 3}   // 2
	pairs    = []int{0, 1, 8, 9}   // 2, in another orbit
	diagonal = []int{0, 5, 10, 15} // 3/2
	even     = []int{0, 2, 8, 10}  // 1
)

func run(t *testing.T, p search.Params, o portfolio.Options, methods ...search.Method) portfolio.Outcome {
	t.Helper()
	return coretest.Must(portfolio.Run(context.Background(), methods, p, o))
}

// TestShares holds the shares of idle methods against the rule: 2000, 3000, 4500,
// and when less than two epochs are left, all that is.
func TestShares(t *testing.T) {
	a, b := plays("a", act{nodes: row, reason: search.Spent}),
		plays("b", act{reason: search.Spent})
	got := run(t, square(), portfolio.Options{}, a, b)
	var all []int64
	seeds := map[uint64]bool{}
	for i := range a.turns {
		all = append(all, a.turns[i].Evaluations, b.turns[i].Evaluations)
		seeds[a.turns[i].Seed], seeds[b.turns[i].Seed] = true, true
	}
	// 4000, 6000 and 9000 are spent before the last epoch: 30000 >= 4*4500, but 21000 < 4*6750.
	if want := []int64{2000, 2000, 3000, 3000, 4500, 4500, 10_500, 10_500}; !slices.Equal(all, want) {
		t.Errorf("shares %v, want %v", all, want)
	}
	if got.Reason != search.Spent || got.Evaluations != 40_000 || got.State.Epoch != 4 {
		t.Errorf("%s after %d evaluations, %d epochs", got.Reason, got.Evaluations, got.State.Epoch)
	}
	if len(seeds) != 8 {
		t.Errorf("%d seeds in 8 turns", len(seeds))
	}
}

// TestParts is the same with one part and three.
func TestParts(t *testing.T) {
	a, b := plays("a", act{nodes: row, reason: search.Spent}),
		plays("b", act{reason: search.Spent})
	p := square()
	p.Evaluations = 40_002
	got := run(t, p, portfolio.Options{Parts: map[string]int{"b": 3}}, a, b)
	var all []int64
	for i := range a.turns {
		all = append(all, a.turns[i].Evaluations, b.turns[i].Evaluations)
	}
	// 8000 are spent before the last epoch: 32002 >= 8*3000, then 20002 < 8*4500.
	if want := []int64{2000, 6000, 3000, 9000, 5001, 15_001}; !slices.Equal(all, want) || got.Evaluations != 40_002 {
		t.Errorf("shares %v, want %v", all, want)
	}
}

// TestStarts checks that an epoch knows the archive of the epochs before, not what
// another method finds at the same time, nor two placements of one orbit.
func TestStarts(t *testing.T) {
	shifted := []int{4, 5, 6, 7} // the row again
	a := plays("a", act{nodes: row}, act{nodes: diagonal}, act{nodes: pairs}, act{nodes: pairs})
	b := plays("b", act{nodes: shifted}, act{nodes: shifted}, act{nodes: shifted}, act{nodes: shifted})
	got := run(t, square(), portfolio.Options{}, a, b)
	for i, want := range [][][]int{nil, {row}, {diagonal, row}, {diagonal, pairs, row}} {
		for _, m := range []*scripted{a, b} {
			if !slices.EqualFunc(m.turns[i].Starts, want,
				func(s core.Placement, nodes []int) bool { return slices.Equal(s.Nodes(), nodes) }) {
				t.Errorf("epoch %d, method %s: starts %v, want %v", i, m.name, m.turns[i].Starts, want)
			}
		}
	}
	if got.Method != "a" || got.Value.RatString() != "3/2" {
		t.Errorf("method %s, value %s", got.Method, got.Value.RatString())
	}
	// In the first epoch both improved on nothing, in the second a did.
	for i, want := range []struct {
		idle int
		best string
	}{{2, "3/2"}, {3, "2"}} {
		if s := got.State.Methods[i]; s.Idle != want.idle || s.Best.RatString() != want.best || s.Epochs != 4 ||
			s.Evaluations != 20_000 {
			t.Errorf("method %s: %s", s.Method, text(t, s))
		}
	}
}

// TestFirstByEvaluations checks that the method that needs the fewest evaluations to the goal has found it, whatever
// its place and the workers, and that the others are stopped and count as having made as many.
func TestFirstByEvaluations(t *testing.T) {
	p := square()
	p.Goal = fraction("3/2")
	for _, workers := range []int{2, 3, 7} {
		quick := plays("quick", act{nodes: diagonal, spend: 10, reason: search.Reached})
		late := plays("late", act{nodes: even, spend: 11, reason: search.Reached})
		short := plays("short", act{nodes: row, spend: 4, reason: search.Complete})
		endless := plays("endless", act{wait: true, reason: search.Spent})
		p.Workers = workers
		got := run(t, p, portfolio.Options{}, endless, late, short, quick)
		if got.Method != "quick" || got.Reason != search.Reached || got.Evaluations != 3*10+4 ||
			got.Value.RatString() != "3/2" {
			t.Errorf("%d workers: %s by %s after %d evaluations: %s", workers, got.Value.RatString(), got.Method,
				got.Evaluations, got.Reason)
		}
		if n := len(got.State.Archive); n != 2 {
			t.Errorf("%d workers: %d placements in the archive, want the diagonal and the row", workers, n)
		}
	}
}

// TestResting checks when a method that is complete has its turn again.
func TestResting(t *testing.T) {
	done := act{nodes: row, spend: 1, reason: search.Complete}
	seeker := plays("seeker", act{}, done)
	finished, deaf := plays("finished", done),
		&scripted{name: "deaf", acts: []act{done}, deaf: true}
	idle := plays("idle", act{spend: 1, reason: search.Stopped})
	worker := plays("worker", act{}, act{nodes: pairs}, act{nodes: diagonal}, act{},
		act{nodes: row, reason: search.Complete})
	p := square()
	p.Evaluations = 1_000_000
	got := run(t, p, portfolio.Options{}, finished, deaf, idle, seeker, worker)
	// The first placement wakes idle, which had none, in the second epoch; the
	// diagonal of the third wakes all but deaf in the fourth.
	for m, want := range map[*scripted]int{finished: 2, deaf: 1, idle: 3, seeker: 3, worker: 5} {
		if len(m.turns) != want {
			t.Errorf("%s had %d turns, want %d", m.name, len(m.turns), want)
		}
	}
	if got.Reason != search.Complete || got.Refutation != nil {
		t.Errorf("%s, refutation %v", got.Reason, got.Refutation)
	}
}

func TestRefutations(t *testing.T) {
	for _, c := range []struct {
		name   string
		act    act
		reason search.Reason
		goal   string // of the second epoch
	}{
		{"a census that meets the best ends the run", act{below: "3/2", kind: search.Steps, spend: 5}, search.Complete, ""},
		{"so does a proof of a solver", act{below: "3/2", kind: search.Unsat, spend: 5}, search.Complete, ""},
		{"a claim does not", act{below: "3/2", kind: search.SolverClaim}, search.Spent, "none"},
		{"a census of less is passed on as the goal", act{below: "1", kind: search.Steps}, search.Spent, "1"},
	} {
		prover, finder := plays("prover", c.act, act{}),
			plays("finder", act{nodes: diagonal})
		p := square()
		p.Starts = []core.Placement{core.MustPlacement(p.Problem.Torus(), diagonal)}
		got := run(t, p, portfolio.Options{}, prover, finder)
		if got.Reason != c.reason || got.Refutation == nil || got.Refutation.Kind != c.act.kind ||
			len(got.State.Refutations) != 1 {
			t.Errorf("%s: %s, refutation %v", c.name, got.Reason, got.Refutation)
		}
		if (c.goal == "") != (len(finder.turns) == 1) {
			t.Errorf("%s: %d turns", c.name, len(finder.turns))
		}
		if c.goal != "" {
			if g := finder.turns[1].Goal; c.goal == "none" && g != nil || c.goal != "none" && g.RatString() != c.goal {
				t.Errorf("%s: goal %v, want %s", c.name, g, c.goal)
			}
		}
	}
}

// TestGoalOnly lets a proof that the goal is out of reach end the run.
func TestGoalOnly(t *testing.T) {
	for _, c := range []struct {
		name   string
		only   bool
		act    act
		reason search.Reason
	}{
		{"a census above the goal", true, act{below: "5/4", kind: search.Steps, spend: 5}, search.Complete},
		{"the same where the optimum is asked for", false, act{below: "5/4", kind: search.Steps, spend: 5}, search.Spent},
		{"a census up to the goal", true, act{below: "1", kind: search.Steps, spend: 5}, search.Spent},
		{"a claim", true, act{below: "5/4", kind: search.SolverClaim, spend: 5}, search.Spent},
	} {
		prover, finder := plays("prover", c.act, act{}),
			plays("finder", act{nodes: diagonal})
		p := square()
		p.Goal, p.GoalOnly = fraction("1"), c.only
		got := run(t, p, portfolio.Options{}, prover, finder)
		if got.Reason != c.reason || (len(finder.turns) == 1) != (c.reason == search.Complete) {
			t.Errorf("%s: %s after %d turns", c.name, got.Reason, len(finder.turns))
		}
	}
}

// TestProofBeforeClaim gives a claim first, then a proof of the same.
func TestProofBeforeClaim(t *testing.T) {
	claim := act{nodes: diagonal, below: "3/2", kind: search.SolverClaim}
	for _, kind := range []search.RefutationKind{search.Steps, search.Unsat} {
		m := plays("m", claim, act{below: "3/2", kind: kind})
		if got := run(t, square(), portfolio.Options{}, m); got.Refutation.Kind != kind ||
			len(got.State.Refutations) != 2 || got.Reason != search.Complete {
			t.Errorf("kind %d of %d, %s", got.Refutation.Kind, len(got.State.Refutations), got.Reason)
		}
	}
}

// TestEvents checks that every improvement is told once, and that nothing told is worse than what was told before.
func TestEvents(t *testing.T) {
	p := square()
	var told []string
	evaluations := int64(0)
	p.Observe = func(e search.Event) {
		if e.Improved {
			told = append(told, e.Method+" "+e.Value.RatString())
		}
		if e.Best.Size() > 0 {
			if v, _ := objective.Naive(p.Problem.Routing, e.Best).Max(); v.Cmp(e.Value) != 0 {
				t.Errorf("event with value %s for nodes %v", e.Value.RatString(), e.Best.Nodes())
			}
		}
		if e.Evaluations < evaluations || e.Value == nil || e.Improved != (e.Best.Size() > 0) {
			t.Errorf("event %+v after %d evaluations", e, evaluations)
		}
		evaluations = e.Evaluations
	}
	p.Workers = 1
	p.Starts = []core.Placement{core.MustPlacement(p.Problem.Torus(), row)}
	a := plays("a", act{nodes: pairs}, act{nodes: diagonal}, act{nodes: even, silent: true})
	b := plays("b", act{nodes: row}, act{nodes: diagonal}, act{nodes: even})
	run(t, p, portfolio.Options{}, a, b)
	if want := []string{"start 2", "a 3/2", "b 1"}; !slices.Equal(told, want) {
		t.Errorf("told %v, want %v", told, want)
	}
	told, evaluations = nil, 0
	run(t, p, portfolio.Options{}, a) // after its acts, the last again
	if want := []string{"start 2", "a 1"}; !slices.Equal(told, want) {
		t.Errorf("told %v, want %v", told, want)
	}
}

func TestRefusals(t *testing.T) {
	a := func() *scripted { return plays("a", act{nodes: row}) }
	refused := &scripted{name: "b", refuse: true}
	var input *core.InputError
	var unsupported *search.UnsupportedError
	if _, err := portfolio.Run(context.Background(), []search.Method{a(), a()}, square(),
		portfolio.Options{}); !errors.As(err, &input) {
		t.Errorf("two methods of one name: %v", err)
	}
	if _, err := portfolio.Run(context.Background(), nil, square(), portfolio.Options{}); !errors.As(err, &input) {
		t.Errorf("no methods: %v", err)
	}
	if _, err := portfolio.Run(context.Background(), []search.Method{refused}, square(),
		portfolio.Options{}); !errors.As(err, &unsupported) {
		t.Errorf("an unsupported problem: %v", err)
	}
	if got := run(t, square(), portfolio.Options{}, refused, a()); got.Method != "a" || len(refused.turns) != 0 {
		t.Errorf("method %s, %d turns of one that does not support the problem", got.Method, len(refused.turns))
	}
	for _, parts := range []int{-1, 0, 1001} {
		if _, err := portfolio.Run(context.Background(), []search.Method{a()}, square(),
			portfolio.Options{Parts: map[string]int{"a": parts}}); !errors.As(err, &input) {
			t.Errorf("%d parts: %v", parts, err)
		}
	}
	p := square()
	p.Starts = []core.Placement{core.MustPlacement(p.Problem.Torus(), row[:3])}
	if _, err := portfolio.Run(context.Background(), []search.Method{a()}, p,
		portfolio.Options{}); !errors.As(err, &input) {
		t.Errorf("a start of another size: %v", err)
	}
}
