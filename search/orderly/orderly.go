// Package orderly shows that no placement has E_max below a value, or lists all within a limit, by orderly generation,
// and writes it as steps (docs/steps.md).
//
// The representative of an orbit of placements is its lexicographically smallest node list. A prefix of a smallest list
// is a smallest list (R. C. Read, "Every one a winner", 1978), so lists that grow by larger nodes and are left as soon
// as a symmetry takes them to smaller ones meet every orbit once. A list is left, too, where its processors, with the
// least that the missing ones bring, put too much on a link.
package orderly

import (
	"leeway/core/routing"
	"leeway/objective"
	"leeway/search"
)

// Name is the word by which records, proofs and flags call the engine.
const Name = "orderly"

// Limits of what is tabled.
const (
	maxNodes     = 256
	maxPairLoads = 1 << 25
	maxUnitBits  = 40
	maxAvoid     = 128 // nodes, where paths depend on the processors
)

// Refutes returns nil for problems that Refute and List take, else an *search.UnsupportedError: all to all, symmetries
// that are known, up to 256 nodes.
func Refutes(p objective.Problem) error {
	t := p.Torus()
	n := t.N()
	if err := search.AllToAll(Name, p); err != nil {
		return err
	}
	switch den := objective.Denominator(p.Routing); {
	case p.Routing.DependsOnPlacement() && n > maxAvoid:
		return search.Unsupported(Name, p, "the torus has %d nodes, paths that depend on processors stop at %d", n, maxAvoid)
	case routing.ByPair(p.Routing):
		return search.Unsupported(Name, p, "translations change the paths of a table by pair")
	case n > maxNodes:
		return search.Unsupported(Name, p, "the torus has %d nodes, the tables stop at %d", n, maxNodes)
	case n*n*t.M()/2 > maxPairLoads:
		return search.Unsupported(Name, p, "the loads of all pairs take more than %d entries", maxPairLoads)
	case den == nil || den.BitLen() > maxUnitBits:
		return search.Unsupported(Name, p, "the denominator of its loads is too large")
	}
	return nil
}
