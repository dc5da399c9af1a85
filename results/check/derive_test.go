package check

import (
	"context"
	"math/big"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/objective"
)

// pairDistance adds up cyclic distances pair by pair.
func pairDistance(counts []int) int64 {
	sum := 0
	for i, a := range counts {
		for j, b := range counts {
			sum += a * b * core.CyclicDistance(i, j, len(counts))
		}
	}
	return int64(sum)
}

// TestSlabDistanceAgainstAllCounts looks at all slab counts of short rings, and
// holds neighbouring places against all corners.
func TestSlabDistanceAgainstAllCounts(t *testing.T) {
	for k := 2; k <= 7; k++ {
		for room := 1; room <= 3; room++ {
			least := map[int]int64{}
			counts := make([]int, k)
			var fill func(i, n int)
			fill = func(i, n int) {
				if i == k {
					if v := pairDistance(counts); least[n] == 0 || v < least[n] {
						least[n] = v
					}
					return
				}
				for counts[i] = 0; counts[i] <= room; counts[i]++ {
					fill(i+1, n+counts[i])
				}
			}
			fill(0, 0)
			for n, want := range least {
				if have := leastSlabDistance(k, room, n); have.Int64() != want {
					t.Errorf("k=%d room=%d n=%d: %s, least over all counts %d", k, room, n, have, want)
				}
			}
		}
	}
	for _, k := range []int{8, 9, 10, 11} {
		for room := 1; room <= 3; room++ {
			for n := 1; n <= k*room; n++ {
				if have, want := arcDistance(neighbours(k, room, n), n), leastSlabDistance(k, room, n); have.Cmp(want) != 0 {
					t.Errorf("k=%d room=%d n=%d: neighbours %s, corners %s", k, room, n, have, want)
				}
			}
		}
	}
}

// TestArcDistance adds up random counts arc by arc and pair by pair.
func TestArcDistance(t *testing.T) {
	for i := range 500 {
		rng := coretest.Rng(25, i)
		counts := make([]int, 2+rng.IntN(40))
		for j := range counts {
			counts[j] = rng.IntN(50)
		}
		if have, want := arcDistance(counts, sum(counts)), pairDistance(counts); have.Int64() != want {
			t.Fatalf("%v: %s, pair by pair %d", counts, have, want)
		}
	}
}

// TestBoundsHold holds every bound against the load of random placements, and D
// against every load.
func TestBoundsHold(t *testing.T) {
	cases := 600
	if testing.Short() {
		cases = 150
	}
	for i := range cases {
		in := coretest.Random(coretest.Rng(21, i), 30)
		loads := objective.Naive(in.Routing, in.Placement)
		most, _ := loads.Max()
		for name, v := range boundsOf(unmetered(context.Background()), in.Routing, in.Placement.Size()) {
			if v.Cmp(most) > 0 {
				t.Fatalf("%s: bound %s is %s, E_max %s", in, name, v.RatString(), most.RatString())
			}
		}
		d := denominator(unmetered(context.Background()), in.Routing)
		for l := range in.Torus.M() {
			if v := loads.At(core.Link(l)); d != nil && new(big.Int).Mod(d, v.Denom()).Sign() != 0 {
				t.Fatalf("%s: load %s is no multiple of 1/%s", in, v.RatString(), d)
			}
		}
	}
}

// TestDenominators compares with values of section 1 of the definition: odr 1,
// udr lcm(1..d), twice that with ties.
func TestDenominators(t *testing.T) {
	for _, c := range []struct {
		torus, routing string
		want           int64
	}{
		{"8x8", "odr", 1}, {"8x8", "odr:tie=both", 2}, {"7x7", "odr:tie=both", 1}, {"8x8", "udr", 2}, {"8x8", "udr:tie=both", 4},
		{"3x3x3", "udr:tie=both", 6}, {"3^4", "udr", 12}, {"4x4x4", "udr:tie=both", 12}, {"2x2", "udr:tie=both", 2},
		{"3x3", "minimal", 2}, {"4x4", "minimal", 12 * 2}, {"4x4", "minimal:tie=plus", 6}, {"4x4", "avoid", 840}, {"3x3", "avoid", 2},
		{"5x5x5", "orders:012+120+201", 6},
	} {
		torus, err := core.ParseTorus(c.torus)
		if err != nil {
			t.Fatal(err)
		}
		r, err := routing.Parse(torus, c.routing)
		if err != nil {
			t.Fatal(err)
		}
		if have := denominator(unmetered(context.Background()), r); have.Cmp(big.NewInt(c.want)) != 0 {
			t.Errorf("%s %s: %s, want %d", c.torus, c.routing, have, c.want)
		}
	}
}

// TestCensusAgainstNaive evaluates every placement with the naive evaluator,
// without using symmetry.
func TestCensusAgainstNaive(t *testing.T) {
	for i := range 60 {
		rng := coretest.Rng(22, i)
		torus := coretest.Torus(rng, 9)
		r := coretest.Routing(rng, torus)
		n := 1 + rng.IntN(torus.N())
		var best *big.Rat
		for set := uint64(0); set < 1<<torus.N(); set++ {
			s := core.Set{set}
			if s.Count() != n {
				continue
			}
			if most, _ := objective.Naive(r, core.MustPlacement(torus, s.Nodes())).Max(); best == nil || most.Cmp(best) < 0 {
				best = most
			}
		}
		count, found := census(unmetered(context.Background()), r, n, best)
		if want := new(big.Int).Binomial(int64(torus.N()-1), int64(n-1)).Int64(); found != nil || count != want {
			t.Fatalf("%s %s n=%d: below the optimum %s found %v, count %d, want %d", torus, r, n, best.RatString(), found, count, want)
		}
		above := new(big.Rat).Add(best, big.NewRat(1, 1000000))
		if _, found := census(unmetered(context.Background()), r, n, above); found == nil {
			t.Fatalf("%s %s n=%d: the optimum %s was not found", torus, r, n, best.RatString())
		}
	}
}

// TestCensusOfTheLargest runs the longest counts there are.
func TestCensusOfTheLargest(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, text := range []string{"udr:tie=both", "avoid:tie=both"} {
		r, err := routing.Parse(core.MustTorus(4, 5), text)
		if err != nil {
			t.Fatal(err)
		}
		if count, _ := census(unmetered(context.Background()), r, 10, big.NewRat(1, 1)); count != 92378 {
			t.Errorf("%s: count %d, C(19,9) is 92378", text, count)
		}
		if most, found := censusOptimum(r, 10); found != 92378 {
			t.Errorf("%s: count %d at the optimum %s", text, found, most.RatString())
		}
	}
}

// censusOptimum lowers the limit to the load of what is found until nothing is.
func censusOptimum(r routing.Routing, n int) (*big.Rat, int64) {
	limit := big.NewRat(1000, 1)
	for {
		count, found := census(unmetered(context.Background()), r, n, limit)
		if found == nil {
			return limit, count
		}
		limit, _ = objective.Naive(r, *found).Max()
	}
}

// TestLargeMinimal needs flows: 32x32 has more shortest paths than can be
// listed. Two processors at distance 8+8 meet on the first link of each with
// half of each way's traffic.
func TestLargeMinimal(t *testing.T) {
	torus := core.MustTorus(64, 64)
	r := routing.NewMinimal(torus, routing.TieBoth)
	p, err := core.PlacementFromCoords(torus, [][]int{{0, 0}, {16, 16}})
	if err != nil {
		t.Fatal(err)
	}
	most, note, err := maxLoad(unmetered(context.Background()), r, p)
	if err != nil || note == "" || most.Cmp(big.NewRat(1, 2)) != 0 {
		t.Errorf("load %v, note %q, error %v", most, note, err)
	}
}
