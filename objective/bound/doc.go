// Package bound gives lower bounds on E_max, each with a witness that a reader
// can check by hand.
//
// A bound is for a given placement, or placement-free: then it holds for every
// placement of that size and may be used by a search. All bounds hold for every
// routing by shortest paths, except granularity, which uses the denominator of
// the routing.
package bound
