package bounds

import (
	"context"
	"math/big"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/bound"
	"leeway/results"
	"leeway/results/check/meter"
	"leeway/results/check/shares"
)

// pairDistance adds up cyclic distances pair by pair, on a path all distances.
func pairDistance(path bool, counts []int) int64 {
	sum := 0
	for i, a := range counts {
		for j, b := range counts {
			distance := max(i-j, j-i)
			if !path {
				distance = core.CyclicDistance(i, j, len(counts))
			}
			sum += a * b * distance
		}
	}
	return int64(sum)
}

// TestSlabDistanceAgainstAllCounts looks at all slab counts of short rings and paths, and holds neighbouring places
// against all corners.
func TestSlabDistanceAgainstAllCounts(t *testing.T) {
	slabDistanceAgainstAllCounts(t, false, leastSlabDistance, arcDistance)
	slabDistanceAgainstAllCounts(t, true, leastPathDistance, pathDistance)
}

func slabDistanceAgainstAllCounts(t *testing.T, path bool, leastDistance func(k, room, n int) *big.Int,
	distance func(counts []int, n int) *big.Int) {
	for k := 2; k <= 7; k++ {
		for room := 1; room <= 3; room++ {
			least := map[int]int64{}
			counts := make([]int, k)
			var fill func(i, n int)
			fill = func(i, n int) {
				if i == k {
					if v := pairDistance(path, counts); least[n] == 0 || v < least[n] {
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
				if have := leastDistance(k, room, n); have.Int64() != want {
					t.Errorf("path %v k=%d room=%d n=%d: %s, least over all counts %d", path, k, room, n, have, want)
				}
			}
		}
	}
	for _, k := range []int{8, 9, 10, 11} {
		for room := 1; room <= 3; room++ {
			for n := 1; n <= k*room; n++ {
				if have, want := distance(neighbours(k, room, n), n), leastDistance(k, room, n); have.Cmp(want) != 0 {
					t.Errorf("path %v k=%d room=%d n=%d: neighbours %s, corners %s", path, k, room, n, have, want)
				}
			}
		}
	}
}

// TestMiddleIsNearest compares the nodes within every distance of a node in the middle with those of all nodes.
func TestMiddleIsNearest(t *testing.T) {
	for i := range 200 {
		torus := coretest.AnyNetwork(coretest.Rng(26, i), 60)
		middle := within(torus, middleOf(torus))
		for v := range torus.N() {
			for distance, count := range within(torus, v) {
				if count > middle[distance] {
					t.Fatalf("%s: %d nodes within %d of %v, %d of the middle", torus, count, distance, torus.Coords(v),
						middle[distance])
				}
			}
		}
	}
}

// within counts the nodes within every distance of one.
func within(t *core.Torus, v int) []int {
	counts := make([]int, t.N())
	for w := range t.N() {
		for distance := t.LeeDistance(v, w); distance < t.N(); distance++ {
			counts[distance]++
		}
	}
	return counts
}

// TestArcDistance adds up random counts arc by arc, or boundary by boundary, and pair by pair.
func TestArcDistance(t *testing.T) {
	for i := range 500 {
		rng := coretest.Rng(25, i)
		counts := make([]int, 2+rng.IntN(40))
		for j := range counts {
			counts[j] = rng.IntN(50)
		}
		if have, want := arcDistance(counts, sum(counts)), pairDistance(false, counts); have.Int64() != want {
			t.Fatalf("%v: %s, pair by pair %d", counts, have, want)
		}
		if have, want := pathDistance(counts, sum(counts)), pairDistance(true, counts); have.Int64() != want {
			t.Fatalf("path %v: %s, pair by pair %d", counts, have, want)
		}
	}
}

// TestBoundsHold holds every bound against the load of random placements, and D against every load.
func TestBoundsHold(t *testing.T) {
	cases := 1200
	if testing.Short() {
		cases = 300
	}
	for i := range cases {
		rng := coretest.Rng(21, i)
		in := coretest.Random(rng, 30)
		if i%2 == 1 {
			in = coretest.RandomOn(rng, coretest.AnyNetwork(rng, 30))
		}
		loads := objective.Naive(in.Routing, in.Placement)
		most, _ := loads.Max()
		for name, v := range Derive(meter.Unlimited(context.Background()), in.Routing, nil, nil).At(in.Placement.Size()) {
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

// TestLeastBandAgainstAllCounts spreads processors in every way.
func TestLeastBandAgainstAllCounts(t *testing.T) {
	for _, text := range []string{"2x9", "3x8", "4x6", "5x5", "6x3", "7x2", "3x6:open=0", "4x4:open=0", "5x4:open=0",
		"6x3:open=0"} {
		torus := coretest.Must(core.ParseNetwork(text))
		k, room, ring := torus.Side(0), torus.Side(1), !torus.Open(0)
		least := map[int]int{}
		counts := make([]int, k)
		var fill func(i, n int)
		fill = func(i, n int) {
			if i < k {
				for counts[i] = 0; counts[i] <= room; counts[i]++ {
					fill(i+1, n+counts[i])
				}
				return
			}
			most := 0
			for from := range k {
				for to := from; to < k; to++ {
					if in := sum(counts[from : to+1]); ring || from == 0 {
						most = max(most, min(in, n-in))
					}
				}
			}
			if have, ok := least[n]; !ok || most < have {
				least[n] = most
			}
		}
		fill(0, 0)
		for n, want := range least {
			if have := leastBand(torus, 0, n); have != want {
				t.Errorf("%s n=%d: %d, least over all counts %d", torus, n, have, want)
			}
		}
	}
}

// TestBandWitnesses accepts the witness of a band bound and refuses what is slightly wrong.
func TestBandWitnesses(t *testing.T) {
	torus := coretest.Must(core.ParseNetwork("6x4:bandwidth=2,3"))
	r := routing.NewMinimal(torus, routing.TieBoth)
	list := bound.PlainForSize(r, 11)
	problem := func(change func(b *objective.Bound)) string {
		b := named(list, objective.BoundBand)
		b.Value, b.Witness.SlabCounts = new(big.Rat).Set(b.Value), slices.Clone(b.Witness.SlabCounts)
		change(&b)
		c := &boundsChecker{routing: r, meter: meter.Unlimited(t.Context()),
			document: results.NewBounds(r, 11, nil, list, b)}
		return c.problem(b)
	}
	if wrong := problem(func(*objective.Bound) {}); wrong != "" {
		t.Errorf("the right witness is refused: %s", wrong)
	}
	other := 0
	for name, change := range map[string]func(b *objective.Bound){
		"value above":    func(b *objective.Bound) { b.Value.Add(b.Value, big.NewRat(1, 16)) },
		"value below":    func(b *objective.Bound) { b.Value.Sub(b.Value, big.NewRat(1, 16)) },
		"no dimension":   func(b *objective.Bound) { b.Witness.Dim = nil },
		"dimension 2":    func(b *objective.Bound) { other = 2; b.Witness.Dim = &other },
		"too many slabs": func(b *objective.Bound) { b.Witness.SlabCounts = append(b.Witness.SlabCounts, 0) },
		"a slab more":    func(b *objective.Bound) { b.Witness.SlabCounts[0]++ },
		"worse counts":   func(b *objective.Bound) { b.Witness.SlabCounts = []int{2, 2, 2, 2, 2, 1} },
		"full slabs":     func(b *objective.Bound) { b.Witness.SlabCounts = []int{5, 0, 5, 0, 1, 0} },
		"links":          func(b *objective.Bound) { b.Witness.Links++ },
		"capacity":       func(b *objective.Bound) { b.Witness.Capacity-- },
		"a set":          func(b *objective.Bound) { b.Witness.Set = [][]int{{0, 0}} },
	} {
		if problem(change) == "" {
			t.Errorf("%s is accepted", name)
		}
	}
}
