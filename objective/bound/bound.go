// Package bound gives lower bounds on E_max, each with a witness that a reader
// can check by hand.
//
// A bound is for a given placement, or placement-free: then it holds for every
// placement of that size and may be used by a search. All bounds hold for every
// routing by shortest paths, except granularity, which uses the denominator of
// the routing.
package bound

import (
	"fmt"
	"math/big"

	"leeway/core"
	"leeway/core/routing"
)

// The names of the bounds.
const (
	NameDegree        = "degree"
	NameMean          = "mean"
	NameDimensionMean = "dimension-mean"
	NameGranularity   = "granularity"
)

// A Bound says that E_max is at least Value, and why.
type Bound struct {
	Name    string
	Value   *big.Rat
	Witness Witness
}

// Reason returns the bound in words, as records give it.
func (b Bound) Reason() string {
	switch {
	case b.Name == NameGranularity && b.Witness.Denominator == "1":
		return b.Witness.From + ", rounded up to a whole number"
	case b.Name == NameGranularity:
		return fmt.Sprintf("%s, rounded up to a multiple of 1/%s", b.Witness.From, b.Witness.Denominator)
	}
	return b.Name
}

// A Witness holds what a reader needs to repeat the arithmetic of a bound. Only
// the fields that the bound needs are set.
type Witness struct {
	// Set is the node set whose out-links are counted (degree).
	Set [][]int `json:"set,omitempty"`
	// Dim is the dimension whose links are counted (dimension-mean).
	Dim *int `json:"dim,omitempty"`
	// SlabCounts are the processors in the slabs across Dim that give the least
	// distance (dimension-mean, placement-free).
	SlabCounts []int `json:"slab_counts,omitempty"`
	// Distance is the total cyclic distance over ordered pairs, or the least it
	// can be (mean, dimension-mean), and Links what it is divided by.
	Distance string `json:"distance,omitempty"`
	Links    int    `json:"links,omitempty"`
	// From is the bound that is rounded up to a multiple of 1/Denominator
	// (granularity).
	From        string `json:"from,omitempty"`
	Denominator string `json:"denominator,omitempty"`
}

// ForPlacement returns all bounds for placement p under r, in a fixed order.
func ForPlacement(r routing.Routing, p core.Placement) []Bound {
	t := r.Torus()
	bounds := []Bound{degree(t, p.Size(), p.Coords()), mean(p), dimensionMean(p)}
	return append(bounds, granularity(r, Best(bounds)))
}

// ForSize returns all placement-free bounds for n processors under r, in a fixed
// order.
func ForSize(r routing.Routing, n int) []Bound {
	t := r.Torus()
	origin := [][]int{make([]int, t.D())}
	bounds := []Bound{degree(t, n, origin), sizeMean(t, n), sizeDimensionMean(t, n)}
	return append(bounds, granularity(r, Best(bounds)))
}

// Best returns the largest of some bounds, the first among equals.
func Best(bounds []Bound) Bound {
	best := bounds[0]
	for _, b := range bounds[1:] {
		if b.Value.Cmp(best.Value) > 0 {
			best = b
		}
	}
	return best
}

// ratio returns num/den, or 0 when there is nothing to divide by.
func ratio(num *big.Int, den int) *big.Rat {
	if den == 0 {
		return new(big.Rat)
	}
	return new(big.Rat).SetFrac(num, big.NewInt(int64(den)))
}
