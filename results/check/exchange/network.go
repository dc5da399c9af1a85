package exchange

import (
	"fmt"
	"math/big"
	"math/bits"
	"slices"

	"leeway/core"
	"leeway/encode/timetable"
	"leeway/objective/exchange"
	"leeway/results/check/meter"
)

// Limits of what is checked. Those of an axis bound its table of distances and the searches that fill the table.
const (
	maxAxes      = 32
	maxNodeAxes  = 1 << 27 // nodes times axes
	maxAxisNodes = 1 << 12
	maxAxisWork  = 1 << 28 // nodes times edges
)

// A network is the product that a schedule runs on, nodes row by row.
type network struct {
	meter      *meter.Meter
	axes       []axis
	strides    []int
	nodes      int
	processors []int   // ascending
	number     []int32 // by node: which processor it is, -1 if none

	twist [][]int // by axis: what its end adds to the coordinates; nil for nothing
	order []int   // of the axes: each before those that its twist moves
	out   [][]link
	first []int // by node: the number of its first link
	links int
}

// An axis is a factor of the product.
type axis struct {
	kind       exchange.Kind
	nodes      int
	neighbours [][]int32 // by node; nil where all are
	distance   [][]int32
}

func newNetwork(head exchange.Head, m *meter.Meter) (*network, error) {
	if len(head.Axes) > maxAxes {
		return nil, fmt.Errorf("there are %d axes; the most is %d", len(head.Axes), maxAxes)
	}
	n := &network{meter: m, nodes: 1}
	for i, a := range head.Axes {
		if a.Nodes < 1 || a.Nodes > maxAxisNodes {
			return nil, fmt.Errorf("axis %d has %d nodes, outside 1..%d", i, a.Nodes, maxAxisNodes)
		}
		if n.nodes *= a.Nodes; n.nodes > core.MaxNodes || n.nodes*len(head.Axes) > maxNodeAxes {
			return nil, fmt.Errorf("the network is too large to follow what happens on it")
		}
		next, err := newAxis(a, m)
		if err != nil {
			return nil, fmt.Errorf("axis %d: %w", i, err)
		}
		n.axes = append(n.axes, next)
	}
	n.strides = make([]int, len(n.axes))
	for i, stride := len(n.axes)-1, 1; i >= 0; i-- {
		n.strides[i] = stride
		stride *= n.axes[i].nodes
	}
	if err := n.checkEnds(head); err != nil {
		return nil, err
	}
	if err := n.setProcessors(head.Participants); err != nil {
		return nil, err
	}
	if p := len(n.processors); p*p > maxPositions {
		return nil, fmt.Errorf("%d processors have too many blocks to follow them all: the most is %d", p, maxPositions)
	}
	return n, nil
}

func (n *network) setProcessors(list []int) error {
	n.meter.Charge(int64(16 * n.nodes))
	n.number = make([]int32, n.nodes)
	for v := range n.number {
		n.number[v] = -1
		if list == nil {
			n.processors = append(n.processors, v)
		}
	}
	for i, v := range list {
		switch {
		case v < 0 || v >= n.nodes:
			return fmt.Errorf("participant %d lies outside 0..%d", v, n.nodes-1)
		case i > 0 && list[i-1] >= v:
			return fmt.Errorf("participants are not ascending: %d stands before %d", list[i-1], v)
		}
		n.processors = append(n.processors, v)
	}
	for i, v := range n.processors {
		n.number[v] = int32(i)
	}
	return nil
}

func newAxis(a exchange.Axis, m *meter.Meter) (axis, error) {
	out := axis{kind: a.Kind, nodes: a.Nodes}
	m.ChargeAll(4, a.Nodes, a.Nodes) // the distances
	if a.Kind == exchange.Complete {
		for u := range a.Nodes {
			row := slices.Repeat([]int32{1}, a.Nodes)
			row[u] = 0
			out.distance = append(out.distance, row)
		}
		return out, nil
	}
	if len(a.Edges)*a.Nodes > maxAxisWork {
		return axis{}, fmt.Errorf("%d nodes with %d edges are too many to find all distances", a.Nodes, len(a.Edges))
	}
	if err := out.join(a); err != nil {
		return axis{}, err
	}
	for u := range a.Nodes {
		m.Charge(int64(2 * (a.Nodes + len(a.Edges))))
		row, reached := breadthFirst(out.neighbours, u)
		if reached < a.Nodes {
			return axis{}, fmt.Errorf("the graph is not connected")
		}
		out.distance = append(out.distance, row)
	}
	return out, nil
}

// join fills in the neighbours.
func (a *axis) join(from exchange.Axis) error {
	a.neighbours = make([][]int32, a.nodes)
	join := func(u, v int) {
		a.neighbours[u] = append(a.neighbours[u], int32(v))
		a.neighbours[v] = append(a.neighbours[v], int32(u))
	}
	for _, e := range from.Edges {
		if min(e[0], e[1]) < 0 || max(e[0], e[1]) >= a.nodes || e[0] == e[1] {
			return fmt.Errorf("there is no edge %v", e)
		}
		join(e[0], e[1])
	}
	if a.kind == exchange.Graph {
		return nil
	}
	for u := range a.nodes - 1 {
		join(u, u+1)
	}
	if a.kind == exchange.Ring && a.nodes > 2 {
		join(a.nodes-1, 0)
	}
	return nil
}

// breadthFirst returns the distances from a node and how many nodes it reaches.
func breadthFirst(neighbours [][]int32, from int) ([]int32, int) {
	distance := make([]int32, len(neighbours))
	for v := range distance {
		distance[v] = -1
	}
	distance[from] = 0
	queue := []int32{int32(from)}
	for i := 0; i < len(queue); i++ {
		for _, w := range neighbours[queue[i]] {
			if distance[w] < 0 {
				distance[w] = distance[queue[i]] + 1
				queue = append(queue, w)
			}
		}
	}
	return distance, len(queue)
}

func (a *axis) adjacent(from, to int) bool { return a.distance[from][to] == 1 }

// directed reports whether neighbours lie in the given direction, if the axis has directions. On a ring of 2 nodes both
// directions lead to the other node.
func (a *axis) directed(from, to int, dir core.Dir) bool {
	switch {
	case dir == 0 || a.kind == exchange.Complete || a.kind == exchange.Graph:
		return true
	case a.kind == exchange.Ring:
		return (from+int(dir)+a.nodes)%a.nodes == to
	}
	return from+int(dir) == to
}

func (n *network) coord(v int32, axis int) int { return int(v) / n.strides[axis] % n.axes[axis].nodes }

// next returns the node one step along a ring or path in a direction; false at the end of a path.
func (n *network) next(v, axis int, dir core.Dir) (int, bool) {
	nodes, stride := n.axes[axis].nodes, n.strides[axis]
	c := v / stride % nodes
	next := c + int(dir)
	if next < 0 || next >= nodes {
		if n.axes[axis].kind == exchange.Path {
			return v, false
		}
		next = (next + nodes) % nodes
	}
	return v + (next-c)*stride, true
}

// differOnly reports whether two nodes differ in one coordinate and no other.
func (n *network) differOnly(u, v int32, axis int) bool {
	moved := (n.coord(v, axis) - n.coord(u, axis)) * n.strides[axis]
	return moved != 0 && int(u)+moved == int(v)
}

func (n *network) processor(v int32) bool {
	return v >= 0 && int(v) < n.nodes && n.number[v] >= 0
}

// Bounds are lower bounds on any complete exchange of the same processors on the same network in the same model.
type Bounds struct {
	Phases       int64 `json:"phases"`       // startups or steps
	Transmission int64 `json:"transmission"` // blocks
}

// bounds returns the lower bounds. Both are the steps where each has sends of one block.
func (n *network) bounds(model exchange.Model) Bounds {
	p := int64(len(n.processors))
	if p < 2 {
		return Bounds{}
	}
	if model == exchange.AllPort {
		steps := n.linkSteps()
		return Bounds{steps, steps}
	}
	most := max(p-1, n.cutBound()) // a processor sends p-1 blocks
	if model == exchange.Wormhole {
		return Bounds{Phases: int64(bits.Len64(uint64(p - 1))), Transmission: most}
	}
	most = max(most, n.rampBound(), n.flightBound(), n.bottleneckBound())
	return Bounds{most, most}
}

// rampBound returns the steps that the distances of all blocks need. At most P blocks leave the P processors in a step,
// so that in step k, from 0, at most (k+1)P nodes have something to send; the same holds backwards from the end. If all
// nodes are processors this is the mean status, rounded up (seed 003, (1)).
func (n *network) rampBound() int64 {
	work := n.work()
	nodes, p := int64(n.nodes), int64(len(n.processors))
	for steps := int64(1); ; steps++ {
		n.meter.Charge(1)
		rise := min((nodes-1)/p, steps/2) // steps at each end that cannot be full
		if 2*p*rise*(rise+1)/2+(steps-2*rise)*min(nodes, p*(rise+1)) >= work {
			return steps
		}
	}
}

// flightBound returns the steps needed between the first sends and the last receives. The p-1 blocks of a processor
// leave in different steps, at best 0, 1, ..; those for it arrive in different steps; in between each block needs at
// least its distance. Summed over all blocks, p(p-1)T - p(p-1)(p-2) is at least the sum of the distances.
func (n *network) flightBound() int64 {
	p := int64(len(n.processors))
	pairs := p * (p - 1)
	return (n.work() + pairs*(p-2) + pairs - 1) / pairs
}

// work returns the sum of the distances of all blocks, axis by axis.
func (n *network) work() int64 {
	total := int64(0)
	for i, a := range n.axes {
		n.meter.Charge(int64(len(n.processors)) + int64(a.nodes)*int64(a.nodes))
		count := make([]int64, a.nodes)
		for _, v := range n.processors {
			count[n.coord(int32(v), i)]++
		}
		for c, row := range a.distance {
			for d, distance := range row {
				total += count[c] * count[d] * int64(distance)
			}
		}
	}
	return total
}

// bottleneckBound returns the most blocks that one node must send: its own and those between parts of a path or a graph
// that only it connects. On a path this is (i+1)(n-1-i)+i(n-i) for node i. Rings, complete graphs and products of two
// connected graphs stay connected without a node.
func (n *network) bottleneckBound() int64 {
	axis := slices.IndexFunc(n.axes, func(a axis) bool { return a.nodes == n.nodes })
	if axis < 0 || n.axes[axis].kind != exchange.Path && n.axes[axis].kind != exchange.Graph {
		return 0
	}
	links := 0
	for _, list := range n.axes[axis].neighbours {
		links += len(list)
	}
	most := int64(0)
	for v := range n.nodes {
		parts := n.partsWithout(n.axes[axis].neighbours, v)
		n.meter.ChargeAll(1+len(parts), 2*n.nodes+links)
		all, same := int64(0), int64(0)
		for _, size := range parts {
			all, same = all+size, same+size*size
		}
		relayed := all*all - same
		if n.number[v] >= 0 {
			relayed += all
		}
		most = max(most, relayed)
	}
	return most
}

// partsWithout returns how many processors each part of a graph has once node v is taken out.
func (n *network) partsWithout(neighbours [][]int32, v int) []int64 {
	links := slices.Clone(neighbours)
	links[v] = nil // a path may still end there
	seen := make([]bool, n.nodes)
	seen[v] = true
	var parts []int64
	for _, start := range n.processors {
		if seen[start] {
			continue
		}
		distance, _ := breadthFirst(links, start)
		size := int64(0)
		for _, p := range n.processors {
			if p != v && distance[p] >= 0 {
				seen[p] = true
				size++
			}
		}
		parts = append(parts, size)
	}
	return parts
}

// cutBound returns the best bound of a cut between a run of consecutive coordinates of a ring or path and the rest: the
// blocks that cross it one way, divided by the number of sends that can cross at once, which is at most the number of
// links, and of nodes on either side.
func (n *network) cutBound() int64 {
	most := int64(0)
	for i, a := range n.axes {
		if a.kind != exchange.Ring && a.kind != exchange.Path {
			continue
		}
		n.meter.Charge(int64(len(n.processors)) + int64(a.nodes)*int64(a.nodes))
		count := make([]int64, a.nodes+1) // of processors before a coordinate
		for _, v := range n.processors {
			count[n.coord(int32(v), i)+1]++
		}
		for c := range a.nodes {
			count[c+1] += count[c]
		}
		across := int64(n.nodes / a.nodes)
		for first := range a.nodes {
			for end := first + 1; end <= a.nodes && end-first < a.nodes; end++ {
				inside := count[end] - count[first]
				crossing := inside * (int64(len(n.processors)) - inside)
				capacity := across * int64(min(a.borders(first, end), end-first, a.nodes-(end-first)))
				most = max(most, (crossing+capacity-1)/capacity)
			}
		}
	}
	return most
}

// borders returns the number of links that lead out of a run of coordinates, on one line of nodes.
func (a axis) borders(first, end int) int {
	switch {
	case a.kind == exchange.Path && (first == 0 || end == a.nodes):
		return 1
	case a.nodes == 2:
		return 1
	}
	return 2
}

// BoundProblem says why no lower bound on steps, or not the one by weights that the proof of the head gives, is as high
// as the proof says, "" if one is.
func BoundProblem(head exchange.Head, m *meter.Meter) string {
	p := head.Proof
	n, err := newNetwork(head, m)
	if err != nil {
		return err.Error()
	}
	if p.Weights != nil || p.Bound == exchange.WeightBound {
		n.setLinks(head)
		v, err := n.weightedSteps(head.Model, p.Weights)
		switch {
		case err != nil:
			return err.Error()
		case v.Cmp(big.NewRat(int64(p.Below)-1, 1)) <= 0: // rounded up it is below
			return fmt.Sprintf("the bound %s is %s, below %d", p.Bound, v.RatString(), p.Below)
		}
		return ""
	}
	if head.Model == exchange.AllPort {
		n.setLinks(head)
	}
	if best := n.bounds(head.Model).Phases; best < int64(p.Below) {
		return fmt.Sprintf("the best bound known to the checker is %d, below %d", best, p.Below)
	}
	return ""
}

// sendSteps is what the formula of an exchange takes for each possible send of a block for one processor over one link
// in one step: it is kept in two tables and stands in several clauses.
const sendSteps = 1024

// Question returns "is there an exchange in so many steps" as a question for package timetable, after charging the
// sends and distances of its formula. Errors say what is wrong with the network.
func Question(head exchange.Head, steps int, m *meter.Meter) (timetable.Question, error) {
	n, err := newNetwork(head, m)
	if err != nil {
		return timetable.Question{}, err
	}
	n.setLinks(head)
	q := timetable.Question{Neighbours: n.neighbours(), Participants: n.processors, Steps: steps}
	links := 0
	for _, list := range q.Neighbours {
		links += len(list)
	}
	m.ChargeAll(sendSteps, len(n.processors), links, steps)
	m.ChargeAll(16, n.nodes, n.nodes+links) // distances
	return q, nil
}
