// Package exchanges has the claims of the papers about complete exchange: seeds 003 and 004. seed003.go, seed004.go
// and tables.go are tables: a row a claim, with its name, its place in the paper, what it says, and its check, which
// says over which range it goes, what it compares and what is worth a note. graphs.go and rings.go build what the
// papers describe, from their figures and definitions; the checker of schedules is the judge.
package exchanges

import (
	"slices"

	"leeway/core"
	"leeway/results/audit/claim"
)

// Claims returns the claims of both papers, in their order.
func Claims() []claim.Claim { return slices.Concat(seed003, seed004) }

// The words in which rows are written.
type (
	check  = claim.Check
	survey = claim.Survey
	text   = claim.Text
	number = claim.Number
)

const (
	equals  = claim.Equals
	atLeast = claim.AtLeast
	atMost  = claim.AtMost
	below   = claim.Below
	above   = claim.Above
)

var (
	say, untested, display                  = claim.Say, claim.Unchecked, claim.Display
	ratio, power, binary, rational, ceiling = claim.Ratio, claim.Power, claim.Binary, claim.Rational, claim.Ceiling
	sum, product, quotient, larger          = claim.Sum, claim.Product, claim.Quotient, claim.Larger
)

// cube returns the torus with d sides of k.
func cube(k, d int) *core.Torus { return core.MustTorus(slices.Repeat([]int{k}, d)...) }
