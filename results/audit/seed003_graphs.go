package audit

import (
	"fmt"
	"math/big"
	"strings"

	"leeway/objective/exchange"
	packed "leeway/objective/exchange/steps"
)

// A graph is connected and has nodes 0 to n-1; each edge stands once.
type graph struct {
	name  string
	n     int
	edges [][2]int
}

func (g graph) String() string { return g.name }

// pathGraph, ringGraph and completeGraph are the factors that the papers name. The
// ring of two nodes has one edge.
func pathGraph(n int) graph {
	g := graph{name: fmt.Sprintf("path:%d", n), n: n}
	for v := range n - 1 {
		g.edges = append(g.edges, [2]int{v, v + 1})
	}
	return g
}

func ringGraph(n int) graph {
	g := pathGraph(n)
	g.name = fmt.Sprintf("ring:%d", n)
	if n > 2 {
		g.edges = append(g.edges, [2]int{n - 1, 0})
	}
	return g
}

func completeGraph(n int) graph {
	g := graph{name: fmt.Sprintf("complete:%d", n), n: n}
	for v := range n {
		for u := range v {
			g.edges = append(g.edges, [2]int{u, v})
		}
	}
	return g
}

// neighbours returns them by node.
func (g graph) neighbours() [][]int {
	lists := make([][]int, g.n)
	for _, e := range g.edges {
		lists[e[0]] = append(lists[e[0]], e[1])
		lists[e[1]] = append(lists[e[1]], e[0])
	}
	return lists
}

// distances returns the distances between all nodes, -1 where no path leads.
func (g graph) distances() [][]int {
	lists := g.neighbours()
	rows := make([][]int, g.n)
	for v := range rows {
		row := make([]int, g.n)
		for u := range row {
			row[u] = -1
		}
		row[v] = 0
		for queue := []int{v}; len(queue) > 0; queue = queue[1:] {
			for _, w := range lists[queue[0]] {
				if row[w] < 0 {
					row[w] = row[queue[0]] + 1
					queue = append(queue, w)
				}
			}
		}
		rows[v] = row
	}
	return rows
}

// statuses returns the sum of the distances from each node.
func (g graph) statuses() []int {
	var sums []int
	for _, row := range g.distances() {
		sum := 0
		for _, d := range row {
			sum += d
		}
		sums = append(sums, sum)
	}
	return sums
}

// averageStatus returns AS(G), by its definition.
func (g graph) averageStatus() *big.Rat {
	sum := 0
	for _, s := range g.statuses() {
		sum += s
	}
	return big.NewRat(int64(sum), int64(g.n))
}

// productGraph returns the cartesian product, edge by edge from the definition; the
// last factor counts fastest.
func productGraph(factors ...graph) graph {
	p := graph{n: 1}
	var names []string
	for _, g := range factors {
		names = append(names, g.name)
		var edges [][2]int
		for _, e := range p.edges { // copies of what was there, one for each node of g
			for u := range g.n {
				edges = append(edges, [2]int{e[0]*g.n + u, e[1]*g.n + u})
			}
		}
		for v := range p.n { // a copy of g for each node of what was there
			for _, e := range g.edges {
				edges = append(edges, [2]int{v*g.n + e[0], v*g.n + e[1]})
			}
		}
		p.n *= g.n
		p.edges = edges
	}
	p.name = strings.Join(names, ",")
	return p
}

// connectedGraphs returns all connected graphs with n nodes, one of each kind, in the
// order of their edge sets read as numbers. n is at most 5.
func connectedGraphs(n int) []graph {
	pairs := completeGraph(n).edges
	seen := map[int]bool{}
	var list []graph
	for mask := range 1 << len(pairs) {
		if seen[mask] {
			continue
		}
		relabel(n, func(to []int) { seen[imageMask(pairs, mask, to)] = true })
		g := graph{n: n, name: "graph:"}
		for i, e := range pairs {
			if mask>>i&1 == 1 {
				if len(g.edges) > 0 {
					g.name += "+"
				}
				g.edges = append(g.edges, e)
				g.name += fmt.Sprintf("%d-%d", e[0], e[1])
			}
		}
		if g.connected() {
			if n == 1 {
				g.name = "path:1"
			}
			list = append(list, g)
		}
	}
	return list
}

func (g graph) connected() bool {
	for _, d := range g.distances()[0] {
		if d < 0 {
			return false
		}
	}
	return true
}

// imageMask returns the edge set of a graph whose nodes are renamed.
func imageMask(pairs [][2]int, mask int, to []int) int {
	image := 0
	for i, e := range pairs {
		if mask>>i&1 == 0 {
			continue
		}
		u, v := min(to[e[0]], to[e[1]]), max(to[e[0]], to[e[1]])
		image |= 1 << (v*(v-1)/2 + u) // the order of completeGraph
	}
	return image
}

// relabel calls f with every permutation of 0 to n-1.
func relabel(n int, f func(to []int)) {
	to := make([]int, 0, n)
	used := make([]bool, n)
	var extend func()
	extend = func() {
		if len(to) == n {
			f(to)
			return
		}
		for v := range n {
			if !used[v] {
				used[v], to = true, append(to, v)
				extend()
				used[v], to = false, to[:len(to)-1]
			}
		}
	}
	extend()
}

// smallGraphs returns all connected graphs with at most n nodes, one of each kind.
func smallGraphs(n int) []graph {
	var list []graph
	for size := 1; size <= n; size++ {
		list = append(list, connectedGraphs(size)...)
	}
	return list
}

// packed returns steps of complete exchange on a graph, from the packer of the library.
func (g graph) packed() (steps, error) {
	if g.n == 1 {
		return nil, nil
	}
	network, err := packed.NewNetwork(packed.Factor{Kind: exchange.Graph, Nodes: g.n, Edges: g.edges})
	if err != nil {
		return nil, err
	}
	plan, err := packed.Pack(network, nil)
	if err != nil {
		return nil, err
	}
	var out steps
	for phase := range plan.Schedule.Phases {
		var hops []hop
		for _, s := range phase {
			hops = append(hops, hop{int(s.From), int(s.To), int(s.Blocks[0].From), int(s.Blocks[0].To)})
		}
		out = append(out, hops)
	}
	return out, nil
}
