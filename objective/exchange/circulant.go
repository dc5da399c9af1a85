package exchange

import (
	"fmt"
	"strconv"
	"strings"

	"leeway/core"
)

// Circulants: the Cayley graphs of Z_n. A product of them is a Cayley graph of the product of
// the groups, for which A2 makes the exchange.

// circulantEdges returns every edge once: v and v+s for all offsets s.
func circulantEdges(n int, offsets []int) [][2]int {
	var edges [][2]int
	for _, s := range offsets {
		for v := range n {
			if 2*s < n || v < s { // half-way round both ends say the same edge
				edges = append(edges, [2]int{v, (v + s) % n})
			}
		}
	}
	return edges
}

// circulantRun is optimal: AS(G) steps, no port idle. For one element d of the group after
// the other all nodes v at once pass on the blocks for v+d, along the translates of one
// shortest path. The recipe is that of rings, and holds for any Cayley graph (inferred).
func circulantRun(f factor) run {
	return run{f.Nodes, sumOf(f.distance[0]), func(yield func([]hop) bool) {
		hops := make([]hop, f.Nodes)
		for d := 1; d < f.Nodes; d++ {
			path := f.shortest(0, d)
			for k := range len(path) - 1 {
				for v := range f.Nodes {
					hops[v] = hop{(v + path[k]) % f.Nodes, (v + path[k+1]) % f.Nodes, 0, core.Plus,
						Block{int32(v), int32((v + d) % f.Nodes)}}
				}
				if !yield(hops) {
					return
				}
			}
		}
	}}
}

// checkOffsets says what is wrong with the offsets of a circulant, "" if nothing is.
func (f Factor) checkOffsets() string {
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

// parseCirculant reads 12:1+3.
func parseCirculant(text string) (Factor, string) {
	f := Factor{Kind: CirculantFactor}
	nodes, offsets, _ := strings.Cut(text, ":")
	n, ok := plainNumber(nodes)
	if !ok || n < 2 || n > MaxNetworkNodes {
		return f, fmt.Sprintf("a circulant has 2 to %d nodes", MaxNetworkNodes)
	}
	f.Nodes = n
	for part := range strings.SplitSeq(offsets, "+") {
		s, ok := plainNumber(part)
		if !ok {
			return f, fmt.Sprintf("the offset %q is no number", part)
		}
		f.Offsets = append(f.Offsets, s)
	}
	return f, f.checkOffsets()
}

// circulantText is the factor as parseCirculant reads it, with its kind.
func (f Factor) circulantText() string {
	var offsets []string
	for _, s := range f.Offsets {
		offsets = append(offsets, strconv.Itoa(s))
	}
	return fmt.Sprintf("%s:%d:%s", f.Kind, f.Nodes, strings.Join(offsets, "+"))
}

// Plain returns the factor as files know it: a circulant is a graph given by its edges.
func (f Factor) Plain() Factor {
	if f.Kind != CirculantFactor {
		return f
	}
	return Factor{Kind: GraphFactor, Nodes: f.Nodes, Edges: f.edges()}
}
