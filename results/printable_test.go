package results

import (
	"path/filepath"
	"testing"
)

// TestWithDecimal compares with decimals worked out by hand.
func TestWithDecimal(t *testing.T) {
	for text, want := range map[string]string{"5/2": "5/2 (2.5)", "1/3": "1/3 (0.3333)", "4": "4", "none": "none"} {
		if got := WithDecimal(text); got != want {
			t.Errorf("%q is shown as %q, not %q", text, got, want)
		}
	}
}

// TestWithDecimals compares with sentences worked out by hand.
func TestWithDecimals(t *testing.T) {
	for text, want := range map[string]string{
		"max_load is 7/2, recomputed it is 15/4": "max_load is 7/2 (3.5), recomputed it is 15/4 (3.75)",
		"the value is 4, not 5/2: no":            "the value is 4, not 5/2 (2.5): no",
		"E_max 5/2 (2.5) and 1/8n, 3/4 of 4/2":   "E_max 5/2 (2.5) and 1/8n, 3/4 (0.75) of 4/2",
		"":                                       "", " a  b ": " a  b ",
	} {
		if got := WithDecimals(text); got != want {
			t.Errorf("%q becomes %q and not %q", text, got, want)
		}
	}
}

// TestWriteNumbered writes three files of one name.
func TestWriteNumbered(t *testing.T) {
	base := filepath.Join(t.TempDir(), "a")
	for _, want := range []string{base + ".json", base + "-2.json", base + "-3.json"} {
		if name, err := WriteNumbered(base, ".json", []byte("{}\n")); err != nil || name != want {
			t.Errorf("%q, %v instead of %q", name, err, want)
		}
	}
}

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
