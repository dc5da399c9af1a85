package results

import "testing"

// TestProofInWords holds that a proof that rests on another says so.
func TestProofInWords(t *testing.T) {
	size := 4
	p := &Proof{Kind: ProofMonotone, Basis: ProofSteps, Engine: "counts", Below: "5/2", Size: &size,
		Routing: "odr:tie=plus", Steps: new(int64(7)), Placed: new(int64(2)), File: "a.steps"}
	want := "not even for 4 processors under odr:tie=plus, by 7 steps of counts, which list 2 placements in a.steps"
	if got := p.Describe(); got != want {
		t.Errorf("%q instead of %q", got, want)
	}
	if got, want := p.Short(), "n=4 odr:tie=plus steps counts"; got != want {
		t.Errorf("%q instead of %q", got, want)
	}
	if got := (*Proof)(nil).Short(); got != "-" {
		t.Errorf("no proof is %q", got)
	}
}
