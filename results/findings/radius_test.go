package findings

import (
	"context"
	"fmt"
	"math/big"
	"math/bits"
	"os"
	"runtime"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/objective"
	"leeway/results/atlas"
	"leeway/results/check"
)

// TestRadiusPage: docs/radius.md is what the program prints.
func TestRadiusPage(t *testing.T) {
	want := coretest.Must(Radius(coretest.Must(atlas.Shipped())))
	if got := coretest.Must(os.ReadFile("../../docs/radius.md")); string(got) != want {
		t.Error("docs/radius.md is not what leeway atlas findings --radius prints: make radius-page writes it")
	}
}

// TestRadiusCells: every placement and every proof behind the page stands, in short runs of some cells.
func TestRadiusCells(t *testing.T) {
	within := coretest.Must(RadiusAtlas())
	cells, _ := within.Cells(atlas.Filter{})
	if testing.Short() {
		cells = atlas.Sample(cells, 20, 1)
	}
	for _, f := range coretest.Must(within.Verify(context.Background(), cells, runtime.GOMAXPROCS(0), nil)) {
		if f.Verdict.Verdict != check.Valid {
			t.Errorf("%s: %s %v", f.Key(), f.Verdict.Verdict, f.Reasons)
		}
	}
}

// TestFrontsOfSmallTori: the fronts of 3x3 and 4x4 are those of all placements, by the naive evaluator and distances.
func TestFrontsOfSmallTori(t *testing.T) {
	within, view := coretest.Must(RadiusAtlas()), coretest.Must(atlas.Shipped())
	for _, c := range []struct{ k, n int }{{3, 3}, {3, 6}, {4, 4}, {4, 8}} {
		for _, way := range []string{"odr:tie=plus", "udr:tie=both"} {
			p := coretest.Must(objective.ParseProblem(fmt.Sprintf("%dx%d", c.k, c.k), way, c.n))
			least := make([]*big.Rat, 2*c.k)                            // by radius
			for mask := uint64(1); mask < 1<<p.Torus().N(); mask += 2 { // with node 0
				if bits.OnesCount64(mask) != c.n {
					continue
				}
				s := core.MustPlacement(p.Torus(), core.Set{mask}.Nodes())
				radius := 0
				for v := range p.Torus().N() {
					nearest := p.Torus().N()
					for _, w := range s.Nodes() {
						nearest = min(nearest, p.Torus().LeeDistance(v, w))
					}
					radius = max(radius, nearest)
				}
				load, _ := p.Naive(s).Max()
				for r := radius; r < len(least); r++ {
					if least[r] == nil || load.Cmp(least[r]) < 0 {
						least[r] = load
					}
				}
			}
			var want []string
			for r, load := range least {
				if load != nil && (r == 0 || least[r-1] == nil || load.Cmp(least[r-1]) < 0) {
					want = append(want, fmt.Sprint(r, load.RatString(), true))
				}
			}
			var have []string
			for _, point := range coretest.Must(frontOf(within, view, c.k, c.n, way)) {
				radius, _, _ := point.placement.Spacing()
				have = append(have, fmt.Sprint(radius, point.load.RatString(), point.proved))
			}
			if fmt.Sprint(have) != fmt.Sprint(want) {
				t.Errorf("%s: %v, not %v", p, have, want)
			}
		}
	}
}

// TestLeastTotal: no set of nodes has smaller distances, and some have as small ones.
func TestLeastTotal(t *testing.T) {
	torus := core.MustTorus(3, 4)
	met := 0
	for mask := uint64(1); mask < 1<<12; mask++ {
		s := core.MustPlacement(torus, core.Set{mask}.Nodes())
		total := int64(0)
		for v := range 12 {
			nearest := 12
			for _, w := range s.Nodes() {
				nearest = min(nearest, torus.LeeDistance(v, w))
			}
			total += int64(nearest)
		}
		switch least := leastTotal(torus, s.Size()); {
		case total < least:
			t.Errorf("%v: %d is below %d", s.Nodes(), total, least)
		case total == least:
			met++
		}
	}
	if met < 100 {
		t.Errorf("%d meet it", met)
	}
}
