package bisect

import (
	"math/big"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
)

// TestMetricAgainstAllSets holds the ratio against all sets of nodes of random tori, twisted and with bandwidths, and
// wants the bound on halves to be exact on half of them.
func TestMetricAgainstAllSets(t *testing.T) {
	closed, exact := 0, 0
	for i := range coretest.Cases(400, 120) {
		torus := coretest.AnyNetwork(coretest.Rng(2711, i), 16)
		m := newMetric(torus)
		if !torus.Closed() {
			if m != nil {
				t.Fatalf("case %d: %s has open dimensions", i, torus)
			}
			continue
		}
		all := core.MustPlacement(torus, core.Range(torus.N()))
		ratio, least := m.ratio(), narrowest(all)
		for a, out := range least {
			bound := new(big.Rat).Mul(ratio, big.NewRat(int64(a*(torus.N()-a)), 1))
			if bound.Cmp(big.NewRat(int64(out), 1)) > 0 {
				t.Fatalf("case %d, %s: %d nodes have %d out, the ratio is %s", i, torus, a, out, ratio)
			}
		}
		closed++
		if q := Half(all); byMetric(q) == leastOf(q, least) {
			exact++
		}
	}
	if 2*exact < closed {
		t.Errorf("the bound on halves is exact on %d of %d tori", exact, closed)
	}
}
