package audit

import (
	"context"
	"maps"
	"strings"
	"testing"
)

// small are limits at which a check takes well under a second.
var small = Limits{MaxK: 4}

// pinned runs the claims of a paper at small limits and compares their verdicts: those listed fail, with
// the true value given, those in open are untested, all others hold.
func pinned(t *testing.T, prefix string, fails map[string]string, open ...string) {
	t.Helper()
	for _, c := range Select(prefix) {
		f := c.Check(context.Background(), small)
		truth, wrong := fails[c.ID]
		want := Holds
		if wrong {
			want = Fails
		}
		for _, id := range open {
			if c.ID == id {
				want = Untested
			}
		}
		if f.Verdict != want {
			t.Errorf("%s: %s, want %s: %+v", c.ID, f.Verdict, want, f)
		}
		if wrong != (f.Counterexample != nil) || wrong && !strings.Contains(f.Counterexample.True, truth) {
			t.Errorf("%s: counterexample %+v, want %q", c.ID, f.Counterexample, truth)
		}
		if (f.Verdict == Untested) != (f.Checked == "") || f.Verdict == Untested && f.Note == "" {
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

// TestConnectedGraphs counts graphs up to renaming: sequence A001349 of the OEIS.
func TestConnectedGraphs(t *testing.T) {
	count := map[int]int{}
	for _, g := range smallGraphs(5) {
		count[g.n]++
	}
	if want := map[int]int{1: 1, 2: 1, 3: 2, 4: 6, 5: 21}; !maps.Equal(count, want) {
		t.Errorf("connected graphs by nodes: %v, want %v", count, want)
	}
}

// TestFewestSteps has the optima that are clear by hand: an edge swaps; in a triangle
// each step is a rotation; the middle of a path sends two blocks of its own and two of
// the ends, one at a time.
func TestFewestSteps(t *testing.T) {
	for _, c := range []struct {
		g    graph
		want int
	}{{pathGraph(1), 0}, {pathGraph(2), 1}, {completeGraph(3), 2}, {pathGraph(3), 4}} {
		if got := fewestSteps(c.g); got != c.want {
			t.Errorf("%s: %d steps, want %d", c.g, got, c.want)
		}
	}
}

// TestGroups checks that the tables are groups.
func TestGroups(t *testing.T) {
	for _, g := range []group{cyclicGroup(6), turnedGroup(4, false), turnedGroup(4, true),
		directProduct(cyclicGroup(2), cyclicGroup(4))} {
		involutions := 0
		for x := range g.n {
			if g.product(0, x) != x || g.product(x, 0) != x || g.inverse(x) < 0 {
				t.Errorf("%s: element %d", g.name, x)
			}
			if g.product(x, x) == 0 {
				involutions++
			}
			for y := range g.n {
				for z := range g.n {
					if g.product(g.product(x, y), z) != g.product(x, g.product(y, z)) {
						t.Fatalf("%s: %d %d %d", g.name, x, y, z)
					}
				}
			}
		}
		if want := map[string]int{"Z_6": 2, "D_4": 6, "Q_8": 2, "Z_2 x Z_4": 4}[g.name]; involutions != want {
			t.Errorf("%s: %d square roots of the identity, want %d", g.name, involutions, want)
		}
	}
}

// TestStepsAreJudged has the checker refuse what is no exchange: A2 without its last step.
func TestStepsAreJudged(t *testing.T) {
	list := packed([]graph{pathGraph(2), pathGraph(3)})
	whole := productA2(list...)
	if v := whole.in[:len(whole.in)-1].judge(list...); v.Verdict != "wrong" || v.Fault.Rule != "delivery" {
		t.Errorf("without its last step: %+v", v)
	}
	if got := whole.in[:0].undelivered(whole.n); got != 30 {
		t.Errorf("without steps %d blocks are not at home", got)
	}
}
