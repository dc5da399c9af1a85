package restrict_test

import (
	"context"
	"math/big"
	"math/rand/v2"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/search"
	"leeway/search/restrict"
)

// TestOrders holds the search for dimension orders against all sets of them.
func TestOrders(t *testing.T) {
	random := rand.New(rand.NewPCG(17, 0))
	for _, sides := range [][]int{{4}, {3, 4}, {4, 4}, {2, 3, 3}, {3, 4, 2}} {
		if testing.Short() && len(sides) > 2 {
			continue
		}
		tor := core.MustTorus(sides...)
		for _, least := range []int{0, 1, 3} {
			p := restrict.Params{Placement: draw(random, tor, min(6, tor.N())), By: restrict.ByOrders,
				Single: least == 0, MinPaths: least, Seed: 1, Workers: 2}
			r := coretest.Must(restrict.Run(context.Background(), p))
			sound(t, p, r)
			if want := bestOrders(t, p); r.Value.Cmp(want) != 0 {
				t.Errorf("%s nodes %v, least %d: %s (%s), all sets give %s", tor, p.Placement.Nodes(), least,
					r.Value.RatString(), r.Orders, want.RatString())
			}
			if exact, _ := objective.Naive(r.Orders, p.Placement).Max(); exact.Cmp(r.Value) != 0 {
				t.Errorf("%s: %s, as a table %s", r.Orders, exact.RatString(), r.Value.RatString())
			}
		}
	}
}

// bestOrders tries all sets of dimension orders of up to three dimensions.
func bestOrders(t *testing.T, p restrict.Params) *big.Rat {
	t.Helper()
	all := map[int][][]int{1: {{0}}, 2: {{0, 1}, {1, 0}}, 3: {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1},
		{2, 1, 0}}}[p.Placement.Torus().D()]
	var best *big.Rat
	for set := 1; set < 1<<len(all); set++ {
		var orders [][]int
		for i, o := range all {
			if set>>i&1 == 1 {
				orders = append(orders, o)
			}
		}
		for _, tie := range []routing.Tie{routing.TiePlus, routing.TieBoth} {
			r := coretest.Must(routing.NewOrders(p.Placement.Torus(), orders, tie))
			if !enough(r, p) {
				continue
			}
			q := objective.Problem{Routing: r, Terms: objective.Terms{Traffic: p.Traffic}}
			if v, _ := q.Naive(p.Placement).Max(); best == nil || v.Cmp(best) < 0 {
				best = v
			}
		}
	}
	return best
}

// enough reports whether a routing leaves all pairs the paths asked for.
func enough(r routing.Routing, p restrict.Params) bool {
	count := func(r routing.Routing, from, to int) (n int) {
		for range r.Paths(from, to, nil) {
			n++
		}
		return n
	}
	for m := range messages(p.Placement, p.Traffic) {
		n := count(r, m.From, m.To)
		if n < min(p.MinPaths, count(m.Routing, m.From, m.To)) || p.Single && n > 1 {
			return false
		}
	}
	return true
}

// TestManyOrders climbs where the sets are too many to list: never worse than all orders.
func TestManyOrders(t *testing.T) {
	p := restrict.Params{Placement: draw(rand.New(rand.NewPCG(18, 0)), core.MustTorus(3, 2, 3, 2), 9),
		By: restrict.ByOrders, MinPaths: 2, Seed: 2, Evaluations: 100, Workers: 2}
	r := coretest.Must(restrict.Run(context.Background(), p))
	sound(t, p, r)
	udr := routing.NewUDR(p.Placement.Torus(), routing.TieBoth)
	if all, _ := objective.Naive(udr, p.Placement).Max(); r.Value.Cmp(all) >= 0 {
		t.Errorf("100 sets give %s (%s), all orders %s", r.Value.RatString(), r.Orders, all.RatString())
	}
	if r.Evaluations != 100 && r.Reason != search.Reached {
		t.Errorf("%d evaluations, %s", r.Evaluations, r.Reason)
	}
}

// TestEndsWithoutABudget gives neither evaluations nor a context that ends, where the sets of orders are too many to
// look at all of them and no bound is reached, and where paths are chosen.
func TestEndsWithoutABudget(t *testing.T) {
	coretest.Alone(t)
	torus := core.MustTorus(2, 3, 2, 2)
	for by, most := range map[restrict.By]int64{restrict.ByOrders: 1 << 12, restrict.ByAny: 1 << 20} {
		p := restrict.Params{Placement: draw(rand.New(rand.NewPCG(19, 0)), torus, 9), By: by, Seed: 1, Workers: 1}
		r := coretest.Must(restrict.Run(context.Background(), p))
		sound(t, p, r)
		if r.Reason != search.Spent || r.Evaluations != most {
			t.Errorf("ends as %v after %d, not after %d", r.Reason, r.Evaluations, most)
		}
	}
}
