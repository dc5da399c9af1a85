package steps

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"leeway/core"
	"leeway/objective/exchange"
)

// Packing a complete exchange among some nodes into steps, where any node may forward blocks (inferred: the papers
// have a processor at every node). First every block gets a shortest route so that no place, a port or a link, is much
// busier than others. Then each step takes from every place a block with a long way to go over busy links; by store and
// forward,
// where a send needs two places, those of a matching of send ports to receive ports of greatest weight, in which the
// edge from i to j has weight (sends still due at i)^2 + (receives still due at j)^2. Negotiation (negotiate.go) then
// looks for fewer steps.
//
// On a torus translations that map the set of processors to itself are prescribed to the schedule: only one block of
// each orbit is packed, and only one place of each orbit.

// Pack returns a schedule of complete exchange among the participants, nodes in ascending order (nil: all). It is the
// best of several packings with fixed seeds, fewer on large networks. Errors are *core.InputError: a participant that
// is not a node or out of order, or more hops than fit the memory (2^23, a path of 290 nodes).
func Pack(n *Network, participants []int) (*Plan, error) {
	for i, p := range participants {
		if p < 0 || p >= n.N() || i > 0 && participants[i-1] >= p {
			return nil, &core.InputError{Text: n.String(),
				Problem: "participants are nodes of the network in ascending order"}
		}
	}
	demand := n.complete(participants)
	steps, bounds, err := pack(n, demand)
	if err != nil {
		return nil, err
	}
	return newPlan("packed", n, demand, listed(n.N(), steps), bounds), nil
}

// complete returns the demand of complete exchange among the participants, all nodes for nil.
func (n *Network) complete(participants []int) exchange.Demand {
	if participants == nil {
		participants = core.Range(n.N())
	}
	return exchange.CompleteDemand(participants)
}

// An orbits is a network under translations. A place is what a send needs, the same for all that they take it to: by
// store and forward the port of the sender, then that of the receiver, with all ports the link.
type orbits struct {
	net    *Network
	shifts []int     // the translations, by the image of node 0
	class  []int     // by node: its orbit
	nodes  []int     // by orbit: a node of it
	out    [][]step  // by node
	places [][][]int // by node and step from it
	room   []int     // by place: how many sends at once it has room for
}

// A packing is the question with its symmetry.
type packing struct {
	*orbits
	blocks []exchange.Block // one of each orbit
	paths  [][]route        // by block: those that it may take; nil: any
	rows   [][]int16        // by node: distances from it, once they were asked for
	detour []int            // by try of negotiation, in turn: hops more than on a shortest route
}

func newOrbits(n *Network, shifts []int) *orbits {
	o := &orbits{net: n, shifts: shifts, class: make([]int, n.N()), out: n.out}
	for v := range o.class {
		o.class[v] = -1
	}
	for v := range o.class {
		if o.class[v] >= 0 {
			continue
		}
		for _, s := range o.shifts {
			o.class[n.Sum(v, s)] = len(o.nodes)
		}
		o.nodes = append(o.nodes, v)
	}
	o.setPlaces()
	return o
}

func newPacking(n *Network, d exchange.Demand, shifts []int) *packing {
	p := &packing{orbits: newOrbits(n, shifts), rows: make([][]int16, n.N()), detour: []int{0, negotiateDetour}}
	if !d.IsComplete() {
		p.detour = []int{0, negotiateDetour, n.N()} // any: one node may have many blocks for another
	}
	for _, from := range d.Nodes {
		if p.nodes[p.class[from]] != from {
			continue
		}
		for to, blocks := range d.Receivers(from) {
			p.blocks = append(p.blocks, slices.Repeat([]exchange.Block{exchange.NewBlock(from, to)}, blocks)...)
		}
	}
	return p
}

// setPlaces fills in what sends need.
func (o *orbits) setPlaces() {
	first := make([]int, len(o.nodes)) // by orbit, with all ports: its first link
	if o.net.Model() == exchange.StoreAndForward {
		o.room = slices.Repeat([]int{1}, 2*len(o.nodes))
	} else {
		for c, v := range o.nodes {
			first[c] = len(o.room)
			for _, s := range o.out[v] {
				o.room = append(o.room, s.room)
			}
		}
	}
	for v, out := range o.out {
		places := make([][]int, len(out))
		for via, s := range out {
			places[via] = []int{first[o.class[v]] + via}
			if o.net.Model() == exchange.StoreAndForward {
				places[via] = []int{o.class[v], len(o.nodes) + o.class[s.to]}
			}
		}
		o.places = append(o.places, places)
	}
}

// distances returns the distance of every node.
func (p *packing) distances(from int) []int16 {
	if p.rows[from] == nil {
		row := make([]int16, p.net.N())
		for v := range row {
			row[v] = int16(p.net.LeeDistance(from, v))
		}
		p.rows[from] = row
	}
	return p.rows[from]
}

// symmetricShifts returns the translations that map a demand to itself, the one by 0 first. Along open dimensions, and
// without any, there are no others.
func symmetricShifts(n *Network, d exchange.Demand) []int {
	shifts := []int{0}
	if !n.HasDimensions() || len(d.Nodes) == 0 {
		return shifts
	}
	kind, kinds := make([]int, n.N()), map[string]int{} // by node: what it has for nodes that lie in some way beyond it
	for _, v := range d.Nodes {
		kind[v] = 1
		if !d.IsComplete() {
			var row [][2]int
			for to, blocks := range d.Receivers(v) {
				row = append(row, [2]int{n.Displacement(v, to), blocks})
			}
			slices.SortFunc(row, func(a, b [2]int) int { return a[0] - b[0] })
			key := fmt.Sprint(row)
			if kinds[key] == 0 {
				kinds[key] = len(kinds) + 1
			}
			kind[v] = kinds[key]
		}
	}
	for s := 1; s < n.N(); s++ {
		moved := func(v int) bool { return kind[n.Sum(v, s)] != kind[v] }
		if n.ClosedPart(s) == s && !slices.ContainsFunc(d.Nodes, moved) {
			shifts = append(shifts, s)
		}
	}
	return shifts
}

// Limits of the search for a packing. All count work, so that the answer does not depend on the machine.
const (
	maxHops         = 1 << 23 // of a packing
	greedyHops      = 1 << 19 // over all greedy packings
	greedyTries     = 64
	negotiateWork   = 1 << 27 // relaxations
	negotiateTries  = 100     // for each number of steps
	negotiateRounds = 300     // of a try
	negotiateDetour = 2       // hops more than on a shortest route, in some tries
)

// pack returns the steps of the best packing found, and bounds on them. Unless that reaches a bound, negotiation looks
// for fewer steps, one less at a time.
func pack(n *Network, d exchange.Demand) ([][]hop, []exchange.Bound, error) {
	return newPacking(n, d, symmetricShifts(n, d)).pack(exchange.Bounds(n.Model(), n.Network, d), d)
}

// pack is the same with bounds that are known, the best first.
func (p *packing) pack(bounds []exchange.Bound, d exchange.Demand) ([][]hop, []exchange.Bound, error) {
	if hops := p.hops() * len(p.shifts); hops > maxHops {
		return nil, nil, &core.InputError{Text: p.net.String(),
			Problem: fmt.Sprintf("packing takes up to %d hops, but this exchange has %d", maxHops, hops)}
	}
	best := p.greedy(bounds[0].Steps)
	if len(best) > bounds[0].Steps {
		bounds = withWeights(bounds, p.net, d)
	}
	work := negotiateWork
	return p.expand(p.improve(best, bounds[0].Steps, &work)), bounds, nil
}

// improve returns steps in the place of the best so far: fewer if negotiation finds them with the work left, down to
// the bound.
func (p *packing) improve(best [][]hop, bound int, work *int) [][]hop {
	for tries := 0; len(best) > bound && tries < negotiateTries && *work > 0; tries++ {
		rng := rand.New(rand.NewPCG(uint64(tries), 1))
		if fewer := p.negotiate(len(best)-1, p.detour[tries%len(p.detour)], work, rng); fewer != nil {
			best, tries = fewer, -1
		}
	}
	return best
}

// greedy returns the best of several packings by matchings.
func (p *packing) greedy(bound int) [][]hop {
	var best [][]hop
	for seed := range max(1, min(greedyTries, greedyHops/max(p.hops(), 1))) {
		rng := rand.New(rand.NewPCG(uint64(seed), 0))
		steps := p.schedule(p.routes(rng, bound), rng, seed%2 > 0)
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
		total += p.net.LeeDistance(int(b.From), int(b.To))
	}
	return total
}

// expand applies the symmetries.
func (p *packing) expand(steps [][]hop) [][]hop {
	for i, hops := range steps {
		var all []hop
		for _, s := range p.shifts {
			for _, h := range hops {
				from := p.net.Sum(int(h.from), s)
				via := slices.IndexFunc(p.out[h.from], func(o step) bool { return o.link == h.by.link })
				all = append(all, p.hop(from, via,
					exchange.NewBlock(p.net.Sum(int(h.block.From), s), p.net.Sum(int(h.block.To), s))))
			}
		}
		steps[i] = all
	}
	return steps
}

// routeRounds is how often every block may change its route.
const routeRounds = 6

// A router gives blocks shortest routes that spread sends over the places.
type router struct {
	*packing
	load   []int    // by place: sends of all routes
	cost   []int    // by node: the cheapest way to it, of the block at hand
	before [][2]int // by node: where that way comes from, and by which step
	seen   []int    // by node: the turn at which it was reached last
	turn   int
	wanted int // steps
}

// A route is the steps of a block from its sender on, by their number at each node.
type route []int32

// routes returns a route for every block. With all ports loads above the steps that are wanted are avoided most.
func (p *packing) routes(rng *rand.Rand, steps int) []route {
	r := &router{packing: p, load: make([]int, len(p.room)), cost: make([]int, p.net.N()),
		before: make([][2]int, p.net.N()), seen: make([]int, p.net.N()),
		wanted: math.MaxInt32}
	if p.net.Model() == exchange.AllPort {
		r.wanted = steps
	}
	routes := make([]route, len(p.blocks))
	order := rng.Perm(len(p.blocks))
	for range routeRounds {
		changed := false
		for _, i := range order {
			old := routes[i]
			r.count(i, old, -1)
			if p.paths != nil {
				routes[i] = r.cheapestOf(i, rng)
			} else {
				routes[i] = r.cheapest(p.blocks[i], rng)
			}
			r.count(i, routes[i], 1)
			changed = changed || !slices.Equal(old, routes[i])
		}
		if !changed {
			break
		}
	}
	return routes
}

// count adds the route of a block to the loads, or takes it away.
func (r *router) count(block int, by route, sign int) {
	r.follow(block, by, func(_, _ int, places []int) {
		for _, place := range places {
			r.load[place] += sign
		}
	})
}

// follow calls f for every step of a route, with the node that it leaves, its number there and what it needs.
func (p *packing) follow(block int, by route, f func(from, via int, places []int)) {
	v := int(p.blocks[block].From)
	for _, via := range by {
		f(v, int(via), p.places[v][via])
		v = p.out[v][via].to
	}
}

// overPrice is what a send above the steps that are wanted costs more.
const overPrice = 1 << 10

// price returns twice by how much a send more at places increases the sum of squares.
func (r *router) price(places []int) int {
	price := 0
	for _, place := range places {
		price += 2 * r.load[place] / r.room[place]
		if r.load[place] >= r.wanted*r.room[place] {
			price += overPrice
		}
	}
	return price
}

// cheapestOf is cheapest among the paths of a block.
func (r *router) cheapestOf(block int, rng *rand.Rand) route {
	var best route
	least := tooDear
	for _, by := range r.paths[block] {
		cost := rng.IntN(2)
		r.follow(block, by, func(_, _ int, places []int) { cost += r.price(places) })
		if cost < least {
			best, least = by, cost
		}
	}
	return best
}

// cheapest returns the shortest route of a block that adds least to the sum of the squares of the loads, divided by
// the room. It goes layer by layer from the sender.
func (r *router) cheapest(b exchange.Block, rng *rand.Rand) route {
	from, to := int(b.From), int(b.To)
	r.turn++
	r.cost[from] = 0
	layer := []int{from}
	distance := r.distances(to)
	for left := distance[from]; left > 0; left-- {
		var next []int
		for _, u := range layer {
			for via, s := range r.out[u] {
				if distance[s.to] != left-1 {
					continue
				}
				cost := r.cost[u] + rng.IntN(2) + r.price(r.places[u][via])
				if r.seen[s.to] == r.turn && r.cost[s.to] <= cost {
					continue
				}
				if r.seen[s.to] != r.turn {
					next = append(next, s.to)
				}
				r.seen[s.to], r.cost[s.to], r.before[s.to] = r.turn, cost, [2]int{u, via}
			}
		}
		layer = next
	}
	var by route
	for v := to; v != from; v = r.before[v][0] {
		by = append(by, int32(r.before[v][1]))
	}
	slices.Reverse(by)
	return by
}

// A stepPacker makes the steps of one packing.
type stepPacker struct {
	*packing
	routes []route
	done   []int // by block: hops made
	at     []int // by block: where it is
	due    []int // by place: sends still to be made
	queues [][]queue
	match  *matcher // by store and forward
	ahead  bool     // with all ports: look at links ahead
	rng    *rand.Rand
}

// A queue holds the blocks whose next hops need the same places, by their urgency: the hops that they still have to
// make, and with all ports how busy the links ahead are.
type queue struct {
	places  []int
	waiting [][]int
	count   int
}

// schedule returns steps in which every block moves along its route. Blocks with a long way to go are urgent, and with
// all ports, if asked for, those with busy links ahead.
func (p *packing) schedule(routes []route, rng *rand.Rand, ahead bool) [][]hop {
	k := &stepPacker{packing: p, routes: routes, done: make([]int, len(routes)), at: make([]int, len(routes)),
		due: make([]int, len(p.room)), queues: make([][]queue, len(p.room)), ahead: ahead, rng: rng}
	if p.net.Model() == exchange.StoreAndForward {
		k.match = newMatcher(len(p.nodes), len(p.nodes))
	}
	left := 0
	for b, by := range routes {
		p.follow(b, by, func(_, _ int, places []int) {
			for _, place := range places {
				k.due[place]++
			}
		})
		left += len(by)
		k.at[b] = int(p.blocks[b].From)
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
	by := k.routes[b]
	left := len(by) - k.done[b]
	if left == 0 {
		return
	}
	places := k.places[k.at[b]][by[k.done[b]]]
	queues := &k.queues[places[0]]
	i := slices.IndexFunc(*queues, func(q queue) bool { return slices.Equal(q.places, places) })
	if i < 0 {
		i = len(*queues)
		*queues = append(*queues, queue{places: places})
	}
	q := &(*queues)[i]
	urgency := left
	if k.ahead && k.match == nil {
		urgency = k.urgency(b)
	}
	for len(q.waiting) <= urgency {
		q.waiting = append(q.waiting, nil)
	}
	q.waiting[urgency] = append(q.waiting[urgency], b)
	q.count++
}

// urgency returns the hops that a block still has to make, and twice what is due at the busiest link after the next.
func (k *stepPacker) urgency(b int) int {
	by, v, most := k.routes[b][k.done[b]:], k.at[b], 0
	for i, via := range by {
		if place := k.places[v][via][0]; i > 0 {
			most = max(most, k.due[place]/k.room[place])
		}
		v = k.out[v][via].to
	}
	return len(by) + 2*most
}

// take removes one of the most urgent blocks.
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
	moved := k.takeByPlace
	if k.match != nil {
		moved = k.takeMatched
	}
	var hops []hop
	for _, b := range moved() {
		from, via := k.at[b], int(k.routes[b][k.done[b]])
		for _, place := range k.places[from][via] {
			k.due[place]--
		}
		hops = append(hops, k.hop(from, via, k.blocks[b]))
		k.done[b]++
		k.at[b] = k.out[from][via].to
		k.wait(b)
	}
	return hops
}

// takeByPlace takes from every queue as many blocks as its place has room for: a send needs one place only.
func (k *stepPacker) takeByPlace() (moved []int) {
	for place, queues := range k.queues {
		for i := range queues {
			for range min(k.room[place], queues[i].count) {
				moved = append(moved, queues[i].take(k.rng))
			}
		}
	}
	return moved
}

// takeMatched takes a block from each queue that a matching of greatest weight has.
func (k *stepPacker) takeMatched() (moved []int) {
	k.match.clear()
	for from, queues := range k.queues[:len(k.nodes)] {
		for i, q := range queues {
			if q.count > 0 {
				due := k.due[q.places[1]]
				weight := k.due[from]*k.due[from] + due*due
				k.match.edges[from] = append(k.match.edges[from], edge{q.places[1] - len(k.nodes), weight, i})
			}
		}
	}
	for from, i := range k.match.solve() {
		if i >= 0 {
			moved = append(moved, k.queues[from][k.match.edges[from][i].tag].take(k.rng))
		}
	}
	return moved
}

// hop returns a hop over a step from a node.
func (p *packing) hop(from, via int, b exchange.Block) hop {
	s := &p.out[from][via]
	return hop{int32(from), int32(s.to), s, b}
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
