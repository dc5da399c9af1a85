// Package card writes cardinality and pseudo-Boolean constraints as clauses.
//
// ExactlyK, AtMostK and AtMost propagate completely: whenever the literals that are set
// already force another one, unit propagation finds it. Unary numbers are for
// sums that are used more than once.
package card
