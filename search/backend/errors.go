package backend

import (
	"fmt"
	"strings"
)

// An AbsentError says that none of the named solvers is installed.
type AbsentError struct {
	Names []string
}

// Error names the solvers.
func (e *AbsentError) Error() string {
	return fmt.Sprintf("no solver is installed: looked on the path for %s", strings.Join(e.Names, ", "))
}

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

// A ProofError says that a solver was asked for a proof and cannot give one.
type ProofError struct {
	Solver string
}

// Error names the solver and those that can.
func (e *ProofError) Error() string {
	return fmt.Sprintf("solver %s leaves no proof; %s do", e.Solver, strings.Join(Names()[:len(Names())-1], " and "))
}
