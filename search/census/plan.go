package census

import (
	"context"
	"math/big"

	"leeway/core"
	"leeway/objective"
)

// An Engine can plan a walk that meets every placement below a value.
type Engine interface {
	// Name returns the word by which proofs call the engine and its tree.
	Name() string
	// Supports returns nil if the engine can treat the problem, otherwise an
	// *search.UnsupportedError.
	Supports(objective.Problem) error
	// Plan prepares the walk for one value. Workers change the speed only. Errors
	// are the context's, or a *TooLargeError.
	Plan(ctx context.Context, p objective.Problem, below *big.Rat, workers int) (Plan, error)
}

// A Plan is a tree for one question, cut at prefixes. It may be shared by
// goroutines; each takes a Walker of its own.
type Plan interface {
	// Split returns the length of the prefixes, 0 where it is not chosen.
	Split() int
	// Prefixes returns the prefixes in order. They belong to the plan.
	Prefixes() [][]int
	Walker() Walker
}

// A Walker walks the tree below one prefix after the other.
type Walker interface {
	// Walk visits the nodes at and below prefix number i. It calls poll with the
	// nodes visited since the last call, at least every few thousand nodes and once
	// at the end, and ends early where poll returns false, or with the first
	// placement below the value. What it returns after poll returned false does not
	// count.
	Walk(i int, poll func(nodes int64) bool) Tally
}

// A Tally is what a walk met.
type Tally struct {
	Nodes int64
	Sum   uint64         // of the hashes of the nodes
	Found core.Placement // below the value; its zero value if there was none
	Ended bool           // early: the counts are of no use
}

// add takes in the tally of the next prefix.
func (t *Tally) add(next Tally) {
	t.Nodes += next.Nodes
	t.Sum += next.Sum
	t.Found, t.Ended = next.Found, next.Ended
}

// PollEvery is how many nodes are visited between two polls.
const PollEvery = 1024

// A Counter is the tally of a walk under way, for walkers to embed.
type Counter struct {
	Tally
	poll  func(nodes int64) bool
	since int64 // nodes since the last poll
}

// Start begins a walk.
func (c *Counter) Start(poll func(nodes int64) bool) { *c = Counter{poll: poll} }

// Visit counts a node with its hash and reports whether to go on.
func (c *Counter) Visit(hash uint64) bool {
	c.Nodes++
	c.Sum += hash
	if c.since++; c.since == PollEvery {
		c.since = 0
		c.Ended = !c.poll(PollEvery)
	}
	return !c.Ended
}

// End polls for the last nodes and returns what the walk met.
func (c *Counter) End() Tally {
	c.Ended = !c.poll(c.since) || c.Ended
	return c.Tally
}

// HashAll takes the numbers of a list into a hash, one after the other.
func HashAll(h uint64, list []int) uint64 {
	for _, v := range list {
		h = Hash(h, v)
	}
	return h
}

// Hash takes the next number of a node's list into its hash, which starts at 0.
// The sum over nodes does not depend on their order.
func Hash(h uint64, v int) uint64 {
	h += (uint64(v) + 1) * 0x9e3779b97f4a7c15
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}
