package lattice

import (
	"fmt"
	"math"
	"math/big"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/search"
)

// maxNodes is the most nodes of a torus whose flows are tabled.
const maxNodes = 1 << 14

// Name is the word by which records and flags call the method.
const Name = "lattice"

// supports returns nil for routings whose loads are sums over pairs that depend on
// displacements only and fit 63 bits, otherwise an *search.UnsupportedError.
func supports(p objective.Problem) error {
	why := ""
	switch den := p.Routing.Denominator(); {
	case p.Routing.DependsOnPlacement():
		why = "what two cosets send each other depends on the other processors"
	case !routing.Invariant(p.Routing):
		why = "translations change the paths of a table by pair"
	case p.Torus().N() > maxNodes:
		why = fmt.Sprintf("the torus has %d nodes, the tables stop at %d", p.Torus().N(), maxNodes)
	case den == nil || !fits(den, p.Torus().N()):
		why = "its loads over their denominator do not fit 63 bits"
	}
	if why != "" {
		return &search.UnsupportedError{Method: Name, Problem: p.String(), Why: why}
	}
	return nil
}

// fits reports whether the loads of n processors, in units of 1/den, and sums of
// two of them fit an int64.
func fits(den *big.Int, n int) bool {
	most := new(big.Int).Mul(big.NewInt(int64(n)), big.NewInt(int64(n)))
	return most.Mul(most, den).Cmp(big.NewInt(math.MaxInt64/4)) < 0
}

// flows holds what node 0 sends every other, in units of 1/den.
type flows struct {
	torus *core.Torus
	den   int64
	to    [][]objective.LinkLoad // by destination
}

// newFlows tables the flows of a supported problem. Cost: one flow per node.
func newFlows(r routing.Routing) *flows {
	t := r.Torus()
	f := &flows{torus: t, den: r.Denominator().Int64(), to: make([][]objective.LinkLoad, t.N())}
	for v := 1; v < t.N(); v++ {
		f.to[v] = objective.Sent(r, 0, v, f.den)
	}
	return f
}

// under returns the largest load, in units of 1/den, that is less than value, and
// upTo the largest that is at most value.
func (f *flows) under(value *big.Rat) int64 {
	return objective.UnitsBelow(value, big.NewInt(f.den)).Int64()
}

func (f *flows) upTo(value *big.Rat) int64 {
	return objective.Units(value, big.NewInt(f.den)).Int64()
}
