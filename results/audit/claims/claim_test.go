package claims

import (
	"reflect"
	"testing"

	"leeway/results/audit"
)

// TestSurvey: the first failure is kept, all are counted, and without a case there is
// no verdict.
func TestSurvey(t *testing.T) {
	var s survey
	s.equal(say("a"), 1, 1)
	s.compare(say("b"), 2, atMost, 1)
	s.compare(say("c"), 3, below, 1)
	s.end("range", "note")
	f := s.finding()
	want := audit.Finding{Verdict: audit.Fails, Checked: "range: 3 cases, 2 fail", Note: "note",
		Counterexample: &audit.Counterexample{Case: "b", Claimed: "at most 1", True: "2"}}
	if !reflect.DeepEqual(f, want) {
		t.Errorf("finding %+v, want %+v", f, want)
	}
	empty := survey{checked: "nothing"}
	if f := empty.finding(); f.Verdict != audit.Untested {
		t.Errorf("a survey without cases gives %q", f.Verdict)
	}
}

// TestRelations compares each relation with the signs of its name.
func TestRelations(t *testing.T) {
	for r, want := range map[relation][3]bool{equals: {false, true, false}, atLeast: {false, true, true},
		atMost: {true, true, false}, below: {true, false, false}, above: {false, false, true}} {
		for i := range 3 {
			if got := r.holds(i-1, 0); got != want[i] {
				t.Errorf("%d %q 0: %v", i-1, r, got)
			}
		}
	}
}

// TestFormulas computes formulas whose values are worked out by hand.
func TestFormulas(t *testing.T) {
	at := let("k d |P| width g", 3, 2, 7, 5, ratio(3, 2))
	for formula, want := range map[string]string{
		"2": "2", "-k": "-3", "- k + 2 - 1": "-2", "k - d - 1": "0", "2d k^(d-1)": "12",
		"k^(d-3)": "1/3", "(|P|-1)/(2d)": "3/2", "(31/96) 2^(2d-1) + 2^(d-3) - 1/3": "11/4", "g^d": "9/4", "k(k+1)/2": "6",
		"2 floor(|P|/2) ceil(|P|/2) / width": "24/5", "floor(-g)": "-2", "ceil(-g)": "-1", "ceil(d)": "2",
		"max(k, d) + max(1/2, 2/3)": "11/3", "12/d/k": "2", "12/d k": "18"} {
		if got := at.value(formula).RatString(); got != want {
			t.Errorf("%s is %s, want %s", formula, got, want)
		}
	}
	for _, formula := range []string{"", "k+", "(k", "k)", "x", "k^", "/2", "floor", "2^3^d"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%q has a value", formula)
				}
			}()
			at.value(formula)
		}()
	}
}
