package worst_test

import (
	"context"
	"math/big"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/objective"
	"leeway/objective/worst"
	search "leeway/search/worst"
)

// TestLeastAgainstAllPlacements: on small networks the least worst case below a limit, and that of the placements with
// an E_max, are those of all placements, listed without symmetry.
func TestLeastAgainstAllPlacements(t *testing.T) {
	for i := range coretest.Cases(400, 60) {
		rng := coretest.Rng(383, i)
		torus := coretest.AnyNetwork(rng, 12)
		r := coretest.Routing(rng, torus)
		if r.DependsOnPlacement() {
			continue
		}
		p := coretest.Must(objective.NewProblem(r, 1+rng.IntN(min(4, torus.N()))))
		e := coretest.Must(worst.New(r))
		limit, want := int64(1<<40), int64(-1)
		var most *big.Rat
		if i%2 == 0 { // that of some placement
			most, _ = p.Naive(core.MustPlacement(torus, rng.Perm(torus.N())[:p.Size])).Max()
		}
		if i%3 == 0 {
			limit = e.Load(rng.Perm(torus.N())[:p.Size], 0)
		}
		var choose func(v int, nodes []int)
		choose = func(v int, nodes []int) {
			if len(nodes) == p.Size {
				load := e.Load(nodes, 0)
				if m, _ := p.Naive(core.MustPlacement(torus, nodes)).Max(); load < limit && (want < 0 || load < want) &&
					(most == nil || m.Cmp(most) <= 0) {
					want = load
				}
				return
			}
			for ; v < torus.N(); v++ {
				choose(v+1, append(nodes[:len(nodes):len(nodes)], v))
			}
		}
		choose(0, nil)
		load, nodes, all, err := search.Least(context.Background(), p, e, limit, most, 1<<30)
		switch {
		case err != nil || !all:
			t.Fatalf("%s: %v, %v", p, all, err)
		case nodes == nil && want >= 0, nodes != nil && (load != want || e.Load(nodes, 0) != want):
			t.Errorf("%s below %d, E_max at most %v: %v with %d, all placements %d", p, limit, most, nodes, load, want)
		}
		if _, _, all, _ = search.Least(context.Background(), p, e, limit, most, 0); all && limit > 0 {
			t.Errorf("%s: all placements without a look", p)
		}
	}
}
