package audit

import (
	"context"
	"fmt"
	"math/bits"

	"leeway/core"
)

// Checks of what the definitions say about tori and graphs.

// checkNodesAndNeighbours: k^d nodes, each with two neighbours in each dimension; a
// fixed coordinate leaves a torus with one axis less.
func checkNodesAndNeighbours(ctx context.Context, l Limits) Finding {
	var s survey
	for k, d := range cubes(ctx, l, 2, 1, 2, 3, 4) {
		t := cube(k, d)
		s.compare(words("torus "+t.String()+", nodes"), whole(t.N()), equals, power(k, d))
		s.count(words("torus "+t.String()+", neighbours of a node"), len(neighbours(t, 0)), equals, 2*d)
		if d > 1 {
			for j := range d {
				s.count(words(fmt.Sprintf("torus %s, neighbours of a node within its principal subtorus across axis %d", t, j)), within(t, j), equals, len(neighbours(cube(k, d-1), 0)))
			}
		}
	}
	return s.finding(l.span(2, 1, 2, 3, 4), "on sides of 2 both ways lead to the same neighbour, and the edges are a set: there are d. All other claims are checked for sides of 3 or more unless they say otherwise")
}

// neighbours returns the nodes to which the definition joins a node, once each.
func neighbours(t *core.Torus, v int) []int {
	set := core.NewSet(t.N())
	for j := range t.D() {
		set.Add(t.Shift(v, j, 1))
		set.Add(t.Shift(v, j, -1))
	}
	return set.Nodes()
}

// within returns how many neighbours of node 0 have the same coordinate j.
func within(t *core.Torus, j int) int {
	n := 0
	for _, v := range neighbours(t, 0) {
		if t.Coord(v, j) == 0 {
			n++
		}
	}
	return n
}

// checkLee: the sum of the cyclic distances is the length of a shortest path.
func checkLee(ctx context.Context, l Limits) Finding {
	var s survey
	for k, d := range cubes(ctx, l, 2, 1, 2, 3, 4) {
		t := cube(k, d)
		for q, length := range shortest(t) {
			lee := 0
			for _, c := range t.Coords(q) {
				lee += min(c%k, (k-c)%k)
			}
			s.count(words(fmt.Sprintf("torus %s, from node 0 to %s", t, point(t, q))), length, equals, lee)
		}
	}
	return s.finding(l.span(2, 1, 2, 3, 4)+", every pair up to translation, by breadth-first search", "")
}

// shortest returns the length of a shortest path from node 0 to every node.
func shortest(t *core.Torus) []int {
	length := make([]int, t.N())
	seen := core.NewSet(t.N())
	seen.Add(0)
	queue := []int{0}
	for len(queue) > 0 {
		v := queue[0]
		queue = queue[1:]
		for _, w := range neighbours(t, v) {
			if !seen.Has(w) {
				seen.Add(w)
				length[w] = length[v] + 1
				queue = append(queue, w)
			}
		}
	}
	return length
}

// checkTwoComplete: of two complete graphs on 2n nodes joined by one edge the
// subgraphs with 2n nodes have bisection widths from 1 up to n^2.
func checkTwoComplete(ctx context.Context, l Limits) Finding {
	var s survey
	for n := 1; n <= 3 && ctx.Err() == nil; n++ {
		low, high := inducedWidths(n)
		at := fmt.Sprintf("two complete graphs on %d nodes and an edge, subgraphs with %d nodes", 2*n, 2*n)
		s.count(words(at+", least width"), low, equals, 1)
		s.count(words(at+", largest width"), high, equals, n*n)
	}
	return s.finding("n = 1..3, all induced subgraphs, n^2 for the upper end", "n nodes of each copy without an end of the edge that joins them have width 0; the rest of the remark, up to n^2, is right")
}

// inducedWidths returns the least and the largest bisection width of the induced
// subgraphs with 2n nodes: nodes 0..2n-1 and 2n..4n-1 are the copies, 0 and 2n joined.
func inducedWidths(n int) (low, high int) {
	low = 4 * n * n
	for nodes := range 1 << (4 * n) {
		if bits.OnesCount(uint(nodes)) == 2*n {
			w := inducedWidth(nodes, n)
			low, high = min(low, w), max(high, w)
		}
	}
	return low, high
}

// inducedWidth returns the fewest edges between two halves of a set of nodes.
func inducedWidth(nodes, n int) int {
	least := 4 * n * n
	copyMask := 1<<(2*n) - 1
	for half := nodes; half > 0; half = (half - 1) & nodes {
		if bits.OnesCount(uint(half)) != n {
			continue
		}
		rest, cut := nodes&^half, 0
		for _, m := range []int{copyMask, copyMask << (2 * n)} {
			cut += bits.OnesCount(uint(half&m)) * bits.OnesCount(uint(rest&m))
		}
		if bridge := 1 | 1<<(2*n); nodes&bridge == bridge && half&bridge != 0 && rest&bridge != 0 {
			cut++
		}
		least = min(least, cut)
	}
	return least
}

// checkDiscrepancyExample: D = 2 for the set of four nodes that the appendix names.
func checkDiscrepancyExample(context.Context, Limits) Finding {
	var s survey
	set := [][]int{{0, 0, 0}, {0, 0, 2}, {1, 0, 0}, {1, 0, 2}}
	d := 0
	for j := range 3 {
		for _, node := range set {
			if node[j] != set[0][j] {
				d++
				break
			}
		}
	}
	s.count(words("W = {000, 002, 100, 102}"), d, equals, 2)
	return s.finding("the printed example", "")
}
