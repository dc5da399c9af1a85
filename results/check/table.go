package check

import (
	"math/big"

	"leeway/core/family"
	"leeway/core/routing"
)

// tableDenominator is the common denominator of the shares that the paths of
// each entry give to links, nil if there are too many paths to list.
func tableDenominator(m *meter, r *routing.Table) *big.Int {
	t := r.Torus()
	starts := 1
	if r.ByPair() {
		starts = t.N()
	}
	d, work := big.NewInt(1), 0
	for from := range starts {
		for to := range t.N() {
			m.charge(4)
			choices := r.Choices(from, to)
			if len(choices) == 0 {
				continue
			}
			if work += len(choices) * t.LeeDistance(from, to); work > maxListedSteps {
				return nil
			}
			d = lcm(d, shareDenominator(m, r, from, to))
		}
	}
	return d
}

// covers reports whether the routing has paths for all pairs of a named
// placement. A table by pair may be made for one placement only; then there is
// no load of the papers' placement to compare with.
func (c *checker) covers(placement string) bool {
	c.meter.charge(int64(c.torus.N()))
	p, err := family.Parse(c.torus, placement)
	if err == nil {
		c.meter.chargeAll(p.Size(), p.Size())
	}
	return err == nil && routing.Covers(c.routing, p) == nil
}
