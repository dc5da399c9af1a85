package audit

import (
	"fmt"
	"math/big"
)

// A survey counts the cases of one claim and keeps the first that fails. Cases are
// added in the order in which "smallest" is meant.
type survey struct {
	cases, failed int
	first         *Counterexample
}

// add counts a case that holds or not; wrong describes it and is called for the
// first failure only.
func (s *survey) add(holds bool, wrong func() Counterexample) {
	s.cases++
	if holds {
		return
	}
	if s.failed == 0 {
		c := wrong()
		s.first = &c
	}
	s.failed++
}

// equal adds a case in which a value is claimed. Command may be empty.
func (s *survey) equal(parameters string, claimed, truth *big.Rat, command string) {
	s.add(claimed.Cmp(truth) == 0, func() Counterexample {
		return Counterexample{Case: parameters, Claimed: claimed.RatString(), True: truth.RatString(), Command: command}
	})
}

// finding ends the survey. Checked is the range of parameters; the number of cases
// is appended. Without a case the claim is untested.
func (s *survey) finding(checked, note string) Finding {
	if s.cases == 0 {
		return Finding{Verdict: Untested, Note: "no case within the limits; a larger --max-k has some"}
	}
	f := Finding{Verdict: Holds, Checked: fmt.Sprintf("%s: %s", checked, plural(s.cases, "case")), Counterexample: s.first, Note: note}
	if s.failed > 0 {
		f.Verdict = Fails
		f.Checked += fmt.Sprintf(", %d fail", s.failed)
	}
	return f
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
