// Package backend runs a solver that is installed on the machine as a process of its own, and asks it for a proof.
//
// It knows SAT solvers that take "-q --no-binary --lrat FORMULA PROOF", write proofs in LRAT and answer in the notation
// of the SAT competitions, as CaDiCaL does, and clasp, which gets linear constraints and leaves no proof. A placement
// is evaluated before it is returned; a proof is for a checker to judge.
//
//	path, err := backend.Prover("cadical")
//	d, err := backend.Decide(ctx, path, problem, below, "proof.lrat")
//
// Solve puts any formula to a SAT solver.
package backend
