package work

import (
	"math/big"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results/check"
	"leeway/search"
	"leeway/search/census"
	"leeway/search/orderly"
	"leeway/search/searchtest"
)

// TestTreesOnNetworks: on networks and tori with fixed and forbidden nodes engine and checker walk the same tree below
// the optimum: the same prefixes, counts and sums.
func TestTreesOnNetworks(t *testing.T) {
	walked := 0
	for i := range coretest.Cases(300, 100) {
		if p := searchtest.Conditioned(coretest.Rng(734, i), 10); (orderly.Engine{}).Supports(p) == nil {
			sameTree(t, p, searchtest.Optimum(p))
			walked++
		}
	}
	if walked < 50 {
		t.Errorf("only %d trees", walked)
	}
	nodes := int64(0)
	for _, c := range []struct {
		network, routing string
		size             int
		fixed, forbidden []int
	}{
		{"4x4:open=0,1", "odr", 8, nil, nil}, {"4x5:open=1", "udr:tie=both", 7, nil, nil},
		{"4x4:open=0,1:bandwidth=2,1", "udr", 8, nil, nil}, {"4x4:bandwidth=1,3", "odr", 8, nil, nil},
		{"5x5", "odr", 9, []int{0, 6}, []int{12}}, {"3x3x3:open=0,1,2", "odr", 6, []int{13}, nil},
	} {
		torus := coretest.Must(core.ParseNetwork(c.network))
		p := coretest.Must(objective.NewProblem(coretest.Must(routing.Parse(torus, c.routing)), c.size))
		p = coretest.Must(p.WithNodes(c.fixed, c.forbidden))
		out, err := census.Method{Engines: []census.Engine{orderly.Engine{}}}.Run(t.Context(),
			search.Params{Problem: p, Workers: 1})
		if err != nil || out.Refutation == nil {
			t.Fatalf("%s: %v, %s", p, err, out.GaveUp)
		}
		nodes += sameTree(t, p, out.Value)
	}
	if nodes < 2000 {
		t.Errorf("only %d nodes", nodes)
	}
}

// sameTree walks the tree of a value that is out of reach twice and returns how many nodes it has.
func sameTree(t *testing.T, p objective.Problem, value *big.Rat) int64 {
	t.Helper()
	plan := coretest.Must((orderly.Engine{}).Plan(t.Context(), p, value, 1))
	cut := census.Cut(plan)
	answer := census.Run(t.Context(), plan, cut, make([]bool, len(cut)), census.Options{Workers: 1})
	var sum uint64
	for _, s := range answer.Slices {
		sum += s.Sum
	}
	w, err := check.NewRewalk(t.Context(), p, value, orderly.Name, plan.Split())
	if err != nil {
		t.Fatalf("%s: %v", p, err)
	}
	got := w.Walk(t.Context(), 0, len(w.Prefixes()), 1<<40)
	if !slices.EqualFunc(w.Prefixes(), plan.Prefixes(), slices.Equal[[]int]) ||
		got.Nodes != answer.Nodes || got.Sum != sum || got.Found != nil || !answer.Complete {
		t.Errorf("%s below %s: the checker has %d prefixes, %d nodes, the engine %d and %d", p, value.RatString(),
			len(w.Prefixes()), got.Nodes, len(plan.Prefixes()), answer.Nodes)
	}
	return got.Nodes
}
