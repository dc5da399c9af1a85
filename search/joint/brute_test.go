package joint_test

import (
	"math"
	"math/big"
	"math/bits"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/search"
	"leeway/search/joint"
	"leeway/search/portfolio"
	"leeway/search/restrict"
)

const unit = 840 * 12 // common multiple of 1..8, the paths of a pair here, times that of bandwidths up to 4

// A brute tries all placements of a problem and all sets of paths of every ordered pair, from the definition.
type brute struct {
	torus *core.Torus
	free  routing.Free
	pairs [][][]core.Link // by pair of a placement: its paths
	loads []int
	best  int
}

// optimum returns the smallest E_max of any placement of a problem under any restriction; on plain tori it looks at
// those with node 0. Loads only grow, so a branch that is no better than the best so far is left.
func optimum(p objective.Problem) *big.Rat {
	t, n := p.Torus(), p.Size
	b := &brute{torus: t, free: *p.Free, loads: make([]int, t.M()), best: unit * n * n}
	all := routing.NewUDR(t, routing.TieBoth)
	for mask := uint64(1); mask < 1<<t.N(); mask++ {
		if bits.OnesCount64(mask) != n || t.Plain() && !p.Conditioned() && mask&1 == 0 || !p.AdmitsSet(core.Set{mask}) {
			continue
		}
		nodes := core.Set{mask}.Nodes()
		b.pairs = nil
		for _, from := range nodes {
			for _, to := range nodes {
				if from == to {
					continue
				}
				var list [][]core.Link
				for path := range all.Paths(from, to, nil) {
					list = append(list, append([]core.Link(nil), path...))
				}
				b.pairs = append(b.pairs, list)
			}
		}
		b.try(0, 0)
	}
	return big.NewRat(int64(b.best), unit)
}

func (b *brute) try(i, most int) {
	if most >= b.best {
		return
	}
	if i == len(b.pairs) {
		b.best = most
		return
	}
	for set := 1; set < 1<<len(b.pairs[i]); set++ {
		count := bits.OnesCount(uint(set))
		if b.free.Single && count > 1 || count < min(b.free.MinPaths, len(b.pairs[i])) {
			continue
		}
		b.try(i+1, max(most, b.lay(b.pairs[i], set, unit/count)))
		b.lay(b.pairs[i], set, -unit/count)
	}
}

// lay loads the links of a set and returns the largest load among them.
func (b *brute) lay(paths [][]core.Link, set, share int) int {
	most := 0
	for k, path := range paths {
		if set>>k&1 == 0 {
			continue
		}
		for _, l := range path {
			_, port := b.torus.LinkFrom(l)
			b.loads[l] += share / b.torus.Bandwidth(port.Dim)
			most = max(most, b.loads[l])
		}
	}
	return most
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
