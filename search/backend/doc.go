// Package backend runs a solver that is installed on the machine as a process of its own, and asks it for a proof.
//
// It knows SAT solvers that take "-q --no-binary FORMULA [PROOF]" and answer in the notation of the SAT competitions,
// CaDiCaL and Kissat, and clasp, which gets linear constraints and leaves no proof. A placement is evaluated before it
// is returned; a proof is for a checker to judge.
//
//	path, err := backend.Find("cadical")
//	d, err := backend.Decide(ctx, path, problem, below, "proof.drat")
//
// Solve puts any formula to a SAT solver.
package backend
