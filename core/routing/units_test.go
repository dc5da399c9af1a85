package routing_test

import (
	"math/big"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
)

// Units are the shares, times the denominator, over bandwidths, rounded down, also near the largest number.
func TestUnits(t *testing.T) {
	torus := coretest.Must(core.MustTorus(4, 4).WithLinks(nil, []int{2, 3}))
	for i := range 300 {
		rng := coretest.Rng(4711, i)
		f := routing.Flow{Den: big.NewInt(rng.Int64N(20) + 1)}
		for l := range core.Link(torus.M()) {
			f.Shares = append(f.Shares, routing.Share{Link: l, Num: big.NewInt(rng.Int64N(20) + 1)})
		}
		den := big.NewInt(rng.Int64N(1<<(6+i%50)) + 1)
		if i%2 == 0 {
			den.Mul(den, big.NewInt(6)).Mul(den, f.Den)
		}
		at := 0
		for l, load := range f.Units(torus, den) {
			x := new(big.Rat).SetFrac(new(big.Int).Mul(f.Shares[at].Num, den), f.Den)
			x.Quo(x, new(big.Rat).SetInt64(int64(torus.LinkBandwidth(l))))
			want := new(big.Int).Quo(x.Num(), x.Denom())
			if l != f.Shares[at].Link || want.IsInt64() && load != want.Int64() {
				t.Fatalf("link %d has %d units of 1/%v, want %v", l, load, den, want)
			}
			at++
		}
		if at != torus.M() {
			t.Fatalf("%d links, want %d", at, torus.M())
		}
	}
}
