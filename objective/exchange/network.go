package exchange

import (
	"math/big"
	"slices"

	"leeway/core"
)

// A FactorKind says which graph a factor of a network is.
type FactorKind string

// The kinds of factors.
const (
	RingFactor     FactorKind = "ring" // of 2 nodes: one link each way
	PathFactor     FactorKind = "path"
	CompleteFactor FactorKind = "complete"
	GraphFactor    FactorKind = "graph" // given by its edges
	// CirculantFactor: node v is joined to v+s and v-s, modulo the nodes, for all offsets s.
	CirculantFactor FactorKind = "circulant"
)

// A Factor is one graph of a product. Edges are of kind GraphFactor only, each
// usable both ways.
type Factor struct {
	Kind    FactorKind
	Nodes   int
	Edges   [][2]int
	Offsets []int // of kind CirculantFactor: ascending, from 1 to half the nodes
}

// MaxNetworkNodes is the largest size of a network for store and forward: its
// schedules have as many blocks as ordered pairs.
const MaxNetworkNodes = 1 << 12

// A Network is an immutable cartesian product of connected graphs (seed 003,
// section 2). Nodes are numbered row by row, the last factor fastest.
type Network struct {
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

// NewNetwork returns the product of the factors. Errors are *core.InputError: no
// factor, a factor without nodes, an edge with an end outside, a graph that is not
// connected, more than MaxNetworkNodes nodes. Cost: a search from every node of
// each factor.
func NewNetwork(factors ...Factor) (*Network, error) {
	n := &Network{nodes: 1}
	for _, f := range factors {
		if f.Nodes < 1 || n.nodes > MaxNetworkNodes/f.Nodes {
			return nil, factorError(f, "a product has 1 to 4096 nodes", "")
		}
		n.nodes *= f.Nodes
		built, err := newFactor(f)
		if err != nil {
			return nil, err
		}
		n.factors = append(n.factors, built)
	}
	if len(factors) == 0 {
		return nil, &core.InputError{Problem: "a network needs a factor", Hint: networkHint}
	}
	n.strides = make([]int, len(factors))
	for i, stride := len(factors)-1, 1; i >= 0; i-- {
		n.strides[i] = stride
		stride *= factors[i].Nodes
	}
	return n, nil
}

// TorusNetwork returns the torus as a product of rings, with the errors of
// NewNetwork.
func TorusNetwork(t *core.Torus) (*Network, error) {
	var factors []Factor
	for _, side := range t.Dims() {
		factors = append(factors, Factor{Kind: RingFactor, Nodes: side})
	}
	return NewNetwork(factors...)
}

func newFactor(f Factor) (factor, error) {
	if problem := f.checkOffsets(); problem != "" {
		return factor{}, factorError(f, problem, networkHint)
	}
	out := factor{Factor: f, neighbours: make([][]int, f.Nodes)}
	join := func(u, v int) {
		out.neighbours[u] = append(out.neighbours[u], v)
		out.neighbours[v] = append(out.neighbours[v], u)
	}
	for _, e := range f.edges() {
		if min(e[0], e[1]) < 0 || max(e[0], e[1]) >= f.Nodes || e[0] == e[1] {
			return factor{}, factorError(f, "an edge joins two different nodes of the graph", "nodes count from 0")
		}
		join(e[0], e[1])
	}
	for v := range f.Nodes {
		row := out.distances(v)
		if slices.Contains(row, -1) {
			return factor{}, factorError(f, "the graph is not connected", "")
		}
		out.distance = append(out.distance, row)
	}
	return out, nil
}

// edges returns every edge of the factor once.
func (f Factor) edges() [][2]int {
	switch f.Kind {
	case GraphFactor:
		return f.Edges
	case CirculantFactor:
		return circulantEdges(f.Nodes, f.Offsets)
	}
	var edges [][2]int
	for u := range f.Nodes {
		for v := u + 1; v < f.Nodes; v++ {
			if f.Kind == CompleteFactor || v == u+1 || f.Kind == RingFactor && v-u == f.Nodes-1 {
				edges = append(edges, [2]int{u, v})
			}
		}
	}
	return edges
}

// N returns the number of nodes.
func (n *Network) N() int { return n.nodes }

// Sides returns the number of nodes of each factor.
func (n *Network) Sides() []int {
	var sides []int
	for _, f := range n.factors {
		sides = append(sides, f.Nodes)
	}
	return sides
}

// Factors returns the factors.
func (n *Network) Factors() []Factor {
	var factors []Factor
	for _, f := range n.factors {
		factors = append(factors, f.Factor)
	}
	return factors
}

// coord returns coordinate i of a node.
func (n *Network) coord(v, i int) int { return v / n.strides[i] % n.factors[i].Nodes }

// Distance returns the number of steps from u to v: in a product the distances of
// the coordinates add up.
func (n *Network) Distance(u, v int) int {
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
}

// steps returns the steps that leave a node.
func (n *Network) steps(v int) []step {
	var out []step
	for i, f := range n.factors {
		c := n.coord(v, i)
		for _, w := range f.neighbours[c] {
			out = append(out, step{v + (w-c)*n.strides[i], i, f.dir(c, w)})
		}
	}
	return out
}

// Neighbours returns the nodes that a node can send to, in no particular order.
func (n *Network) Neighbours(v int) []int {
	var list []int
	for _, s := range n.steps(v) {
		if !slices.Contains(list, s.to) { // a given graph may list an edge twice
			list = append(list, s.to)
		}
	}
	return list
}

// dir returns the direction of a step; Plus where the factor has none.
func (f factor) dir(from, to int) core.Dir {
	switch {
	case f.Kind == PathFactor && to < from:
		return core.Minus
	case f.Kind == RingFactor && f.Nodes > 2 && (to-from+f.Nodes)%f.Nodes != 1:
		return core.Minus
	}
	return core.Plus
}

// Status returns the sum of the distances from a node: N times the sum of s_i/n_i
// over the factors (seed 003, Theorem 1).
func (n *Network) Status(v int) int {
	total := 0
	for i := range n.factors {
		total += n.nodes / n.factors[i].Nodes * sumOf(n.factors[i].distance[n.coord(v, i)])
	}
	return total
}

// AverageStatus returns AS(G), the mean status of the nodes (seed 003, Corollary 1).
func (n *Network) AverageStatus() *big.Rat {
	total := new(big.Rat)
	for i := range n.factors {
		pairs := 0
		for _, row := range n.factors[i].distance {
			pairs += sumOf(row)
		}
		side := n.factors[i].Nodes
		total.Add(total, big.NewRat(int64(n.nodes)*int64(pairs), int64(side)*int64(side)))
	}
	return total
}

func sumOf(list []int) int {
	total := 0
	for _, x := range list {
		total += x
	}
	return total
}
