// Package sat looks for placements with the SAT solver gini: it asks for a placement with all loads below the best
// value known, and again, until there is none.
//
// This is the only package that imports gini. The solver logs no proof, so its answer "none" is reported as a claim;
// every placement that it finds is evaluated exactly before it counts.
package sat
