package exhaustive

import (
	"math/big"

	"leeway/core"
	"leeway/objective"
)

// A counter keeps the exact E_max of a set of processors that grows and shrinks.
type counter interface {
	Add(v int)
	Remove(v int)
	// Less reports whether E_max is below that of the last call of Keep, true
	// before the first.
	Less() bool
	// Keep remembers the present E_max and returns it.
	Keep() *big.Rat
}

// newCounter returns the fastest exact counter for the problem.
func newCounter(p objective.Problem) counter {
	fast, err := objective.NewIncremental(p.Routing, p.Size)
	if err != nil || !fast.Exact() {
		return &anew{problem: p, nodes: core.NewSet(p.Torus().N())}
	}
	fast.Reset(nil)
	return &kept{Incremental: fast, least: -1}
}

// kept counts with the incremental evaluator.
type kept struct {
	objective.Incremental
	least int64 // -1: nothing is kept yet
}

func (k *kept) Less() bool {
	peak, _ := k.Peak()
	return k.least < 0 || peak < k.least
}

func (k *kept) Keep() *big.Rat {
	k.least, _ = k.Peak()
	return big.NewRat(k.least, k.Den())
}

// anew evaluates the whole set every time, where the loads do not fit the words
// of the incremental evaluator.
type anew struct {
	problem objective.Problem
	nodes   core.Set
	least   *big.Rat
}

func (a *anew) Add(v int)    { a.nodes.Add(v) }
func (a *anew) Remove(v int) { a.nodes.Remove(v) }

func (a *anew) value() *big.Rat {
	p := core.MustPlacement(a.problem.Torus(), a.nodes.Nodes())
	value, _ := objective.Evaluate(a.problem.Routing, p).Max()
	return value
}

func (a *anew) Less() bool { return a.least == nil || a.value().Cmp(a.least) < 0 }

func (a *anew) Keep() *big.Rat {
	a.least = a.value()
	return a.least
}
