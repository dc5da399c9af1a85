package check

import (
	"math/big"

	"leeway/core"
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
	if c.torus.N() > maxCensusNodes && (c.torus.N() > maxOrbitNodes || c.routing.DependsOnPlacement()) {
		c.proofFault("a full count is repeated up to %d nodes, up to %d where the routing does not depend on the placement; torus %s has %d",
			maxCensusNodes, maxOrbitNodes, c.torus, c.torus.N())
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
	if c.torus.N() <= maxCensusNodes {
		count, found := census(c.routing, c.record.Size, below)
		c.checkCount(p, big.NewInt(count), found)
		return
	}
	found, complete, err := orbitCensus(c.routing, c.record.Size, below)
	switch {
	case err != nil:
		c.proofFault("%v", err)
	case !complete:
		c.proofFault("the count is too long to be repeated here")
	default:
		c.checkCount(p, new(big.Int).Binomial(int64(c.torus.N()-1), int64(c.record.Size-1)), found)
	}
}

// checkCount compares a full count with the proof.
func (c *checker) checkCount(p *results.Proof, count *big.Int, found *core.Placement) {
	if found != nil {
		c.proofFault("the placement %v has E_max below %s", found.Coords(), p.Below)
	}
	if p.Count == nil || count.Cmp(big.NewInt(*p.Count)) != 0 {
		c.proofFault("count should be %d: the placements that contain node 0", count)
	}
}
