package steps

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"leeway/core"
	"leeway/objective/exchange"
)

// Packing a complete exchange among some nodes into steps of store and forward, where any node may forward blocks
// (inferred: the papers have a processor at every node). First every block gets a shortest route so that no node
// sends or receives much more than others. Then each step takes a matching of send ports to receive ports of greatest
// weight, where the edge from i to j has weight (sends still due at i)^2 + (receives still due at j)^2, and moves the
// block with the longest way to go. Negotiation (negotiate.go) then looks for fewer steps.
//
// On a torus the translations that map the set of processors to itself are prescribed to the schedule: only one block
// of each orbit is packed, and only one port of each orbit of nodes.

// Pack returns a schedule of complete exchange among the participants, nodes in ascending order (nil: all). It is the
// best of several packings with fixed seeds, fewer on large networks. Errors are *core.InputError: a participant that
// is not a node or out of order, or more hops than fit the memory (2^23, a path of 290 nodes).
func Pack(n *Network, participants []int) (*Plan, error) {
	for i, p := range participants {
		if p < 0 || p >= n.nodes || i > 0 && participants[i-1] >= p {
			return nil, &core.InputError{Text: n.String(),
				Problem: "participants are nodes of the network in ascending order"}
		}
	}
	steps, bounds, err := pack(n, participants)
	if err != nil {
		return nil, err
	}
	return newPlan("packed", n, participants, listed(n.nodes, steps), bounds), nil
}

// A packing is the question with its symmetry.
type packing struct {
	net    *Network
	shifts []int // translations of the symmetry group, by the image of node 0
	class  []int // by node: its orbit
	nodes  []int // by orbit: a node of it
	blocks []exchange.Block
	out    [][]step  // by node
	rows   [][]int16 // by node: distances from it, once they were asked for
}

func newPacking(n *Network, participants []int) *packing {
	procs := n.processors(participants)
	p := &packing{net: n, shifts: symmetricShifts(n, procs), class: make([]int, n.nodes),
		rows: make([][]int16, n.nodes)}
	for v := range p.class {
		p.class[v] = -1
		p.out = append(p.out, n.steps(v))
	}
	for v := range p.class {
		if p.class[v] >= 0 {
			continue
		}
		for _, s := range p.shifts {
			p.class[n.shifted(v, s)] = len(p.nodes)
		}
		p.nodes = append(p.nodes, v)
	}
	for _, from := range procs {
		if p.nodes[p.class[from]] != from {
			continue
		}
		for _, to := range procs {
			if from != to {
				p.blocks = append(p.blocks, exchange.NewBlock(from, to))
			}
		}
	}
	return p
}

// distances returns the distance of every node.
func (p *packing) distances(from int) []int16 {
	if p.rows[from] == nil {
		row := make([]int16, p.net.nodes)
		for v := range row {
			row[v] = int16(p.net.distanceOf(from, v))
		}
		p.rows[from] = row
	}
	return p.rows[from]
}

// symmetricShifts returns the translations that map the set of processors to itself, the one by 0 first. Unless all
// factors are rings it is the only one.
func symmetricShifts(n *Network, procs []int) []int {
	rings := !slices.ContainsFunc(n.factors, func(f factor) bool { return f.Kind != exchange.Ring })
	if !rings || len(procs) == 0 {
		return []int{0}
	}
	var shifts []int
	for s := range n.nodes {
		if !slices.ContainsFunc(procs, func(p int) bool { return !isIn(procs, n.shifted(p, s)) }) {
			shifts = append(shifts, s)
		}
	}
	return shifts
}

func isIn(procs []int, v int) bool {
	_, found := slices.BinarySearch(procs, v)
	return found
}

// Limits of the search for a packing. All count work, so that the answer does not depend on the machine.
const (
	maxHops         = 1 << 23 // of a packing
	greedyHops      = 1 << 19 // over all greedy packings
	greedyTries     = 64
	negotiateWork   = 1 << 27 // relaxations
	negotiateTries  = 100     // for each number of steps
	negotiateRounds = 300     // of a try
	negotiateDetour = 2       // hops more than on a shortest route, in every other try
)

// pack returns the steps of the best packing found, and bounds on them. It starts with greedy packings; unless one
// reaches a bound, negotiation looks for fewer steps, one less at a time.
func pack(n *Network, participants []int) ([][]hop, []Bound, error) {
	p, bounds := newPacking(n, participants), lowerBounds(n, participants)
	if hops := p.hops() * len(p.shifts); hops > maxHops {
		return nil, nil, &core.InputError{Text: n.String(),
			Problem: fmt.Sprintf("packing takes up to %d hops, but this exchange has %d", maxHops, hops)}
	}
	best := p.greedy(bounds[0].Steps)
	if len(best) > bounds[0].Steps {
		bounds = withWeights(bounds, n, participants)
	}
	work := negotiateWork
	for tries := 0; len(best) > bounds[0].Steps && tries < negotiateTries && work > 0; tries++ {
		rng := rand.New(rand.NewPCG(uint64(tries), 1))
		if fewer := p.negotiate(len(best)-1, tries%2*negotiateDetour, &work, rng); fewer != nil {
			best, tries = fewer, -1
		}
	}
	return p.expand(best), bounds, nil
}

// greedy returns the best of several packings by matchings.
func (p *packing) greedy(bound int) [][]hop {
	var best [][]hop
	for seed := range max(1, min(greedyTries, greedyHops/max(p.hops(), 1))) {
		rng := rand.New(rand.NewPCG(uint64(seed), 0))
		steps := p.schedule(p.routes(rng), rng)
		if best == nil || len(steps) < len(best) {
			best = steps
		}
		if len(best) <= bound {
			break
		}
	}
	return best
}

// hops returns the sum of the distances of the blocks.
func (p *packing) hops() int {
	total := 0
	for _, b := range p.blocks {
		total += p.net.distanceOf(int(b.From), int(b.To))
	}
	return total
}

// expand applies the symmetries.
func (p *packing) expand(steps [][]hop) [][]hop {
	for i, hops := range steps {
		var all []hop
		for _, s := range p.shifts {
			for _, h := range hops {
				all = append(all, hop{p.net.shifted(h.from, s), p.net.shifted(h.to, s), h.axis, h.dir,
					exchange.NewBlock(p.net.shifted(int(h.block.From), s), p.net.shifted(int(h.block.To), s))})
			}
		}
		steps[i] = all
	}
	return steps
}

// routeRounds is how often every block may change its route.
const routeRounds = 6

// A router gives blocks shortest routes that spread sends and receives over the orbits of nodes.
type router struct {
	*packing
	sends, receives []int // by orbit, of all routes
	cost            []int // by node: the cheapest way to it, of the block at hand
	before          []int // by node: where that way comes from
	seen            []int // by node: the turn at which it was reached last
	turn            int
}

// routes returns the nodes of a route for every block.
func (p *packing) routes(rng *rand.Rand) [][]int {
	r := &router{packing: p, sends: make([]int, len(p.nodes)), receives: make([]int, len(p.nodes)),
		cost: make([]int, p.net.nodes), before: make([]int, p.net.nodes), seen: make([]int, p.net.nodes)}
	routes := make([][]int, len(p.blocks))
	order := rng.Perm(len(p.blocks))
	for range routeRounds {
		changed := false
		for _, i := range order {
			old := routes[i]
			r.count(old, -1)
			routes[i] = r.cheapest(p.blocks[i], rng)
			r.count(routes[i], 1)
			changed = changed || !slices.Equal(old, routes[i])
		}
		if !changed {
			break
		}
	}
	return routes
}

// count adds a route to what nodes send and receive, or takes it away.
func (r *router) count(route []int, by int) {
	for i := 1; i < len(route); i++ {
		r.sends[r.class[route[i-1]]] += by
		r.receives[r.class[route[i]]] += by
	}
}

// cheapest returns the shortest route of a block that adds least to the sum of the squares of sends and receives. It
// goes layer by layer from the sender.
func (r *router) cheapest(b exchange.Block, rng *rand.Rand) []int {
	from, to := int(b.From), int(b.To)
	r.turn++
	r.cost[from] = 0
	layer := []int{from}
	distance := r.distances(to)
	for left := distance[from]; left > 0; left-- {
		var next []int
		for _, u := range layer {
			for _, s := range r.out[u] {
				if distance[s.to] != left-1 {
					continue
				}
				// Twice the increase, plus a random bit that breaks ties.
				cost := r.cost[u] + 2*(r.sends[r.class[u]]+r.receives[r.class[s.to]]) + rng.IntN(2)
				if r.seen[s.to] == r.turn && r.cost[s.to] <= cost {
					continue
				}
				if r.seen[s.to] != r.turn {
					next = append(next, s.to)
				}
				r.seen[s.to], r.cost[s.to], r.before[s.to] = r.turn, cost, u
			}
		}
		layer = next
	}
	route := []int{to}
	for v := to; v != from; {
		v = r.before[v]
		route = append(route, v)
	}
	slices.Reverse(route)
	return route
}

// A stepPacker makes the steps of one packing.
type stepPacker struct {
	*packing
	routes          [][]int
	done            []int // by block: hops made
	sends, receives []int // by orbit: still due
	queues          [][]queue
	match           *matcher
	rng             *rand.Rand
}

// A queue holds the blocks that wait in one orbit for a send to another, by the hops that they still have to make.
type queue struct {
	to      int
	waiting [][]int
	count   int
}

// schedule returns steps in which every block moves along its route.
func (p *packing) schedule(routes [][]int, rng *rand.Rand) [][]hop {
	k := &stepPacker{packing: p, routes: routes, done: make([]int, len(routes)), sends: make([]int, len(p.nodes)),
		receives: make([]int, len(p.nodes)), queues: make([][]queue, len(p.nodes)),
		match: newMatcher(len(p.nodes), len(p.nodes)), rng: rng}
	left := 0
	for b, route := range routes {
		for i := 1; i < len(route); i++ {
			k.sends[p.class[route[i-1]]]++
			k.receives[p.class[route[i]]]++
		}
		left += len(route) - 1
		k.wait(b)
	}
	var steps [][]hop
	for left > 0 {
		hops := k.step()
		left -= len(hops)
		steps = append(steps, hops)
	}
	return steps
}

// wait puts a block into the queue for its next hop.
func (k *stepPacker) wait(b int) {
	route := k.routes[b]
	left := len(route) - 1 - k.done[b]
	if left == 0 {
		return
	}
	from, to := k.class[route[k.done[b]]], k.class[route[k.done[b]+1]]
	i := slices.IndexFunc(k.queues[from], func(q queue) bool { return q.to == to })
	if i < 0 {
		i = len(k.queues[from])
		k.queues[from] = append(k.queues[from], queue{to: to})
	}
	q := &k.queues[from][i]
	for len(q.waiting) <= left {
		q.waiting = append(q.waiting, nil)
	}
	q.waiting[left] = append(q.waiting[left], b)
	q.count++
}

// take removes a block with the longest way to go.
func (q *queue) take(rng *rand.Rand) int {
	for left := len(q.waiting) - 1; ; left-- {
		list := q.waiting[left]
		if len(list) == 0 {
			continue
		}
		i := rng.IntN(len(list))
		b := list[i]
		list[i] = list[len(list)-1]
		q.waiting[left] = list[:len(list)-1]
		q.count--
		return b
	}
}

// step returns the hops of the next step.
func (k *stepPacker) step() []hop {
	k.match.clear()
	for from, queues := range k.queues {
		for i, q := range queues {
			if q.count > 0 {
				weight := k.sends[from]*k.sends[from] + k.receives[q.to]*k.receives[q.to]
				k.match.edges[from] = append(k.match.edges[from], edge{q.to, weight, i})
			}
		}
	}
	var moved []int
	for from, i := range k.match.solve() {
		if i >= 0 {
			moved = append(moved, k.queues[from][k.match.edges[from][i].tag].take(k.rng))
		}
	}
	var hops []hop
	for _, b := range moved {
		route, i := k.routes[b], k.done[b]
		hops = append(hops, k.hop(route[i], route[i+1], k.blocks[b]))
		k.sends[k.class[route[i]]]--
		k.receives[k.class[route[i+1]]]--
		k.done[b]++
		k.wait(b)
	}
	return hops
}

// hop returns the hop to a neighbour.
func (p *packing) hop(from, to int, b exchange.Block) hop { return hopOver(p.out[from], from, to, b) }

// hopOver returns the hop over the one of the steps from a node that leads to the other.
func hopOver(steps []step, from, to int, b exchange.Block) hop {
	s := steps[slices.IndexFunc(steps, func(s step) bool { return s.to == to })]
	return hop{from, to, s.axis, s.dir, b}
}

// A matcher finds matchings of greatest weight between rows and columns. Rows come one after the other; each time the
// best alternating path is taken, which keeps the matching best for the rows so far.
type matcher struct {
	rowOf  []int // by column: its row, -1 if free
	column []int // by row: the index of its matched edge, -1 if none
	edges  [][]edge
	gain   []int // by row: the best gain of a path that frees it
	via    []int // by row: the row before it on that path
	by     []int // by row: the edge of via that leads to it
	queued []bool
}

// An edge joins a row, in whose list it stands, to a column.
type edge struct{ column, weight, tag int }

func newMatcher(rows, columns int) *matcher {
	return &matcher{rowOf: make([]int, columns), column: make([]int, rows), edges: make([][]edge, rows),
		gain: make([]int, rows), via: make([]int, rows), by: make([]int, rows), queued: make([]bool, rows)}
}

// clear drops all edges.
func (m *matcher) clear() {
	for r := range m.edges {
		m.edges[r] = m.edges[r][:0]
	}
}

// solve returns, for every row, the index of its edge in a matching of greatest weight, -1 if it has none. Weights
// are positive. Cost: O(rows * edges) as a rule.
func (m *matcher) solve() []int {
	for c := range m.rowOf {
		m.rowOf[c] = -1
	}
	for r := range m.column {
		m.column[r] = -1
	}
	for r := range m.edges {
		if len(m.edges[r]) > 0 {
			m.insert(r)
		}
	}
	return m.column
}

const unreached = -1 << 62

// insert adds a row to the matching. A path leads from the row by an edge to a column, on to the row that owns the
// column, and so on; it ends at a free column, or leaves its last row without an edge. Gains add up along it.
func (m *matcher) insert(start int) {
	for r := range m.gain {
		m.gain[r] = unreached
	}
	m.gain[start] = 0
	best, bestRow, bestEdge := 0, start, -1 // leaving start without an edge
	queue := []int{start}
	for len(queue) > 0 {
		r := queue[0]
		queue = queue[1:]
		m.queued[r] = false
		if m.gain[r] > best {
			best, bestRow, bestEdge = m.gain[r], r, -1
		}
		for i, e := range m.edges[r] {
			gain := m.gain[r] + e.weight
			owner := m.rowOf[e.column]
			if owner < 0 {
				if gain > best {
					best, bestRow, bestEdge = gain, r, i
				}
				continue
			}
			if gain -= m.edges[owner][m.column[owner]].weight; gain <= m.gain[owner] || owner == start {
				continue
			}
			m.gain[owner], m.via[owner], m.by[owner] = gain, r, i
			if !m.queued[owner] {
				m.queued[owner] = true
				queue = append(queue, owner)
			}
		}
	}
	m.take(start, bestRow, bestEdge)
}

// take gives a row its new edge, and the rows before it on the path theirs.
func (m *matcher) take(start, row, edge int) {
	for {
		m.column[row] = edge
		if edge >= 0 {
			m.rowOf[m.edges[row][edge].column] = row
		}
		if row == start {
			return
		}
		row, edge = m.via[row], m.by[row]
	}
}
