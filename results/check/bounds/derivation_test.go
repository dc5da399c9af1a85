package bounds

import (
	"context"
	"math/big"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/objective"
	"leeway/results/check/meter"
	"leeway/results/check/shares"
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

// TestSlabDistanceAgainstAllCounts looks at all slab counts of short rings, and holds neighbouring places against all
// corners.
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

// TestBoundsHold holds every bound against the load of random placements, and D against every load.
func TestBoundsHold(t *testing.T) {
	cases := 600
	if testing.Short() {
		cases = 150
	}
	for i := range cases {
		in := coretest.Random(coretest.Rng(21, i), 30)
		loads := objective.Naive(in.Routing, in.Placement)
		most, _ := loads.Max()
		for name, v := range Derive(meter.Unlimited(context.Background()), in.Routing).At(in.Placement.Size()) {
			if v.Cmp(most) > 0 {
				t.Fatalf("%s: bound %s is %s, E_max %s", in, name, v.RatString(), most.RatString())
			}
		}
		d := shares.Denominator(meter.Unlimited(context.Background()), in.Routing)
		for l := range in.Torus.M() {
			if v := loads.At(core.Link(l)); d != nil && new(big.Int).Mod(d, v.Denom()).Sign() != 0 {
				t.Fatalf("%s: load %s is no multiple of 1/%s", in, v.RatString(), d)
			}
		}
	}
}
