package check

import (
	"math/big"

	"leeway/results"
)

// checkOptimality checks lower bound, proof and status: what the record says
// about all placements of its size.
func (c *checker) checkOptimality() error {
	c.checkProof()
	status, verified := c.record.Status, c.proof == Verified
	switch {
	case status == results.StatusOptimal && c.record.Proof == nil:
		c.fault("status is optimal without a proof")
	case status == results.StatusOptimal && !verified:
		c.fault("status is optimal, but the proof is not verified")
	case status == results.StatusFeasible && c.record.Proof != nil:
		c.fault("there is a proof, but status is feasible")
	}
	lower := c.fraction("lower_bound", c.record.LowerBound)
	if lower == nil || c.maxLoad == nil {
		return nil
	}
	switch {
	case lower.Cmp(c.maxLoad) > 0:
		c.fault("lower_bound %s is above max_load %s", c.record.LowerBound, c.record.MaxLoad)
	case status == results.StatusOptimal && lower.Cmp(c.maxLoad) < 0:
		c.fault("status is optimal, but lower_bound %s is below max_load %s", c.record.LowerBound, c.record.MaxLoad)
	case !verified:
		c.checkLowerBound(lower)
	}
	return nil
}

// checkLowerBound compares a bound that no proof supports with the best that is
// derived here.
func (c *checker) checkLowerBound(lower *big.Rat) {
	if lower.Sign() == 0 || !c.sizeOnTorus() {
		return
	}
	best := new(big.Rat)
	for _, v := range boundsOf(c.routing, c.record.Size) {
		if v.Cmp(best) > 0 {
			best = v
		}
	}
	if lower.Cmp(best) > 0 {
		c.fault("lower_bound %s is not justified: the best bound derived here is %s", c.record.LowerBound, best.RatString())
	}
}

// sizeOnTorus reports whether the size is one that a placement can have.
func (c *checker) sizeOnTorus() bool {
	return c.record.Size >= 0 && c.record.Size <= c.torus.N() && c.torus.M() <= maxLinks
}
