package orders_test

import (
	"math/big"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/objective/orders"
)

// TestKernelsCountPaths lists the paths of all pairs, for every kernel and some placements each.
func TestKernelsCountPaths(t *testing.T) {
	kinds := map[[2]bool]int{}
	for i := range coretest.Cases(600, 150) {
		rng := coretest.Rng(1410, i)
		r := coretest.Orders(rng, coretest.Network(rng, 80))
		torus := r.Torus()
		kinds[[2]bool{r.All(), torus.D() == 2 && torus.N() <= 64}]++
		kernel, margin := orders.New(r)
		if margin < 1 {
			t.Fatalf("%s on %s: margin %d", r, torus, margin)
		}
		for range 3 {
			p := coretest.Placement(rng, torus)
			have, err := kernel(p.Nodes(), nil)
			if err != nil {
				t.Fatal(err)
			}
			want := make([]*big.Rat, torus.M())
			for l := range want {
				want[l] = new(big.Rat)
			}
			for _, from := range p.Nodes() {
				for _, to := range p.Nodes() {
					if from == to {
						continue
					}
					paths := int64(0)
					for range r.Paths(from, to, nil) {
						paths++
					}
					for path := range r.Paths(from, to, nil) {
						for _, l := range path {
							_, port := torus.LinkFrom(l)
							want[l].Add(want[l], big.NewRat(1, paths*int64(torus.Bandwidth(port.Dim))))
						}
					}
				}
			}
			unit := r.Denominator().Int64() * int64(torus.CommonBandwidth())
			for l, load := range want {
				if big.NewRat(have[l], unit).Cmp(load) != 0 {
					t.Fatalf("%s on %s, %v: link %d carries %d/%d, want %s", r, torus, p.Nodes(), core.Link(l), have[l], unit,
						load.RatString())
				}
			}
		}
	}
	if len(kinds) < 4 {
		t.Errorf("only %v", kinds)
	}
}
