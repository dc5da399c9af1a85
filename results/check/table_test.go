package check_test

import (
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/objective"
	"leeway/results"
	"leeway/results/check"
	"leeway/results/compose"
	"leeway/results/layout"
)

// TestStepsOfATable: steps prove an optimum under a table by displacement, and not under one with which brute force has
// less. (No engine takes tables by pair.)
func TestStepsOfATable(t *testing.T) {
	torus := core.MustTorus(3, 3)
	lies := 0
	for i := range coretest.Cases(60, 20) {
		rng := coretest.Rng(81, i)
		p := objective.Problem{Routing: coretest.Table(rng, torus, false), Size: 2 + rng.IntN(4)}
		s, least := leastOf(p)
		r := coretest.Must(compose.New(compose.Values{Routing: p.Routing, Placement: s, MaxLoad: least, LowerBound: least,
			Proof: stepsProof(least.RatString()), Provenance: results.Provenance{Started: "2026-01-02T03:04:05Z"}}))
		if text, ok := family.Baseline(torus, p.Size); ok {
			load, _ := p.Naive(coretest.Must(family.Parse(torus, text))).Max()
			r.Baseline = &results.Baseline{Placement: text, MaxLoad: load.RatString()}
		}
		v := produced(t, coretest.Must(layout.Encode(r)))
		if v.Verdict != check.Valid || v.ProofVerdict != check.Verified {
			t.Errorf("case %d: %s, proof %s %v", i, v.Verdict, v.ProofVerdict, v.Reasons)
		}
		other := objective.Problem{Routing: coretest.Table(rng, torus, false), Size: p.Size}
		d := compose.NewBelow(other, least)
		d.Infeasible(*stepsProof(least.RatString()))
		_, truth := leastOf(other)
		if truth.Cmp(least) < 0 {
			lies++
		}
		if v := produced(t, coretest.Must(layout.Encode(d))); (v.Verdict == check.Valid) != (truth.Cmp(least) >= 0) {
			t.Errorf("case %d, another table below %s with %s: %s %v", i, least.RatString(), truth.RatString(), v.Verdict,
				v.Reasons)
		}
	}
	if lies < 2 {
		t.Errorf("only %d answers are false", lies)
	}
}
