package check

import (
	"context"
	"math/big"

	"leeway/objective"
	"leeway/results/check/meter"
	"leeway/results/check/trees"
)

// A Rewalk repeats parts of a census that others have counted, with the walks of this
// package. It may be shared by goroutines.
type Rewalk struct{ walk trees.Walk }

// NewRewalk prepares to walk the tree of an engine for one value; cut at prefixes of a
// length, 0 where the tree has none to choose. Errors are those by which Record calls
// a census of that tree wrong, or too large to be walked again.
func NewRewalk(ctx context.Context, p objective.Problem, below *big.Rat, engine string, split int) (*Rewalk, error) {
	w, err := trees.New(meter.Unlimited(ctx), p.Routing, p.Size, below, engine, split)
	if err != nil {
		return nil, err
	}
	return &Rewalk{walk: w}, nil
}

// Prefixes returns the prefixes of the tree, in order. They belong to the Rewalk.
func (w *Rewalk) Prefixes() [][]int { return w.walk.Prefixes() }

// A Count is what a Rewalk met.
type Count = trees.Tally

// Walk visits the nodes at and below the prefixes from..to-1 and counts them. It ends
// early with the first placement below the value, with more than most nodes, or when
// the context ends. It takes as long as walking the nodes.
func (w *Rewalk) Walk(ctx context.Context, from, to int, most int64) Count {
	return w.walk.Run(meter.Unlimited(ctx), from, to, most)
}
