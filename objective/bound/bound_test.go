package bound

import (
	"context"
	"errors"
	"math/big"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
)

func TestBoundsHoldForPlacements(t *testing.T) {
	for i := range coretest.Cases(150, 15) {
		in := coretest.Random(coretest.Rng(11, i), 32)
		most, _ := objective.Naive(in.Routing, in.Placement).Max()
		for _, b := range ForPlacement(in.Routing, in.Placement) {
			if b.Value.Cmp(most) > 0 {
				t.Fatalf("%s: bound %s is %s, E_max %s", in, b.Name, b.Value.RatString(), most.RatString())
			}
		}
		if in.Placement.Size() == 0 {
			continue
		}
		for _, b := range ForSize(in.Routing, in.Placement.Size()) {
			if b.Value.Cmp(most) > 0 {
				t.Fatalf("%s: placement-free bound %s is %s, E_max %s", in, b.Name, b.Value.RatString(), most.RatString())
			}
		}
	}
}

// distance adds up cyclic distances pair by pair, in the dimensions asked for.
func distance(t *core.Torus, nodes []int, dims ...int) int64 {
	sum := 0
	for _, p := range nodes {
		for _, q := range nodes {
			for _, j := range dims {
				sum += core.CyclicDistance(t.Coord(p, j), t.Coord(q, j), t.Side(j))
			}
		}
	}
	return int64(sum)
}

// TestDistanceBounds checks mean and dimension-mean of a placement against
// distances added up pair by pair.
func TestDistanceBounds(t *testing.T) {
	for i := range coretest.Cases(50, 4) {
		in := coretest.Random(coretest.Rng(12, i), 60)
		nodes := in.Placement.Nodes()
		bounds := ForPlacement(in.Routing, in.Placement)
		var all []int
		best := new(big.Rat)
		for j := range in.Torus.D() {
			all = append(all, j)
			links := 2 * in.Torus.N()
			if in.Torus.Side(j) == 2 {
				links /= 2
			}
			if v := big.NewRat(distance(in.Torus, nodes, j), int64(links)); v.Cmp(best) > 0 {
				best = v
			}
		}
		if want := big.NewRat(distance(in.Torus, nodes, all...), int64(in.Torus.M())); bounds[1].Value.Cmp(want) != 0 {
			t.Fatalf("%s: mean %s, want %s", in, bounds[1].Value.RatString(), want.RatString())
		}
		if bounds[2].Value.Cmp(best) != 0 {
			t.Fatalf("%s: dimension-mean %s, want %s", in, bounds[2].Value.RatString(), best.RatString())
		}
	}
}

// TestSizeBoundsAgainstAllPlacements finds the least distances by looking at
// every placement: the dimension-mean is tight, the mean is not above.
func TestSizeBoundsAgainstAllPlacements(t *testing.T) {
	for _, dims := range [][]int{{7}, {8}, {11}, {12}, {2, 5}, {3, 4}, {2, 6}, {2, 2, 3}, {3, 3}} {
		torus := core.MustTorus(dims...)
		r := routing.NewUDR(torus, routing.TieBoth)
		leastDim := make([][]int64, torus.N()+1)
		leastAll := make([]int64, torus.N()+1)
		for mask := uint64(1); mask < 1<<torus.N(); mask++ {
			nodes := core.Set{mask}.Nodes()
			n := len(nodes)
			if leastDim[n] == nil {
				leastDim[n] = make([]int64, torus.D())
				for j := range leastDim[n] {
					leastDim[n][j] = 1 << 60
				}
				leastAll[n] = 1 << 60
			}
			sum := int64(0)
			for j := range torus.D() {
				d := distance(torus, nodes, j)
				leastDim[n][j] = min(leastDim[n][j], d)
				sum += d
			}
			leastAll[n] = min(leastAll[n], sum)
		}
		for n := 1; n <= torus.N(); n++ {
			bounds := ForSize(r, n)
			want := new(big.Rat)
			for j := range torus.D() {
				links := int64(2 * torus.N())
				if torus.Side(j) == 2 {
					links /= 2
				}
				if v := big.NewRat(leastDim[n][j], links); v.Cmp(want) > 0 {
					want = v
				}
			}
			if bounds[2].Value.Cmp(want) != 0 {
				t.Errorf("%s n=%d: dimension-mean %s, least over all placements %s", torus, n,
					bounds[2].Value.RatString(), want.RatString())
			}
			if least := big.NewRat(leastAll[n], int64(torus.M())); bounds[1].Value.Cmp(least) > 0 {
				t.Errorf("%s n=%d: mean %s above the least %s", torus, n, bounds[1].Value.RatString(), least.RatString())
			}
		}
	}
}

// TestGranularityRoundsUp takes two processors on a ring of 5: the degree bound
// is 1/2, and under ODR loads are whole numbers.
func TestGranularityRoundsUp(t *testing.T) {
	torus := core.MustTorus(5)
	r := coretest.Must(routing.NewODR(torus, nil, routing.TiePlus))
	bounds := ForPlacement(r, core.MustPlacement(torus, nil))
	last := bounds[len(bounds)-1]
	if last.Name != objective.BoundGranularity || last.Value.Sign() != 0 {
		t.Errorf("no processors: %s is %s", last.Name, last.Value.RatString())
	}
	for _, b := range ForSize(r, 2) {
		if b.Name == objective.BoundGranularity && (b.Value.Cmp(big.NewRat(1, 1)) != 0 || b.Witness.Denominator != "1") {
			t.Errorf("granularity %s with %+v", b.Value.RatString(), b.Witness)
		}
	}
	rounded := objective.Bound{Name: objective.BoundGranularity,
		Witness: objective.Witness{From: "degree", Denominator: "1"}}
	if got := rounded.Reason(); got != "degree, rounded up to a whole number" {
		t.Errorf("reason %q", got)
	}
}

// TestBoundsEnd ends the context of all bounds after ever more looks, until they come to
// their own end: an error, or all of them.
func TestBoundsEnd(t *testing.T) {
	torus := core.MustTorus(6, 6)
	r, p := routing.NewUDR(torus, routing.TieBoth), family.Random(torus, 9, 1)
	for _, c := range []struct {
		name string
		ask  func(context.Context) (int, error)
		want int
	}{
		{"for a placement", func(ctx context.Context) (int, error) {
			b, err := ForPlacementContext(ctx, r, p)
			return len(b), err
		}, len(ForPlacement(r, p))},
		{"for a size", func(ctx context.Context) (int, error) {
			b, err := ForSizeContext(ctx, r, 9)
			return len(b), err
		}, len(ForSize(r, 9))},
	} {
		ended := false
		for looks := 0; !ended; looks = 3*looks/2 + 1 {
			n, err := c.ask(coretest.EndsAfter(looks))
			ended = err == nil
			if ended != (n == c.want) || !ended && (n != 0 || !errors.Is(err, context.Canceled)) || looks == 0 && ended {
				t.Errorf("%s, %d looks: %d bounds, %v", c.name, looks, n, err)
			}
		}
	}
}

// TestBoundsOnNetworks: no bound is above E_max, which is naive, and bounds of a size hold for every placement drawn.
func TestBoundsOnNetworks(t *testing.T) {
	for i := range coretest.Cases(3000, 300) {
		rng := coretest.Rng(1101, i)
		in := coretest.RandomOn(rng, coretest.Network(rng, 24))
		most, _ := objective.Naive(in.Routing, in.Placement).Max()
		bounds := ForPlacement(in.Routing, in.Placement)
		if n := in.Placement.Size(); n > 0 {
			bounds = append(bounds, ForSize(in.Routing, n)...)
			bounds = append(bounds, OfProblem(objective.Problem{Routing: in.Routing, Size: n}))
		}
		for _, b := range bounds {
			if b.Value.Cmp(most) > 0 {
				t.Fatalf("case %d, %s: bound %s is %s, E_max %s", i, in, b.Name, b.Value.RatString(), most.RatString())
			}
		}
	}
}
