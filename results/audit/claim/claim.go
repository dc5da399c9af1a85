// Package claim says what a claim of a paper and its finding are, and has what checks are written with: a [Survey]
// counts the cases of a check and keeps the first that fails; [Say] names a case; numbers are compared exactly.
package claim

import (
	"context"
	"fmt"
)

// Verdicts of a finding.
const (
	Holds    = "holds"    // true in every case that was checked
	Fails    = "fails"    // wrong in at least one
	Untested = "untested" // nothing was computed; the note says why
)

// A Claim is one numbered statement of a paper.
type Claim struct {
	ID        string // "seed000-theorem-2", stable
	Source    string // paper and number
	Statement string // what is claimed, in our words
	// Check computes. It returns early, with anything, once the context is done.
	Check func(ctx context.Context, l Limits) Finding
}

// Limits bounds the parameters of the checks.
type Limits struct {
	MaxK int // the largest side on two axes, at least 2
}

// Finding is what a check found.
type Finding struct {
	Verdict        string          `json:"verdict"`
	Checked        string          `json:"checked"`        // range of parameters and number of cases; empty if untested
	Counterexample *Counterexample `json:"counterexample"` // the smallest, exactly if the claim fails
	Note           string          `json:"note"`           // why untested; what is true instead, and where that was tested
}

// Counterexample is the first case, in the order that Checked states, in which a claim is wrong.
type Counterexample struct {
	Case    string `json:"case"`    // the parameters
	Claimed string `json:"claimed"` // fractions in lowest terms
	True    string `json:"true"`
	Command string `json:"command"` // shows the true value; empty if no command does
}

// A Check goes through the cases of a claim, adds each to a survey and says there over which range it went.
type Check func(s *Survey)

// Find runs a check.
func (c Check) Find(ctx context.Context, l Limits) Finding {
	s := &Survey{Context: ctx, Limits: l}
	c(s)
	return s.Finding()
}

// Unchecked is the check of a statement of which nothing can be computed.
func Unchecked(why string) Check { return func(s *Survey) { s.Note = why } }

// UpTo is a check with MaxK at most n, for those that cost more.
func UpTo(n int, c Check) Check {
	return func(s *Survey) {
		s.MaxK = min(s.MaxK, n)
		c(s)
	}
}

// A Survey is a check under way: it counts the cases of one claim and keeps the first that fails. Cases are added in
// the order in which "smallest" is meant. The zero survey, without context and limits, counts cases beside another.
type Survey struct {
	Context context.Context
	Limits
	Cases, Failed int
	first         *Counterexample
	Checked, Note string // as in Finding, but for the number of cases
}

// Done reports whether the check is to end.
func (s *Survey) Done() bool { return s.Context.Err() != nil }

// A Subject is what one case of a claim is about.
type Subject interface {
	String() string  // the parameters
	Command() string // a command that shows the true value, empty if there is none
}

// Add counts a case that holds or not. What is claimed and true are numbers or words.
func (s *Survey) Add(holds bool, at Subject, claimed, truth any) {
	s.Cases++
	if holds {
		return
	}
	if s.Failed == 0 {
		s.first = &Counterexample{at.String(), Display(claimed), Display(truth), at.Command()}
	}
	s.Failed++
}

// Same adds a case in which a description is claimed.
func (s *Survey) Same(at Subject, truth, claimed any) {
	s.Add(Display(claimed) == Display(truth), at, claimed, truth)
}

// Compare adds a case in which a true value is claimed to stand in a relation to a printed one.
func (s *Survey) Compare(at Subject, truth Number, r Relation, printed Number) {
	if r.Holds(truth, printed) {
		s.Cases++
		return
	}
	s.Add(false, at, string(r)+Display(printed), truth)
}

// Equal is Compare with equality.
func (s *Survey) Equal(at Subject, truth, printed Number) { s.Compare(at, truth, Equals, printed) }

// Over ends a check: it says over which range it went, and what is worth a note.
func (s *Survey) Over(checked, note string) { s.Checked, s.Note = checked, note }

// Finding returns what was found. Without a range or a case the claim is untested.
func (s *Survey) Finding() Finding {
	switch {
	case s.Checked == "":
		return Finding{Verdict: Untested, Note: s.Note}
	case s.Cases == 0:
		return Finding{Verdict: Untested, Note: "no case within the limits; a larger --max-k has some"}
	}
	f := Finding{Verdict: Holds, Checked: s.Checked + ": 1 case", Counterexample: s.first, Note: s.Note}
	if s.Cases > 1 {
		f.Checked = fmt.Sprintf("%s: %d cases", s.Checked, s.Cases)
	}
	if s.Failed > 0 {
		f.Verdict = Fails
		f.Checked += fmt.Sprintf(", %d fail", s.Failed)
	}
	return f
}

// Fared says, for the note of another survey, how the cases of this one went.
func (s *Survey) Fared(over string) string {
	s.Checked = over
	f := s.Finding()
	return f.Verdict + " in " + f.Checked
}

// Instead is Fared for a repaired statement.
func (s *Survey) Instead(statement string) string {
	return fmt.Sprintf("Instead: %s %s", statement, s.Fared("the same"))
}

// Exactly is Fared for a closed form of our own.
func (s *Survey) Exactly(formula, over string) string {
	return fmt.Sprintf("Exactly: %s; this %s", formula, s.Fared(over))
}

// A Text is a subject in words, or any words of a case.
type Text struct {
	format string
	values []any
	shown  string // the command
}

// Say returns words that are put together, as by fmt.Sprintf, only if they are printed.
func Say(format string, values ...any) Text { return Text{format: format, values: values} }

// By adds the command that shows the true value.
func (t Text) By(command string) Text {
	t.shown = command
	return t
}

func (t Text) String() string { return fmt.Sprintf(t.format, t.values...) }

// Command returns what By added.
func (t Text) Command() string { return t.shown }

// Must returns a value that the library makes of a check's own parameters: an error is a mistake of the check and
// panics.
func Must[T any](v T, err error) T {
	if err != nil {
		panic(fmt.Sprintf("audit: %v", err))
	}
	return v
}
