package check

import (
	"fmt"
	"slices"

	"leeway/core"
	"leeway/objective/exchange"
)

// Limits of what is checked. Those of an axis bound its table of distances and the
// searches that fill it.
const (
	maxAxes      = 32
	maxNodeAxes  = 1 << 27 // nodes times axes
	maxAxisNodes = 1 << 12
	maxAxisWork  = 1 << 28 // nodes times edges
)

// A network is the product that a schedule runs on, nodes row by row.
type network struct {
	meter      *meter
	axes       []axis
	strides    []int
	nodes      int
	processors []int   // ascending
	number     []int32 // by node: which processor it is, -1 if none
}

// An axis is a factor of the product.
type axis struct {
	kind       exchange.Kind
	nodes      int
	neighbours [][]int32 // by node; nil where all are
	distance   [][]int32
}

func newNetwork(m *meter, head exchange.Head) (*network, error) {
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
		next, err := newAxis(m, a)
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
	if err := n.setProcessors(head.Participants); err != nil {
		return nil, err
	}
	if p := len(n.processors); p*p > maxPositions {
		return nil, fmt.Errorf("%d processors have too many blocks to follow them all: the most is %d", p, maxPositions)
	}
	return n, nil
}

func (n *network) setProcessors(list []int) error {
	n.meter.charge(int64(16 * n.nodes))
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

func newAxis(m *meter, a exchange.Axis) (axis, error) {
	out := axis{kind: a.Kind, nodes: a.Nodes}
	m.chargeAll(4, a.Nodes, a.Nodes) // the distances
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
		m.charge(int64(2 * (a.Nodes + len(a.Edges))))
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

// directed reports whether neighbours lie in the direction that is said, where the
// axis has directions. On a ring of 2 both lead to the other node.
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

// next returns the node one step along a ring or path in a direction; false at the end of
// a path.
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
