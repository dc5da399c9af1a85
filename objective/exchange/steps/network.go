// Package steps makes schedules of complete exchange in steps, in which blocks go to neighbours. What limits a step is
// the model of the network: by store and forward a node sends one block and receives one, at most; with all ports
// every link carries a block, or as many as its bandwidth says. Networks are those of package core.
// By store and forward the product algorithms of V. V. Dimakopoulos and N. J. Dimopoulos apply on all nodes (seed
// 003), with all ports an edge colouring does (orders.go); among any nodes blocks are packed into steps under either
// model. A Plan comes with lower bounds on the steps. Rules that are in no paper are marked inferred; see
// docs/exchange.md.
package steps

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"leeway/core"
	"leeway/objective/exchange"
)

// maxNodes is the largest network: its schedules have as many blocks as ordered pairs of nodes.
const maxNodes = 1 << 12

// A Network is an immutable network of package core with what limits a step on it. By store and forward it is a
// cartesian product of graphs (seed 003, section 2), whose nodes are numbered row by row, the last factor fastest.
type Network struct {
	*core.Network
	head exchange.Head // without name and participants
	text string
	out  [][]step // by node
}

// A step leads from a node to a neighbour.
type step struct {
	to, link, axis int
	dir            core.Dir
	room           int // with all ports: how many blocks its link carries at once
}

// NewNetwork returns a network of package core under a model in steps, with the errors of NewProduct.
func NewNetwork(net *core.Network, model exchange.Model) (*Network, error) {
	return NewProduct(model, net.Title(), exchange.Axes(net)...)
}

// NewProduct returns the network of axes under a model in steps, with the text by which people know it. Errors are
// *core.InputError: axes that describe no network, one of fewer than 2 or more than 4096 nodes.
func NewProduct(model exchange.Model, text string, axes ...exchange.Axis) (*Network, error) {
	head := exchange.Head{Model: model, Axes: axes}
	net, err := head.Network()
	if err == nil && net.N() > maxNodes {
		err = fmt.Errorf("the network has %d nodes, more than %d", net.N(), maxNodes)
	}
	if err != nil {
		return nil, &core.InputError{Text: text, Problem: err.Error()}
	}
	n := &Network{Network: net, head: head, text: text, out: make([][]step, net.N())}
	for l := range core.Link(net.M()) {
		if !net.HasLink(l) {
			continue
		}
		from, to := net.LinkEnds(l)
		port := head.PortOf(net, l)
		n.out[from] = append(n.out[from], step{to, int(l), port.Dim, cmp.Or(port.Dir, core.Plus), net.LinkBandwidth(l)})
	}
	return n, nil
}

// Model returns what limits a step on the network.
func (n *Network) Model() exchange.Model { return n.head.Model }

// String returns the text that ParseNetwork read, or the title of the network.
func (n *Network) String() string { return n.text }

// statusOf returns the sum of the distances from a node.
func statusOf(n *core.Network, v int) int {
	sum := 0
	for w := range n.N() {
		sum += n.LeeDistance(v, w)
	}
	return sum
}

// stepTo returns the step from a node to a neighbour.
func (n *Network) stepTo(from, to int) *step {
	out := n.out[from]
	if len(out) > 8 { // without dimensions, in ascending order of the nodes that they enter
		i, _ := slices.BinarySearchFunc(out, to, func(s step, to int) int { return cmp.Compare(s.to, to) })
		return &out[i]
	}
	for i := range out {
		if out[i].to == to {
			return &out[i]
		}
	}
	panic("steps: no step leads to a node that is not a neighbour")
}

const networkHint = "write factors as ring:6,path:3,complete:4,circulant:12:1+3 or graph:0-1+1-2"

// ParseNetwork reads factors joined by commas for store and forward: ring:6, path:3, complete:4, circulant:12:1+3,
// which joins nodes 1 and 3 apart modulo 12, and graph:0-1+1-2+2-0, a graph by its edges with nodes from 0. Errors are
// *core.InputError and name the factor.
func ParseNetwork(text string) (*Network, error) {
	var axes []exchange.Axis
	offset := 0
	for part := range strings.SplitSeq(text, ",") {
		a, problem := parseAxis(part)
		if problem != "" {
			return nil, &core.InputError{Text: text, Part: part, Offset: offset, Problem: problem, Hint: networkHint}
		}
		axes = append(axes, a)
		offset += len(part) + 1
	}
	return NewProduct(exchange.StoreAndForward, text, axes...)
}

// parseAxis returns a factor, or what is wrong with it.
func parseAxis(text string) (a exchange.Axis, problem string) {
	kind, rest, _ := strings.Cut(text, ":")
	a.Kind = exchange.Kind(kind)
	ok := false
	switch kind {
	case "ring", "path", "complete":
		if a.Nodes, ok = plainNumber(rest); !ok || a.Nodes < 2 || a.Nodes > maxNodes {
			return a, fmt.Sprintf("a %s has 2 to %d nodes", kind, maxNodes)
		}
	case "circulant":
		nodes, offsets, _ := strings.Cut(rest, ":")
		a.Kind = exchange.Graph
		if a.Nodes, ok = plainNumber(nodes); !ok || a.Nodes < 2 || a.Nodes > maxNodes {
			return a, fmt.Sprintf("a circulant has 2 to %d nodes", maxNodes)
		}
		before := 0
		for part := range strings.SplitSeq(offsets, "+") {
			s, ok := plainNumber(part)
			if !ok || s <= before || 2*s > a.Nodes {
				return a, fmt.Sprintf("the offset %q is not a number, not above the one before it, or outside 1..%d, half "+
					"of the nodes", part, a.Nodes/2)
			}
			before = s
			for v := range a.Nodes {
				if 2*s < a.Nodes || v < s { // half-way round both ends give the same edge
					a.Edges = append(a.Edges, []int{v, (v + s) % a.Nodes})
				}
			}
		}
	case "graph":
		for edge := range strings.SplitSeq(rest, "+") {
			one, other, _ := strings.Cut(edge, "-")
			u, ok := plainNumber(one)
			v, also := plainNumber(other)
			if !ok || !also || max(u, v) >= maxNodes || u == v {
				return a, fmt.Sprintf("the edge %q does not join two nodes in 0..%d", edge, maxNodes-1)
			}
			a.Edges = append(a.Edges, []int{u, v})
			a.Nodes = max(a.Nodes, u+1, v+1)
		}
	default:
		return a, "unknown factor"
	}
	return a, ""
}

// plainNumber reads digits without a sign or a leading zero.
func plainNumber(text string) (int, bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= 0 && core.Plain(text)
}
