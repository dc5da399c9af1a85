// Package placements has the claims of the papers about loads of links: seeds 000, 001 and 002. A file seedNNN.go is
// the table of one paper: a row a claim, with its name, its place in the paper, what it says, and its check, which
// says over which range it goes, what it compares and what is worth a note. bounds.go and loads.go have the checks
// that several papers share, setting.go the placements and tori over which rows go.
package placements

import (
	"slices"

	"leeway/core"
	"leeway/results/audit/claim"
)

// Claims returns the claims of the three papers, in their order.
func Claims() []claim.Claim { return slices.Concat(seed000, seed001, seed002) }

// The words in which rows are written.
type (
	check  = claim.Check
	survey = claim.Survey
)

const (
	equals  = claim.Equals
	atLeast = claim.AtLeast
	atMost  = claim.AtMost
	below   = claim.Below
	above   = claim.Above
)

var (
	say, untested, upTo            = claim.Say, claim.Unchecked, claim.UpTo
	ratio, power, rational         = claim.Ratio, claim.Power, claim.Rational
	sum, product, quotient, larger = claim.Sum, claim.Product, claim.Quotient, claim.Larger
)

// cube returns the torus with d sides of k.
func cube(k, d int) *core.Torus { return core.MustTorus(slices.Repeat([]int{k}, d)...) }
