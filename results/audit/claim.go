package audit

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

// A row is a claim in the table of its paper.
type row struct {
	id, place, statement string // without the name of the paper
	check                check
}

// A check goes through the cases of a claim, adds each to a survey and says there over which range it went.
type check func(s *survey)

func (c check) find(ctx context.Context, l Limits) Finding {
	s := &survey{ctx: ctx, Limits: l}
	c(s)
	return s.finding()
}

// untested is the check of a statement of which nothing can be computed.
func untested(why string) check { return func(s *survey) { s.note = why } }

var definition = untested("a definition: nothing is claimed")

// upTo is a check with MaxK at most n, for those that cost more.
func upTo(n int, c check) check {
	return func(s *survey) {
		s.MaxK = min(s.MaxK, n)
		c(s)
	}
}

// A survey is a check under way: it counts the cases of one claim and keeps the first that fails. Cases are added in
// the order in which "smallest" is meant. The zero survey, without context and limits, counts cases beside another.
type survey struct {
	ctx context.Context
	Limits
	cases, failed int
	first         *Counterexample
	checked, note string // as in Finding, but for the number of cases
}

// done reports whether the check is to end.
func (s *survey) done() bool { return s.ctx.Err() != nil }

// A subject is what one case of a claim is about.
type subject interface {
	String() string  // the parameters
	command() string // a command that shows the true value, empty if there is none
}

// add counts a case that holds or not. What is claimed and true are numbers or words.
func (s *survey) add(holds bool, at subject, claimed, truth any) {
	s.cases++
	if holds {
		return
	}
	if s.failed == 0 {
		s.first = &Counterexample{at.String(), display(claimed), display(truth), at.command()}
	}
	s.failed++
}

// same adds a case in which a description is claimed.
func (s *survey) same(at subject, truth, claimed any) {
	s.add(display(claimed) == display(truth), at, claimed, truth)
}

// compare adds a case in which a true value is claimed to stand in a relation to a printed one.
func (s *survey) compare(at subject, truth number, r relation, printed number) {
	if r.holds(truth, printed) {
		s.cases++
		return
	}
	s.add(false, at, string(r)+display(printed), truth)
}

// equal is compare with equality.
func (s *survey) equal(at subject, truth, printed number) { s.compare(at, truth, equals, printed) }

// over ends a check: it says over which range it went, and what is worth a note.
func (s *survey) over(checked, note string) { s.checked, s.note = checked, note }

// finding returns what was found. Without a range or a case the claim is untested.
func (s *survey) finding() Finding {
	switch {
	case s.checked == "":
		return Finding{Verdict: Untested, Note: s.note}
	case s.cases == 0:
		return Finding{Verdict: Untested, Note: "no case within the limits; a larger --max-k has some"}
	}
	f := Finding{Verdict: Holds, Checked: s.checked + ": 1 case", Counterexample: s.first, Note: s.note}
	if s.cases > 1 {
		f.Checked = fmt.Sprintf("%s: %d cases", s.checked, s.cases)
	}
	if s.failed > 0 {
		f.Verdict = Fails
		f.Checked += fmt.Sprintf(", %d fail", s.failed)
	}
	return f
}

// fared says, for the note of another survey, how the cases of this one went.
func (s *survey) fared(over string) string {
	s.checked = over
	f := s.finding()
	return f.Verdict + " in " + f.Checked
}

// instead is fared for a repaired statement, exactly for a closed form of our own.
func (s *survey) instead(statement string) string {
	return fmt.Sprintf("Instead: %s %s", statement, s.fared("the same"))
}

func (s *survey) exactly(formula, over string) string {
	return fmt.Sprintf("Exactly: %s; this %s", formula, s.fared(over))
}

// A text is a subject in words, or any words of a case.
type text struct {
	format string
	values []any
	shown  string // the command
}

// say returns words that are put together, as by fmt.Sprintf, only if they are printed.
func say(format string, values ...any) text { return text{format: format, values: values} }

// by adds the command that shows the true value.
func (t text) by(command string) text {
	t.shown = command
	return t
}

func (t text) String() string { return fmt.Sprintf(t.format, t.values...) }

func (t text) command() string { return t.shown }

// later is a description that is put together when it is printed.
type later func() string

func (f later) String() string { return f() }

// must returns a value that the library makes of a check's own parameters: an error is a mistake of the check and
// panics.
func must[T any](v T, err error) T {
	if err != nil {
		panic(fmt.Sprintf("audit: %v", err))
	}
	return v
}
