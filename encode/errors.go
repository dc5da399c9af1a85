package encode

import "fmt"

// An UnsupportedError says that a problem cannot be written as a formula, and
// why.
type UnsupportedError struct {
	Problem string
	Why     string
}

// Error names the problem and the reason.
func (e *UnsupportedError) Error() string {
	return fmt.Sprintf("no formula for %s: %s", e.Problem, e.Why)
}

// A ModelError says that what a solver returned is not a placement of the
// problem. It means a bug in the solver or in the encoding.
type ModelError struct {
	Problem string
	Why     string
}

// Error names the problem and the reason.
func (e *ModelError) Error() string {
	return fmt.Sprintf("wrong model of %s: %s", e.Problem, e.Why)
}
