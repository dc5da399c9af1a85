package audit

import (
	"context"
	"fmt"
	"iter"
	"math/big"
	"math/bits"
	"slices"
	"strings"

	"leeway/objective/exchange"
	packer "leeway/objective/exchange/steps"
	checker "leeway/results/check"
	"leeway/results/schedules"
)

// Graphs and exchanges on them, written from the definitions and figures of seed 003, apart from the library's.

// A graph is connected and has nodes 0 to n-1; each edge stands once.
type graph struct {
	name  string
	n     int
	edges [][2]int
	in    steps // a complete exchange on it that the checker accepted, if one was made
}

func (g graph) String() string { return g.name }

// pathGraph, ringGraph and completeGraph are the factors that the papers name. The ring of two nodes has one edge.
func pathGraph(n int) graph {
	return graphOf("path", n, func(u, v int) bool { return v == u+1 })
}

func ringGraph(n int) graph {
	return graphOf("ring", n, func(u, v int) bool { return v == u+1 || v-u == n-1 })
}

func completeGraph(n int) graph {
	return graphOf("complete", n, func(_, _ int) bool { return true })
}

// graphOf joins those pairs of nodes, the smaller number first, that joined names.
func graphOf(name string, n int, joined func(u, v int) bool) graph {
	g := graph{name: fmt.Sprintf("%s:%d", name, n), n: n}
	for v := range n {
		for u := range v {
			if joined(u, v) {
				g.edges = append(g.edges, [2]int{u, v})
			}
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

// distances returns the distances of all nodes from one, -1 where no path leads.
func (g graph) distances(from int) []int {
	lists, row := g.neighbours(), slices.Repeat([]int{-1}, g.n)
	row[from] = 0
	for queue := []int{from}; len(queue) > 0; queue = queue[1:] {
		for _, w := range lists[queue[0]] {
			if row[w] < 0 {
				row[w] = row[queue[0]] + 1
				queue = append(queue, w)
			}
		}
	}
	return row
}

func (g graph) connected() bool { return !slices.Contains(g.distances(0), -1) }

// statuses returns the sum of the distances from each node.
func (g graph) statuses() []int {
	sums := make([]int, g.n)
	for v := range sums {
		for _, d := range g.distances(v) {
			sums[v] += d
		}
	}
	return sums
}

// averageStatus returns AS(G), by its definition.
func (g graph) averageStatus() *big.Rat {
	total := 0
	for _, s := range g.statuses() {
		total += s
	}
	return ratio(total, g.n)
}

// productGraph returns the cartesian product, edge by edge from the definition; the last factor counts fastest.
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
		p.n, p.edges = p.n*g.n, edges
	}
	p.name = strings.Join(names, ",")
	return p
}

// place returns the coordinates of a node of a product.
func place(v int, factors []graph) []int {
	c := make([]int, len(factors))
	for i := len(factors) - 1; i >= 0; i-- {
		c[i], v = v%factors[i].n, v/factors[i].n
	}
	return c
}

// smallGraphs returns all connected graphs with at most n nodes, one of each kind, by size, then in the order of
// their edge sets read as numbers. n is at most 5.
func smallGraphs(n int) []graph {
	list := []graph{pathGraph(1)}
	for size := 2; size <= n; size++ {
		pairs, seen := completeGraph(size).edges, map[int]bool{}
		for mask := range 1 << len(pairs) {
			if seen[mask] {
				continue
			}
			for to := range permutations(size) {
				image := 0
				for i, e := range pairs {
					if u, v := to[e[0]], to[e[1]]; mask>>i&1 == 1 { // numbered as completeGraph lists pairs
						image |= 1 << (max(u, v)*(max(u, v)-1)/2 + min(u, v))
					}
				}
				seen[image] = true
			}
			g := graph{n: size}
			var names []string
			for i, e := range pairs {
				if mask>>i&1 == 1 {
					g.edges, names = append(g.edges, e), append(names, fmt.Sprintf("%d-%d", e[0], e[1]))
				}
			}
			if g.name = "graph:" + strings.Join(names, "+"); g.connected() {
				list = append(list, g)
			}
		}
	}
	return list
}

// permutations yields every permutation of 0 to n-1, in one slice that must not be kept.
func permutations(n int) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		to := make([]int, 0, n)
		var extend func() bool
		extend = func() bool {
			if len(to) == n {
				return yield(to)
			}
			for v := range n {
				if slices.Contains(to, v) {
					continue
				}
				to = append(to, v)
				if !extend() {
					return false
				}
				to = to[:len(to)-1]
			}
			return true
		}
		extend()
	}
}

// induced returns the subgraph of some nodes.
func (g graph) induced(nodes uint) graph {
	number := func(v int) int { return bits.OnesCount(nodes & (1<<v - 1)) }
	sub := graph{n: bits.OnesCount(nodes)}
	for _, e := range g.edges {
		if nodes>>e[0]&1 == 1 && nodes>>e[1]&1 == 1 {
			sub.edges = append(sub.edges, [2]int{number(e[0]), number(e[1])})
		}
	}
	return sub
}

// halves returns the fewest edges between two halves of a graph, of sizes that differ by one at most.
func halves(g graph) int {
	best := len(g.edges)
	for side := range uint(1) << (g.n - 1) {
		if n := bits.OnesCount(side); n != g.n/2 && n != g.n-g.n/2 {
			continue
		}
		cut := 0
		for _, e := range g.edges {
			cut += int((side>>e[0] ^ side>>e[1]) & 1)
		}
		best = min(best, cut)
	}
	return best
}

// A hop moves the block of one pair of nodes to a neighbour.
type hop struct{ from, to, source, target int }

// steps is a schedule of store and forward: the hops of each step.
type steps [][]hop

// judge returns the checker's verdict about steps on a product of graphs.
func (s steps) judge(factors ...graph) checker.ExchangeVerdict {
	head := exchange.Head{Name: "audit", Model: exchange.StoreAndForward}
	for _, g := range factors {
		axis := exchange.Axis{Kind: exchange.Graph, Nodes: g.n, Edges: [][]int{}}
		for _, e := range g.edges {
			axis.Edges = append(axis.Edges, e[:])
		}
		head.Axes = append(head.Axes, axis)
	}
	return checker.Exchange(head, func(yield func(exchange.Phase, error) bool) {
		for _, hops := range s {
			var phase exchange.Phase
			for _, h := range hops {
				phase = append(phase, exchange.Send{From: int32(h.from), To: int32(h.to), Axis: -1,
					Blocks: []exchange.Block{{From: int32(h.source), To: int32(h.target)}}})
			}
			if !yield(phase, nil) {
				return
			}
		}
	})
}

// judged returns the checker's verdict about a schedule of the library, with which it shares no code.
func judged(s exchange.Schedule) checker.ExchangeVerdict {
	return checker.Exchange(s.Head, schedules.Until(context.Background(), s.Phases))
}

// undelivered returns how many blocks are not at home at the end if every hop takes a block that is not at its start
// as an empty one.
func (s steps) undelivered(nodes int) int {
	at, missing := map[[2]int]int{}, 0
	for u := range nodes {
		for v := range nodes {
			at[[2]int{u, v}] = u
		}
	}
	for _, hops := range s {
		for _, h := range hops { // a block moves once a step: the order does not matter
			if block := [2]int{h.source, h.target}; at[block] == h.from {
				at[block] = h.to
			}
		}
	}
	for block, v := range at {
		if v != block[1] {
			missing++
		}
	}
	return missing
}

// packed returns graphs with exchanges of the library's packer, of which the checker found each complete.
func packed(graphs []graph) []graph {
	list := slices.Clone(graphs)
	for i, g := range list {
		if g.n == 1 {
			continue
		}
		factor := packer.Factor{Kind: exchange.Graph, Nodes: g.n, Edges: g.edges}
		plan := must(packer.Pack(must(packer.NewNetwork(factor)), nil))
		for phase := range plan.Schedule.Phases {
			var hops []hop
			for _, s := range phase {
				hops = append(hops, hop{int(s.From), int(s.To), int(s.Blocks[0].From), int(s.Blocks[0].To)})
			}
			g.in = append(g.in, hops)
		}
		if v := g.in.judge(g); v.Verdict != "valid" {
			panic(fmt.Sprintf("audit: packed exchange on %s: %s", g, v.Reason))
		}
		list[i] = g
	}
	return list
}

// copied returns the steps of one factor in all copies of it at once: each hop becomes those that at gives, by copy.
func copied(in steps, copies int, at func(copyOf int, h hop) hop) steps {
	var all steps
	for _, hops := range in {
		var step []hop
		for i := range copies {
			for _, h := range hops {
				step = append(step, at(i, h))
			}
		}
		all = append(all, step)
	}
	return all
}

// algorithmA2 is Figure 4 on G = A x B, node (v,u) numbered v |B| + u, from exchanges of both.
func algorithmA2(a, b graph) steps {
	var all steps
	for r := range a.n { // lines 1 to 3
		all = append(all, copied(b.in, a.n, func(i int, h hop) hop {
			return hop{i*b.n + h.from, i*b.n + h.to, i*b.n + h.source, r*b.n + h.target}
		})...)
	}
	return append(all, secondHalf(a, b)...)
}

// secondHalf is lines 4 to 6 of Figure 4 and 5 to 7 of Figure 3: for every k, exchange in all copies of A what
// started in copy k.
func secondHalf(a, b graph) steps {
	var all steps
	for k := range b.n {
		all = append(all, copied(a.in, b.n, func(j int, h hop) hop {
			return hop{h.from*b.n + j, h.to*b.n + j, h.source*b.n + k, h.target*b.n + j}
		})...)
	}
	return all
}

// transfers is lines 1 to 4 of Figure 3, algorithm A1, message by message along shortest paths of B, all v_i at
// once. skip says for which i, j and k line 3 leaves the transfer out.
func transfers(a, b graph, skip func(i, j, k int) bool) steps {
	var all steps
	next := b.neighbours()
	for j := range b.n {
		for k := range b.n {
			distance := b.distances(k)
			for r := range a.n {
				for at := j; at != k; {
					toward := at
					for _, w := range next[at] {
						if distance[w] < distance[at] {
							toward = w
						}
					}
					var step []hop
					for i := range a.n {
						if !skip(i, j, k) {
							step = append(step, hop{i*b.n + at, i*b.n + toward, i*b.n + j, r*b.n + k})
						}
					}
					all = append(all, step)
					at = toward
				}
			}
		}
	}
	return all
}

// productA2 returns the product of graphs with the exchange of algorithm A2, recursively, A being all but the last.
func productA2(factors ...graph) graph {
	whole := factors[0]
	for i, b := range factors[1:] {
		next := productGraph(factors[:i+2]...)
		next.in = algorithmA2(whole, b)
		whole = next
	}
	return whole
}

// fewestSteps returns the steps of the fastest complete exchange on a graph with at most three nodes, by breadth
// first search over all positions of the blocks.
func fewestSteps(g graph) int {
	start, home := "", ""
	for u := range g.n {
		for v := range g.n {
			if u != v {
				start, home = start+string(rune(u)), home+string(rune(v))
			}
		}
	}
	seen, lists := map[string]bool{start: true}, g.neighbours()
	for layer, count := []string{start}, 0; len(layer) > 0; count++ {
		var next []string
		for _, at := range layer {
			if at == home {
				return count
			}
			eachStep(lists, []byte(at), []byte(at), 0, 0, func(after []byte) {
				if key := string(after); !seen[key] {
					seen[key] = true
					next = append(next, key)
				}
			})
		}
		layer = next
	}
	return -1
}

// eachStep calls f with the positions after each possible step in which the nodes from sender on send at most one
// block each, to nodes that are not in the set taken. Blocks were at before.
func eachStep(lists [][]int, before, after []byte, sender, taken int, f func(after []byte)) {
	if sender == len(lists) {
		f(after)
		return
	}
	eachStep(lists, before, after, sender+1, taken, f)
	for _, to := range lists[sender] {
		for b, v := range before {
			if taken>>to&1 == 0 && int(v) == sender {
				moved := slices.Clone(after)
				moved[b] = byte(to)
				eachStep(lists, before, moved, sender+1, taken|1<<to, f)
			}
		}
	}
}

// A group is finite, with elements 0 to n-1 and 0 its identity.
type group struct {
	name    string
	n       int
	product func(g, h int) int
}

func cyclicGroup(n int) group {
	return group{fmt.Sprintf("Z_%d", n), n, func(g, h int) int { return (g + h) % n }}
}

// turnedGroup is the dihedral group of order 2m, or with squares half a turn the dicyclic one (m even): elements r^a
// s^b, s r s^-1 = r^-1.
func turnedGroup(m int, dicyclic bool) group {
	name, half := fmt.Sprintf("D_%d", m), 0
	if dicyclic {
		name, half = fmt.Sprintf("Q_%d", 2*m), m/2
	}
	return group{name, 2 * m, func(g, h int) int {
		a, b, c, d := g/2, g%2, h/2, h%2
		if b == 1 {
			c = m - c
		}
		return (a+c+b*d*half)%m*2 + (b+d)%2
	}}
}

func directProduct(g, h group) group {
	return group{g.name + " x " + h.name, g.n * h.n, func(x, y int) int {
		return g.product(x/h.n, y/h.n)*h.n + h.product(x%h.n, y%h.n)
	}}
}

// smallGroups returns every group with at most that many elements, up to 10.
func smallGroups(most int) []group {
	var groups []group
	for n := 2; n <= most; n++ {
		groups = append(groups, cyclicGroup(n))
	}
	two := cyclicGroup(2)
	for _, g := range []group{directProduct(two, two), turnedGroup(3, false), directProduct(two, directProduct(two, two)),
		directProduct(two, cyclicGroup(4)), turnedGroup(4, false), turnedGroup(4, true),
		directProduct(cyclicGroup(3), cyclicGroup(3)), turnedGroup(5, false)} {
		if g.n <= most {
			groups = append(groups, g)
		}
	}
	return groups
}

// inverse returns the element h with g h = 0.
func (g group) inverse(x int) int {
	for y := range g.n {
		if g.product(x, y) == 0 {
			return y
		}
	}
	return -1
}

// cayley yields every set of elements without the identity that is closed under inverses and generates the group,
// with the graph that it makes and on that the exchange in which all nodes do the same: for every element a shortest
// word in the generators, one generator a step.
func (g group) cayley() iter.Seq[graph] {
	return func(yield func(graph) bool) {
		for mask := range 1 << (g.n - 1) {
			var set []int
			closed := true
			for x := 1; x < g.n; x++ {
				if mask>>(x-1)&1 == 1 {
					set = append(set, x)
					closed = closed && mask>>(g.inverse(x)-1)&1 == 1
				}
			}
			c := graph{name: fmt.Sprintf("%s by %v", g.name, set), n: g.n}
			for v := range g.n {
				for _, x := range set {
					if u := g.product(v, x); v < u {
						c.edges = append(c.edges, [2]int{v, u})
					}
				}
			}
			if closed && c.connected() {
				if c.in = g.sameForAll(set, c.distances(0)); !yield(c) {
					return
				}
			}
		}
	}
}

func (g group) sameForAll(set, distance []int) steps {
	var all steps
	for target := 1; target < g.n; target++ {
		var word []int // backwards
		for at := target; at != 0; {
			for _, x := range set {
				if before := g.product(at, g.inverse(x)); distance[before] < distance[at] {
					word, at = append(word, x), before
					break
				}
			}
		}
		at := 0
		for _, x := range slices.Backward(word) {
			next := g.product(at, x)
			var step []hop
			for v := range g.n {
				step = append(step, hop{g.product(v, at), g.product(v, next), v, g.product(v, target)})
			}
			all, at = append(all, step), next
		}
	}
	return all
}
