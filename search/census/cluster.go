package census

import (
	"context"
	"math/big"

	"leeway/objective"
)

// A Cluster walks the slices of a tree in place of the workers of this process.
type Cluster interface {
	// Walk does what Run does: slices that are done are left alone, what the others
	// count is what Run would count, and the placement found is the first in the
	// order of the tree. Dropped is called for a slice that turned out to be wrong
	// after Walked was. It fails when the cluster cannot be reached.
	Walk(ctx context.Context, t Tree, slices []Slice, done []bool, o Options) (Answer, error)
}

// A Tree is one question to one engine, with its plan.
type Tree struct {
	Problem objective.Problem
	Below   *big.Rat
	Engine  Engine
	Plan    Plan
}
