package disk

import "fmt"

// A TargetError says that a file cannot be written because of where it should go: the caller asked for the wrong place.
type TargetError struct {
	Path    string
	Problem string
	Hint    string
}

// Error names the path and the problem.
func (e *TargetError) Error() string { return fmt.Sprintf("cannot write %q: %s", e.Path, e.Problem) }

// A WriteError says that writing began and failed, for instance on a full disk. The target is as it was before.
type WriteError struct {
	Path string
	Err  error
}

// Error names the path and the cause.
func (e *WriteError) Error() string { return fmt.Sprintf("writing %q failed: %v", e.Path, e.Err) }

// Unwrap returns the cause.
func (e *WriteError) Unwrap() error { return e.Err }
