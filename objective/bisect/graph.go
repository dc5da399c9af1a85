package bisect

import (
	"slices"

	"leeway/core"
)

// graph is the torus as a list of neighbours: those of node v are
// next[v*degree:(v+1)*degree], in the order of the ports. No neighbour stands
// twice, since a side of 2 has one port.
type graph struct {
	nodes, degree int
	next          []int32
}

func newGraph(t *core.Torus) *graph {
	g := &graph{nodes: t.N(), degree: t.Degree(), next: make([]int32, t.N()*t.Degree())}
	for i, port := range t.Ports() {
		stride := t.Stride(port.Dim)
		for start := 0; start < g.nodes; start += stride { // nodes that have this coordinate in common
			by := t.Shift(start, port.Dim, int(port.Dir)) - start
			for v := start; v < start+stride; v++ {
				g.next[v*g.degree+i] = int32(v + by)
			}
		}
	}
	return g
}

// of returns the neighbours of v.
func (g *graph) of(v int) []int32 { return g.next[v*g.degree : (v+1)*g.degree] }

// out counts the links from nodes in s to nodes outside.
func (g *graph) out(s core.Set) int {
	count := 0
	for _, v := range s.Nodes() {
		for _, w := range g.of(v) {
			if !s.Has(int(w)) {
				count++
			}
		}
	}
	return count
}

// Out returns the number of directed links of t that leave the set s. Cost O(M).
func Out(t *core.Torus, s core.Set) int { return newGraph(t).out(s) }

// flip moves a node to the other side of a cut.
func flip(s core.Set, v int) { s[v>>6] ^= 1 << (v & 63) }

// inside returns the number of processors of p in s.
func inside(p core.Placement, s core.Set) int {
	count := 0
	for _, v := range p.Nodes() {
		if s.Has(v) {
			count++
		}
	}
	return count
}

// even reports whether every set has an even number of links out: walking once
// around a ring one leaves the set as often as one enters it, and on more than
// two nodes each of these steps has a link out of its own, one way or the other.
func even(t *core.Torus) bool {
	return !slices.Contains(t.Dims(), 2)
}
