package exchange

import (
	"fmt"
	"iter"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/encode/timetable"
	"leeway/objective/exchange"
	"leeway/results/check/meter"
)

// A network is what a schedule runs on.
type network struct {
	*core.Network
	meter  *meter.Meter
	head   exchange.Head
	demand exchange.Demand
	number []int32 // by node: which of those of the demand it is, -1 if none
}

// newNetwork charges what the tables of the network and its bounds cost.
func newNetwork(head exchange.Head, m *meter.Meter) (*network, error) {
	nodes, edges := 1, 0
	for _, a := range head.Axes {
		if a.Nodes < 1 || a.Nodes > core.MaxNodes/nodes {
			return nil, fmt.Errorf("the network is too large to follow what happens on it")
		}
		nodes *= a.Nodes
		edges += len(a.Edges)
	}
	m.ChargeAll(16, nodes, 1+len(head.Axes))
	m.Charge(int64(16 * edges))
	net, err := head.Network()
	if err != nil {
		return nil, err
	}
	n := &network{Network: net, meter: m, head: head}
	m.ChargeAll(16, net.N()+len(head.Demand))
	if n.demand, err = head.Blocks(); err != nil {
		return nil, err
	}
	if p := len(n.demand.Nodes); n.demand.IsComplete() && p*p > maxPositions {
		return nil, fmt.Errorf("%d processors have too many blocks to follow them all: the most is %d", p, maxPositions)
	}
	n.number = slices.Repeat([]int32{-1}, net.N())
	for i, v := range n.demand.Nodes {
		n.number[v] = int32(i)
	}
	return n, nil
}

// follows reports whether a link goes along the axis and in the direction that a send names, -1 and 0 for any.
func (n *network) follows(l core.Link, axis int, dir core.Dir) bool {
	if axis < 0 && dir == 0 {
		return true
	}
	port := n.head.PortOf(n.Network, l)
	return (axis < 0 || port.Dim == axis) && (dir == 0 || port.Dir == 0 || port.Dir == dir)
}

// links yields the links that leave a node, in the sequence of their numbers.
func (n *network) links(v int) iter.Seq[core.Link] {
	return func(yield func(core.Link) bool) {
		n.meter.Charge(int64(n.Degree()))
		for port := range n.Degree() {
			if l := core.Link(port*n.N() + v); n.HasLink(l) && !yield(l) {
				return
			}
		}
	}
}

func (n *network) processor(v int32) bool {
	return v >= 0 && int(v) < n.N() && n.number[v] >= 0
}

// Bounds are lower bounds on any exchange of the same blocks on the same network in the same model.
type Bounds struct {
	Phases       int64 `json:"phases"`       // startups or steps
	Transmission int64 `json:"transmission"` // blocks
}

// bounds returns the lower bounds. Both are the steps where each has sends of one block.
func (n *network) bounds() Bounds {
	if n.head.Model == exchange.Wormhole {
		n.meter.Charge(n.spread())
		startups, transmission := exchange.WormholeBounds(n.Network, n.demand.Nodes)
		return Bounds{startups, transmission}
	}
	most := int64(n.named()[0].Steps)
	return Bounds{most, most}
}

// named returns the bounds that need no witness of a schedule in steps, the best first.
func (n *network) named() []exchange.Bound {
	n.meter.Charge(n.spread())
	if p := int64(len(n.demand.Nodes)); !n.demand.IsComplete() {
		n.meter.Charge(int64(len(n.head.Demand)))
	} else if n.head.Model == exchange.AllPort || !n.Separable() {
		n.meter.Charge(p * p)
	}
	if n.D() == 1 && n.Open(0) { // searches from every node
		n.meter.ChargeAll(n.N(), n.N()+n.M())
	}
	return exchange.Bounds(n.head.Model, n.Network, n.demand)
}

// spread returns what it takes to look at the distances of the processors along each dimension.
func (n *network) spread() int64 {
	sides := int64(0)
	for _, k := range n.Dims() {
		sides += int64(k) * int64(k)
	}
	return sides + int64(len(n.demand.Nodes))*int64(n.D())
}

// BoundProblem says why the lower bound on steps that the proof of the head names is not as high as the proof says, ""
// if it is.
func BoundProblem(head exchange.Head, m *meter.Meter) string {
	p := head.Proof
	n, err := newNetwork(head, m)
	if err != nil {
		return err.Error()
	}
	var value *big.Rat
	if p.Bound == exchange.WeightBound || p.Bound == exchange.CongestionBound {
		if value, err = n.weightedSteps(p.Weights); err != nil {
			return err.Error()
		}
	} else {
		list := n.named()
		i := slices.IndexFunc(list, func(b exchange.Bound) bool { return b.Name == p.Bound })
		if i < 0 {
			return fmt.Sprintf("no bound of the model %s is named %q", head.Model, p.Bound)
		}
		value = list[i].Value
	}
	if value.Cmp(big.NewRat(int64(p.Below)-1, 1)) <= 0 { // rounded up it is below
		return fmt.Sprintf("the bound %s is %s, below %d", p.Bound, value.RatString(), p.Below)
	}
	return ""
}

// sendSteps is what the formula of an exchange takes for each possible send of a block for one processor over one link
// in one step: it is kept in two tables and stands in several clauses.
const sendSteps = 1024

// Question returns "is there an exchange in a given number of steps" as a question for package timetable, after
// charging the sends and distances of its formula. Errors say what is wrong with the network.
func Question(head exchange.Head, steps int, m *meter.Meter) (timetable.Question, error) {
	n, err := newNetwork(head, m)
	if err != nil {
		return timetable.Question{}, err
	}
	q := timetable.Question{Neighbours: exchange.Neighbours(n.Network), Participants: n.demand.Nodes, Steps: steps}
	links := 0
	for _, list := range q.Neighbours {
		links += len(list)
	}
	m.ChargeAll(sendSteps, len(n.demand.Nodes), links, steps)
	m.ChargeAll(16, n.N(), n.N()+links) // distances
	return q, nil
}
