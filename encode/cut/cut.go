// Package cut says which part of a proof as steps is to be written: all that who writes and who checks it agree on.
package cut

// A Cut says which part of a proof a writer of steps writes. The zero value is all of it.
type Cut struct {
	// Name is that of the slice to write: what Choose chose, and at each branching which of the branches that Branch is
	// called for, from 0 on.
	// What comes before it is not written but for definitions and lemmas, what comes after it not at all.
	Name []int
	// Leave reports whether the branch of a name is left open, as a slice, when a given number of steps were written since
	// the one around it began; nil: none is.
	Leave func(name []int, steps int64) bool
	Most  int64  // steps, with those that engines try and drop, after which they end with ErrMost; 0: any number
	Work  *int64 // if not nil, a writer that is finished adds those steps to it
}
