package work

import (
	"testing"

	"leeway/core/coretest"
	"leeway/results"
	"leeway/results/check"
	"leeway/results/check/documents"
	"leeway/results/layout"
	"leeway/search/refuters"
	"leeway/search/searchtest"
)

// TestRenew: records with steps of an older version, with a proof about fewer processors, and of a bound with a closed
// form come to proofs that the checker has nothing to remark on, and say why their bounds hold.
func TestRenew(t *testing.T) {
	s := &Session{Workers: 2}
	size, steps, bytes := 5, int64(7), int64(70)
	old := &results.Proof{Kind: results.ProofSteps, Engine: "counts", Steps: &steps, Bytes: &bytes, SHA256: "00"}
	basis := &results.Proof{Kind: results.ProofMonotone, Basis: results.ProofSteps, Engine: "counts", Size: &size,
		Steps: &steps, Bytes: &bytes, SHA256: "00"}
	for _, c := range []struct {
		network, routing string
		size             int
		proof            *results.Proof
		kind, reason     string
	}{
		{"4x5:bandwidth=2,1", "odr", 5, old, results.ProofSteps, "margin"},
		{"5x5", "udr", 7, basis, results.ProofSteps, "steps: none is below"},
		{"6x6", "udr:tie=both", 12, old, results.ProofBound, "corner"},
	} {
		r := solve(t, s, Task{Problem: searchtest.Problem(c.network, c.routing, c.size), Budget: Budget{Seed: 1},
			Proof: &Proof{Engine: EngineAuto}})
		proof := *c.proof
		proof.Below = r.MaxLoad
		if r.Proof = &proof; c.kind == results.ProofSteps && c.proof == old {
			r.BoundReason = c.reason
		}
		coretest.Try(s.Renew(t.Context(), []*results.Record{&r}))
		r.ClaimSHA256 = r.Hash()
		document := coretest.Must(layout.Encode(r))
		v := documents.Document(t.Context(), document, "", check.Options{Workers: 1, Produce: refuters.Produce})
		if v.Verdict != check.Valid || len(v.Reasons) > 0 || r.Proof.Kind != c.kind || r.BoundReason != c.reason {
			t.Errorf("%s n=%d: %+v, %s, %+v", c.network, c.size, v, r.BoundReason, r.Proof)
		}
	}
}
