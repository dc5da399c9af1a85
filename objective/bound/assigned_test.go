package bound_test

import (
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/objective"
	"leeway/objective/bound"
	"leeway/objective/fast"
	"leeway/search/searchtest"
)

// TestAssigned: on random assignments no bound is above the loads by the definition, with which the table agrees.
func TestAssigned(t *testing.T) {
	tight := 0
	for i := range coretest.Cases(200, 60) {
		rng := coretest.Rng(3520, i)
		p, ok := searchtest.Assigned(rng, 16, 12)
		if !ok {
			continue
		}
		torus := p.Torus()
		nodes, room := make([]int, p.Traffic.Matrix.Tasks), max(1, p.Traffic.PerNode)
		for task, place := range rng.Perm(torus.N() * room)[:len(nodes)] {
			nodes[task] = place / room
		}
		at := coretest.Must(core.PlaceTasks(torus, nodes))
		if p.Refusal(at) != "" {
			continue
		}
		naive := p.Naive(at)
		table := coretest.Must(fast.NewAssigned(p))
		tabled := objective.NewLoads(torus, table.Den(), table.Units(nodes), nil)
		for name, have := range map[string]*objective.Loads{"table": tabled, "evaluator": fast.Evaluate(p, at),
			"pairwise": coretest.Must(p.Pairwise(at, nil, nil))} {
			for l := range core.Link(torus.M()) {
				if torus.HasLink(l) && table.Exact() && naive.Load(l).Cmp(have.Load(l)) != 0 {
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
