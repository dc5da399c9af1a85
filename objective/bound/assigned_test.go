package bound_test

import (
	"math/big"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/bound"
	"leeway/objective/fast"
)

// TestAssigned: on random assignments no bound is above the loads by the definition, with which the table agrees.
func TestAssigned(t *testing.T) {
	tight := 0
	for i := range coretest.Cases(200, 60) {
		rng := coretest.Rng(3520, i)
		in := coretest.RandomOn(rng, coretest.AnyNetwork(rng, 16))
		if in.Routing.DependsOnPlacement() || routing.Complete(in.Routing) != nil {
			continue
		}
		n, room := in.Torus.N(), 1+rng.IntN(3)
		k := 1 + rng.IntN(min(12, n*room))
		var pairs [][2]int
		var amounts []*big.Rat
		for from := range k {
			for to := range k {
				if from != to && rng.IntN(3) == 0 {
					pairs = append(pairs, [2]int{from, to})
					amounts = append(amounts, big.NewRat(int64(1+rng.IntN(9)), int64(1+rng.IntN(3))))
				}
			}
		}
		m := coretest.Must(objective.NewMatrix(k, pairs, amounts, func(int) string { return "" }))
		p := coretest.Must(objective.Problem{Routing: in.Routing}.WithTraffic(objective.Traffic{Matrix: m, PerNode: room}))
		places := rng.Perm(n * room)[:k]
		nodes := make([]int, k)
		for task, place := range places {
			nodes[task] = place / room
		}
		at := coretest.Must(core.PlaceTasks(in.Torus, nodes))
		if problem := p.Refusal(at); problem != "" {
			t.Fatal(problem)
		}
		naive := p.Naive(at)
		table := coretest.Must(fast.NewAssigned(p))
		tabled := objective.NewLoads(in.Torus, table.Den(), table.Units(nodes), nil)
		for name, have := range map[string]*objective.Loads{"table": tabled, "evaluator": fast.Evaluate(p, at),
			"pairwise": coretest.Must(p.Pairwise(at, nil, nil))} {
			for l := range core.Link(in.Torus.M()) {
				if in.Torus.HasLink(l) && table.Exact() && naive.Load(l).Cmp(have.Load(l)) != 0 {
					t.Fatalf("case %d: link %d has %s, by the %s %s", i, l, naive.Load(l), name, have.Load(l))
				}
			}
		}
		most, _ := naive.Max()
		for _, b := range coretest.Must(bound.DemandBounds(t.Context(), p, at)) {
			if b.Value.Cmp(most) > 0 {
				t.Errorf("case %d, %s, %v: %s %s is above %s", i, p, at, b.Name, b.Value, most)
			}
			if b.Value.Cmp(most) == 0 && most.Sign() > 0 {
				tight++
			}
		}
	}
	if tight < 5 {
		t.Errorf("only %d bounds are tight", tight)
	}
}
