// Package card writes cardinality and pseudo-Boolean constraints as clauses.
//
// Both encodings propagate completely: whenever the literals that are set
// already force another one, unit propagation finds it.
package card
