package check

import (
	"math/big"

	"leeway/core/routing"
	"leeway/objective"
	"leeway/results"
)

// checkProof verifies the proof, if there is one, and sets its verdict.
func (c *checker) checkProof() {
	p := c.record.Proof
	switch {
	case p == nil:
		return
	case c.maxLoad == nil:
		c.proofFault("max_load is not a fraction")
	case !c.sizeOnTorus():
		c.proofFault("the size does not fit the torus")
	case p.Kind == results.ProofBound:
		c.checkBoundProof(p)
	case p.Kind == results.ProofCensus:
		c.checkCensusProof(p)
	case p.Kind == results.ProofUnsat || p.Kind == results.ProofMonotone:
		c.proofFault("there is no checker for %s proofs yet", p.Kind)
	default:
		c.proofFault("its kind %q is unknown", p.Kind)
	}
	if c.proof == Absent {
		c.proof = Verified
	}
}

// proofFault notes what is wrong with the proof.
func (c *checker) proofFault(format string, args ...any) {
	c.proof = Wrong
	c.fault("proof: "+format, args...)
}

// reaches notes a fault unless the named value of a proof is a fraction equal to
// max_load.
func (c *checker) reaches(name, text string) *big.Rat {
	v, err := results.ParseFraction(text)
	switch {
	case err != nil:
		c.proofFault("%s: %v", name, err)
		return nil
	case v.Cmp(c.maxLoad) != 0:
		c.proofFault("%s is %s, max_load is %s", name, text, c.record.MaxLoad)
	}
	return v
}

// checkBoundProof derives the named bound again.
func (c *checker) checkBoundProof(p *results.Proof) {
	value := c.reaches("value", p.Value)
	own, ok := boundsOf(c.routing, c.record.Size)[p.Bound]
	switch {
	case value == nil, ok && own.Cmp(value) >= 0:
	case p.Bound == objective.BoundMargin, p.Bound == objective.BoundGranularity:
		if problem := c.marginsFail(value); problem != "" {
			c.proofFault("the bound %s: %s", p.Bound, problem)
		}
	case !ok:
		c.proofFault("there is no checker for the bound %q", p.Bound)
	default:
		c.proofFault("the bound %s is %s, not %s", p.Bound, own.RatString(), p.Value)
	}
}

// checkCensusProof repeats the count.
func (c *checker) checkCensusProof(p *results.Proof) {
	below := c.reaches("below", p.Below)
	if c.torus.N() > maxCensusNodes {
		c.proofFault("a full count is repeated up to %d nodes, torus %s has %d", maxCensusNodes, c.torus, c.torus.N())
		return
	}
	if c.record.Size < 1 {
		c.proofFault("there is no placement to count")
		return
	}
	if !routing.Invariant(c.routing) {
		c.proofFault("a full count is repeated up to translations, which do not preserve E_max under a table by pair")
		return
	}
	if below == nil {
		return
	}
	count, found := census(c.routing, c.record.Size, below)
	if found != nil {
		c.proofFault("the placement %v has E_max below %s", found.Coords(), p.Below)
	}
	if p.Count == nil || *p.Count != count {
		c.proofFault("count should be %d: the placements that contain node 0", count)
	}
}
