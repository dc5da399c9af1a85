package layout

import "testing"

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
