// Package backend runs a SAT solver that is installed on the machine as a
// process of its own, and asks it for a proof.
//
// It knows solvers that take "-q --no-binary FORMULA [PROOF]" and answer in the
// notation of the SAT competitions: CaDiCaL and Kissat. A model is checked
// against every clause before it is returned; a proof is for a checker to judge.
//
//	path, err := backend.Find("cadical")
//	answer, err := backend.Solve(ctx, path, formula, "proof.drat")
package backend
