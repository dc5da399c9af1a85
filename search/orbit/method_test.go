package orbit

import (
	"context"
	"math/big"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/search"
	"leeway/search/searchtest"
)

func TestConformance(t *testing.T) { searchtest.Conform(t, Method{}) }

// TestRecords finds values of the atlas that other methods do not: each was checked by listing all paths.
func TestRecords(t *testing.T) {
	for _, c := range []struct {
		network, routing string
		n                int
		value            string
	}{
		{"5x7:open=0,1", "minimal", 20, "12647/630"}, {"6x6:open=0,1", "minimal", 16, "1607/140"},
		{"5x5x5", "odr", 25, "9"},
	} {
		if testing.Short() && c.n > 20 {
			continue
		}
		goal, _ := new(big.Rat).SetString(c.value)
		out, err := (Method{}).Run(context.Background(),
			search.Params{Problem: searchtest.Problem(c.network, c.routing, c.n), Goal: goal, Seed: 1, Evaluations: 1_000_000})
		if err != nil || out.Reason != search.Reached || out.Refutation != nil {
			t.Errorf("%s n=%d: %v, reason %s after %d evaluations, error %v",
				c.network, c.n, out.Value, out.Reason, out.Evaluations, err)
		}
	}
}

// TestWorkers repeats a run of several rounds on other numbers of workers.
func TestWorkers(t *testing.T) {
	p := search.Params{Problem: searchtest.Problem("5x5", "udr", 10), Seed: 7, Evaluations: 60_000, Workers: 1}
	first, err := (Method{}).Run(context.Background(), p)
	if err != nil || first.Reason != search.Complete && first.Reason != search.Spent {
		t.Fatal(first, err)
	}
	for _, workers := range []int{2, 5} {
		p.Workers = workers
		again, err := (Method{}).Run(context.Background(), p)
		if err != nil || again.Evaluations != first.Evaluations || again.Reason != first.Reason ||
			!slices.Equal(again.Best.Nodes(), first.Best.Nodes()) {
			t.Errorf("%d workers: %v after %d, error %v; at first %v after %d",
				workers, again.Best.Nodes(), again.Evaluations, err, first.Best.Nodes(), first.Evaluations)
		}
	}
}

// TestBestStops checks that a search cut short does not say that it is complete.
func TestBestStops(t *testing.T) {
	p := searchtest.Problem("8x8", "udr:tie=both", 16)
	s := coretest.Must(Parse(p.Routing, "-1"))
	r, err := Best(context.Background(), p, s, nil, 100)
	if err != nil || r.Complete || r.Nodes != 100 || r.Orbits != 34 {
		t.Errorf("with 100 choices: %+v, %v", r, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if r, err := Best(ctx, p, s, nil, 0); err != nil || r.Complete {
		t.Errorf("with a context that ended: %+v, %v", r, err)
	}
}

// TestStarts checks that a start that no symmetric placement beats is kept.
func TestStarts(t *testing.T) {
	p := searchtest.Problem("4x4", "udr:tie=both", 6)
	free, err := (Method{}).Run(context.Background(), search.Params{Problem: p, Workers: 1})
	if err != nil || free.Reason != search.Complete {
		t.Fatal(free, err)
	}
	nodes := free.Best.Nodes()
	again, err := (Method{}).Run(context.Background(),
		search.Params{Problem: p, Workers: 1, Starts: []core.Placement{free.Best}})
	if err != nil || !slices.Equal(again.Best.Nodes(), nodes) || again.Evaluations > free.Evaluations {
		t.Errorf("from its own result: %v after %d, error %v; alone %v after %d",
			again.Best.Nodes(), again.Evaluations, err, nodes, free.Evaluations)
	}
}

// TestBudgetIsExact: what is left of a budget is shared out in ever smaller parts, over more rounds than the nodes of a
// visit could grow in.
func TestBudgetIsExact(t *testing.T) {
	budgets := []int64{1, 7, 2000, 3000, 20_000}
	if testing.Short() {
		budgets = []int64{1, 7, 3000}
	}
	for _, c := range []struct {
		torus, routing string
		size           int
	}{{"6x6", "odr", 12}, {"8x8", "odr", 12}, {"4x4x4", "udr:tie=both", 12}, {"5x7", "minimal", 9}} {
		for _, budget := range budgets {
			p := search.Params{Problem: searchtest.Problem(c.torus, c.routing, c.size), Seed: 3, Evaluations: budget, Workers: 2}
			out, err := (Method{}).Run(context.Background(), p)
			if err != nil || out.Evaluations > budget || out.Reason == search.Spent && out.Evaluations < budget {
				t.Errorf("%s: %d evaluations of %d, %s, %v", p.Problem, out.Evaluations, budget, out.Reason, err)
			}
		}
	}
}
