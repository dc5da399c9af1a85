package fast

import (
	"fmt"
	"math"
	"math/big"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
)

// Assigned tables what a message of 1 from one node to another puts on links, for all pairs of nodes, and evaluates
// assignments of the tasks of a matrix with it. It may be used by many at once.
type Assigned struct {
	problem objective.Problem
	nodes   int
	den     *big.Int // of loads: that of the routing times that of the matrix
	start   []int32  // of the links of pair p*nodes+q in flow, and one more
	flow    []Flow
}

// A Flow is what a message of 1 puts on a link, in units of the routing.
type Flow struct{ Link, Share int32 }

// maxSums is below what the sum of all amounts times all shares must stay, which is that of the largest load.
const maxSums = 1 << 62

// NewAssigned returns the table of a problem whose traffic is a matrix. It has up to MaxPairNodes nodes, for which a
// *core.InputError says so, as it does about numbers beyond a word. Cost: a flow for every pair of nodes.
func NewAssigned(p objective.Problem) (*Assigned, error) {
	t, den := p.Torus(), objective.Denominator(p.Routing)
	refuse := func(problem string) (*Assigned, error) {
		return nil, &core.InputError{Text: p.Routing.String(), Problem: problem}
	}
	if t.N() > MaxPairNodes {
		return refuse(fmt.Sprintf("assignments are tabled on up to %d nodes, %s has %d", MaxPairNodes, t, t.N()))
	}
	if err := routing.Complete(p.Routing); err != nil {
		return nil, err
	}
	total := int64(0)
	for _, d := range p.Traffic.Matrix.Demands {
		total += d.Amount
	}
	if den == nil || !den.IsInt64() || den.Int64() > math.MaxInt32 || total > maxSums/den.Int64() {
		return refuse("the shares of its paths are fractions too fine for a table of assignments")
	}
	e := &Assigned{problem: p, nodes: t.N(), den: new(big.Int).Mul(den, big.NewInt(p.Traffic.Matrix.Den))}
	for from := range t.N() {
		for to := range t.N() {
			e.start = append(e.start, int32(len(e.flow)))
			if from == to {
				continue
			}
			for _, l := range Sent(p.Routing, from, to, den.Int64()) {
				e.flow = append(e.flow, Flow{int32(l.Link(t)), int32(l.Load)})
			}
		}
	}
	e.start = append(e.start, int32(len(e.flow)))
	return e, nil
}

// Den returns the denominator of loads.
func (e *Assigned) Den() *big.Int { return e.den }

// Flow returns what a message of 1 from one node to another puts on links, each once.
func (e *Assigned) Flow(from, to int) []Flow {
	i := from*e.nodes + to
	return e.flow[e.start[i]:e.start[i+1]]
}

// Units returns the loads of an assignment in units of 1/Den. Cost: a flow for every demand.
func (e *Assigned) Units(a objective.Assignment) []int64 {
	loads := make([]int64, e.problem.Torus().M())
	for _, d := range e.problem.Traffic.Matrix.Demands {
		for _, f := range e.Flow(a[d.From], a[d.To]) {
			loads[f.Link] += d.Amount * int64(f.Share)
		}
	}
	return loads
}

// Loads is Units as loads.
func (e *Assigned) Loads(a objective.Assignment) *objective.Loads {
	return objective.NewLoads(e.problem.Torus(), e.den, e.Units(a), nil)
}
