package orderly

import (
	"fmt"
	"math/big"

	"leeway/objective"
	"leeway/search"
)

// Limits of what is tabled: nodes, bits of the unit of loads, loads of all pairs of
// nodes, and words of the node sets below an edge.
const (
	maxNodes      = 256
	maxUnitBits   = 40
	maxPairLoads  = 1 << 25
	maxImageWords = 1 << 25
)

// flows are what node 0 and every other send each other.
type flows struct {
	unit  int64     // loads are multiples of 1/unit
	most  int64     // the largest load of a pair on a link
	first [][]int64 // by node and link, in units
}

// newFlows tables the flows. Cost: O(N) flows of pairs.
func newFlows(p objective.Problem) *flows {
	t, den := p.Torus(), p.Routing.Denominator()
	f := &flows{first: make([][]int64, t.N())}
	divisor := new(big.Int).Set(den)
	for d := range f.first {
		if f.first[d] = make([]int64, t.M()); d == 0 {
			continue
		}
		for _, l := range objective.Exchanged(p.Routing, 0, d, den.Int64()) {
			f.first[d][l.Link(t)] = l.Load
			divisor.GCD(nil, nil, divisor, big.NewInt(l.Load))
		}
	}
	f.unit = new(big.Int).Div(den, divisor).Int64()
	for _, list := range f.first {
		for l := range list {
			list[l] /= divisor.Int64()
			f.most = max(f.most, list[l])
		}
	}
	return f
}

// unsupported refuses a problem.
func unsupported(p objective.Problem, why string, args ...any) error {
	return &search.UnsupportedError{Method: Name, Problem: p.String(), Why: fmt.Sprintf(why, args...)}
}
