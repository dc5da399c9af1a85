package margin

import (
	"context"
	"fmt"
	"math/big"
	"testing"

	"leeway/core"
	"leeway/objective"
	"leeway/search"
	"leeway/search/exhaustive"
	"leeway/search/searchtest"
)

// routings are all that the method supports in two dimensions.
var routings = []string{"odr", "odr:tie=both", "odr:order=1,0", "odr:order=1,0:tie=both", "udr", "udr:tie=both", "orders:01+10", "orders:10"}

// tiny lists the tori of two dimensions with at most most nodes.
func tiny(most int) (list []string) {
	for a := 2; a <= most/2; a++ {
		for b := 2; a*b <= most; b++ {
			list = append(list, fmt.Sprintf("%dx%d", a, b))
		}
	}
	return list
}

// solve runs the method to its end and checks what it claims of itself.
func solve(t *testing.T, p objective.Problem, workers int) search.Outcome {
	t.Helper()
	out, err := New().Run(context.Background(), search.Params{Problem: p, Workers: workers})
	if err != nil {
		t.Fatalf("%s: %v", p, err)
	}
	if out.Reason != search.Complete || out.Refutation == nil || out.Refutation.Below.Cmp(out.Value) != 0 {
		t.Fatalf("%s: reason %s, refutation %+v", p, out.Reason, out.Refutation)
	}
	if exact, _ := objective.Naive(p.Routing, out.Best).Max(); out.Best.Size() != p.Size || exact.Cmp(out.Value) != 0 {
		t.Fatalf("%s: claims %s for %v, naive %s", p, out.Value.RatString(), out.Best.Nodes(), exact.RatString())
	}
	return out
}

// TestOptimaByBruteForce holds every optimum on tori with N <= 12 against the
// naive evaluation of all placements.
func TestOptimaByBruteForce(t *testing.T) {
	most := 12
	if testing.Short() {
		most = 8
	}
	for _, torus := range tiny(most) {
		for _, r := range routings {
			for n := 1; n <= searchtest.Problem(torus, r, 1).Torus().N(); n++ {
				p := searchtest.Problem(torus, r, n)
				if out, want := solve(t, p, 1), optimum(p); out.Value.Cmp(want) != 0 {
					t.Errorf("%s: %s, by brute force %s", p, out.Value.RatString(), want.RatString())
				}
			}
		}
	}
}

// optimum is searchtest.Optimum over the placements with node 0 only, which
// stand for their translates.
func optimum(p objective.Problem) *big.Rat {
	if p.Torus().N() <= 9 {
		return searchtest.Optimum(p)
	}
	var best *big.Rat
	nodes := []int{0}
	var visit func(from int)
	visit = func(from int) {
		if len(nodes) == p.Size {
			if v, _ := objective.Naive(p.Routing, core.MustPlacement(p.Torus(), nodes)).Max(); best == nil || v.Cmp(best) < 0 {
				best = v
			}
			return
		}
		for v := from; v < p.Torus().N(); v++ {
			nodes = append(nodes, v)
			visit(v + 1)
			nodes = nodes[:len(nodes)-1]
		}
	}
	visit(1)
	return best
}

// TestOptimaByExhaustiveSearch goes on to tori that the full count can do.
func TestOptimaByExhaustiveSearch(t *testing.T) {
	tori := []string{"4x4", "3x5", "6x3"}
	if testing.Short() {
		tori = tori[1:2]
	}
	for _, torus := range tori {
		for _, r := range routings[:6] {
			for n := 2; n <= searchtest.Problem(torus, r, 1).Torus().N(); n++ {
				p := searchtest.Problem(torus, r, n)
				full, err := exhaustive.New().Run(context.Background(), search.Params{Problem: p, Workers: 1})
				if err != nil {
					t.Fatal(err)
				}
				if out := solve(t, p, 2); out.Value.Cmp(full.Value) != 0 {
					t.Errorf("%s: %s, by the full count %s", p, out.Value.RatString(), full.Value.RatString())
				}
			}
		}
	}
}
