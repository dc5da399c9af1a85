package check

import (
	"fmt"
	"math/big"

	"leeway/core/routing"
	"leeway/results"
	"leeway/results/check/meter"
	"leeway/results/check/trees"
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
	case c.free != nil && c.reaches(p):
		if problem := freeProblem(c.meter, c.torus, *c.free, c.record.Size, c.maxLoad, p); problem != "" {
			c.proofFault("%s", problem)
		}
	case c.reaches(p):
		if problem := c.verifier.problem(c.routing, c.record.Size, c.maxLoad, p); problem != "" {
			c.proofFault("%s", problem)
		}
	}
	if c.proof == Absent && !c.verifier.partial {
		c.proof = Verified
	}
}

// proofFault notes what is wrong with the proof.
func (c *checker) proofFault(format string, args ...any) {
	c.proof = Wrong
	c.fault("proof: "+format, args...)
}

// reaches notes a fault unless a proof is about max_load.
func (c *checker) reaches(p *results.Proof) bool {
	name, text := "below", p.Below
	if p.Kind == results.ProofBound {
		name, text = "value", p.Value
	}
	v, err := results.ParseFraction(text)
	switch {
	case err != nil:
		c.proofFault("%s: %v", name, err)
	case v.Cmp(c.maxLoad) != 0:
		c.proofFault("%s is %s, max_load is %s", name, text, c.record.MaxLoad)
	}
	return c.proof != Wrong
}

// countProblem says why a full count does not show that no placement of n
// processors has E_max below the value, or why the count given is wrong.
func countProblem(m *meter.Meter, r routing.Routing, n int, below *big.Rat, given *int64) string {
	count, problem := trees.NoneBelow(m, r, n, below)
	switch {
	case problem != "":
		return problem
	case given == nil || count.Cmp(big.NewInt(*given)) != 0:
		return fmt.Sprintf("count should be %d: the placements that contain node 0", count)
	}
	return ""
}

// foreignField says which field of a proof does not belong to its kind, "" if none does
// not or the kind is unknown: nobody checks such a field, and a reader could take it for
// a part of the claim.
func foreignField(p *results.Proof) string {
	kind, monotone := p.Kind, p.Kind == results.ProofMonotone
	if monotone {
		kind = p.Basis
	}
	bound, census, unsat := kind == results.ProofBound, kind == results.ProofCensus, kind == results.ProofUnsat
	if !bound && !census && !unsat {
		return ""
	}
	inSlices := census && p.Slices != nil
	for _, f := range []struct {
		name          string
		there, belong bool
	}{
		{"below", p.Below != "", monotone || !bound}, {"bound", p.Bound != "", bound}, {"value", p.Value != "", bound},
		{"count", p.Count != nil, census && !inSlices}, {"split", p.Split != nil, inSlices}, {"nodes", p.Nodes != nil, inSlices},
		{"slices", p.Slices != nil, inSlices}, {"format", p.Format != "", unsat}, {"file", p.File != "", unsat},
		{"sha256", p.SHA256 != "", unsat}, {"symmetry", p.Symmetry != nil, unsat}, {"basis", p.Basis != "", monotone},
		{"size", p.Size != nil, monotone}, {"routing", p.Routing != "", monotone},
	} {
		if f.there && !f.belong {
			return fmt.Sprintf("the field %s does not belong to it", f.name)
		}
	}
	return ""
}
