package claim

import (
	"reflect"
	"testing"
)

// TestSurvey: the first failure is kept, all are counted, and without a case there is
// no verdict.
func TestSurvey(t *testing.T) {
	var s Survey
	s.Equal(Say("a"), 1, 1)
	s.Compare(Say("b"), 2, AtMost, 1)
	s.Compare(Say("c"), 3, Below, 1)
	s.Over("range", "note")
	f := s.Finding()
	want := Finding{Verdict: Fails, Checked: "range: 3 cases, 2 fail", Note: "note",
		Counterexample: &Counterexample{Case: "b", Claimed: "at most 1", True: "2"}}
	if !reflect.DeepEqual(f, want) {
		t.Errorf("finding %+v, want %+v", f, want)
	}
	empty := Survey{Checked: "nothing"}
	if f := empty.Finding(); f.Verdict != Untested {
		t.Errorf("a survey without cases gives %q", f.Verdict)
	}
}

// TestRelations compares each relation with the signs of its name.
func TestRelations(t *testing.T) {
	for r, want := range map[Relation][3]bool{Equals: {false, true, false}, AtLeast: {false, true, true},
		AtMost: {true, true, false}, Below: {true, false, false}, Above: {false, false, true}} {
		for i := range 3 {
			if got := r.Holds(i-1, 0); got != want[i] {
				t.Errorf("%d %q 0: %v", i-1, r, got)
			}
		}
	}
}
