package exchange

import (
	"fmt"
	"slices"

	"leeway/core"
)

// Axes returns the axes by which a file describes a network: a ring for each dimension, a path for an open one, or one
// graph where there are no dimensions.
func Axes(n *core.Network) []Axis {
	if !n.HasDimensions() {
		a := Axis{Kind: Graph, Nodes: n.N()}
		for _, e := range n.Edges() {
			a.Edges = append(a.Edges, []int{e.A, e.B, e.Bandwidth}[:2+min(e.Bandwidth-1, 1)])
		}
		return []Axis{a}
	}
	var axes []Axis
	twist := n.Twist()
	for j, side := range n.Dims() {
		a := Axis{Kind: Ring, Nodes: side}
		if n.Open(j) {
			a.Kind = Path
		}
		if n.Bandwidth(j) > 1 {
			a.Bandwidth = n.Bandwidth(j)
		}
		if twist != nil && slices.Max(twist[j]) > 0 {
			a.Twist = twist[j]
		}
		axes = append(axes, a)
	}
	return axes
}

// Nodes returns the number of nodes of the network.
func (h Head) Nodes() int {
	nodes := 1
	for _, a := range h.Axes {
		nodes *= a.Nodes
	}
	return nodes
}

// maxEdges is the most edges of a product of graphs.
const maxEdges = 1 << 19

// Network returns the network that the axes describe, whose nodes are numbered row by row: a torus where all are rings
// or paths, otherwise a network from a list of links. Errors say which axis is wrong, or are those of package core.
func (h Head) Network() (*core.Network, error) {
	nodes, torus := 1, len(h.Axes) > 0
	for i, a := range h.Axes {
		if a.Nodes < 1 || nodes > core.MaxNodes/a.Nodes {
			return nil, fmt.Errorf("axis %d: %d nodes are too few or too many", i, a.Nodes)
		}
		nodes *= a.Nodes
		torus = torus && (a.Kind == Ring || a.Kind == Path) && (a.Nodes > 1 || a.Twist != nil)
		if h.Model != AllPort && (a.Twist != nil || a.Bandwidth != 0) {
			return nil, fmt.Errorf("axis %d: twist and bandwidth belong to the model %s", i, AllPort)
		}
		if a.Twist != nil && (a.Kind != Ring || len(a.Twist) != len(h.Axes) || slices.ContainsFunc(core.Range(len(h.Axes)),
			func(j int) bool { return a.Twist[j] < 0 || a.Twist[j] >= h.Axes[j].Nodes })) {
			return nil, fmt.Errorf("axis %d: a twist belongs to a ring and has a coordinate for every axis", i)
		}
	}
	if torus {
		return h.torus()
	}
	var edges []core.Edge
	stride, count := nodes, 0
	for i, a := range h.Axes {
		stride /= a.Nodes
		if a.Twist != nil {
			return nil, fmt.Errorf("axis %d: a twist needs rings as all axes", i)
		}
		if count += a.count() * (nodes / a.Nodes); count > maxEdges {
			return nil, fmt.Errorf("axis %d: there are too many edges, more than %d", i, maxEdges)
		}
		list, err := a.edges()
		if err != nil {
			return nil, fmt.Errorf("axis %d: %w", i, err)
		}
		for _, e := range list {
			if h.Model != AllPort && e.Bandwidth > 1 {
				return nil, fmt.Errorf("axis %d: the bandwidths of edges belong to the model %s", i, AllPort)
			}
			for other := range nodes / a.Nodes { // the other coordinates
				first := other/stride*stride*a.Nodes + other%stride
				edges = append(edges, core.Edge{A: first + e.A*stride, B: first + e.B*stride, Bandwidth: e.Bandwidth})
			}
		}
	}
	return core.NewGiven(nodes, nil, edges)
}

// torus is Network where all axes are rings and paths.
func (h Head) torus() (*core.Network, error) {
	var sides, open, bandwidth []int
	var twist [][]int
	for j, a := range h.Axes {
		sides, bandwidth = append(sides, a.Nodes), append(bandwidth, max(a.Bandwidth, 1))
		if a.Kind == Path {
			open = append(open, j)
		}
		shift := a.Twist
		if shift == nil {
			shift = make([]int, len(h.Axes))
		}
		twist = append(twist, shift)
	}
	t, err := core.NewTwisted(sides, twist)
	if err != nil {
		return nil, err
	}
	return t.WithLinks(open, bandwidth)
}

// count returns how many edges the axis has, or more.
func (a Axis) count() int {
	switch {
	case a.Kind == Graph:
		return len(a.Edges)
	case a.Kind == Complete && a.Nodes > 1:
		return a.Nodes * min(a.Nodes-1, maxEdges) / 2
	}
	return a.Nodes
}

// edges returns every edge of the axis once.
func (a Axis) edges() (edges []core.Edge, err error) {
	width := max(a.Bandwidth, 1)
	for i, e := range a.Edges {
		if len(e) < 2 || len(e) > 3 || min(e[0], e[1]) < 0 || max(e[0], e[1]) >= a.Nodes {
			return nil, fmt.Errorf("edge %d, %v, does not join two of the nodes", i, e)
		}
		edges = append(edges, core.Edge{A: e[0], B: e[1], Bandwidth: append(slices.Clip(e), width)[2]})
	}
	for u := range a.Nodes {
		for v := u + 1; v < a.Nodes && a.Kind != Graph; v++ {
			if a.Kind == Complete || v == u+1 || a.Kind == Ring && v-u == a.Nodes-1 {
				edges = append(edges, core.Edge{A: u, B: v, Bandwidth: width})
			}
		}
	}
	return edges, nil
}

// PortOf returns the axis along which a link of the network of the head goes, and the direction, 0 where the axis has
// none or, of two nodes, both lead there.
func (h Head) PortOf(n *core.Network, l core.Link) core.Port {
	if n.Twisted() {
		_, port := n.LinkFrom(l)
		if !n.BothWays(port.Dim) {
			port.Dir = 0
		}
		return port
	}
	from, to := n.LinkEnds(l)
	stride := n.N()
	for i, a := range h.Axes { // the ends differ in one coordinate
		stride /= a.Nodes
		by := to/stride%a.Nodes - from/stride%a.Nodes
		switch {
		case by == 0:
			continue
		case a.Kind == Ring && a.Nodes > 2 && core.Mod(by, a.Nodes) > 1 || a.Kind == Path && by < 0:
			return core.Port{Dim: i, Dir: core.Minus}
		case a.Kind == Ring && a.Nodes > 2 || a.Kind == Path:
			return core.Port{Dim: i, Dir: core.Plus}
		}
		return core.Port{Dim: i}
	}
	panic("exchange: a link that joins a node with itself")
}

// Neighbours returns by node where a block can go in one step, each node once, ascending.
func Neighbours(n *core.Network) [][]int {
	out := make([][]int, n.N())
	for l := range core.Link(n.M()) {
		if n.HasLink(l) {
			from, to := n.LinkEnds(l)
			out[from] = append(out[from], to)
		}
	}
	for v := range out {
		slices.Sort(out[v])
		out[v] = slices.Compact(out[v])
	}
	return out
}

// Unreachable is more than any distance.
const Unreachable = 1 << 20

// Distances returns the number of links on a shortest path from a node to every other, Unreachable where there is
// none, given the neighbours of every node. Cost: O(nodes + links).
func Distances(neighbours [][]int, from int) []int {
	distance := slices.Repeat([]int{Unreachable}, len(neighbours))
	distance[from] = 0
	queue := []int{from}
	for i := 0; i < len(queue); i++ {
		for _, w := range neighbours[queue[i]] {
			if distance[w] == Unreachable {
				distance[w] = distance[queue[i]] + 1
				queue = append(queue, w)
			}
		}
	}
	return distance
}
