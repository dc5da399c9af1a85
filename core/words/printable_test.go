package words_test

import (
	"testing"

	"leeway/core/words"
)

// TestPrintable compares with what a terminal must never see, character by character.
func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{"a é ─ 0,0+1": "a é ─ 0,0+1", "\x1b[0m": `\x1b[0m`,
		"a\nb\tc": `a\nb\tc`,
		"\u202eb": `\u202eb`, "\xff\xc3": `\xff\xc3`, "\ufffd": "\ufffd", "\u009b": `\u009b`, "\U000e0001": `\U000e0001`,
		"": ""} {
		if got := words.Printable(text, ""); got != want {
			t.Errorf("%q is shown as %q, not %q", text, got, want)
		}
	}
	if got := words.Printable("a\nb\tc\x1b", "\n\t"); got != "a\nb\tc\\x1b" {
		t.Errorf("kept characters: %q", got)
	}
}
