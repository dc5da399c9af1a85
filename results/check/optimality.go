package check

import (
	"math/big"

	"leeway/results"
	"leeway/results/check/bounds"
	"leeway/results/check/meter"
)

// checkOptimality checks lower bound, proof and status: what the record says
// about all placements of its size.
func (c *checker) checkOptimality() error {
	c.checkProof()
	status, verified := c.record.Status, c.proof == Verified
	switch {
	case status == results.StatusOptimal && c.record.Proof == nil:
		c.fault("status is optimal without a proof")
	case c.proof == Absent && c.record.Proof != nil:
		c.note(partialNote)
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
	case c.record.BoundProof != nil:
		c.checkBoundProof(lower)
	case c.record.Proof == nil:
		c.checkLowerBound(lower)
	}
	return nil
}

// checkBoundProof verifies the proof of a lower bound.
func (c *checker) checkBoundProof(lower *big.Rat) {
	if !c.sizeOnTorus() {
		return
	}
	if c.free != nil {
		c.fault("bound_proof: a proof about one routing says nothing of a free one")
		return
	}
	v := *c.verifier
	v.partial = false
	if c.record.Proof != nil {
		v.options.Report, v.options.Wanted = false, nil // slices are those of the proof of the record
	}
	if problem := v.problem(c.routing, c.record.Size, lower, c.record.BoundProof); problem != "" {
		c.fault("bound_proof: %s", problem)
	} else if v.partial {
		c.note("lower_bound is not checked: of bound_proof only the slices asked for were walked again")
	}
	c.verifier.slices, c.verifier.partial = v.slices, c.verifier.partial || v.partial
}

// checkLowerBound compares a bound that no proof supports with the best that is
// derived here.
func (c *checker) checkLowerBound(lower *big.Rat) {
	if lower.Sign() == 0 || !c.sizeOnTorus() {
		return
	}
	best := c.derivation().Best(c.record.Size)
	if lower.Cmp(best) > 0 && (c.free != nil || bounds.MarginsProblem(c.meter, c.routing, c.record.Size, lower) != "") {
		c.fault("lower_bound %s is not justified: the best bound derived here is %s", c.record.LowerBound, best.RatString())
	}
}

// derivation returns that of bounds under the routing of the record, or under every one
// that it could have chosen.
func (c *checker) derivation() *bounds.Derivation {
	if c.free != nil {
		return bounds.DeriveFree(c.meter, c.torus, *c.free)
	}
	return bounds.Derive(c.meter, c.routing)
}

// sizeOnTorus reports whether the size is one that a placement can have.
func (c *checker) sizeOnTorus() bool {
	return c.record.Size >= 0 && c.record.Size <= c.torus.N() && c.torus.M() <= meter.MaxLinks
}
