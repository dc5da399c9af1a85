package trees

import (
	"context"
	"math"
	"math/big"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/core/symmetry"
	"leeway/objective"
	"leeway/results/check/census"
	"leeway/results/check/meter"
)

// TestOrbitsWithoutLimitAreBurnsides counts sets of nodes up to symmetry by the cycles of the automorphisms.
func TestOrbitsWithoutLimitAreBurnsides(t *testing.T) {
	for _, c := range []struct {
		dims []int
		most int // processors
	}{{[]int{12}, 12}, {[]int{3, 4}, 12}, {[]int{2, 2, 3}, 12}, {[]int{4, 4}, 16}, {[]int{3, 3, 3}, 5}, {[]int{9, 9}, 3},
		{[]int{16, 16}, 2}} {
		torus := core.MustTorus(c.dims...)
		if testing.Short() && torus.N() > 12 {
			continue
		}
		for _, text := range []string{"odr", "udr:tie=both"} {
			r := parsed(t, torus, text)
			for n := 1; n <= c.most; n++ {
				have, err := Orbits(meter.Unlimited(context.Background()), r, n, census.Conditions{},
					big.NewRat(math.MaxInt64, 1), 2)
				if want := burnside(t, r, n); err != nil || have.Orbits != want {
					t.Errorf("%s on %s n=%d: %d orbits, %v, want %d", text, torus, n, have.Orbits, err, want)
				}
				if want := new(big.Int).Binomial(int64(torus.N()), int64(n)); err == nil && have.Placements.Cmp(want) != 0 {
					t.Errorf("%s on %s n=%d: the orbits hold %s placements, want %s", text, torus, n, have.Placements, want)
				}
			}
		}
	}
}

// burnside returns the mean number of sets of n nodes that an automorphism maps to themselves: unions of its cycles.
func burnside(t *testing.T, r routing.Routing, n int) int64 {
	t.Helper()
	group, err := symmetry.Of(r)
	if err != nil {
		t.Fatal(err)
	}
	sum := int64(0)
	for i := range group.Points() {
		for shift := range r.Torus().N() {
			sets := make([]int64, n+1) // unions of the cycles so far, by size
			sets[0] = 1
			image, seen := group.Images(i, shift), make([]bool, r.Torus().N())
			for v := range image {
				length := 0
				for ; !seen[v]; v = image[v] {
					seen[v] = true
					length++
				}
				for size := n; length > 0 && size >= length; size-- {
					sets[size] += sets[size-length]
				}
			}
			sum += sets[n]
		}
	}
	return sum / int64(group.Order())
}

// TestOrderlyWalkKnowsOptima holds values that independent programs found.
func TestOrderlyWalkKnowsOptima(t *testing.T) {
	for _, c := range []struct {
		dims     []int
		n        int
		optimum  string
		orbits   int // -1: not known
		labelled int
	}{
		{[]int{8, 8}, 16, "4", 2, 24},
		{[]int{4, 4, 4}, 15, "8/3", -1, 0},
		{[]int{3, 3}, 3, "1/2", -1, 6}, // k x k with k processors: k! placements at (k-1)/4
		{[]int{4, 4}, 4, "3/4", -1, 24},
		{[]int{5, 5}, 5, "1", -1, 120},
		{[]int{6, 6}, 6, "5/4", -1, 720},
		{[]int{7, 7}, 7, "3/2", -1, 5040},
	} {
		torus, optimum := core.MustTorus(c.dims...), fraction(t, c.optimum)
		if testing.Short() && torus.N() > 36 {
			continue
		}
		r := parsed(t, torus, "udr:tie=both")
		w, err := New(meter.Unlimited(context.Background()), r, c.n, census.Conditions{}, optimum, treeOrderly, 1)
		if err != nil {
			t.Fatal(err)
		}
		if got := w.Run(meter.Unlimited(context.Background()), 0, len(w.Prefixes()), math.MaxInt64); got.Found != nil ||
			got.Ended {
			t.Errorf("%s n=%d below %s: %+v", torus, c.n, c.optimum, got)
		}
		if c.labelled == 0 {
			continue
		}
		points, _ := orderlyPoints(meter.Unlimited(context.Background()), r, c.n)
		// prefixes of n numbers are placements
		at, err := listedOrderly(meter.Unlimited(context.Background()), r, points, c.n, optimum, true, c.n)
		if err != nil {
			t.Fatal(err)
		}
		group, _ := symmetry.Of(r)
		labelled := 0
		for _, nodes := range at.Prefixes() {
			_, stabilizer := group.Canonical(nodes)
			labelled += group.Order() / stabilizer
			if most, _ := objective.Naive(r, core.MustPlacement(torus, nodes)).Max(); most.Cmp(optimum) != 0 {
				t.Errorf("%s: %v has E_max %s", torus, nodes, most.RatString())
			}
		}
		if labelled != c.labelled || c.orbits >= 0 && c.orbits != len(at.Prefixes()) {
			t.Errorf("%s n=%d at %s: %d placements in %d orbits", torus, c.n, c.optimum, labelled, len(at.Prefixes()))
		}
	}
}

// TestOrderlyWalkEqualsCensus asks the count of all placements, which shares nothing but the paths, for limits around
// the optimum.
func TestOrderlyWalkEqualsCensus(t *testing.T) {
	ctx := context.Background()
	for i, dims := range [][]int{{3, 3}, {2, 5}, {2, 2, 3}, {12}, {3, 4}, {4, 4}} {
		torus := core.MustTorus(dims...)
		if testing.Short() && torus.N() > 10 {
			continue
		}
		r := coretest.Orders(coretest.Rng(31, i), torus)
		for n := 1; n <= torus.N(); n++ {
			p, best := objective.Problem{Routing: r}, big.NewRat(1_000_000, 1)
			for { // lower the limit to the load of what is found until nothing is
				w, err := New(meter.Unlimited(ctx), r, n, census.Conditions{}, best, treeOrderly, 1)
				if err != nil {
					t.Fatal(err)
				}
				got := w.Run(meter.Unlimited(ctx), 0, len(w.Prefixes()), math.MaxInt64)
				if got.Found == nil && !got.Ended {
					break
				}
				most, _ := objective.Naive(r, core.MustPlacement(torus, got.Found)).Max()
				if got.Ended || most.Cmp(best) >= 0 {
					t.Fatalf("%s %s n=%d below %s: %+v with E_max %s", torus, r, n, best.RatString(), got, most.RatString())
				}
				best = most
			}
			if _, problem := census.NoneBelow(meter.Unlimited(ctx), p, n, census.Conditions{}, best); problem != "" {
				t.Fatalf("%s %s n=%d: %s", torus, r, n, problem)
			}
		}
	}
}
