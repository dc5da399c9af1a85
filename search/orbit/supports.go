package orbit

import (
	"fmt"
	"math/big"

	"leeway/core/routing"
	"leeway/objective"
	"leeway/search"
)

// Limits of what is tabled: nodes of the torus, bits of the largest load, and
// loads of pairs of orbits.
const (
	maxNodes    = 1024
	maxLoadBits = 29
	maxEntries  = 1 << 24
)

// Name is the word by which records and flags call the method.
const Name = "orbit"

// Supports returns nil for routings whose loads grow with processors and depend
// on displacements only, on tori within the limits of the tables, otherwise an
// *search.UnsupportedError.
func Supports(p objective.Problem) error {
	den, n := p.Routing.Denominator(), big.NewInt(int64(p.Size))
	switch {
	case p.Routing.DependsOnPlacement():
		return unsupported(p, "its loads can fall when a processor is added")
	case !routing.Invariant(p.Routing):
		return unsupported(p, "translations change the paths of a table by pair")
	case p.Torus().N() > maxNodes:
		return unsupported(p, "the torus has %d nodes, the tables stop at %d", p.Torus().N(), maxNodes)
	case den == nil || n.Mul(n, n).Mul(n, den).BitLen() > maxLoadBits:
		return unsupported(p, "its loads over their denominator pass %d bits", maxLoadBits)
	}
	return nil
}

func unsupported(p objective.Problem, why string, args ...any) error {
	return &search.UnsupportedError{Method: Name, Problem: p.String(), Why: fmt.Sprintf(why, args...)}
}
