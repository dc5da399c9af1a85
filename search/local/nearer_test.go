package local_test

import (
	"context"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/objective/texts"
	"leeway/search"
	"leeway/search/local"
	"leeway/search/searchtest"
)

// nearest returns, by looking at all placements of a problem with E_max at most a value, the least mean distance.
func nearest(p objective.Problem, value *big.Rat) *big.Rat {
	var least *big.Rat
	for s, load := range searchtest.Placements(p) {
		if load.Cmp(value) > 0 {
			continue
		}
		total := 0
		for _, v := range s.Nodes() {
			for w := range p.Torus().N() {
				total += p.Torus().LeeDistance(v, w)
			}
		}
		if mean := big.NewRat(int64(total), int64(p.Size*(p.Torus().N()-1))); least == nil || mean.Cmp(least) < 0 {
			least = mean
		}
	}
	return least
}

// TestNearer: what comes out is a placement of the problem with no more E_max and no more distance, within the
// evaluations and the same for every run, and mostly the nearest there is.
func TestNearer(t *testing.T) {
	cases, optimal := 0, 0
	for i := range coretest.Cases(120, 50) {
		rng := coretest.Rng(1330, i)
		p := searchtest.Clients(rng, 10)
		start := search.Draw(p, rng)
		if !p.Admits(start) {
			continue
		}
		value, _ := p.Naive(start).Max()
		best, spent, err := local.Nearer(context.Background(), p, start, value, uint64(i), 20_000)
		if err != nil {
			t.Fatalf("%s: %v", p, err)
		}
		again, _, _ := local.Nearer(context.Background(), p, start, value, uint64(i), 20_000)
		load, _ := p.Naive(best).Max()
		have := fast.MeanDistance(best)
		if best.Size() != p.Size || !p.Admits(best) || load.Cmp(value) > 0 || spent > 20_000 ||
			have.Cmp(fast.MeanDistance(start)) > 0 || !slices.Equal(best.Nodes(), again.Nodes()) {
			t.Fatalf("%s: from %v to %v and %v after %d swaps, E_max %s and %s", p, start.Nodes(), best.Nodes(), again.Nodes(),
				spent, value.RatString(), load.RatString())
		}
		cases++
		switch least := nearest(p, value); have.Cmp(least) {
		case 0:
			optimal++
		case -1:
			t.Errorf("%s: %v has distance %s, the least is %s", p, best.Nodes(), have.RatString(), least.RatString())
		}
	}
	if optimal*10 < cases*9 {
		t.Errorf("the nearest was found in %d of %d cases", optimal, cases)
	}
	t.Logf("the nearest was found in %d of %d cases", optimal, cases)
}

// TestNearerEnds: it stops at once with the context, and where all nodes are as near.
func TestNearerEnds(t *testing.T) {
	p := coretest.Must(texts.ParseProblem("4x4:open=0,1:traffic=clients:request=1:reply=1", "odr", 5))
	start := search.Draw(p, rand.New(rand.NewPCG(1, 1)))
	value, _ := p.Naive(start).Max()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if best, spent, err := local.Nearer(ctx, p, start, value, 1, 0); err != nil || spent != 0 ||
		!slices.Equal(best.Nodes(), start.Nodes()) {
		t.Errorf("%v after %d swaps, error %v", best.Nodes(), spent, err)
	}
	p = coretest.Must(texts.ParseProblem("4x4:traffic=clients:request=1:reply=1", "odr", 5))
	start = core.MustPlacement(p.Torus(), start.Nodes())
	if _, spent, err := local.Nearer(context.Background(), p, start, value, 1, 0); err != nil || spent != 0 {
		t.Errorf("%d swaps on a torus, error %v", spent, err)
	}
}
