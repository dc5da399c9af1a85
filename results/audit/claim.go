package audit

import "context"

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

// Finding is what a check found.
type Finding struct {
	Verdict        string          `json:"verdict"`
	Checked        string          `json:"checked"`        // range of parameters and number of cases; empty if untested
	Counterexample *Counterexample `json:"counterexample"` // the smallest, exactly if the claim fails
	Note           string          `json:"note"`           // why untested; what is true instead, and where that was tested
}

// Counterexample is the first case, in the order that Checked states, in which a
// claim is wrong.
type Counterexample struct {
	Case    string `json:"case"`    // the parameters
	Claimed string `json:"claimed"` // fractions in lowest terms
	True    string `json:"true"`
	Command string `json:"command"` // shows the true value; empty if no command does
}

// untested is the check of a statement of which nothing can be computed.
func untested(why string) func(context.Context, Limits) Finding {
	return func(context.Context, Limits) Finding { return Finding{Verdict: Untested, Note: why} }
}
