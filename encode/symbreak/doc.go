// Package symbreak writes clauses that keep one placement of every orbit (and
// perhaps a few more) under a group of automorphisms.
//
// The indicator vector of a placement has entry 1 for every node with a
// processor, in the order of the node numbers. A placement is kept if its
// vector is lexicographically at least that of its images; the largest vector
// of an orbit always is.
package symbreak
