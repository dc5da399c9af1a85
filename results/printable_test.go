package results

import "testing"

// TestPrintable compares with what a terminal must never see, character by character.
func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{"a é ─ 0,0+1": "a é ─ 0,0+1", "\x1b[0m": `\x1b[0m`, "a\nb\tc": `a\nb\tc`,
		"\u202eb": `\u202eb`, "\xff\xc3": `\xff\xc3`, "\ufffd": "\ufffd", "\u009b": `\u009b`, "\U000e0001": `\U000e0001`,
		"": ""} {
		if got := Printable(text, ""); got != want {
			t.Errorf("%q is shown as %q, not %q", text, got, want)
		}
	}
	if got := Printable("a\nb\tc\x1b", "\n\t"); got != "a\nb\tc\\x1b" {
		t.Errorf("kept characters: %q", got)
	}
}

// TestCSVText holds that no cell begins like a formula of a spreadsheet program.
func TestCSVText(t *testing.T) {
	for text, want := range map[string]string{"=1+1": "'=1+1", "+a": "'+a", "-1": "'-1", "@x": "'@x", "\t=1": `'\t=1`,
		"1=1": "1=1", "": ""} {
		if got := csvText(text); got != want {
			t.Errorf("%q is written as %q, not %q", text, got, want)
		}
	}
}
