package layout

import (
	"testing"

	"leeway/results"
)

// TestProofInWords holds that a proof that rests on another says so.
func TestProofInWords(t *testing.T) {
	size := 4
	p := &results.Proof{Kind: results.ProofMonotone, Basis: results.ProofSteps, Engine: "counts", Below: "5/2",
		Size:    &size,
		Routing: "odr:tie=plus", Steps: new(int64(7)), Placed: new(int64(2)), File: "a.steps"}
	want := "not even for 4 processors under odr:tie=plus, by 7 steps of counts, which list 2 placements in a.steps"
	if got := Proof(p); got != want {
		t.Errorf("%q instead of %q", got, want)
	}
	if got, want := Short(p), "n=4 odr:tie=plus steps counts"; got != want {
		t.Errorf("%q instead of %q", got, want)
	}
	if got := Short(nil); got != "-" {
		t.Errorf("no proof is %q", got)
	}
}
