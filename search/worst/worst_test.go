package worst_test

import (
	"context"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/worst"
	search "leeway/search/worst"
)

// TestSearchAgainstAllPlacements: on small networks the search finds the least worst case of all placements that keep
// to the conditions, which are all tried, and repeats itself.
func TestSearchAgainstAllPlacements(t *testing.T) {
	for i := range coretest.Cases(160, 30) {
		rng := coretest.Rng(379, i)
		torus := coretest.AnyNetwork(rng, 10)
		r := coretest.Routing(rng, torus)
		if r.DependsOnPlacement() {
			continue
		}
		p := coretest.Must(objective.NewProblem(r, 1+rng.IntN(min(5, torus.N()))))
		if i%3 == 0 && torus.N() > 4 {
			order := rng.Perm(torus.N())
			if q, err := p.WithNodes(order[:1], order[1:3]); err == nil {
				p = q
			}
		}
		e := coretest.Must(worst.New(r))
		least := int64(-1)
		var choose func(v int, nodes []int)
		choose = func(v int, nodes []int) {
			switch {
			case len(nodes) == p.Size:
				if s := core.MustPlacement(torus, nodes); p.Admits(s) {
					if load := e.Load(nodes, 0); least < 0 || load < least {
						least = load
					}
				}
			case v < torus.N():
				choose(v+1, append(slices.Clone(nodes), v))
				choose(v+1, nodes)
			}
		}
		choose(0, nil)
		run := func() search.Result {
			return coretest.Must(search.Search(context.Background(), p, 1, 3000, func(int64, int64) {}))
		}
		found := run()
		if have := e.Load(found.Nodes, 0); have != least || !p.Admits(core.MustPlacement(torus, found.Nodes)) {
			t.Errorf("%s: %d, all placements %d", p, have, least)
		}
		if again := run(); !slices.Equal(again.Nodes, found.Nodes) || again.Evaluations != found.Evaluations {
			t.Errorf("%s: %v, then %v", p, found, again)
		}
	}
}

// BenchmarkSearch says how many placements of 16 processors on a torus of 8 x 8 are looked at in a second.
func BenchmarkSearch(b *testing.B) {
	for _, text := range []string{"odr:tie=plus", "udr:tie=both", "val:tie=both", "minimal:tie=both"} {
		b.Run(text, func(b *testing.B) {
			p := coretest.Must(objective.NewProblem(coretest.Must(routing.Parse(core.MustTorus(8, 8), text)), 16))
			coretest.Must(search.Search(context.Background(), p, 1, int64(b.N), func(int64, int64) {}))
		})
	}
}
