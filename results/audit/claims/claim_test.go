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
