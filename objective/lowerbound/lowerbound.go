// Package lowerbound names the lower bounds on E_max, and says what the witness of one is.
package lowerbound

import (
	"fmt"
	"leeway/core/linkname"
	"math/big"
)

// The names of the lower bounds on E_max.
const (
	Degree        = "degree"
	Mean          = "mean"
	DimensionMean = "dimension-mean"
	Band          = "band"
	Corner        = "corner"
	Separator     = "separator"
	Slab          = "slab"
	Bisection     = "bisection"
	Fixed         = "fixed"
	Margin        = "margin"
	Lines         = "lines"
	Congestion    = "congestion"
	Dual          = "dual"
	Granularity   = "granularity"
	Pair          = "pair" // of the tasks of a matrix, as the next one
	Link          = "link"
	Weights       = "weights"
)

// A Bound says that E_max is at least Value, and why.
type Bound struct {
	Name    string
	Value   *big.Rat
	Witness Witness
}

// A Scope says under which routings a bound holds.
type Scope int

// The scopes. Margins are of the given routing, but what they take from others stands in for it: see package margin.
const (
	GivenRouting  Scope = iota // the one that the bound is derived for
	ShortestPaths              // every routing by shortest paths
	AnyRouting                 // every routing by paths, also adaptive ones and those with detours
)

// Scope returns under which routings the bound holds.
func (b Bound) Scope() Scope {
	switch b.Name {
	case Degree, Separator, Slab, Bisection, Band, Mean, DimensionMean:
		return AnyRouting
	case Congestion:
		return ShortestPaths
	}
	return GivenRouting
}

// Reason returns the bound in words, as records give it.
func (b Bound) Reason() string {
	switch {
	case b.Name == Granularity && b.Witness.Denominator == "1":
		return b.Witness.From + ", rounded up to a whole number"
	case b.Name == Granularity:
		return fmt.Sprintf("%s, rounded up to a multiple of 1/%s", b.Witness.From, b.Witness.Denominator)
	}
	return b.Name
}

// A Witness holds what a reader needs to repeat the arithmetic of a bound. Only
// the fields that the bound needs are set.
type Witness struct {
	// Set is the node set whose out-links are counted (degree, separator, slab,
	// bisection, corner).
	Set [][]int `json:"set,omitempty"`
	// Dim is the dimension of the counted links (dimension-mean) or of the two
	// cuts (slab, band).
	Dim *int `json:"dim,omitempty"`
	// SlabCounts are the processors in the slabs across Dim that give the least
	// distance (dimension-mean, placement-free), or whose best band is least (band).
	SlabCounts []int `json:"slab_counts,omitempty"`
	// Distance is the total cyclic distance over ordered pairs, or the least it
	// can be (mean, dimension-mean).
	Distance string `json:"distance,omitempty"`
	// Links is how many directed links share the traffic: those out of the set,
	// or those that the distance is spread over.
	Links int `json:"links,omitempty"`
	// Capacity is the sum of the bandwidths of these links, which divides the
	// traffic; set only on a network where not all of them are 1.
	Capacity int64 `json:"capacity,omitempty"`
	// Weights are the links with a weight above 0 (congestion, dual). The bound is the
	// total over ordered pairs of the cheapest minimal path, or over the cheapest
	// processors of what each loads with its clients, over the total of weight
	// times bandwidth. Of the bound fixed it is the link that is looked at.
	Weights []LinkWeight `json:"weights,omitempty"`
	// Refuted is the largest multiple of 1/Denominator that is ruled out (margin,
	// lines).
	Refuted string `json:"refuted,omitempty"`
	// From is the bound that is rounded up to a multiple of 1/Denominator
	// (granularity).
	From        string `json:"from,omitempty"`
	Denominator string `json:"denominator,omitempty"`
}

// A LinkWeight is the weight of one directed link, a whole number in decimal.
type LinkWeight struct {
	linkname.Name
	Weight string `json:"weight"`
}
