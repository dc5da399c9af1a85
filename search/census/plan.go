// Package census holds what exact engines share that prove by walking: the plan of one question "is there a placement
// with E_max below a value", its slices, slices walked by many workers, and going on from slices done before.
//
// The trees that engines walk are defined in docs/proofs.md: how many nodes a slice has depends on the question only,
// never on incumbents, workers or order. A checker that shares no code with the engines walks the same trees.
package census

import (
	"context"
	"math/big"

	"leeway/core"
	"leeway/objective"
	"leeway/search"
)

// An Engine can plan a walk that meets every placement below a value.
type Engine interface {
	// Name returns the word by which proofs call the engine and its tree.
	Name() string
	// Supports returns nil if the engine can treat the problem, otherwise an *search.UnsupportedError, as soon as that of
	// a search.Method.
	Supports(objective.Problem) error
	// Plan prepares the walk for one value. Workers change the speed only. Errors are the context's, or a
	// *TooLargeError.
	Plan(ctx context.Context, p objective.Problem, below *big.Rat, workers int) (Plan, error)
}

// A Plan is a tree for one question, cut at prefixes. It may be shared by goroutines; each takes a Walker of its own.
type Plan interface {
	// Split returns the length of the prefixes, 0 where it is not chosen.
	Split() int
	// Prefixes returns the prefixes in order. They belong to the plan.
	Prefixes() [][]int
	Walker() Walker
}

// A Walker walks the tree below one prefix after the other.
type Walker interface {
	// Walk visits the nodes at and below prefix number i. It calls poll with the nodes visited since the last call, at
	// least every few thousand nodes and once at the end, and ends early where poll returns false, or with the first
	// placement below the value. What it returns after poll returned false does not count.
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

// Hash takes the next number of a node's list into its hash, which starts at 0. The sum over nodes does not depend on
// their order.
func Hash(h uint64, v int) uint64 {
	h += (uint64(v) + 1) * 0x9e3779b97f4a7c15
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

// maxSlices is how many slices a plan is cut into at most.
const maxSlices = 256

// A Slice is a range of the prefixes of a plan.
type Slice struct {
	search.Slice
	from int // number of the first prefix
}

// From returns the number of the first prefix.
func (s Slice) From() int { return s.from }

// Cut returns the slices of a plan, nothing counted yet: ranges of equally many prefixes, the last one perhaps shorter.
func Cut(p Plan) []Slice {
	prefixes := p.Prefixes()
	size := max(1, (len(prefixes)+maxSlices-1)/maxSlices)
	var list []Slice
	for from := 0; from < len(prefixes); from += size {
		list = append(list, Slice{search.Slice{First: prefixes[from], Prefixes: min(size, len(prefixes)-from)}, from})
	}
	return list
}

// walk visits the nodes of a slice.
func (s *Slice) walk(w Walker, poll func(nodes int64) bool) Tally {
	var t Tally
	for i := s.from; i < s.from+s.Prefixes; i++ {
		if t.add(w.Walk(i, poll)); t.Ended || t.Found.Size() > 0 {
			break
		}
	}
	s.Nodes, s.Sum = t.Nodes, t.Sum
	return t
}

// A Cluster walks the slices of a tree in place of the workers of this process.
type Cluster interface {
	// Walk does what Run does: slices that are done are left alone, what the others count is what Run would count, and
	// the placement found is the first in the order of the tree. Dropped is called for a slice that turned out to be
	// wrong after Walked was. It fails when the cluster cannot be reached.
	Walk(ctx context.Context, t Tree, slices []Slice, done []bool, o Options) (Answer, error)
}

// A Tree is one question to one engine, with its plan.
type Tree struct {
	Problem objective.Problem
	Below   *big.Rat
	Engine  Engine
	Plan    Plan
}
