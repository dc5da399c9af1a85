// Package audit has what an audit of the papers says: papers, claims, findings, and the page docs/audit.md. A claim is
// a numbered statement of a paper, with a check that computes the truth for every parameter within [Limits], exactly,
// and compares. Run checks claims; what it finds at the default limits is part of the program.
//
// Package claims has the claims and their checks, package model what they are about.
package audit

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"

	"leeway/core/parallel"
)

// A Paper is the source of claims.
type Paper struct {
	Prefix string // of the IDs of its claims, before a hyphen
	Title  string // with authors and where it appeared
	Cited  string // authors, and the year where one is needed
}

// Has reports whether a claim is from the paper.
func (p Paper) Has(claim string) bool { return strings.HasPrefix(claim, p.Prefix+"-") }

// Papers returns the papers in the order of their claims.
func Papers() []Paper { return slices.Clone(papers) }

var papers = []Paper{
	{"seed000", "M. C. Azizoglu and O. Egecioglu, Lower Bounds on Communication Loads and Optimal Placements in Torus " +
		"Networks, IEEE Transactions on Computers 49(3), 2000.", "Azizoglu and Egecioglu 2000"},
	{"seed001", "M. Blaum, J. Bruck, G. D. Pifarre and J. L. C. Sanz, On Optimal Placements of Processors in " +
		"Fault-Tolerant Tori Networks.", "Blaum, Bruck, Pifarre and Sanz"},
	{"seed002", "M. C. Azizoglu and O. Egecioglu, the conference version of seed 000, IPPS/SPDP 1998.",
		"Azizoglu and Egecioglu 1998"},
	{"seed003", "V. V. Dimakopoulos and N. J. Dimopoulos, Decomposition of Total Exchange for Multidimensional " +
		"Interconnects.", "Dimakopoulos and Dimopoulos"},
	{"seed004", "Y.-C. Tseng, S.-Y. Ni and J.-P. Sheu, Toward Optimal Complete Exchange on Wormhole-Routed Tori.",
		"Tseng, Ni and Sheu"},
}

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

// An Item is a claim with its finding, in the words of the JSON document.
type Item struct {
	Claim     string `json:"claim"`
	Source    string `json:"source"`
	Statement string `json:"statement"`
	Finding
}

// NewItem joins a claim and its finding.
func NewItem(c Claim, f Finding) Item { return Item{c.ID, c.Source, c.Statement, f} }

// Count returns how many items have a verdict.
func Count(items []Item, verdict string) int {
	n := 0
	for _, it := range items {
		if it.Verdict == verdict {
			n++
		}
	}
	return n
}

//go:embed findings.json
var findings []byte

var shipped = sync.OnceValues(func() ([]Item, error) {
	var document struct{ Items []Item }
	if err := json.Unmarshal(findings, &document); err != nil {
		return nil, fmt.Errorf("audit: findings.json: %w", err)
	}
	return document.Items, nil
})

// Shipped returns the findings at the default limits that are part of the program. make audit writes them anew;
// docs/audit.md has the same. Callers must not change them.
func Shipped() ([]Item, error) { return shipped() }

// DefaultMaxK is the largest side that an audit goes to on two axes unless told otherwise. LeastMaxK leaves some
// claims without a case, GreatestMaxK takes minutes.
const (
	DefaultMaxK  = 16
	LeastMaxK    = 4
	GreatestMaxK = 32
)

// Run checks claims by some workers at once and yields them in order, each with its finding. Findings do not depend
// on the number of workers. Once the context is done the claims that are not finished are untested.
func Run(ctx context.Context, claims []Claim, l Limits, workers int) iter.Seq2[Claim, Finding] {
	return func(yield func(Claim, Finding) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		found := make([]chan Finding, len(claims)) // one each, with room, so that no worker is ever held up
		for i := range found {
			found[i] = make(chan Finding, 1)
		}
		go parallel.Each(context.WithoutCancel(ctx), workers, len(claims), func(i int) {
			found[i] <- examine(ctx, claims[i], l)
		})
		for i, c := range claims {
			if !yield(c, <-found[i]) {
				return
			}
		}
	}
}

// examine runs one claim. What a check returns after it was told to stop is dropped.
func examine(ctx context.Context, c Claim, l Limits) Finding {
	if ctx.Err() == nil {
		if f := c.Check(ctx, l); ctx.Err() == nil {
			return f
		}
	}
	return Finding{Verdict: Untested, Note: "the audit was stopped before the end of this check"}
}
