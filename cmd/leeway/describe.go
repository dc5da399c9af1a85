package main

import (
	"fmt"
	"math/big"

	"leeway/cmd/work"
	"leeway/core"
	"leeway/results"
)

// printRecord writes a record for a person.
func (a *app) printRecord(r results.Record) {
	a.printf("%s, %d processors, %s: E_max %s, %s\n", core.JoinInts(r.Torus, "x"), r.Size, r.Routing, r.MaxLoad, achieved(r))
	switch {
	case r.Proof != nil:
		a.printf("  proof        none is below %s: %s\n", r.LowerBound, describeProof(r.Proof))
	default:
		a.printf("  lower bound  %s (%s)\n", r.LowerBound, r.BoundReason)
	}
	if c := r.SolverClaim; c != nil {
		a.printf("  not proved   %s: %s\n", c.Below, describeClaim(c))
	}
	if r.UpperBound != nil {
		a.printf("  within %-5s no placement of more than %d processors%s\n", *r.LoadLimit, *r.UpperBound, excludedBy(r))
	}
	if c := r.SymmetryClaim; c != nil {
		a.printf("  symmetry     %s\n", describeSymmetry(c))
	}
	if r.Orbits != nil {
		a.printf("  optima       %d up to symmetry, %d labelled\n", *r.Orbits, *r.Labelled)
	}
	if b := r.Baseline; b != nil {
		a.printf("  the papers'  %s has %s%s\n", b.Placement, b.MaxLoad, compared(r.MaxLoad, b.MaxLoad))
	}
	a.printf("  nodes        %s\n", core.JoinNodes(r.Nodes))
	if form := work.FormOf(r); form != "" {
		a.printf("  form         %s\n", form)
	}
	method := r.FoundBy.Method
	if r.FoundBy.Engine != "" {
		method += " (" + r.FoundBy.Engine + ")"
	}
	a.printf("  found by     %s, seed %d, %d evaluations, %.1f s\n", method, r.FoundBy.Seed, r.FoundBy.Evaluations, r.FoundBy.Seconds)
}

// achieved says what is proved of a record: that nothing is below its E_max or, where the size was
// looked for, that no larger size is within the limit.
func achieved(r results.Record) string {
	switch {
	case r.UpperBound == nil:
		return r.Status
	case *r.UpperBound == r.Size:
		return fmt.Sprintf("the largest within %s, proved", *r.LoadLimit)
	}
	return fmt.Sprintf("the largest found within %s", *r.LoadLimit)
}

// describeClaim says why a larger bound is no proof.
func describeClaim(c *results.SolverClaim) string {
	if c.Engine == work.MarginClaim {
		return "the margin bound, but the checker did not repeat it within the time and its limit of steps"
	}
	return c.Engine + " says that none is below; it left no proof"
}

// describeProof says in short what a proof is.
func describeProof(p *results.Proof) string {
	switch {
	case p.Kind == results.ProofMonotone:
		of := fmt.Sprintf("size %d", *p.Size)
		if p.Routing != "" {
			of += " under " + p.Routing
		}
		return fmt.Sprintf("%s, by %s", of, describeProof(basisOf(p)))
	case p.Kind == results.ProofBound:
		return fmt.Sprintf("bound %s is %s", p.Bound, p.Value)
	case p.Kind == results.ProofUnsat:
		return fmt.Sprintf("unsat, %s by %s in %s", p.Format, p.Engine, p.File)
	case p.Slices != nil && *p.Nodes == 0:
		return fmt.Sprintf("census %s: no slab counts fit, so its %d slices have no node to walk", p.Engine, len(p.Slices))
	case p.Slices != nil:
		return fmt.Sprintf("census %s, %d nodes in %d slices", p.Engine, *p.Nodes, len(p.Slices))
	}
	return fmt.Sprintf("census of all %d placements with node 0", *p.Count)
}

// basisOf returns the proof about another size or routing on which a monotone proof rests.
func basisOf(p *results.Proof) *results.Proof {
	basis := *p
	basis.Kind = p.Basis
	return &basis
}

// excludedBy says which proofs exclude larger sizes, "" if bounds or the torus do.
func excludedBy(r results.Record) string {
	switch proofs := r.UpperProofs; len(proofs) {
	case 0:
		return ""
	case 1:
		return ": " + describeProof(&proofs[0])
	default:
		return fmt.Sprintf(": %d proofs, the first of %s", len(proofs), describeProof(&proofs[0]))
	}
}

// compared says in how far a load beats the baseline.
func compared(load, baseline string) string {
	a, okA := new(big.Rat).SetString(load)
	b, okB := new(big.Rat).SetString(baseline)
	if !okA || !okB || b.Sign() == 0 || a.Cmp(b) >= 0 {
		return ""
	}
	f, _ := new(big.Rat).Quo(a, b).Float64()
	return fmt.Sprintf(": this placement carries %.0f%% of it", 100*f)
}

// describeSymmetry says what was covered.
func describeSymmetry(c *results.SymmetryClaim) string {
	return fmt.Sprintf("%s: none below %s among the placements with symmetry %s (order %d)", c.Engine, c.Below, c.Symmetry, c.Order)
}
