package assign_test

import (
	"context"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/bound"
	"leeway/objective/texts"
	"leeway/search/assign"
)

// random returns a problem with a matrix: some tasks, random amounts, now and then several tasks a node, fixed tasks or
// forbidden nodes; ok is false where the routing does not go with one.
func random(rng *rand.Rand, nodes, tasks int) (p objective.Problem, ok bool) {
	in := coretest.RandomOn(rng, coretest.AnyNetwork(rng, nodes))
	if in.Routing.DependsOnPlacement() || routing.Complete(in.Routing) != nil {
		return p, false
	}
	n := in.Torus.N()
	perNode := 1 + rng.IntN(4)/3
	forbidden := rng.IntN(3) / 2
	k := 1 + rng.IntN(min(tasks, (n-forbidden)*perNode))
	var pairs [][2]int
	var amounts []*big.Rat
	for from := range k {
		for to := range k {
			if from != to && rng.IntN(2) == 0 {
				pairs = append(pairs, [2]int{from, to})
				amounts = append(amounts, big.NewRat(int64(rng.IntN(5)), int64(1+rng.IntN(3))))
			}
		}
	}
	m := coretest.Must(objective.NewMatrix(k, pairs, amounts, func(int) string { return "" }))
	p = coretest.Must(objective.Problem{Routing: in.Routing}.WithTraffic(objective.Traffic{Matrix: m, PerNode: perNode}))
	order := rng.Perm(n)
	if forbidden > 0 {
		p.Forbidden = core.MustPlacement(in.Torus, order[:1]).Set()
	}
	if rng.IntN(3) == 0 {
		p.Pinned = []objective.Pin{{Task: rng.IntN(k), Node: order[n-1]}}
	}
	return p, p.CheckRoom() == nil
}

func value(t *testing.T, p objective.Problem, a objective.Assignment) *big.Rat {
	t.Helper()
	if problem := p.Refusal(a); problem != "" {
		t.Fatal(problem)
	}
	most, _ := coretest.Must(p.NaiveAssigned(func(int64) error { return nil }, a)).Max()
	return most
}

// least returns the least E_max of all assignments by going through all of them.
func least(p objective.Problem) *big.Rat {
	var best *big.Rat
	at := make(objective.Assignment, p.Traffic.Matrix.Tasks)
	var place func(task int)
	place = func(task int) {
		if task == len(at) {
			if p.Refusal(at) != "" {
				return
			}
			loads, _ := p.NaiveAssigned(func(int64) error { return nil }, at)
			if most, _ := loads.Max(); best == nil || most.Cmp(best) < 0 {
				best = most
			}
			return
		}
		for v := range p.Torus().N() {
			at[task] = v
			place(task + 1)
		}
	}
	place(0)
	return best
}

// TestAgainstAllAssignments: a proof finds the least E_max, the search with enough evaluations too, both claim what the
// naive evaluator says, and no bound is above.
func TestAgainstAllAssignments(t *testing.T) {
	tried := 0
	for i := range coretest.Cases(120, 40) {
		rng := coretest.Rng(3510, i)
		p, ok := random(rng, 7, 4)
		if !ok {
			continue
		}
		tried++
		want := least(p)
		found := coretest.Must(assign.Search(t.Context(), assign.Params{Problem: p, Seed: uint64(i), Evaluations: 20000,
			Workers: 1}))
		if have := value(t, p, found.Best); have.Cmp(found.Value) != 0 || have.Cmp(want) < 0 {
			t.Fatalf("case %d: found %s, claimed %s, least %s", i, have, found.Value, want)
		} else if have.Cmp(want) > 0 {
			t.Errorf("case %d, %s: found %s, least %s", i, p, have, want)
		}
		for _, b := range bound.Assigned(p) {
			if b.Value.Cmp(want) > 0 {
				t.Errorf("case %d, %s: bound %s is %s, least %s", i, p, b.Name, b.Value, want)
			}
		}
		first := coretest.Must(assign.Search(t.Context(), assign.Params{Problem: p, Seed: 1, Evaluations: 1, Workers: 1}))
		r, proved, err := assign.Prove(t.Context(), p, first.Best)
		if err != nil || !proved || r.Value.Cmp(want) != 0 || value(t, p, r.Best).Cmp(want) != 0 {
			t.Fatalf("case %d: proved %v %s, least %s, %v", i, proved, r.Value, want, err)
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

// TestProofs: 9 tasks on 3x3 and 6 on 4x4 to the end.
func TestProofs(t *testing.T) {
	for i, c := range []struct{ sides, tasks int }{{3, 9}, {4, 6}} {
		torus := core.MustTorus(c.sides, c.sides)
		rng := coretest.Rng(3511, i)
		var pairs [][2]int
		var amounts []*big.Rat
		for from := range c.tasks {
			for to := range c.tasks {
				if from != to && rng.IntN(3) > 0 {
					pairs, amounts = append(pairs, [2]int{from, to}), append(amounts, big.NewRat(int64(1+rng.IntN(9)), 1))
				}
			}
		}
		m := coretest.Must(objective.NewMatrix(c.tasks, pairs, amounts, func(int) string { return "" }))
		p := coretest.Must(objective.Problem{Routing: routing.NewUDR(torus, routing.TieBoth)}.WithTraffic(
			objective.Traffic{Matrix: m}))
		found := coretest.Must(assign.Search(t.Context(), assign.Params{Problem: p, Seed: 1, Evaluations: 100000,
			Workers: 2}))
		r, proved, err := assign.Prove(t.Context(), p, found.Best)
		if err != nil || !proved || r.Value.Cmp(value(t, p, r.Best)) != 0 {
			t.Errorf("%d tasks: %v %v", c.tasks, proved, err)
		}
		t.Logf("%d tasks on %s: E_max %s, %d partial assignments", c.tasks, torus, r.Value, r.Evaluations)
	}
}
