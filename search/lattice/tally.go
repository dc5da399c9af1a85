package lattice

import (
	"slices"
	"sync/atomic"
)

// A tally is the account of one look at one lattice: unions evaluated, and those
// found that were better than everything before, with when.
type tally struct {
	limit  int64 // loads above are of no interest
	enough int64 // a union with at most this load ends the look
	budget int64 // unions that may be evaluated
	stop   *atomic.Bool
	spent  int64
	found  []find
}

// A find is a union of cosets, its largest load, and how many unions had been
// evaluated with it.
type find struct {
	union []int
	load  int64
	at    int64
}

// ended reports whether the look may not or need not go on.
func (c *tally) ended() bool {
	return c.spent >= c.budget || c.limit < c.enough || c.stop.Load()
}

// take notes a union within the limit and lowers it.
func (c *tally) take(union []int, load int64) {
	c.found = append(c.found, find{union: slices.Clone(union), load: load, at: c.spent})
	c.limit = load - 1
}
