package core

import "fmt"

// An InputError says which part of a text or value that a user wrote is wrong,
// why, and what to write instead.
type InputError struct {
	Text    string // the whole input
	Part    string // the offending part, "" if it is the whole
	Offset  int    // where Part starts in Text, in bytes; only meaningful with Part
	Problem string
	Hint    string // "" if there is none
}

// Error names the input, the place and the problem; the hint is left to the
// caller, who may show it on a line of its own.
func (e *InputError) Error() string {
	if e.Part == "" || e.Part == e.Text {
		return fmt.Sprintf("%q: %s", e.Text, e.Problem)
	}
	return fmt.Sprintf("%q, at %q (character %d): %s", e.Text, e.Part, e.Offset+1, e.Problem)
}
