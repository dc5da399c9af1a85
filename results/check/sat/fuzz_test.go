package sat

import (
	"leeway/encode/cnf/cnftest"
	"slices"
	"strings"
	"testing"
)

// FuzzProofs: no text is a proof for a formula with a model, and every text gets one of the three verdicts, the same
// each time.
func FuzzProofs(f *testing.F) {
	for _, text := range []string{"1 0\n0\n", "5 1 0 1 2 0 5 d 1 2 0 6 0 5 3 4 0", "5 1 0 1 2 0\n6 0 5 3 4 0\n", "5 d 1 0",
		"c x\n-3 0", "d 0 0", ""} {
		f.Add(text)
	}
	withModel := cnftest.Clauses{Of: 3, List: square.List[:3]}
	f.Fuzz(func(t *testing.T, text string) {
		if v := tried(t, withModel, text); v.Verdict == Verified {
			t.Fatalf("a formula with a model is refuted: %+v", v)
		}
		v := tried(t, square, text)
		if !slices.Contains([]string{Verified, Wrong, Unreadable}, v.Verdict) ||
			(v.Verdict == Verified) != (v.Reason == "") {
			t.Fatalf("%+v", v)
		}
		if again := tried(t, square, strings.Clone(text)); again != v {
			t.Fatalf("%+v, then %+v", v, again)
		}
	})
}
