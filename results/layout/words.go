package layout

import (
	"cmp"
	"fmt"
	"math/big"
	"strings"

	"leeway/core"
	"leeway/results"
)

// Proof says in words what a proof is.
func Proof(p *results.Proof) string {
	switch {
	case p.Kind == results.ProofMonotone:
		of := "not even for " + core.Count(*p.Size, "processor")
		if p.Routing != "" {
			of += " under " + p.Routing
		}
		if p.Torus != "" {
			of += " on " + p.Torus + ", the same graph"
		}
		return fmt.Sprintf("%s, by %s", of, Proof(basis(p)))
	case p.Kind == results.ProofBound:
		return "bound " + cmp.Or(p.Bound, "by a closed form")
	case p.Kind == results.ProofAssignments:
		return "all placements of the tasks"
	case p.Kind == results.ProofSteps && p.Steps == nil:
		return "steps of an engine"
	case p.Kind == results.ProofSteps:
		text := core.Count(int(*p.Steps), "step") + " of " + p.Engine
		if p.Placed != nil {
			text += ", which list " + core.Count(int(*p.Placed), "placement")
		}
		if p.File != "" {
			text += " in " + p.File
		}
		return text
	}
	return fmt.Sprintf("%s refutes the formula, %s proof in %s", p.Engine, strings.ToUpper(p.Format), p.File)
}

// Short names a proof in a table, "-" for nil.
func Short(p *results.Proof) string {
	switch {
	case p == nil:
		return "-"
	case p.Kind == results.ProofMonotone:
		text := fmt.Sprintf("n=%d ", *p.Size)
		if p.Routing != "" {
			text += p.Routing + " "
		}
		if p.Torus != "" {
			text += p.Torus + " "
		}
		return text + Short(basis(p))
	}
	return strings.TrimSpace(p.Kind + " " + p.Engine)
}

// basis returns the proof about another size or routing on which a monotone proof rests.
func basis(p *results.Proof) *results.Proof {
	basis := *p
	basis.Kind = p.Basis
	return &basis
}

// ShareOfBaseline returns E_max as a share of that of the baseline, and whether it is less.
func ShareOfBaseline(r results.Record) (share float64, better bool) {
	if r.Baseline == nil {
		return 0, false
	}
	own, err := results.ParseFraction(r.MaxLoad)
	base, errBase := results.ParseFraction(r.Baseline.MaxLoad)
	if err != nil || errBase != nil || base.Sign() == 0 {
		return 0, false
	}
	share, _ = new(big.Rat).Quo(own, base).Float64()
	return share, own.Cmp(base) < 0
}

// Achieved says what is proved: that nothing is below E_max or, where the size was looked for, that no larger size is
// within the limit.
func Achieved(r results.Record) string {
	switch {
	case r.UpperBound == nil:
		return r.Status
	case *r.UpperBound == r.Size:
		return fmt.Sprintf("the largest within %s, proved", *r.LoadLimit)
	}
	return fmt.Sprintf("the largest found within %s", *r.LoadLimit)
}

// BoundText says why the lower bound holds.
func BoundText(r results.Record) string {
	switch p := r.BoundProof; {
	case p == nil:
		return r.BoundReason
	case p.Kind == results.ProofSteps:
		return r.BoundReason + ", in " + Proof(p)
	default:
		return Proof(p)
	}
}

// Excluded says after a colon which proofs exclude larger sizes, "" if bounds or the torus do.
func Excluded(r results.Record) string {
	switch proofs := r.UpperProofs; len(proofs) {
	case 0:
		return ""
	case 1:
		return ": " + Proof(&proofs[0])
	default:
		return fmt.Sprintf(": %d proofs, the first of %s", len(proofs), Proof(&proofs[0]))
	}
}

// Claim says why the claim is not a proof.
func Claim(c *results.SolverClaim) string {
	if strings.HasSuffix(c.Engine, " bound") { // one that the checker could repeat
		return "the " + c.Engine + ", but the checker did not repeat it within the time and its limit of steps"
	}
	return c.Engine + " reports that none is below, without a proof"
}
