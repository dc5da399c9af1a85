package shares

import (
	"math/big"

	"leeway/core/routing"
	"leeway/results/check/meter"
)

// tableDenominator is the common denominator of the shares that the paths of
// each entry give to links, nil if there are too many paths to list.
func tableDenominator(m *meter.Meter, r *routing.Table) *big.Int {
	t := r.Torus()
	starts := 1
	if r.ByPair() {
		starts = t.N()
	}
	d, work := big.NewInt(1), 0
	for from := range starts {
		for to := range t.N() {
			m.Charge(4)
			choices := r.Choices(from, to)
			if len(choices) == 0 {
				continue
			}
			if work += len(choices) * t.LeeDistance(from, to); work > maxListedSteps {
				return nil
			}
			d = LCM(d, pairDenominator(m, r, from, to))
		}
	}
	return d
}
