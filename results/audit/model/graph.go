// Package model builds what the papers describe, each thing from its definition or figure and apart from the library.
// It knows nothing of claims: those of results/audit/claims count and compare what is built here.
//
// For seeds 000 to 002: setting.go has placements with a routing, placements.go tori and lists of placements, paths.go
// the paths of a pair, sweep.go the hyperplane of the appendix. For seed 003: graph.go and group.go have graphs,
// steps.go store and forward on them. For seed 004: tree.go has the gather-scatter tree of a ring, order.go what
// keeps its phases apart, plan.go reads the library's plans of tori. The checker of schedules is the judge of both.
//
// Parameters are those of the checks: a wrong one is a mistake of the check and panics.
package model

import (
	"fmt"
	"math/big"
	"math/bits"
	"slices"
	"strings"

	"leeway/core/routing"
	"leeway/objective/exchange"
)

// A Graph is connected and has nodes 0 to N-1; each edge stands once.
type Graph struct {
	Name  string
	N     int
	Edges [][2]int
	In    Steps // a complete exchange on it that the checker accepted, if one was made
}

// String returns the name, as in --graph where it has one there.
func (g Graph) String() string { return g.Name }

// Path returns the path of n nodes. It, Ring and Complete are the factors that the papers name.
func Path(n int) Graph {
	return graphOf("path", n, func(u, v int) bool { return v == u+1 })
}

// Ring returns the ring of n nodes; that of two has one edge.
func Ring(n int) Graph {
	return graphOf("ring", n, func(u, v int) bool { return v == u+1 || v-u == n-1 })
}

// Complete returns the complete graph on n nodes.
func Complete(n int) Graph {
	return graphOf("complete", n, func(_, _ int) bool { return true })
}

// graphOf joins those pairs of nodes, the smaller number first, that joined names.
func graphOf(name string, n int, joined func(u, v int) bool) Graph {
	g := Graph{Name: fmt.Sprintf("%s:%d", name, n), N: n}
	for v := range n {
		for u := range v {
			if joined(u, v) {
				g.Edges = append(g.Edges, [2]int{u, v})
			}
		}
	}
	return g
}

// Neighbours returns the neighbours of each node.
func (g Graph) Neighbours() [][]int {
	lists := make([][]int, g.N)
	for _, e := range g.Edges {
		lists[e[0]] = append(lists[e[0]], e[1])
		lists[e[1]] = append(lists[e[1]], e[0])
	}
	return lists
}

// Distances returns the distances of all nodes from one, exchange.Unreachable where no path leads.
func (g Graph) Distances(from int) []int { return exchange.Distances(g.Neighbours(), from) }

func (g Graph) connected() bool { return slices.Max(g.Distances(0)) < exchange.Unreachable }

// Statuses returns the sum of the distances from each node.
func (g Graph) Statuses() []int {
	sums := make([]int, g.N)
	for v := range sums {
		for _, d := range g.Distances(v) {
			sums[v] += d
		}
	}
	return sums
}

// AverageStatus returns AS(G), by its definition.
func (g Graph) AverageStatus() *big.Rat {
	total := 0
	for _, s := range g.Statuses() {
		total += s
	}
	return big.NewRat(int64(total), int64(g.N))
}

// Product returns the cartesian product, edge by edge from the definition; the last factor counts fastest.
func Product(factors ...Graph) Graph {
	p := Graph{N: 1}
	var names []string
	for _, g := range factors {
		names = append(names, g.Name)
		var edges [][2]int
		for _, e := range p.Edges { // copies of what was there, one for each node of g
			for u := range g.N {
				edges = append(edges, [2]int{e[0]*g.N + u, e[1]*g.N + u})
			}
		}
		for v := range p.N { // a copy of g for each node of what was there
			for _, e := range g.Edges {
				edges = append(edges, [2]int{v*g.N + e[0], v*g.N + e[1]})
			}
		}
		p.N, p.Edges = p.N*g.N, edges
	}
	p.Name = strings.Join(names, ",")
	return p
}

// Place returns the coordinates of a node of a product.
func Place(v int, factors []Graph) []int {
	c := make([]int, len(factors))
	for i := len(factors) - 1; i >= 0; i-- {
		c[i], v = v%factors[i].N, v/factors[i].N
	}
	return c
}

// SmallGraphs returns all connected graphs with at most n nodes, one of each kind, by size, then in the order of
// their edge sets read as numbers. n is at most 5.
func SmallGraphs(n int) []Graph {
	list := []Graph{Path(1)}
	for size := 2; size <= n; size++ {
		pairs, seen := Complete(size).Edges, map[int]bool{}
		for mask := range 1 << len(pairs) {
			if seen[mask] {
				continue
			}
			for _, to := range routing.EveryOrder(size) {
				image := 0
				for i, e := range pairs {
					if u, v := to[e[0]], to[e[1]]; mask>>i&1 == 1 { // numbered as Complete lists pairs
						image |= 1 << (max(u, v)*(max(u, v)-1)/2 + min(u, v))
					}
				}
				seen[image] = true
			}
			g := Graph{N: size}
			var names []string
			for i, e := range pairs {
				if mask>>i&1 == 1 {
					g.Edges, names = append(g.Edges, e), append(names, fmt.Sprintf("%d-%d", e[0], e[1]))
				}
			}
			if g.Name = "graph:" + strings.Join(names, "+"); g.connected() {
				list = append(list, g)
			}
		}
	}
	return list
}

// induced returns the subgraph of some nodes.
func (g Graph) induced(nodes uint) Graph {
	number := func(v int) int { return bits.OnesCount(nodes & (1<<v - 1)) }
	sub := Graph{N: bits.OnesCount(nodes)}
	for _, e := range g.Edges {
		if nodes>>e[0]&1 == 1 && nodes>>e[1]&1 == 1 {
			sub.Edges = append(sub.Edges, [2]int{number(e[0]), number(e[1])})
		}
	}
	return sub
}

// Halves returns the fewest edges between two halves of a graph, of sizes that differ by one at most.
func Halves(g Graph) int {
	best := len(g.Edges)
	for side := range uint(1) << (g.N - 1) {
		if n := bits.OnesCount(side); n != g.N/2 && n != g.N-g.N/2 {
			continue
		}
		cut := 0
		for _, e := range g.Edges {
			cut += int((side>>e[0] ^ side>>e[1]) & 1)
		}
		best = min(best, cut)
	}
	return best
}

// InducedWidths returns the least and the largest bisection width of the subgraphs with 2n nodes of two complete
// graphs on 2n nodes joined by an edge: nodes 0..2n-1 and 2n..4n-1 are the copies, 0 and 2n joined.
func InducedWidths(n int) (low, high int) {
	g := Graph{N: 4 * n, Edges: [][2]int{{0, 2 * n}}}
	for _, e := range Complete(2 * n).Edges {
		g.Edges = append(g.Edges, e, [2]int{2*n + e[0], 2*n + e[1]})
	}
	low = 4 * n * n
	for nodes := range uint(1) << g.N {
		if bits.OnesCount(nodes) == 2*n {
			width := Halves(g.induced(nodes))
			low, high = min(low, width), max(high, width)
		}
	}
	return low, high
}

// JoinedAs reports whether the nodes of a product are adjacent where they differ in one coordinate and are joined
// there.
func JoinedAs(p Graph, factors []Graph, joined func(i, x, y int) bool) bool {
	for u := range p.N {
		for v, d := range p.Distances(u) {
			a, b, differ, near := Place(u, factors), Place(v, factors), 0, true
			for i := range a {
				if a[i] != b[i] {
					differ++
					near = joined(i, a[i], b[i])
				}
			}
			if (d == 1) != (differ == 1 && near) {
				return false
			}
		}
	}
	return true
}
