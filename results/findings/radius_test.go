package findings

import (
	"fmt"
	"maps"
	"math/big"
	"math/bits"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/objective"
	"leeway/objective/texts"
	"leeway/results/atlas"
)

// TestFrontsOfSmallTori: the fronts up to 5x5 with 5 processors are those of all placements, by distances and the naive
// evaluator, and they are said to be exact.
func TestFrontsOfSmallTori(t *testing.T) {
	coretest.Alone(t)
	view := coretest.Must(atlas.Shipped())
	for _, c := range []struct{ k, n int }{{3, 3}, {3, 6}, {4, 4}, {4, 8}, {5, 5}} {
		for _, way := range []string{"odr:tie=plus", "udr:tie=both"} {
			p := coretest.Must(texts.ParseProblem(fmt.Sprintf("%dx%d", c.k, c.k), way, c.n))
			least := map[objective.Near]*big.Rat{}                      // by radius and distance, of those with just these
			for mask := uint64(1); mask < 1<<p.Torus().N(); mask += 2 { // with node 0
				if bits.OnesCount64(mask) != c.n {
					continue
				}
				s := core.MustPlacement(p.Torus(), core.Set{mask}.Nodes())
				at := objective.Near{}
				for v := range p.Torus().N() {
					nearest := p.Torus().N()
					for _, w := range s.Nodes() {
						nearest = min(nearest, p.Torus().LeeDistance(v, w))
					}
					at = objective.Near{Radius: max(at.Radius, nearest), Distance: at.Distance + nearest}
				}
				load, _ := p.Naive(s).Max()
				if least[at] == nil || load.Cmp(least[at]) < 0 {
					least[at] = load
				}
			}
			want := map[string]bool{}
			for at, load := range least {
				beaten := false
				for other, less := range least {
					beaten = beaten || other != at && other.Radius <= at.Radius && other.Distance <= at.Distance && less.Cmp(load) <= 0
				}
				if !beaten {
					want[fmt.Sprint(at, load.RatString(), true)] = true
				}
			}
			have := map[string]bool{}
			front, exact, err := frontOf(view, c.k, c.n, way)
			for _, f := range front {
				have[fmt.Sprint(f.Near, f.load.RatString(), f.proved)] = true
			}
			if err != nil || !exact || !maps.Equal(have, want) {
				t.Errorf("%s: %v, exact %v, error %v, not %v", p, have, exact, err, want)
			}
		}
	}
}
