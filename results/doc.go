// Package results holds what is written to files: records of placements and
// evaluations, with the schema of a record, strict reading and atomic writing.
//
// A Record is a claim about one placement with its provenance. What is claimed
// (torus, routing, nodes, max_load) is tied together by claim_sha256; everything
// that can be recomputed is recomputed by the package check below, which trusts
// no searcher. An Evaluation is what the command eval prints.
//
// Fractions are strings in lowest terms ("5/2", "4"), nodes are coordinate
// lists in ascending order. docs/formats.md describes every field.
//
//	r, err := results.New(results.Claim{Routing: routing, Placement: p, MaxLoad: big.NewRat(4, 1), ...})
//	text, err := r.Encode()
//	err = results.WriteFile("best.json", text)
package results
