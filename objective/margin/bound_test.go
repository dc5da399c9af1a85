package margin_test

import (
	"context"
	"errors"
	"math/big"
	"math/bits"
	"strconv"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/objective/margin"
)

func lowerBound(r routing.Routing, n int, effort int64) margin.Bound {
	return coretest.Must(margin.LowerBound(context.Background(), r, n, effort))
}

func parse(torus *core.Torus, text string) routing.Routing {
	return coretest.Must(routing.Parse(torus, text))
}

// routings lists every routing of the torus that the test names, both tie rules.
func routings(torus *core.Torus, names ...string) []routing.Routing {
	var list []routing.Routing
	for _, name := range names {
		for _, tie := range []string{"plus", "both"} {
			list = append(list, parse(torus, name+":tie="+tie))
		}
	}
	return list
}

// optima returns, by size, the least E_max of all placements; without open dimensions of
// all that contain node 0, which every placement has a translate among.
func optima(r routing.Routing) []*big.Rat {
	t := r.Torus()
	best := make([]*big.Rat, t.N()+1)
	step := uint64(1)
	if t.Closed() {
		step = 2
	}
	for set := uint64(1); set < 1<<t.N(); set += step {
		most, _ := objective.Naive(r, core.MustPlacement(t, core.Set{set}.Nodes())).Max()
		if n := bits.OnesCount64(set); best[n] == nil || most.Cmp(best[n]) < 0 {
			best[n] = most
		}
	}
	return best
}

// TestBoundAgainstAllPlacements holds the bound for every size of small tori
// against the optimum over all placements under the naive evaluator. A bound of
// 0 would pass, so it must also reach the optimum often.
func TestBoundAgainstAllPlacements(t *testing.T) {
	for _, test := range []struct {
		dims  []int
		names []string
		tight int // percent of the cases that must be tight
	}{
		{[]int{8}, []string{"avoid"}, 0},
		{[]int{2, 2}, []string{"odr", "odr:order=1,0", "udr", "avoid", "minimal"}, 75},
		{[]int{2, 4}, []string{"odr", "odr:order=1,0", "udr", "avoid", "minimal"}, 70},
		{[]int{5, 2}, []string{"odr", "odr:order=1,0", "udr"}, 75},
		{[]int{3, 3}, []string{"odr", "udr", "avoid"}, 75},
		{[]int{4, 3}, []string{"odr", "odr:order=1,0", "udr"}, 75},
		{[]int{2, 6}, []string{"odr", "odr:order=1,0", "udr"}, 75},
		{[]int{2, 2, 2}, []string{"odr", "odr:order=1,2,0", "udr", "orders:012+120+201", "orders:012+210"}, 25},
		{[]int{2, 2, 3}, []string{"udr", "odr:order=2,0,1"}, 25},
	} {
		torus := core.MustTorus(test.dims...)
		if testing.Short() && torus.N() > 10 {
			continue
		}
		tight, all := 0, 0
		for _, r := range routings(torus, test.names...) {
			best := optima(r)
			for n := 1; n <= torus.N(); n++ {
				got := lowerBound(r, n, 1e6)
				if got.Value.Cmp(best[n]) > 0 {
					t.Errorf("%s %s n=%d: bound %s above the optimum %s", torus, r, n, got.Value.RatString(), best[n].RatString())
				}
				if all++; got.Value.Cmp(best[n]) == 0 {
					tight++
				}
			}
		}
		if 100*tight < test.tight*all {
			t.Errorf("%s: tight in %d of %d cases, want %d percent", torus, tight, all, test.tight)
		}
	}
}

// TestBoundOnNetworks holds the bound for every size of random small networks against the
// optimum over all placements; it reaches it often.
func TestBoundOnNetworks(t *testing.T) {
	tight, all := 0, 0
	for i := range coretest.Cases(500, 60) {
		rng := coretest.Rng(1105, i)
		torus := coretest.Network(rng, 9)
		r := coretest.Routing(rng, torus)
		best := optima(r)
		for n := 1; n <= torus.N(); n++ {
			got := lowerBound(r, n, 1e6)
			if got.Value.Cmp(best[n]) > 0 {
				t.Fatalf("case %d, %s %s n=%d: bound %s above the optimum %s", i, torus, r, n, got.Value.RatString(),
					best[n].RatString())
			}
			if all++; got.Value.Cmp(best[n]) == 0 {
				tight++
			}
		}
	}
	if 2*tight < all {
		t.Errorf("tight in %d of %d cases", tight, all)
	}
}

// TestPathsAreExact is TestRingsAreExact on paths, and on rings and paths of bandwidth 3.
func TestPathsAreExact(t *testing.T) {
	for k := 3; k <= 10; k++ {
		for _, options := range []string{":open=0", ":bandwidth=3", ":open=0:bandwidth=3"} {
			torus := coretest.Must(core.ParseNetwork(strconv.Itoa(k) + options))
			for _, r := range routings(torus, "odr") {
				for n, best := range optima(r)[1:] {
					if got := lowerBound(r, n+1, 1e6); got.Value.Cmp(best) != 0 {
						t.Errorf("%s, %s, n=%d: bound %s, optimum %s", torus, r, n+1, got.Value.RatString(), best.RatString())
					}
				}
			}
		}
	}
}

// TestRingsAreExact uses that on a ring the margin is the placement: the bound is
// the optimum, whatever the tie rule.
func TestRingsAreExact(t *testing.T) {
	for _, k := range []int{2, 3, 4, 5, 6, 7, 8, 9, 10} {
		torus := core.MustTorus(k)
		for _, r := range routings(torus, "odr", "minimal") {
			for n, best := range optima(r) {
				if n == 0 {
					continue
				}
				if got := lowerBound(r, n, 1e6); got.Value.Cmp(best) != 0 {
					t.Errorf("ring of %d, %s, n=%d: bound %s, optimum %s", k, r, n, got.Value.RatString(), best.RatString())
				}
			}
		}
	}
}

// TestBoundHoldsForPlacements tries good and bad placements on larger tori.
func TestBoundHoldsForPlacements(t *testing.T) {
	for i := range coretest.Cases(400, 100) {
		rng := coretest.Rng(31, i)
		in := coretest.Random(rng, 48)
		if i%2 == 1 {
			in = coretest.RandomOn(rng, coretest.Network(rng, 48))
		}
		most, _ := objective.Naive(in.Routing, in.Placement).Max()
		if got := lowerBound(in.Routing, in.Placement.Size(), 1e5); got.Value.Cmp(most) > 0 {
			t.Errorf("%s: bound %s above E_max %s", in, got.Value.RatString(), most.RatString())
		}
	}
	for _, text := range []string{"linear", "spaced:t=2", "multilinear:t=3", "full"} {
		for _, dims := range [][]int{{4, 4}, {5, 5}, {7, 7}, {4, 4, 4}, {3, 3, 3}, {5, 5, 5}} {
			torus := core.MustTorus(dims...)
			p := coretest.Must(family.Parse(torus, text))
			for _, r := range routings(torus, "odr", "udr") {
				most, _ := fast.Evaluate(objective.Problem{Routing: r}, p).Max()
				if got := lowerBound(r, p.Size(), 1e5); got.Value.Cmp(most) > 0 {
					t.Errorf("%s on %s under %s: bound %s above E_max %s", text, torus, r, got.Value.RatString(), most.RatString())
				}
			}
		}
	}
}

// TestKnownValues checks values that a separate trial of the bound gave, and 12x12, where the spaced placement has
// E_max 6: UDR with ties both.
func TestKnownValues(t *testing.T) {
	for _, test := range []struct {
		k, n int
		want string
		long bool
	}{{8, 15, "4", false}, {8, 16, "4", false}, {10, 20, "5", false}, {10, 19, "5", false}, {12, 24, "6", true}} {
		if test.long && testing.Short() {
			continue
		}
		torus := core.MustTorus(test.k, test.k)
		got := lowerBound(routing.NewUDR(torus, routing.TieBoth), test.n, 1e12)
		if got.Value.RatString() != test.want || !got.Complete {
			t.Errorf("%s n=%d: %s (complete %v), want %s", torus, test.n, got.Value.RatString(), got.Complete, test.want)
		}
	}
}

// TestTightOnSixBySix compares with the E_max of placements found by searches:
// where the two are equal both are the optimum. A placement of n nodes also
// bounds the optimum of fewer.
func TestTightOnSixBySix(t *testing.T) {
	found := strings.Fields("1/4 1/2 3/4 5/4 5/4 7/4 2 9/4 5/2 3 3 19/4 21/4 11/2 6 27/4 27/4 19/2 10 21/2 11 12 12 " +
		"69/4 18 19 79/4 21 85/4 93/4 24 99/4 51/2 107/4 27") // for n = 2, 3, ...
	r := routing.NewUDR(core.MustTorus(6, 6), routing.TieBoth)
	tight := 0
	for n := 2; n <= 36; n++ {
		got := lowerBound(r, n, 1e9)
		best, _ := new(big.Rat).SetString(found[n-2])
		switch got.Value.Cmp(best) {
		case 0:
			tight++
		case 1:
			t.Errorf("n=%d: bound %s above %s, the E_max of a placement", n, got.Value.RatString(), found[n-2])
		}
	}
	if tight < 27 {
		t.Errorf("tight for %d of 35 sizes, want 27", tight)
	}
}

// TestEffort checks that little effort weakens the bound and never breaks it,
// and that none gives 0.
func TestEffort(t *testing.T) {
	r := routing.NewUDR(core.MustTorus(8, 8), routing.TieBoth)
	full := lowerBound(r, 16, 1e9)
	for effort := int64(1); effort < 1e6; effort *= 4 {
		got := lowerBound(r, 16, effort)
		if got.Value.Cmp(full.Value) > 0 || got.Complete && got.Value.Cmp(full.Value) < 0 {
			t.Errorf("effort %d: %s (complete %v), with more effort %s", effort, got.Value.RatString(), got.Complete,
				full.Value.RatString())
		}
	}
	if got := lowerBound(r, 16, 0); got.Value.Sign() != 0 || got.Refuted != nil || got.Complete {
		t.Errorf("no effort gives %+v", got)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if got, err := margin.LowerBound(ctx, r, 16, 1e9); err != nil || got.Value.Cmp(full.Value) > 0 {
		t.Errorf("cancelled: %v, %v", got.Value, err)
	}
}

func TestBadInput(t *testing.T) {
	r := routing.NewUDR(core.MustTorus(3, 3), routing.TieBoth)
	for _, in := range []struct {
		n      int
		effort int64
	}{{-1, 1}, {10, 1}, {3, -1}} {
		var bad *core.InputError
		if _, err := margin.LowerBound(context.Background(), r, in.n, in.effort); !errors.As(err, &bad) {
			t.Errorf("size %d, effort %d: error %v", in.n, in.effort, err)
		}
	}
	for n := range 2 {
		if got := lowerBound(r, n, 1e3); got.Value.Sign() != 0 || !got.Complete {
			t.Errorf("size %d: %+v", n, got)
		}
	}
}
