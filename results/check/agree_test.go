package check

import (
	"context"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/bound"
	"leeway/results"
	"leeway/results/check/bounds"
	"leeway/results/check/meter"
)

// TestBoundsReachThoseOfSearches holds the bounds derived here against those that a search writes into records: a right
// record must not be refused because this package derives less.
func TestBoundsReachThoseOfSearches(t *testing.T) {
	compare := func(r routing.Routing, n int) {
		own := bounds.Derive(meter.Unlimited(context.Background()), r).At(n)
		for _, b := range bound.ForSize(r, n) {
			if b.Name == objective.BoundMargin || b.Witness.From == objective.BoundMargin {
				continue // TestMarginBoundsAreConfirmed
			}
			if v, ok := own[b.Name]; !ok || v.Cmp(b.Value) < 0 {
				t.Errorf("%s %s n=%d: bound %s is %v here, %s there", r.Torus(), r, n, b.Name, v, b.Value.RatString())
			}
		}
	}
	cases := 50
	if testing.Short() {
		cases = 6
	}
	for i := range cases {
		rng := coretest.Rng(23, i)
		torus := coretest.Torus(rng, 120)
		if i%2 == 1 {
			torus = coretest.Opened(rng, torus)
		}
		compare(coretest.Routing(rng, torus), 1+rng.IntN(torus.N()))
	}
	if testing.Short() {
		return
	}
	for _, dims := range [][]int{{13}, {16, 16}, {15, 3}, {30}, {4, 4, 4, 4}, {20, 4, 2}, {2, 2, 2, 2, 2, 2}} {
		torus := core.MustTorus(dims...)
		for n := 1; n <= torus.N(); n += 1 + torus.N()/2 {
			compare(routing.NewUDR(torus, routing.TieBoth), n)
			compare(routing.NewMinimal(torus, routing.TieBoth), n)
		}
	}
}

// TestBoundsOfSearchesAreValid holds what the command bound prints against the checker, for a placement and for a size.
func TestBoundsOfSearchesAreValid(t *testing.T) {
	cases := 800
	if testing.Short() {
		cases = 120
	}
	for i := range cases {
		rng := coretest.Rng(24, i)
		in := coretest.Random(rng, 40)
		if i%2 == 1 {
			in = coretest.RandomOn(rng, coretest.Network(rng, 40))
		}
		for _, p := range []*core.Placement{&in.Placement, nil} {
			list := bound.ForSize(in.Routing, in.Placement.Size())
			if p != nil {
				list = bound.ForPlacement(in.Routing, *p)
			}
			text, err := results.Encode(results.NewBounds(in.Routing, in.Placement.Size(), p, list, bound.Best(list)))
			if err != nil {
				t.Fatal(err)
			}
			if v := Record(text); v.Verdict != Valid || len(v.Reasons) > 0 {
				t.Fatalf("%s: %s %v\n%s", in, v.Verdict, v.Reasons, text)
			}
		}
	}
}
