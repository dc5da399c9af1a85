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
	"leeway/search"
	"leeway/search/assign"
	"leeway/search/searchtest"
)

// TestAgainstAllPlacements: the search finds the least E_max with enough evaluations, and claims what the naive
// evaluator says.
func TestAgainstAllPlacements(t *testing.T) {
	tried := 0
	for i := range coretest.Cases(120, 40) {
		rng := coretest.Rng(3510, i)
		p, ok := searchtest.Assigned(rng, 7, 4)
		if !ok {
			continue
		}
		tried++
		want := searchtest.LeastAssigned(p)
		found := coretest.Must(assign.Method{}.Run(t.Context(), search.Params{Problem: p, Seed: uint64(i), Evaluations: 20000,
			Workers: 1}))
		if problem := p.Refusal(found.Best); problem != "" {
			t.Fatal(problem)
		}
		if have, _ := p.Naive(found.Best).Max(); have.Cmp(found.Value) != 0 || have.Cmp(want) != 0 {
			t.Errorf("case %d, %s: found %s, claimed %s, least %s", i, p, have, found.Value, want)
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
	var first search.Outcome
	for _, workers := range []int{1, 3} {
		r := coretest.Must(assign.Method{}.Run(t.Context(), search.Params{Problem: p, Seed: 5, Evaluations: 30000,
			Workers: workers}))
		if first.Value == nil {
			first = r
		}
		if !slices.Equal(r.Best.Tasks(), first.Best.Tasks()) || r.Evaluations != first.Evaluations || r.Evaluations != 30000 {
			t.Errorf("%d workers: %v after %d, not %v after %d", workers, r.Best, r.Evaluations, first.Best,
				first.Evaluations)
		}
	}
}

// TestStops: a search without evaluations ends with its context, and has a placement even if that is over before.
func TestStops(t *testing.T) {
	torus := core.MustTorus(4, 4)
	m := coretest.Must(texts.ParsePattern(torus, "pattern:uniform"))
	p := coretest.Must(objective.Problem{Routing: routing.NewUDR(torus, routing.TieBoth)}.WithTraffic(
		objective.Traffic{Matrix: m}))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := coretest.Must(assign.Method{}.Run(ctx, search.Params{Problem: p, Workers: 2}))
	if have, want := r.Value, coretest.Must(objective.NewProblem(p.Routing, 16)); have.Cmp(
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
			r1 := coretest.Must(assign.Method{}.Run(context.Background(), search.Params{Problem: p, Evaluations: int64(b.N),
				Workers: 1}))
			b.ReportMetric(float64(r1.Evaluations)/time.Since(started).Seconds(), "changes/s")
		})
	}
}
