package backend

import "fmt"

// An AbsentError says that a solver is not installed.
type AbsentError struct {
	Solver string
}

// Error names the solver.
func (e *AbsentError) Error() string { return fmt.Sprintf("solver %s is not on the path", e.Solver) }

// A SolverError says that a solver failed, or that its answer is wrong or cannot be read.
type SolverError struct {
	Solver string // path of the program
	Why    string
	Err    error // the cause, nil if there is none
}

// Error names the solver and the reason.
func (e *SolverError) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("solver %s: %s: %v", e.Solver, e.Why, e.Err)
	}
	return fmt.Sprintf("solver %s: %s", e.Solver, e.Why)
}

// Unwrap returns the cause.
func (e *SolverError) Unwrap() error { return e.Err }

// A ProofError says that a solver was asked for a proof in LRAT and cannot give one.
type ProofError struct {
	Solver string
}

// Error names the solver and one that can.
func (e *ProofError) Error() string {
	return fmt.Sprintf("solver %s writes no proof in LRAT; CaDiCaL does, from version 1.7.0 on (--lrat)", e.Solver)
}
