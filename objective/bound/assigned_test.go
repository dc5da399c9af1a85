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
		at := make(objective.Assignment, k)
		for task, place := range places {
			at[task] = place / room
		}
		if problem := p.Refusal(at); problem != "" {
			t.Fatal(problem)
		}
		naive := coretest.Must(p.NaiveAssigned(func(int64) error { return nil }, at))
		table := coretest.Must(fast.NewAssigned(p)).Loads(at)
		for l := range in.Torus.M() {
			if in.Torus.HasLink(core.Link(l)) && naive.Load(core.Link(l)).Cmp(table.Load(core.Link(l))) != 0 {
				t.Fatalf("case %d: link %d has %s, by the table %s", i, l, naive.Load(core.Link(l)), table.Load(core.Link(l)))
			}
		}
		most, _ := naive.Max()
		for _, b := range bound.AssignedAt(p, at) {
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
