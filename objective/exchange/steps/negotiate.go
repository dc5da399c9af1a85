package steps

import (
	"math/rand/v2"

	"leeway/objective/exchange"
)

// Negotiated routing after PathFinder (L. McMurchie and C. Ebeling, 1995, for the wires of gate arrays), in space and
// time. Within a fixed number of steps every block takes the cheapest way from its sender to its receiver and waits
// where that is cheaper. A send or receive port at a step costs more the more blocks want it now, and the longer
// several blocks have wanted it. Blocks that share a port are routed again until no port is shared.

// A negotiator holds the prices.
type negotiator struct {
	*packing
	steps         int
	detour        int16
	near          []int    // nodes of routes of the block at hand
	send, receive [][]slot // by step and orbit
	ways          [][]int  // by block: the node at the start of every step, and at the end
	work          *int     // relaxations left
	cost          [][]int  // by step and node: the cheapest rest of the way, of the block at hand
	choice        [][]int  // by step and node: where it goes next
}

// A slot is a port at one step.
type slot struct{ users, history int }

// Prices: that of a port without users, and what each user and each round of sharing adds to it.
const (
	slotPrice   = 8
	userPrice   = 3 // times the price without users
	sharedPrice = 2
	tooDear     = 1 << 40
)

func (s slot) price() int { return (slotPrice + s.history) * (1 + userPrice*s.users) }

// negotiate returns a schedule of the given number of steps, nil if it finds none with the work left, counted in
// relaxations of a hop at a step. Routes may have detour hops more than shortest ones.
func (p *packing) negotiate(steps, detour int, work *int, rng *rand.Rand) [][]hop {
	orbits, nodes := len(p.nodes), p.net.nodes
	g := &negotiator{packing: p, steps: steps, detour: int16(detour), work: work, ways: make([][]int, len(p.blocks)),
		send: table[slot](steps, orbits), receive: table[slot](steps, orbits),
		cost: table[int](steps+1, nodes), choice: table[int](steps+1, nodes)}
	for range negotiateRounds {
		again := 0
		for _, b := range rng.Perm(len(p.blocks)) {
			if g.ways[b] != nil && !g.shares(b) {
				continue
			}
			if again++; *work < 0 {
				return nil
			}
			g.use(b, -1)
			if g.ways[b] = g.cheapest(p.blocks[b], rng); g.ways[b] == nil {
				return nil // the block is farther away than there are steps
			}
			g.use(b, 1)
		}
		if again == 0 {
			return g.timetable()
		}
		g.remember()
	}
	return nil
}

func table[T any](rows, columns int) [][]T {
	t := make([][]T, rows)
	for i := range t {
		t[i] = make([]T, columns)
	}
	return t
}

// moves calls f with the slots of every hop of a block.
func (g *negotiator) moves(b int, f func(send, receive *slot)) {
	way := g.ways[b]
	for t := 0; t+1 < len(way); t++ {
		if way[t] != way[t+1] {
			f(&g.send[t][g.class[way[t]]], &g.receive[t][g.class[way[t+1]]])
		}
	}
}

// use adds the block to the users of its slots, or takes it away.
func (g *negotiator) use(b, by int) {
	g.moves(b, func(send, receive *slot) {
		send.users += by
		receive.users += by
	})
}

// shares reports whether a block is not alone on one of its slots.
func (g *negotiator) shares(b int) bool {
	shared := false
	g.moves(b, func(send, receive *slot) { shared = shared || send.users > 1 || receive.users > 1 })
	return shared
}

// remember raises the price of the slots that are shared now.
func (g *negotiator) remember() {
	for t := range g.send {
		for c := range g.send[t] {
			for _, s := range []*slot{&g.send[t][c], &g.receive[t][c]} {
				if s.users > 1 {
					s.history += sharedPrice * (s.users - 1)
				}
			}
		}
	}
}

// cheapest returns the cheapest way of a block, nil if it cannot arrive in time. It goes backwards from the last
// step, over the nodes near shortest routes.
func (g *negotiator) cheapest(b exchange.Block, rng *rand.Rand) []int {
	from, to := int(b.From), int(b.To)
	early, late := g.distances(from), g.distances(to)
	limit := early[to] + g.detour
	if int(early[to]) > g.steps {
		return nil
	}
	g.near = g.near[:0]
	for v := range early {
		if early[v]+late[v] <= limit {
			g.near = append(g.near, v)
		}
	}
	g.cost[g.steps][to] = 0
	for t := g.steps - 1; t >= 0; t-- {
		for _, v := range g.near {
			if int(early[v]) <= t && int(late[v]) <= g.steps-t { // it can be there then
				g.cost[t][v], g.choice[t][v] = g.next(t, v, early, late, limit, rng)
			}
		}
	}
	way := []int{from}
	for t := range g.steps {
		way = append(way, g.choice[t][way[t]])
	}
	return way
}

// next returns the cost of the cheapest rest of the way from a node at a step, and the next node on it. At the
// following step only nodes near shortest routes have a cost, and only if the receiver can still be reached in time.
func (g *negotiator) next(t, v int, early, late []int16, limit int16, rng *rand.Rand) (cost, choice int) {
	left := g.steps - t - 1
	cost = tooDear
	if int(late[v]) <= left {
		cost, choice = g.cost[t+1][v], v
	}
	*g.work -= len(g.out[v])
	for _, s := range g.out[v] {
		if int(late[s.to]) > left || early[s.to]+late[s.to] > limit {
			continue
		}
		rest := g.cost[t+1][s.to] + g.send[t][g.class[v]].price() + g.receive[t][g.class[s.to]].price()
		if rest < cost || rest == cost && rng.IntN(2) == 0 {
			cost, choice = rest, s.to
		}
	}
	return cost, choice
}

// timetable returns the ways as hops of each step.
func (g *negotiator) timetable() [][]hop {
	steps := make([][]hop, g.steps)
	for t := range steps {
		for b, way := range g.ways {
			if way[t] != way[t+1] {
				steps[t] = append(steps[t], g.hop(way[t], way[t+1], g.blocks[b]))
			}
		}
	}
	return steps
}
