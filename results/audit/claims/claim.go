// Package claims checks what the papers say: each claim is a small program over the library.
//
// A file seedNNN.go (and tables.go, for the end of seed 004) is the table of a paper. A row is a claim: its name, its
// place in the paper, what it says, and its check, which says over which range it goes, what it compares and what is
// worth a note. claim.go has what checks are written with: a survey counts the cases of a check and keeps the first
// that fails; say names a case; numbers, also formulas as the papers print them (number.go), are compared exactly.
// ranges.go has the tori over which rows go,
// bounds.go and loads.go the checks that several of seeds 000 to 002 share. Package model builds what claims are about.
//
// A check trusts the definitions (core, the naive evaluator) and exact engines that are tested against them, and
// never a closed form. Where a printed closed form is wrong the note conjectures the right one from computed values
// and says in which range that one was tested.
package claims

import (
	"context"
	"fmt"
	"strings"

	"leeway/results/audit"
)

// A row is a claim in the table of its paper.
type row struct {
	id, place, statement string // without the name of the paper
	check                check
}

// A check goes through the cases of a claim, adds each to a survey and says there over which range it went.
type check func(s *survey)

// tables are the rows of the papers, by their prefixes.
var tables = map[string][]row{"seed000": seed000, "seed001": seed001, "seed002": seed002, "seed003": seed003,
	"seed004": seed004}

// Select returns the claims whose ID begins with a prefix, paper by paper, in the order in which they are printed:
// all for the empty prefix, none for an unknown one.
func Select(prefix string) []audit.Claim {
	var claims []audit.Claim
	for _, p := range audit.Papers() {
		for _, r := range tables[p.Prefix] {
			if id := p.Prefix + "-" + r.id; strings.HasPrefix(id, prefix) {
				claims = append(claims, audit.Claim{ID: id, Source: p.Cited + ", " + r.place,
					Statement: r.statement, Check: r.check.find})
			}
		}
	}
	return claims
}

func (c check) find(ctx context.Context, l audit.Limits) audit.Finding {
	s := &survey{ctx: ctx, Limits: l}
	c(s)
	return s.finding()
}

// untested is the check of a statement of which nothing can be computed.
func untested(why string) check { return func(s *survey) { s.note = why } }

var definition = untested("a definition: nothing is claimed")

// limited is a check with MaxK at most n, for those that cost more.
func limited(n int, c check) check {
	return func(s *survey) {
		s.MaxK = min(s.MaxK, n)
		c(s)
	}
}

// A survey is a check under way: it counts the cases of one claim and keeps the first that fails. Cases are added in
// the order in which "smallest" is meant. The zero survey, without context and limits, counts cases beside another.
type survey struct {
	ctx context.Context
	audit.Limits
	letters       // of the formulas: what ranges and checks set for the case at hand
	cases, failed int
	first         *audit.Counterexample
	checked, note string // as in Finding, but for the number of cases
}

// done reports whether the check is to end.
func (s *survey) done() bool { return s.ctx.Err() != nil }

// A subject is what one case of a claim is about.
type subject interface {
	String() string  // the parameters
	Command() string // a command that shows the true value, empty if there is none
}

// add counts a case that holds or not. What is claimed and true are numbers or words.
func (s *survey) add(holds bool, at subject, claimed, truth any) {
	s.cases++
	if holds {
		return
	}
	if s.failed == 0 {
		s.first = &audit.Counterexample{Case: at.String(), Claimed: display(claimed), True: display(truth),
			Command: at.Command()}
	}
	s.failed++
}

// same adds a case in which a description is claimed.
func (s *survey) same(at subject, truth, claimed any) {
	s.add(display(claimed) == display(truth), at, claimed, truth)
}

// compare adds a case in which a true value is claimed to stand in a relation to a printed one.
func (s *survey) compare(at subject, truth number, r relation, printed number) {
	if _, ok := printed.(string); ok {
		printed = s.value(printed)
	}
	if r.holds(truth, printed) {
		s.cases++
		return
	}
	s.add(false, at, string(r)+display(printed), truth)
}

// equal is compare with equality.
func (s *survey) equal(at subject, truth, printed number) { s.compare(at, truth, equals, printed) }

// end ends a check: it says over which range it went, and what is worth a note.
func (s *survey) end(checked, note string) { s.checked, s.note = checked, note }

// finding returns what was found. Without a range or a case the claim is untested.
func (s *survey) finding() audit.Finding {
	switch {
	case s.checked == "":
		return audit.Finding{Verdict: audit.Untested, Note: s.note}
	case s.cases == 0:
		return audit.Finding{Verdict: audit.Untested, Note: "no case within the limits; a larger --max-k has some"}
	}
	f := audit.Finding{Verdict: audit.Holds, Checked: s.checked + ": 1 case", Counterexample: s.first, Note: s.note}
	if s.cases > 1 {
		f.Checked = fmt.Sprintf("%s: %d cases", s.checked, s.cases)
	}
	if s.failed > 0 {
		f.Verdict = audit.Fails
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

// withCommand adds the command that shows the true value.
func (t text) withCommand(command string) text {
	t.shown = command
	return t
}

func (t text) String() string { return fmt.Sprintf(t.format, t.values...) }

func (t text) Command() string { return t.shown }

// later is a description that is put together when it is printed.
type later func() string

func (f later) String() string { return f() }
