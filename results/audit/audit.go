// Package audit checks what the papers say. Each numbered statement is a claim: a small program over the library that
// computes the truth for every parameter within [Limits], exactly, and compares.
//
// A file seedNNN.go (and tables.go, for the end of seed 004) is the table of a paper. A row is a claim: its name, its
// place in the paper, what it says, and its check, which says over which range it goes, what it compares and what is
// worth a note. claim.go has what checks are written with: a survey counts the cases of a check and keeps the first
// that fails; say names a case; numbers (number.go) are compared exactly. Seeds 000 to 002 are about loads: bounds.go
// and loads.go have the checks that several of them share, setting.go the placements and tori over which rows go.
// Seeds 003 and 004 are about complete exchange: graphs.go and rings.go build what they describe, from their figures
// and definitions; the checker of schedules is the judge.
//
// A check trusts the definitions (core, the naive evaluator) and exact engines that are tested against them, and
// never a closed form. Where a printed closed form is wrong the note conjectures the right one from computed values
// and says in which range that one was tested.
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
)

// A Paper is the source of claims.
type Paper struct {
	Prefix string // of the IDs of its claims, before a hyphen
	Title  string // with authors and where it appeared
	cited  string // authors, and the year where one is needed
	claims []row
}

// Has reports whether a claim is from the paper.
func (p Paper) Has(claim string) bool { return strings.HasPrefix(claim, p.Prefix+"-") }

// Papers returns the papers in the order of their claims.
func Papers() []Paper { return slices.Clone(papers) }

var papers = []Paper{
	{"seed000", "M. C. Azizoglu and O. Egecioglu, Lower Bounds on Communication Loads and Optimal Placements in Torus " +
		"Networks, IEEE Transactions on Computers 49(3), 2000.", "Azizoglu and Egecioglu 2000", seed000},
	{"seed001", "M. Blaum, J. Bruck, G. D. Pifarre and J. L. C. Sanz, On Optimal Placements of Processors in " +
		"Fault-Tolerant Tori Networks.", "Blaum, Bruck, Pifarre and Sanz", seed001},
	{"seed002", "M. C. Azizoglu and O. Egecioglu, the conference version of seed 000, IPPS/SPDP 1998.",
		"Azizoglu and Egecioglu 1998", seed002},
	{"seed003", "V. V. Dimakopoulos and N. J. Dimopoulos, Decomposition of Total Exchange for Multidimensional " +
		"Interconnects.", "Dimakopoulos and Dimopoulos", seed003},
	{"seed004", "Y.-C. Tseng, S.-Y. Ni and J.-P. Sheu, Toward Optimal Complete Exchange on Wormhole-Routed Tori.",
		"Tseng, Ni and Sheu", seed004},
}

// Select returns the claims whose ID begins with a prefix, paper by paper, in the order in which they are printed:
// all for the empty prefix, none for an unknown one.
func Select(prefix string) []Claim {
	var claims []Claim
	for _, p := range papers {
		for _, r := range p.claims {
			if id := p.Prefix + "-" + r.id; strings.HasPrefix(id, prefix) {
				claims = append(claims, Claim{id, p.cited + ", " + r.place, r.statement, r.check.find})
			}
		}
	}
	return claims
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
		next := make(chan int, len(claims))
		for i := range claims {
			found[i] = make(chan Finding, 1)
			next <- i
		}
		close(next)
		for range max(1, workers) {
			go func() {
				for i := range next {
					found[i] <- examine(ctx, claims[i], l)
				}
			}()
		}
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
