package claims

import (
	"context"
	"strings"
	"testing"

	"leeway/results/audit"
)

// small are limits at which a check takes well under a second.
var small = audit.Limits{MaxK: 4}

// pinned runs the claims of a paper at small limits and compares their verdicts: those listed fail, with
// the true value given, those in open are untested, all others hold.
func pinned(t *testing.T, prefix string, fails map[string]string, open ...string) {
	t.Helper()
	for _, c := range Select(prefix) {
		f := c.Check(context.Background(), small)
		truth, wrong := fails[c.ID]
		want := audit.Holds
		if wrong {
			want = audit.Fails
		}
		for _, id := range open {
			if c.ID == id {
				want = audit.Untested
			}
		}
		if f.Verdict != want {
			t.Errorf("%s: %s, want %s: %+v", c.ID, f.Verdict, want, f)
		}
		if wrong != (f.Counterexample != nil) || wrong && !strings.Contains(f.Counterexample.True, truth) {
			t.Errorf("%s: counterexample %+v, want %q", c.ID, f.Counterexample, truth)
		}
		if (f.Verdict == audit.Untested) != (f.Checked == "") || f.Verdict == audit.Untested && f.Note == "" {
			t.Errorf("%s: checked %q, note %q", c.ID, f.Checked, f.Note)
		}
		delete(fails, c.ID)
	}
	for id := range fails {
		t.Errorf("there is no claim %s", id)
	}
}

func TestSeed003Verdicts(t *testing.T) {
	pinned(t, "seed003", map[string]string{
		// A = B = one edge. With k != i node (v_i,u_j) keeps what it has for copy u_i: i = 1
		// leaves out the transfer from u_2 to u_1, i = 2 that from u_1 to u_2, two blocks each.
		"seed003-figure-3": "4 of 12 blocks",
		// An edge times K_4 less an edge. Statuses of the latter are 3, 3, 4, 4, so AS = 7/2, and
		// four steps do. A2 takes 2*4 + 4*1 = 12; AS of the product is 8 (1/2 + 7/8) = 11.
		"seed003-theorem-3-rounded": "12",
	})
}
