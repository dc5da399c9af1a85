package assign_test

import (
	"context"
	"math/big"
	"slices"
	"testing"
	"time"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/texts"
	"leeway/search/assign"
	"leeway/search/searchtest"
)

func value(t *testing.T, p objective.Problem, a objective.Assignment) *big.Rat {
	t.Helper()
	if problem := p.Refusal(a); problem != "" {
		t.Fatal(problem)
	}
	most, _ := coretest.Must(p.NaiveAssigned(func(int64) error { return nil }, a)).Max()
	return most
}

// TestAgainstAllAssignments: the search finds the least E_max with enough evaluations, and claims what the naive
// evaluator says.
func TestAgainstAllAssignments(t *testing.T) {
	tried := 0
	for i := range coretest.Cases(120, 40) {
		rng := coretest.Rng(3510, i)
		p, ok := searchtest.Assigned(rng, 7, 4)
		if !ok {
			continue
		}
		tried++
		want := searchtest.LeastAssigned(p)
		found := coretest.Must(assign.Search(t.Context(), assign.Params{Problem: p, Seed: uint64(i), Evaluations: 20000,
			Workers: 1}))
		if have := value(t, p, found.Best); have.Cmp(found.Value) != 0 || have.Cmp(want) < 0 {
			t.Fatalf("case %d: found %s, claimed %s, least %s", i, have, found.Value, want)
		} else if have.Cmp(want) > 0 {
			t.Errorf("case %d, %s: found %s, least %s", i, p, have, want)
		}
	}
	if tried < 15 {
		t.Errorf("only %d cases", tried)
	}
}

// TestRepeatable: the result depends on seed and evaluations, not on the workers.
func TestRepeatable(t *testing.T) {
	torus := core.MustTorus(4, 4)
	m := coretest.Must(texts.ParsePattern(torus, "pattern:shuffle"))
	p := coretest.Must(objective.Problem{Routing: routing.NewUDR(torus, routing.TieBoth)}.WithTraffic(
		objective.Traffic{Matrix: m}))
	var first assign.Result
	for _, workers := range []int{1, 3} {
		r := coretest.Must(assign.Search(t.Context(), assign.Params{Problem: p, Seed: 5, Evaluations: 30000,
			Workers: workers}))
		if first.Best == nil {
			first = r
		}
		if !slices.Equal(r.Best, first.Best) || r.Evaluations != first.Evaluations || r.Evaluations != 30000 {
			t.Errorf("%d workers: %v after %d, not %v after %d", workers, r.Best, r.Evaluations, first.Best,
				first.Evaluations)
		}
	}
}

// TestStops: a search without evaluations ends with its context, and has an assignment even if that is over before.
func TestStops(t *testing.T) {
	torus := core.MustTorus(4, 4)
	m := coretest.Must(texts.ParsePattern(torus, "pattern:uniform"))
	p := coretest.Must(objective.Problem{Routing: routing.NewUDR(torus, routing.TieBoth)}.WithTraffic(
		objective.Traffic{Matrix: m}))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := coretest.Must(assign.Search(ctx, assign.Params{Problem: p, Workers: 2}))
	if have, want := value(t, p, r.Best), coretest.Must(objective.NewProblem(p.Routing, 16)); have.Cmp(
		func() *big.Rat { v, _ := want.Naive(core.MustPlacement(torus, core.Range(16))).Max(); return v }()) != 0 {
		t.Errorf("uniform traffic of all nodes: %s", have)
	}
}

// BenchmarkSwaps measures changes that are tried on 8x8 with 64 tasks.
func BenchmarkSwaps(b *testing.B) {
	torus := core.MustTorus(8, 8)
	for _, name := range []string{"transpose", "shuffle", "uniform"} {
		b.Run(name, func(b *testing.B) {
			m := coretest.Must(texts.ParsePattern(torus, "pattern:"+name))
			r := coretest.Must(routing.Parse(torus, "xy"))
			p := coretest.Must(objective.Problem{Routing: r}.WithTraffic(objective.Traffic{Matrix: m}))
			started := time.Now()
			r1 := coretest.Must(assign.Search(context.Background(), assign.Params{Problem: p, Evaluations: int64(b.N),
				Workers: 1}))
			b.ReportMetric(float64(r1.Evaluations)/time.Since(started).Seconds(), "changes/s")
		})
	}
}
