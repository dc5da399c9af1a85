package steps

import (
	"math/rand/v2"
	"slices"

	"leeway/objective/exchange"
)

// Negotiated routing after PathFinder (L. McMurchie and C. Ebeling, 1995, for the wires of gate arrays), in space and
// time. Within a fixed number of steps every block takes the cheapest way from its sender to its receiver and waits
// where that is cheaper. A place at a step, a port or a link, costs more the more blocks want it now, and the longer
// too many blocks have wanted it. Blocks that want a place which has too little room are routed again until none does.

// A negotiator holds the prices.
type negotiator struct {
	*packing
	steps  int
	detour int16
	near   []int     // nodes of routes of the block at hand
	slots  [][]slot  // by step and place
	ways   [][]int16 // by block: the number of the step that it takes at every step; -1: it waits
	work   *int      // relaxations left
	cost   [][]int   // by step and node: the cheapest rest of the way, of the block at hand
	choice [][]int16 // by step and node: which step it takes
}

// A slot is a place at one step.
type slot struct{ users, history int }

// Prices: that of a slot with room, and what each user too many and each round with these adds to it.
const (
	slotPrice   = 8
	userPrice   = 3 // times the price without users
	sharedPrice = 2
	tooDear     = 1 << 40
)

// price returns what one user more pays.
func (s slot) price(room int) int {
	return (slotPrice + s.history) * (1 + userPrice*max(0, s.users-room+1))
}

// negotiate returns a schedule of the given number of steps, nil if it finds none with the work left, counted in
// relaxations of a hop at a step. Routes may have detour hops more than shortest ones.
func (p *packing) negotiate(steps, detour int, work *int, rng *rand.Rand) [][]hop {
	nodes := p.net.N()
	g := &negotiator{packing: p, steps: steps, detour: int16(detour), work: work, ways: make([][]int16, len(p.blocks)),
		slots: table[slot](steps, len(p.room)), cost: table[int](steps+1, nodes), choice: table[int16](steps+1, nodes)}
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
			if g.ways[b] = g.way(b, rng); g.ways[b] == nil {
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

// moves calls f with the slots of every hop of a block, and their room.
func (g *negotiator) moves(b int, f func(s *slot, room int)) {
	v := int(g.blocks[b].From)
	for t, via := range g.ways[b] {
		if via < 0 {
			continue
		}
		for _, place := range g.places[v][via] {
			f(&g.slots[t][place], g.room[place])
		}
		v = g.out[v][via].to
	}
}

// use adds the block to the users of its slots, or takes it away.
func (g *negotiator) use(b, by int) {
	g.moves(b, func(s *slot, _ int) { s.users += by })
}

// shares reports whether one of the slots of a block has too many users.
func (g *negotiator) shares(b int) bool {
	shared := false
	g.moves(b, func(s *slot, room int) { shared = shared || s.users > room })
	return shared
}

// remember raises the price of the slots that have too many users now.
func (g *negotiator) remember() {
	for _, row := range g.slots {
		for place := range row {
			if s := &row[place]; s.users > g.room[place] {
				s.history += sharedPrice * (s.users - g.room[place])
			}
		}
	}
}

// way returns the cheapest way of a block, nil if it cannot arrive in time.
func (g *negotiator) way(b int, rng *rand.Rand) []int16 {
	if g.paths == nil {
		return g.cheapest(g.blocks[b], rng)
	}
	var best []int16
	least := tooDear
	for _, by := range g.paths[b] {
		if way, cost := g.timed(b, by, rng); cost < least {
			best, least = way, cost
		}
	}
	return best
}

// timed returns the cheapest way of a block along a path, and its cost: when it makes each hop and when it waits. It
// goes backwards from the last step, with the cost of the rest after each number of hops.
func (g *negotiator) timed(b int, by route, rng *rand.Rand) ([]int16, int) {
	var places [][]int
	g.follow(b, by, func(_, _ int, p []int) { places = append(places, p) })
	rest := slices.Repeat([]int{tooDear}, len(by)+1)
	rest[len(by)] = 0
	goes := table[bool](g.steps, len(by))
	for t := g.steps - 1; t >= 0; t-- {
		*g.work -= len(by)
		for k := range by {
			cost := rest[k+1]
			for _, place := range places[k] {
				cost += g.slots[t][place].price(g.room[place])
			}
			if goes[t][k] = cost < rest[k] || cost == rest[k] && rng.IntN(2) == 0; goes[t][k] {
				rest[k] = cost
			}
		}
	}
	way := slices.Repeat([]int16{-1}, g.steps)
	for t, k := 0, 0; t < g.steps && k < len(by); t++ {
		if goes[t][k] {
			way[t] = int16(by[k])
			k++
		}
	}
	return way, rest[0]
}

// cheapest returns the cheapest way of a block, nil if it cannot arrive in time. It goes backwards from the last
// step, over the nodes near shortest routes.
func (g *negotiator) cheapest(b exchange.Block, rng *rand.Rand) []int16 {
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
	var way []int16
	for t, v := 0, from; t < g.steps; t++ {
		way = append(way, g.choice[t][v])
		if via := way[t]; via >= 0 {
			v = g.out[v][via].to
		}
	}
	return way
}

// next returns the cost of the cheapest rest of the way from a node at a step, and the step that it begins with. At the
// following step only nodes near shortest routes have a cost, and only if the receiver can still be reached in time.
func (g *negotiator) next(t, v int, early, late []int16, limit int16, rng *rand.Rand) (cost int, choice int16) {
	left := g.steps - t - 1
	cost, choice = tooDear, -1
	if int(late[v]) <= left {
		cost = g.cost[t+1][v]
	}
	*g.work -= len(g.out[v])
	for via, s := range g.out[v] {
		if int(late[s.to]) > left || early[s.to]+late[s.to] > limit {
			continue
		}
		rest := g.cost[t+1][s.to]
		for _, place := range g.places[v][via] {
			rest += g.slots[t][place].price(g.room[place])
		}
		if rest < cost || rest == cost && rng.IntN(2) == 0 {
			cost, choice = rest, int16(via)
		}
	}
	return cost, choice
}

// timetable returns the ways as hops of each step.
func (g *negotiator) timetable() [][]hop {
	steps := make([][]hop, g.steps)
	for b, way := range g.ways {
		v := int(g.blocks[b].From)
		for t, via := range way {
			if via >= 0 {
				steps[t] = append(steps[t], g.hop(v, int(via), g.blocks[b]))
				v = g.out[v][via].to
			}
		}
	}
	return steps
}
