package congestion

import (
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/objective"
)

// TestStraight: where all links of a port are of one class, the cheapest path and its cost are those that a sweep over
// the box finds.
func TestStraight(t *testing.T) {
	tried := 0
	for i := range coretest.Cases(200, 60) {
		rng := coretest.Rng(3570, i)
		torus := coretest.AnyNetwork(rng, 80)
		c := coretest.Must(newClasses(t.Context(), core.MustPlacement(torus, core.Range(torus.N())), objective.Traffic{}))
		if !c.finder.alike {
			continue
		}
		tried++
		slow, weights := newFinder(torus), make([]int64, len(c.linkCount))
		for l := range weights {
			weights[l] = rng.Int64N(4)
		}
		for from := range torus.N() {
			to := rng.IntN(torus.N())
			if from == to {
				continue
			}
			want, path := slow.cheapest(from, to, weights, c.linkClass)
			if cost, straight := c.finder.cheapest(from, to, weights, c.linkClass); cost != want || !slices.Equal(straight,
				path) {
				t.Fatalf("%s, weights %v, %d to %d: %d by %v, want %d by %v", torus, weights, from, to, cost, straight,
					want, path)
			}
		}
	}
	if tried < 20 {
		t.Errorf("only %d networks", tried)
	}
}
