package check

import (
	"fmt"
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
	if value := c.reaches("value", p.Value); value != nil {
		if problem := boundProblem(c.routing, c.record.Size, p.Bound, value); problem != "" {
			c.proofFault("%s", problem)
		}
	}
}

// checkCensusProof repeats the count.
func (c *checker) checkCensusProof(p *results.Proof) {
	below := c.reaches("below", p.Below)
	switch {
	case below == nil:
	case c.record.Size < 1:
		c.proofFault("there is no placement to count")
	default:
		if problem := countProblem(c.routing, c.record.Size, below, p.Count); problem != "" {
			c.proofFault("%s", problem)
		}
	}
}

// boundProblem says why the named bound does not show that every placement of n
// processors has E_max at least value, "" if it does.
func boundProblem(r routing.Routing, n int, name string, value *big.Rat) string {
	own, ok := boundsOf(r, n)[name]
	switch {
	case ok && own.Cmp(value) >= 0:
		return ""
	case name == objective.BoundMargin, name == objective.BoundGranularity:
		if problem := marginsFail(r, n, value); problem != "" {
			return fmt.Sprintf("the bound %s: %s", name, problem)
		}
		return ""
	case !ok:
		return fmt.Sprintf("there is no checker for the bound %q", name)
	default:
		return fmt.Sprintf("the bound %s is %s, not %s", name, own.RatString(), value.RatString())
	}
}

// countProblem says why a full count does not show that no placement of n
// processors has E_max below the value, or why the count given is wrong.
func countProblem(r routing.Routing, n int, below *big.Rat, given *int64) string {
	count, problem := noneBelow(r, n, below)
	switch {
	case problem != "":
		return problem
	case given == nil || count.Cmp(big.NewInt(*given)) != 0:
		return fmt.Sprintf("count should be %d: the placements that contain node 0", count)
	}
	return ""
}

// noneBelow counts all placements of n processors, up to symmetry beyond 20
// nodes, and returns how many contain node 0 when none has E_max below the
// value; otherwise it says why that is not so, or not to be counted here. Cost:
// up to some minutes; see census and orbitCensus.
func noneBelow(r routing.Routing, n int, below *big.Rat) (count *big.Int, problem string) {
	t := r.Torus()
	count = new(big.Int).Binomial(int64(t.N()-1), int64(n-1))
	var found *core.Placement
	switch {
	case !routing.Invariant(r):
		return nil, "a full count is repeated up to translations, which do not preserve E_max under a table by pair"
	case t.N() <= maxCensusNodes:
		_, found = census(r, n, below)
	case t.N() > maxOrbitNodes || r.DependsOnPlacement():
		return nil, fmt.Sprintf("a full count is repeated up to %d nodes, up to %d where the routing does not depend on the placement; torus %s has %d",
			maxCensusNodes, maxOrbitNodes, t, t.N())
	default:
		p, complete, err := orbitCensus(r, n, below)
		switch {
		case err != nil:
			return nil, err.Error()
		case !complete:
			return nil, "the count is too long to be repeated here"
		}
		found = p
	}
	if found != nil {
		return nil, fmt.Sprintf("the placement %v has E_max below %s", found.Coords(), below.RatString())
	}
	return count, ""
}
