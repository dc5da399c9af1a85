package joint_test

import (
	"math"
	"math/big"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/search"
	"leeway/search/joint"
	"leeway/search/portfolio"
	"leeway/search/restrict"
	"leeway/search/searchtest"
)

// optimum returns the smallest E_max of any placement of a problem under any restriction; on plain tori it looks at
// those with node 0.
func optimum(p objective.Problem) (best *big.Rat) {
	q := p
	q.Free, q.Routing = nil, routing.NewUDR(p.Torus(), routing.TieBoth)
	for s := range searchtest.Placements(q) {
		if !p.Torus().Plain() || p.Conditioned() || s.Set().Has(0) {
			best = searchtest.LeastOfTables(s, objective.Traffic{}, *p.Free, true, best)
		}
	}
	return best
}

// TestAgainstAllPlacementsAndRestrictions holds the search against every pair of the two.
func TestAgainstAllPlacementsAndRestrictions(t *testing.T) {
	for _, c := range []struct {
		torus string
		most  int // processors
	}{{"4", 4}, {"7", 4}, {"2x2", 4}, {"2x3", 5}, {"3x3", 4}, {"2x4", 3}, {"4x3", 3}, {"2x2x2", 3}} {
		tor := coretest.Must(core.ParseTorus(c.torus))
		evaluations := int64(150_000)
		if testing.Short() {
			evaluations = 20_000
		}
		for n := 1; n <= c.most; n++ {
			for _, free := range []routing.Free{{MinPaths: 1}, {Single: true}, {MinPaths: 2}} {
				if testing.Short() && (n > 3 || free.MinPaths > 1) {
					continue
				}
				r := run(t, joint.Method{}, search.Params{Problem: problem(tor, n, free), Seed: 1, Evaluations: evaluations,
					Workers: 1}, portfolio.Options{})
				if want := optimum(problem(tor, n, free)); r.Value.Cmp(want) != 0 {
					t.Errorf("%s, %d processors, %s: %s, all placements and restrictions give %s", tor, n, free, r.Value.RatString(),
						want.RatString())
				}
				sound(t, free, r)
			}
		}
	}
}

// TestNetworks holds the search against every pair of the two on random networks, where nodes are fixed and forbidden.
func TestNetworks(t *testing.T) {
	for i := range coretest.Cases(300, 30) {
		rng := coretest.Rng(41, i)
		var p objective.Problem
		for p.Routing == nil || work(p) > 1e10 {
			network := coretest.AnyNetwork(rng, 9)
			n := 1 + rng.IntN(min(4, network.N()))
			free := []routing.Free{{MinPaths: 1}, {Single: true}, {MinPaths: 2}}[rng.IntN(3)]
			p = problem(network, n, free)
			if rng.IntN(3) > 0 {
				nodes := rng.Perm(network.N())
				p = coretest.Must(p.WithNodes(nodes[:rng.IntN(n+1)], nodes[network.N()-rng.IntN(network.N()-n+1):]))
			}
		}
		params := search.Params{Problem: p, Seed: 1, Evaluations: 20_000, Workers: 1}
		r := run(t, joint.Method{Finders: finders}, params, portfolio.Options{})
		if want := optimum(p); r.Value.Cmp(want) != 0 || !p.Admits(r.Best) {
			t.Errorf("%s: nodes %v with %s, all placements and restrictions give %s", p, r.Best.Nodes(), r.Value.RatString(),
				want.RatString())
		}
		sound(t, *p.Free, r)
	}
}

// work returns about how many choices a brute has.
func work(p objective.Problem) float64 {
	t, most := p.Torus(), 1
	for from := range t.N() {
		for to := range t.N() {
			most = max(most, restrict.CountPaths(t, from, to))
		}
	}
	if most > 8 {
		return math.Inf(1)
	}
	return math.Pow(2, float64(t.N())) * math.Pow(math.Pow(2, float64(most))-1, float64(p.Size*(p.Size-1)))
}

// sound checks something found by the naive evaluator and what is asked of its table.
func sound(t *testing.T, free routing.Free, f portfolio.Outcome) {
	t.Helper()
	if exact, _ := objective.Naive(f.Table, f.Best).Max(); exact.Cmp(f.Value) != 0 {
		t.Errorf("%s nodes %v: claimed %s, naive %s", f.Best.Torus(), f.Best.Nodes(), f.Value.RatString(), exact.RatString())
	}
	all := routing.NewUDR(f.Best.Torus(), routing.TieBoth)
	for _, from := range f.Best.Nodes() {
		for _, to := range f.Best.Nodes() {
			if from == to {
				continue
			}
			available := 0
			for range all.Paths(from, to, nil) {
				available++
			}
			if have := len(f.Table.Choices(from, to)); free.Single && have != 1 || have < min(free.MinPaths, available) {
				t.Errorf("%s: the pair %d to %d has %d of %d paths", free, from, to, have, available)
			}
		}
	}
}
