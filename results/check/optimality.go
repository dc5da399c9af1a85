package check

import (
	"math/big"

	"leeway/core"
	"leeway/objective"
	"leeway/results"
	"leeway/results/check/kernel"
	"leeway/results/check/meter"
)

// checkOptimality checks lower bound, proof and status: what the record says about all placements of its size.
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
	if problem := c.verifier.problem(c.routing, c.record.Size, lower, c.record.BoundProof); problem != "" {
		c.fault("bound_proof: %s", problem)
	}
}

// checkLowerBound verifies a bound that comes without a proof: by a closed form, or by steps that an engine writes.
func (c *checker) checkLowerBound(lower *big.Rat) {
	if lower.Sign() == 0 || !c.sizeOnTorus() {
		return
	}
	if problem := c.verifier.unshown(c.problem(), c.record.Size, lower); problem != "" {
		c.fault("lower_bound %s is not justified: %s", c.record.LowerBound, problem)
	}
}

// sizeOnTorus reports whether the size is one that a placement can have.
func (c *checker) sizeOnTorus() bool {
	return c.record.Size >= 0 && c.record.Size <= c.torus.N() && c.torus.M() <= meter.MaxLinks
}

// Listed are the optima of a record, with what is known of them.
type Listed struct {
	Problem   objective.Problem // with size and conditions
	Record    results.Record    // with orbits and labelled_count
	Placement core.Placement    // of the record
	// Placed returns the optima that steps place, one of each orbit under the elements of these, or says why there are no
	// such steps.
	Placed func() (*kernel.Result, string)
}

// checkOptima has a list of all optimal placements checked, if the record has one.
func (c *checker) checkOptima() {
	r := c.record
	if r.Optima == nil && r.Orbits == nil && r.Labelled == nil && r.OptimaOrbits == nil {
		return
	}
	switch {
	case r.Orbits == nil || r.Labelled == nil:
		c.fault("orbits and labelled_count belong together, and optima to them")
	case c.proof != Verified:
		c.fault("optima are listed, but it is not verified that they are optimal")
	case r.OptimaOrbits != nil && *r.Orbits != len(r.OptimaOrbits):
		c.fault("orbits is %d, but optima_orbits has %d", *r.Orbits, len(r.OptimaOrbits))
	case r.Optima != nil && *r.Orbits != len(*r.Optima):
		c.fault("orbits is %d, but %d optima are listed", *r.Orbits, len(*r.Optima))
	case c.terms.Traffic.Clients():
		c.fault("optima of client traffic are not counted again yet")
	case c.verifier.options.Optima == nil:
		c.fault("this checker reads no lists of optima")
	default:
		problem := c.verifier.options.Optima(c.meter, Listed{
			Problem: c.verifier.asked(c.problem(), r.Size), Record: r, Placement: c.placement,
			Placed: func() (*kernel.Result, string) {
				if c.placed != nil {
					return c.placed, ""
				}
				return c.verifier.listed(c.problem(), r.Size, c.maxLoad)
			}})
		if problem != "" {
			c.fault("optima: %s", problem)
		}
	}
}

// checkUpper checks that the placement keeps to the load limit that it was looked for within, and that no larger one
// can.
func (c *checker) checkUpper() {
	r := c.record
	switch {
	case r.LoadLimit == nil && r.UpperBound == nil && r.UpperProofs == nil:
		return
	case r.LoadLimit == nil || r.UpperBound == nil:
		c.fault("load_limit and upper_bound belong together")
		return
	case c.free != nil && r.UpperProofs != nil:
		c.fault("upper_proofs are about a given routing only")
		return
	case c.terms.Near.Asked():
		c.fault("load_limit and a radius or a distance do not go together")
		return
	case *r.UpperBound < r.Size || *r.UpperBound > c.torus.N():
		c.fault("upper_bound %d lies outside %d..%d", *r.UpperBound, r.Size, c.torus.N())
		return
	}
	limit, err := results.ParseLimit(*r.LoadLimit)
	switch {
	case err != nil:
		c.fault("load_limit: %v", err)
		return
	case c.maxLoad != nil && c.maxLoad.Cmp(limit.ValueAt(r.Size)) > 0:
		c.fault("max_load %s is above load_limit %s", r.MaxLoad, *r.LoadLimit)
	}
	c.checkExcluded(limit, *r.UpperBound)
}

// checkExcluded checks that proofs exclude every size above upper: those of the record, else closed forms and steps
// that an engine writes.
func (c *checker) checkExcluded(limit *objective.Limit, upper int) {
	n := c.torus.N() - c.terms.Forbidden.Count()
	proved, need, all := c.provedBelow(), new(big.Rat), !c.routing.DependsOnPlacement()
	raise := func(v *big.Rat) {
		if v != nil && v.Cmp(need) > 0 {
			need = v
		}
	}
	for of, v := range proved {
		if all && of <= upper { // fewer processors say nothing about more, if paths depend on them
			raise(v)
		}
	}
	for size := upper + 1; size <= n; size++ {
		if !all {
			need = new(big.Rat)
		}
		raise(proved[size])
		if need.Cmp(limit.ValueAt(size)) <= 0 {
			above := new(big.Rat).Add(limit.ValueAt(size), big.NewRat(1, 1<<40)) // no load lies between
			if problem := c.verifier.unshown(c.problem(), size, above); problem != "" {
				c.fault("upper_bound %d is not justified: %d processors within %s: %s", upper, size,
					limit.ValueAt(size).RatString(), problem)
				return
			}
			raise(above)
		}
		if all && need.Cmp(limit.ValueAt(n)) > 0 {
			return
		}
	}
}

// provedBelow verifies the proofs about larger sizes and returns by size the value that no placement is below.
func (c *checker) provedBelow() map[int]*big.Rat {
	proved := map[int]*big.Rat{}
	for i := range c.record.UpperProofs {
		p := &c.record.UpperProofs[i]
		below, err := results.ParseFraction(p.Below)
		switch {
		case err != nil:
			c.fault("upper proof %d: below: %v", i+1, err)
			continue
		case p.Kind != results.ProofMonotone || p.Size == nil:
			c.fault("upper proof %d is of no size", i+1)
			continue
		}
		if problem := c.verifier.problem(c.routing, *p.Size, below, p); problem != "" {
			c.fault("upper proof %d, of size %d: %s", i+1, *p.Size, problem)
			continue
		}
		if have := proved[*p.Size]; have == nil || below.Cmp(have) > 0 {
			proved[*p.Size] = below
		}
	}
	return proved
}
