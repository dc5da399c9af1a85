package sat

import (
	"context"
	"errors"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/encode"
	"leeway/objective"
	"leeway/search"
	"leeway/search/searchtest"
	"leeway/search/searchtest/exhaustive"
)

func TestConformance(t *testing.T) { searchtest.Conform(t, New()) }

func solveAll(t *testing.T, m Method, p search.Params) search.Outcome {
	t.Helper()
	p.Workers = 1
	out, err := m.Run(context.Background(), p)
	if err != nil {
		t.Fatalf("%s: %v", p.Problem, err)
	}
	return out
}

// optima returns the smallest E_max for every size, over all subsets, in units of 1/D. Loads of routings that do not
// depend on the placement are sums over pairs, so the naive evaluation of every pair suffices.
func optima(r routing.Routing) []*big.Rat {
	t := r.Torus()
	pairs := make([][][]int64, t.N())
	for p := range pairs {
		pairs[p] = make([][]int64, p)
		for q := range p {
			pairs[p][q] = units(r, objective.Naive(r, core.MustPlacement(t, []int{p, q})))
		}
	}
	best := make([]int64, t.N()+1)
	for n := range best {
		best[n] = 1 << 60
	}
	var visit func(nodes []int, loads []int64)
	visit = func(nodes []int, loads []int64) {
		n := len(nodes)
		best[n] = min(best[n], slices.Max(loads))
		from := 0
		if n > 0 {
			from = nodes[n-1] + 1
		}
		for v := from; v < t.N(); v++ {
			sum := slices.Clone(loads)
			for _, q := range nodes {
				for l, w := range pairs[v][q] {
					sum[l] += w
				}
			}
			visit(append(nodes, v), sum)
		}
	}
	visit(nil, make([]int64, t.M()))
	list := make([]*big.Rat, len(best))
	for n, v := range best {
		list[n] = new(big.Rat).SetFrac(big.NewInt(v), r.Denominator())
	}
	return list
}

func units(r routing.Routing, loads *objective.Loads) []int64 {
	list := make([]int64, r.Torus().M())
	for l := range list {
		v := loads.Load(core.Link(l))
		list[l] = new(big.Int).Div(new(big.Int).Mul(v.Num(), r.Denominator()), v.Denom()).Int64()
	}
	return list
}

// TestOptimaEqualNaive holds the oracle above against whole evaluations.
func TestOptimaEqualNaive(t *testing.T) {
	for _, r := range []string{"odr", "udr:tie=both", "minimal"} {
		list := optima(searchtest.Problem("2x4", r, 1).Routing)
		for n := 1; n <= 8; n++ {
			if want := searchtest.Optimum(searchtest.Problem("2x4", r, n)); list[n].Cmp(want) != 0 {
				t.Errorf("2x4 %s n=%d: %s, naive %s", r, n, list[n].RatString(), want.RatString())
			}
		}
	}
}

var routings = []string{"odr", "odr:tie=both", "udr", "udr:tie=both", "minimal", "minimal:tie=plus"}

func TestEqualsBruteForce(t *testing.T) {
	for i, torus := range []string{"2", "3", "7", "2x2", "2x3", "3x3", "2x2x2", "2x5", "8", "3x4", "12", "2x2x3"} {
		texts := routings
		if d := searchtest.Problem(torus, "odr", 1).Torus().D(); d == 3 {
			texts = append(slices.Clone(routings), "orders:012+120+201", "odr:order=2,0,1:tie=both")
		} else if d == 2 {
			texts = append(slices.Clone(routings), "odr:order=1,0")
		}
		for j, r := range texts {
			if testing.Short() && (i > 8 || (i+j)%3 != 0) {
				continue
			}
			want := optima(searchtest.Problem(torus, r, 1).Routing)
			for n := 1; n < len(want); n++ {
				p := searchtest.Problem(torus, r, n)
				check(t, solveAll(t, New(), search.Params{Problem: p}), p, want[n])
				check(t, solveAll(t, Method{}, search.Params{Problem: p}), p, want[n])
			}
		}
	}
}

// TestEqualsBruteForceOnNetworks: on random networks with fixed and forbidden nodes, with the rows that break symmetry
// and without.
func TestEqualsBruteForceOnNetworks(t *testing.T) {
	for i := range coretest.Cases(200, 40) {
		rng := coretest.Rng(612, i)
		p := searchtest.ConditionedOn(rng, coretest.Any(rng, 10))
		if p.Routing.DependsOnPlacement() {
			continue
		}
		want := searchtest.Optimum(p)
		check(t, solveAll(t, New(), search.Params{Problem: p}), p, want)
		check(t, solveAll(t, Method{}, search.Params{Problem: p}), p, want)
	}
}

func check(t *testing.T, out search.Outcome, p objective.Problem, want *big.Rat) {
	t.Helper()
	if exact, _ := objective.Naive(p.Routing, out.Best).Max(); out.Best.Size() != p.Size || exact.Cmp(out.Value) != 0 {
		t.Fatalf("%s: %v with value %s, naive %s", p, out.Best.Nodes(), out.Value.RatString(), exact.RatString())
	}
	r := out.Refutation
	if out.Value.Cmp(want) != 0 || out.Reason != search.Complete || r == nil || r.Below.Cmp(want) != 0 ||
		r.Kind != search.SolverClaim || r.Engine != "gini" {
		t.Fatalf("%s: %s, reason %s, refutation %+v; optimum %s", p, out.Value.RatString(), out.Reason, r, want.RatString())
	}
}

// TestEqualsExhaustive compares two engines that share no search on tori where naive brute force is slow.
func TestEqualsExhaustive(t *testing.T) {
	for _, c := range []struct{ torus, routing string }{{"4x4", "odr:tie=both"}, {"4x4", "udr:tie=both"},
		{"4x4", "minimal"}, {"3x5", "udr"}, {"2x3x3", "odr"}} {
		if testing.Short() && c.torus != "3x5" {
			continue
		}
		n := searchtest.Problem(c.torus, c.routing, 1).Torus().N()
		for size := 1; size <= n; size++ {
			p := searchtest.Problem(c.torus, c.routing, size)
			want := coretest.Must(exhaustive.Method{}.Run(context.Background(), search.Params{Problem: p}))
			check(t, solveAll(t, New(), search.Params{Problem: p}), p, want.Value)
		}
	}
}

// TestKnownOptima: values of a separate exhaustive program; for the 5x5 diagonal the degree
// bound (n-1)/deg = 1 (Blaum, Bruck, Pifarré and Sanz, Lemma 2.1).
func TestKnownOptima(t *testing.T) {
	for _, c := range []struct {
		torus, routing string
		size           int
		want           string
	}{{"4x4", "odr:tie=both", 4, "1"}, {"6x6", "odr", 6, "2"}, {"5x5", "udr:tie=both", 5, "1"}} {
		p := searchtest.Problem(c.torus, c.routing, c.size)
		want, _ := new(big.Rat).SetString(c.want)
		check(t, solveAll(t, New(), search.Params{Problem: p}), p, want)
	}
}

func TestEventsGoalAndBudget(t *testing.T) {
	p := searchtest.Problem("6x6", "odr", 6)
	var events []search.Event
	observe := func(e search.Event) { events = append(events, e) }
	all := solveAll(t, New(), search.Params{Problem: p, Observe: observe})
	if first, last := events[0], events[len(events)-1]; first.Evaluations != 0 || last.Note != "limit 1: none" ||
		last.Evaluations != all.Evaluations {
		t.Errorf("events %+v", events)
	}
	for i := 1; i < len(events)-1; i++ {
		if e := events[i]; !e.Improved || e.Value.Cmp(events[i-1].Value) >= 0 || e.Evaluations != int64(i) ||
			!strings.Contains(e.Note, "found") {
			t.Errorf("event %d: %+v", i, e)
		}
	}
	if out := solveAll(t, New(), search.Params{Problem: p, Goal: big.NewRat(2, 1)}); out.Reason != search.Reached ||
		out.Refutation != nil || out.Value.Cmp(big.NewRat(2, 1)) > 0 {
		t.Errorf("goal 2: %+v", out)
	}
	if out := solveAll(t, New(), search.Params{Problem: p, Evaluations: 1}); out.Reason != search.Spent ||
		out.Evaluations != 1 || out.Refutation != nil {
		t.Errorf("one evaluation: %+v", out)
	}
}

// first returns the placement of the first nodes.
func first(p objective.Problem) core.Placement {
	nodes := make([]int, p.Size)
	for v := range nodes {
		nodes[v] = v
	}
	return core.MustPlacement(p.Torus(), nodes)
}

func TestStartsFromTheBest(t *testing.T) {
	p := searchtest.Problem("6x6", "odr", 6)
	optimum := solveAll(t, New(), search.Params{Problem: p}).Best
	out := solveAll(t, New(), search.Params{Problem: p, Starts: []core.Placement{first(p), optimum}})
	if out.Evaluations != 1 || !slices.Equal(out.Best.Nodes(), optimum.Nodes()) || out.Reason != search.Complete {
		t.Errorf("%+v", out)
	}
	var input *core.InputError
	wrong := first(searchtest.Problem("6x6", "odr", 5))
	if _, err := New().Run(context.Background(),
		search.Params{Problem: p, Starts: []core.Placement{wrong}}); !errors.As(err, &input) {
		t.Errorf("a start of five processors: %v", err)
	}
}

// TestWrongModelIsAnError feeds a placement above the limit, as a wrong formula would.
func TestWrongModelIsAnError(t *testing.T) {
	p := searchtest.Problem("4x4", "odr", 4)
	model := coretest.Must(encode.NewModel(t.Context(), p, New().Encoding))
	r := &run{params: search.Params{Problem: p}, model: model, out: &search.Outcome{}}
	row := func(v int) bool { return v <= 4 } // nodes 0..3, a ring: E_max 3 with ties plus
	var wrong *encode.ModelError
	if err := r.accept(big.NewRat(2, 1), row); !errors.As(err, &wrong) || r.out.Value != nil {
		t.Errorf("a row within 2: %v", err)
	}
	if err := r.accept(big.NewRat(3, 1), row); err != nil || r.out.Value.Cmp(big.NewRat(3, 1)) != 0 {
		t.Errorf("a row within 3: %v", err)
	}
}

// TestStopsWithTheContext ends the context while clauses are written and while the solver runs.
func TestStopsWithTheContext(t *testing.T) {
	for _, c := range []struct {
		torus string
		size  int
		after time.Duration
	}{{"8x8", 32, 20 * time.Millisecond}, {"8x8", 16, 200 * time.Millisecond}, {"6x6", 17, 600 * time.Millisecond}} {
		p := searchtest.Problem(c.torus, "udr:tie=both", c.size)
		ctx, cancel := context.WithTimeout(context.Background(), c.after)
		out, err := New().Run(ctx, search.Params{Problem: p, Workers: 1})
		cancel()
		if err != nil || out.Reason != search.Stopped || out.Refutation != nil || out.Value == nil {
			t.Errorf("%s: %+v, %v", p, out, err)
		}
	}
}

func TestRefuses(t *testing.T) {
	var unsupported *search.UnsupportedError
	for _, p := range []objective.Problem{searchtest.Problem("3x3", "avoid", 3), searchtest.Problem("11x11", "odr", 3)} {
		if err := New().Supports(p); !errors.As(err, &unsupported) {
			t.Errorf("%s: %v", p, err)
		}
	}
	if err := New().Supports(searchtest.Problem("8x8", "udr:tie=both", 16)); err != nil {
		t.Errorf("8x8: %v", err)
	}
	large := searchtest.Problem("10x10", "minimal", 20)
	if out := solveAll(t, New(), search.Params{Problem: large}); out.Reason != search.Complete || out.GaveUp == "" ||
		out.Refutation != nil || out.Value == nil {
		t.Errorf("%s: %+v", large, out)
	}
}

// TestBudgetIsRepeatable: a question that takes many calls ends with the budget, always
// in the same way, and a larger budget answers it.
func TestBudgetIsRepeatable(t *testing.T) {
	p := searchtest.Problem("5x5", "odr", 10)
	first := solveAll(t, New(), search.Params{Problem: p, Evaluations: 3500})
	if first.Evaluations != 3500 || first.Reason != search.Spent || first.Refutation != nil {
		t.Errorf("%d evaluations of 3500, %s", first.Evaluations, first.Reason)
	}
	again := solveAll(t, New(), search.Params{Problem: p, Evaluations: 3500})
	if !slices.Equal(again.Best.Nodes(), first.Best.Nodes()) || again.Evaluations != first.Evaluations {
		t.Errorf("%v after %d, at first %v after %d", again.Best.Nodes(), again.Evaluations, first.Best.Nodes(),
			first.Evaluations)
	}
	if all := solveAll(t, New(), search.Params{Problem: p, Evaluations: 1 << 40}); all.Reason != search.Complete ||
		all.Value.RatString() != "4" {
		t.Errorf("%s, %s", all.Value.RatString(), all.Reason)
	}
}
