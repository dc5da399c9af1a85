// Package orderly shows that no placement has E_max below a value, or finds all
// within a limit, by orderly generation with candidate loads. The tree that it
// walks is defined in docs/proofs.md.
//
// The representative of an orbit of placements is its lexicographically smallest
// node list. A prefix of a smallest list is a smallest list (R. C. Read, "Every
// one a winner", 1978), so lists that grow by larger nodes and are cut as soon as
// they are not smallest meet every orbit once. Departures from Read: every node
// that may still be added keeps the loads that it would bring, packed many to a
// word, and goes as soon as they pass the limit; and an automorphism rules nodes
// out for all that follows (see canon.go), not one list at a time.
//
// Loads must grow with processors and translations must preserve them, so avoid
// and tables by pair are refused.
//
// Example: all placements of eight processors on 4x4 with E_max at most 7/4:
//
//	result, err := orderly.Enumerate(ctx, problem, big.NewRat(7, 4), orderly.Options{Workers: 2})
package orderly
