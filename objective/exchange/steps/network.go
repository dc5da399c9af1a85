// Package steps makes schedules of complete exchange in steps, in which blocks go to neighbours. What limits a step is
// the model of the network: by store and forward a node sends one block and receives one, at most; with all ports
// every link carries a block, or as many as its bandwidth says. Networks are products of graphs, and tori of any kind.
// By store and forward the product algorithms of V. V. Dimakopoulos and N. J. Dimopoulos apply on all nodes (seed
// 003), with all ports an edge colouring does (orders.go); among any nodes blocks are packed into steps under either
// model. A Plan comes with lower bounds on the steps. Rules that are in no paper are marked inferred; see
// docs/exchange.md.
package steps

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"leeway/core"
	"leeway/objective/exchange"
)

// circulant is the kind of the Cayley graphs of Z_n: node v is joined to v+s and v-s, modulo the nodes, for all
// offsets s. Files describe such a factor as a graph.
const circulant exchange.Kind = "circulant"

// A Factor is one connected graph of a product.
type Factor struct {
	Kind    exchange.Kind
	Nodes   int
	Edges   [][2]int // of kind Graph, each usable both ways
	Offsets []int    // of kind circulant: ascending, from 1 to half the nodes
}

// maxNodes is the largest network: its schedules have as many blocks as ordered pairs of nodes.
const maxNodes = 1 << 12

// A Network is an immutable cartesian product of connected graphs (seed 003, section 2), or any torus with all ports,
// which has no factors here. Nodes are numbered row by row, the last factor or side fastest.
type Network struct {
	model   exchange.Model
	torus   *core.Torus // nil for a product
	factors []factor
	strides []int
	nodes   int
}

// factor is a Factor with what follows from it.
type factor struct {
	Factor
	neighbours [][]int
	distance   [][]int
}

// NewNetwork returns the product of the factors. Errors are *core.InputError: no factor, a factor without nodes, an
// edge with an end outside, a graph that is not connected, more than 4096 nodes. Cost: a search from every node of
// each factor.
func NewNetwork(factors ...Factor) (*Network, error) {
	if len(factors) == 0 {
		return nil, &core.InputError{Problem: "a network needs a factor", Hint: networkHint}
	}
	n := &Network{model: exchange.StoreAndForward, nodes: 1, strides: make([]int, len(factors))}
	for _, f := range factors {
		if f.Nodes < 1 || n.nodes > maxNodes/f.Nodes {
			return nil, &core.InputError{Text: f.String(), Problem: "a product has 1 to 4096 nodes"}
		}
		n.nodes *= f.Nodes
		built, err := newFactor(f)
		if err != nil {
			return nil, err
		}
		n.factors = append(n.factors, built)
	}
	for i, stride := len(factors)-1, 1; i >= 0; i-- {
		n.strides[i] = stride
		stride *= factors[i].Nodes
	}
	return n, nil
}

// TorusNetwork returns the torus as a product of rings, with the errors of NewNetwork.
func TorusNetwork(t *core.Torus) (*Network, error) {
	var factors []Factor
	for _, side := range t.Dims() {
		factors = append(factors, Factor{Kind: exchange.Ring, Nodes: side})
	}
	return NewNetwork(factors...)
}

// PortNetwork returns a torus, twisted or not, with open dimensions and bandwidths or without, on which all ports work.
// It fails with a *core.InputError above 4096 nodes.
func PortNetwork(t *core.Torus) (*Network, error) {
	if t.N() > maxNodes {
		return nil, &core.InputError{Text: t.String(),
			Problem: fmt.Sprintf("the network has %d nodes, more than %d", t.N(), maxNodes)}
	}
	return &Network{model: exchange.AllPort, torus: t, nodes: t.N()}, nil
}

// Model returns what limits a step on the network.
func (n *Network) Model() exchange.Model { return n.model }

// axes returns the network as files describe it.
func (n *Network) axes() []exchange.Axis {
	if n.torus != nil {
		return exchange.TorusAxes(n.torus)
	}
	var axes []exchange.Axis
	for _, f := range n.factors {
		axes = append(axes, f.axis())
	}
	return axes
}

func newFactor(f Factor) (factor, error) {
	fail := func(problem, hint string) (factor, error) {
		return factor{}, &core.InputError{Text: f.String(), Problem: problem, Hint: hint}
	}
	if problem := f.offsetProblem(); problem != "" {
		return fail(problem, networkHint)
	}
	out := factor{Factor: f, neighbours: make([][]int, f.Nodes)}
	for _, e := range f.edges() {
		u, v := e[0], e[1]
		if min(u, v) < 0 || max(u, v) >= f.Nodes || u == v {
			return fail("an edge joins two different nodes of the graph", "nodes count from 0")
		}
		out.neighbours[u] = append(out.neighbours[u], v)
		out.neighbours[v] = append(out.neighbours[v], u)
	}
	for v := range f.Nodes {
		var row []int
		if v == 0 || f.Kind == exchange.Path || f.Kind == exchange.Graph {
			row = exchange.Distances(out.neighbours, v)
		} else { // all nodes are alike: the distances of node 0, moved on
			row = slices.Concat(out.distance[0][f.Nodes-v:], out.distance[0][:f.Nodes-v])
		}
		if slices.Contains(row, exchange.Unreachable) {
			return fail("the graph is not connected", "")
		}
		out.distance = append(out.distance, row)
	}
	return out, nil
}

// edges returns every edge of the factor once.
func (f Factor) edges() [][2]int {
	if f.Kind == exchange.Graph {
		return f.Edges
	}
	var edges [][2]int
	for _, s := range f.Offsets { // of a circulant
		for v := range f.Nodes {
			if 2*s < f.Nodes || v < s { // half-way round both ends give the same edge
				edges = append(edges, [2]int{v, (v + s) % f.Nodes})
			}
		}
	}
	for u := range f.Nodes {
		for v := u + 1; v < f.Nodes && f.Kind != circulant; v++ {
			if f.Kind == exchange.Complete || v == u+1 || f.Kind == exchange.Ring && v-u == f.Nodes-1 {
				edges = append(edges, [2]int{u, v})
			}
		}
	}
	return edges
}

// offsetProblem says what is wrong with the offsets of a circulant, "" if nothing is.
func (f Factor) offsetProblem() string {
	for i, s := range f.Offsets {
		if s < 1 || 2*s > f.Nodes {
			return fmt.Sprintf("the offset %d lies outside 1..%d, half of the %d nodes", s, f.Nodes/2, f.Nodes)
		}
		if i > 0 && f.Offsets[i-1] >= s {
			return fmt.Sprintf("offsets are not ascending: %d stands before %d", f.Offsets[i-1], s)
		}
	}
	return ""
}

// axis returns the factor as files describe it.
func (f Factor) axis() exchange.Axis {
	if f.Kind != exchange.Graph && f.Kind != circulant {
		return exchange.Axis{Kind: f.Kind, Nodes: f.Nodes}
	}
	a := exchange.Axis{Kind: exchange.Graph, Nodes: f.Nodes}
	for _, e := range f.edges() {
		a.Edges = append(a.Edges, e[:])
	}
	return a
}

// dir returns the direction of a step to a neighbour; Plus where the factor has none.
func (f factor) dir(from, to int) core.Dir {
	switch {
	case f.Kind == exchange.Path && to < from:
		return core.Minus
	case f.Kind == exchange.Ring && f.Nodes > 2 && (to-from+f.Nodes)%f.Nodes != 1:
		return core.Minus
	}
	return core.Plus
}

// shortest returns the nodes of a shortest path of the factor.
func (f factor) shortest(from, to int) []int {
	path := []int{from}
	for v := from; v != to; path = append(path, v) {
		nearer := func(w int) bool { return f.distance[w][to] < f.distance[v][to] }
		v = f.neighbours[v][slices.IndexFunc(f.neighbours[v], nearer)]
	}
	return path
}

// N returns the number of nodes.
func (n *Network) N() int { return n.nodes }

// coord returns coordinate i of a node.
func (n *Network) coord(v, i int) int { return v / n.strides[i] % n.factors[i].Nodes }

// distanceOf returns the number of steps from u to v: in a product the distances of the coordinates add up.
func (n *Network) distanceOf(u, v int) int {
	if n.torus != nil {
		return n.torus.LeeDistance(u, v)
	}
	d := 0
	for i := range n.factors {
		d += n.factors[i].distance[n.coord(u, i)][n.coord(v, i)]
	}
	return d
}

// A step leads from a node to a neighbour.
type step struct {
	to, axis int
	dir      core.Dir
	room     int // with all ports: how many blocks its link carries at once
}

// steps returns the steps that leave a node, factor by factor; a graph that lists an edge twice gives two. Those of a
// torus are in the sequence of its ports.
func (n *Network) steps(v int) []step {
	var out []step
	if t := n.torus; t != nil {
		for i, p := range t.Ports() {
			if l := core.Link(i*n.nodes + v); t.HasLink(l) {
				_, to := t.LinkEnds(l)
				out = append(out, step{to, p.Dim, p.Dir, t.Bandwidth(p.Dim)})
			}
		}
		return out
	}
	for i, f := range n.factors {
		c := n.coord(v, i)
		for _, w := range f.neighbours[c] {
			out = append(out, step{v + (w-c)*n.strides[i], i, f.dir(c, w), 1})
		}
	}
	return out
}

// Neighbours returns the nodes that a node can send to, ascending.
func (n *Network) Neighbours(v int) []int {
	var list []int
	for _, s := range n.steps(v) {
		list = append(list, s.to)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// shifted returns the node whose coordinates are the sums of those of v and s, modulo the sides.
func (n *Network) shifted(v, s int) int {
	if n.torus != nil {
		return n.torus.Sum(v, s)
	}
	w := 0
	for i, f := range n.factors {
		w += (n.coord(v, i) + n.coord(s, i)) % f.Nodes * n.strides[i]
	}
	return w
}

const networkHint = "write factors as ring:6,path:3,complete:4,circulant:12:1+3 or graph:0-1+1-2"

// ParseNetwork reads factors joined by commas: ring:6, path:3, complete:4, circulant:12:1+3, which joins nodes 1 and
// 3 apart modulo 12, and graph:0-1+1-2+2-0, a graph by its edges with nodes from 0. Errors are *core.InputError and
// name the factor.
func ParseNetwork(text string) (*Network, error) {
	var factors []Factor
	offset := 0
	for part := range strings.SplitSeq(text, ",") {
		f, problem := parseFactor(part)
		if problem != "" {
			return nil, &core.InputError{Text: text, Part: part, Offset: offset, Problem: problem, Hint: networkHint}
		}
		factors = append(factors, f)
		offset += len(part) + 1
	}
	return NewNetwork(factors...)
}

// parseFactor returns a factor, or what is wrong with it.
func parseFactor(text string) (f Factor, problem string) {
	kind, rest, _ := strings.Cut(text, ":")
	f.Kind = exchange.Kind(kind)
	ok := false
	switch f.Kind {
	case exchange.Ring, exchange.Path, exchange.Complete:
		if f.Nodes, ok = plainNumber(rest); !ok || f.Nodes < 1 || f.Nodes > maxNodes {
			return f, fmt.Sprintf("a %s has 1 to %d nodes", kind, maxNodes)
		}
	case circulant:
		nodes, offsets, _ := strings.Cut(rest, ":")
		if f.Nodes, ok = plainNumber(nodes); !ok || f.Nodes < 2 || f.Nodes > maxNodes {
			return f, fmt.Sprintf("a circulant has 2 to %d nodes", maxNodes)
		}
		for part := range strings.SplitSeq(offsets, "+") {
			s, ok := plainNumber(part)
			if !ok {
				return f, fmt.Sprintf("the offset %q is not a number", part)
			}
			f.Offsets = append(f.Offsets, s)
		}
		return f, f.offsetProblem()
	case exchange.Graph:
		for edge := range strings.SplitSeq(rest, "+") {
			one, other, _ := strings.Cut(edge, "-")
			u, ok := plainNumber(one)
			v, also := plainNumber(other)
			if !ok || !also || max(u, v) >= maxNodes || u == v {
				return f, fmt.Sprintf("the edge %q does not join two nodes in 0..%d", edge, maxNodes-1)
			}
			f.Edges = append(f.Edges, [2]int{u, v})
			f.Nodes = max(f.Nodes, u+1, v+1)
		}
	default:
		return f, "unknown factor"
	}
	return f, ""
}

// plainNumber reads digits without a sign or a leading zero.
func plainNumber(text string) (int, bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= 0 && strconv.Itoa(n) == text
}

// String returns the text that ParseNetwork reads, or that of the torus.
func (n *Network) String() string {
	if n.torus != nil {
		return n.torus.String()
	}
	var parts []string
	for _, f := range n.factors {
		parts = append(parts, f.String())
	}
	return strings.Join(parts, ",")
}

// String returns the factor as ParseNetwork reads it.
func (f Factor) String() string {
	var list []string
	switch f.Kind {
	case circulant:
		for _, s := range f.Offsets {
			list = append(list, strconv.Itoa(s))
		}
		return fmt.Sprintf("%s:%d:%s", f.Kind, f.Nodes, strings.Join(list, "+"))
	case exchange.Graph:
		for _, e := range f.Edges {
			list = append(list, fmt.Sprintf("%d-%d", e[0], e[1]))
		}
		return string(f.Kind) + ":" + strings.Join(list, "+")
	}
	return fmt.Sprintf("%s:%d", f.Kind, f.Nodes)
}

func sumOf(list []int) int {
	total := 0
	for _, x := range list {
		total += x
	}
	return total
}
