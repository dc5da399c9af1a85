package fast

import (
	"math/big"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
)

// Unstored returns the same loads by translation of those of bases, and computed each time.
func (n *NodeLoads) Unstored() (moved, computed *NodeLoads) {
	computed = &NodeLoads{problem: n.problem, torus: n.torus, den: n.den}
	if len(n.torus.Bases()) == n.torus.N() || !n.Stored() || routing.ByPair(n.problem.Routing) {
		return n, computed
	}
	moved = &NodeLoads{problem: n.problem, torus: n.torus, den: n.den, moved: true, index: make([]int32, n.torus.N())}
	for v := range n.torus.N() {
		moved.index[v] = int32(n.base(v))
	}
	moved.stored = n.stored
	return moved, computed
}

// Additive is the evaluator of client traffic on large networks.
func Additive(n *NodeLoads) Incremental { return newRowSums(n) }

// Displaced are the loads displacement by displacement, in units so small that their numbers pass a word; nil where
// that does not apply.
func Displaced(p objective.Problem, s core.Placement) *objective.Loads {
	den := p.Denominator()
	if den == nil || !invariant(p) {
		return nil
	}
	den.Mul(den, big.NewInt(1<<61+1))
	loads, _ := displaced(p, s, den, nil) // no watch, no error
	return loads
}

// Fits reports whether the sums of n processors fit words.
func Fits(den *big.Int, n int, margin int64) bool { return fits(den, n, margin) }

// Guided is the evaluator by rounded loads of pairs.
func Guided(p objective.Problem, n int) Incremental { return newGuided(p.Routing, n) }
