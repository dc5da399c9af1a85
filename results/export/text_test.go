package export

import "testing"

// TestCSVText holds that no cell begins like a formula of a spreadsheet program.
func TestCSVText(t *testing.T) {
	for text, want := range map[string]string{"=1+1": "'=1+1", "+a": "'+a", "-1": "'-1", "@x": "'@x", "\t=1": `'\t=1`,
		"1=1": "1=1", "": ""} {
		if got := csvText(text); got != want {
			t.Errorf("%q is written as %q, not %q", text, got, want)
		}
	}
}
