package fast

import (
	"math/big"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
)

// Assigned tables what a message of 1 from one node to another puts on links, for all pairs of nodes, to add up the
// loads of placements of tasks. It may be used by many at once.
type Assigned struct {
	problem objective.Problem
	den     *big.Int // of loads: that of shares times that of the matrix
	exact   bool     // shares are not rounded
	nodes   int      // of the network
	start   []int32  // of the links of pair p*N+q in flow, and one more
	flow    []Flow
}

// A Flow is what a message of 1 puts on a link, in units of the table.
type Flow struct{ Link, Share int32 }

const (
	// MaxAssignedNodes is the most nodes for which flows of all pairs are tabled.
	MaxAssignedNodes = 1024
	maxAssignedFlows = 1 << 27
	// maxSums is what the sum of all amounts times all shares, which the largest load is at most, must stay below.
	maxSums      = 1 << 52 // so that float64 has the loads
	maxShareBits = 30      // shares are at most 2
	// rounded is the denominator of shares that are rounded.
	rounded = 1 << 20
)

// fitAmounts reports whether all amounts of a matrix, times a denominator, fit a word.
func fitAmounts(p objective.Problem, den *big.Int) bool {
	total := int64(0)
	for _, d := range p.Traffic.Matrix.Demands {
		total += d.Amount
	}
	return den != nil && den.IsInt64() && total <= maxSums/den.Int64()
}

// NewAssigned returns the table of a problem whose traffic is a matrix. Shares that have no denominator of at most 30
// bits are rounded down to multiples of 2^-20. Errors are *core.InputError: too many nodes, flows that are too long
// together, a table of paths that does not have all pairs, or amounts beyond a word. Cost: a flow for every pair of
// nodes, or for every displacement.
func NewAssigned(p objective.Problem) (*Assigned, error) {
	if err := Assignable(p); err != nil {
		return nil, err
	}
	t, den := p.Torus(), objective.Denominator(p.Routing)
	e := &Assigned{problem: p, nodes: t.N(), exact: den != nil && den.BitLen() <= maxShareBits && fitAmounts(p, den)}
	if !e.exact {
		den = big.NewInt(rounded * int64(t.CommonBandwidth()))
		for !fitAmounts(p, den) && den.Int64() > 1 {
			den.Rsh(den, 1)
		}
	}
	e.den = new(big.Int).Mul(den, big.NewInt(p.Traffic.Matrix.Den))
	byDisplacement := routing.Invariant(p.Routing)
	first := make([][]Flow, t.N()) // of pairs 0 and d
	for from := range t.N() {
		for to := range t.N() {
			e.start = append(e.start, int32(len(e.flow)))
			d := to
			if byDisplacement {
				d = t.Displacement(from, to)
			}
			if from == to {
				continue
			}
			if from == 0 || !byDisplacement {
				first[d] = nil
				for _, l := range gather(t, den.Int64(), p.Routing.Flow(from, to, nil)) {
					first[d] = append(first[d], Flow{int32(l.Link(t)), int32(l.Load)})
				}
			}
			for _, f := range first[d] {
				if byDisplacement {
					node := int(f.Link) % t.N()
					f.Link += int32(t.Sum(from, node) - node)
				}
				e.flow = append(e.flow, f)
			}
			if len(e.flow) > maxAssignedFlows {
				return nil, core.Invalid(p.Routing.String(), "the paths of all pairs use more links than a table has, %d",
					maxAssignedFlows)
			}
		}
	}
	e.start = append(e.start, int32(len(e.flow)))
	return e, nil
}

// Assignable returns nil where NewAssigned has a table, but for the length of flows, which it does not look at.
func Assignable(p objective.Problem) error {
	switch t := p.Torus(); {
	case t.N() > MaxAssignedNodes:
		return core.Invalid(t.Title(), "tasks are placed on up to %d nodes, it has %d",
			MaxAssignedNodes, t.N())
	case !fitAmounts(p, big.NewInt(int64(t.CommonBandwidth())<<8)):
		return core.Invalid(p.Traffic.Matrix.Title(), "its amounts are too large or too fine to add up").
			Hinted("round the amounts")
	}
	return routing.Complete(p.Routing)
}

// Den returns the denominator of loads.
func (e *Assigned) Den() *big.Int { return e.den }

// Exact reports whether loads are exact: no share is rounded.
func (e *Assigned) Exact() bool { return e.exact }

// Flow returns what a message of 1 from one node to another puts on links, each once.
func (e *Assigned) Flow(from, to int) []Flow {
	i := from*e.nodes + to
	return e.flow[e.start[i]:e.start[i+1]]
}

// Units returns the loads in units of 1/Den where tasks are on some nodes. Cost: a flow for every demand.
func (e *Assigned) Units(at []int) []int64 {
	loads := make([]int64, e.problem.Torus().M())
	for _, d := range e.problem.Traffic.Matrix.Demands {
		for _, f := range e.Flow(at[d.From], at[d.To]) {
			loads[f.Link] += d.Amount * int64(f.Share)
		}
	}
	return loads
}

// demanded returns the kernel of a matrix, which adds up the flows of all demands, as tasks have the nodes.
func demanded(p objective.Problem) kernel {
	flows := NewTable(p.Routing, objective.Denominator(p.Routing).Int64())
	flows.sent = true
	loads := make([]int64, p.Torus().M())
	return func(at []int, w *core.Watch) ([]int64, error) {
		clear(loads)
		for _, d := range p.Traffic.Matrix.Demands {
			Add(flows, loads, at[d.From], at[d.To], d.Amount)
			if j, _ := flows.Pair(at[d.From], at[d.To]); w.Err(1+len(j.Shares)) != nil {
				return nil, w.Err(0)
			}
		}
		return loads, nil
	}
}
