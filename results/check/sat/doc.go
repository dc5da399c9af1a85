// Package sat goes through proofs that a formula cannot be satisfied, in the formats DRAT and LRAT, and builds the
// formula of a question about placements.
package sat
