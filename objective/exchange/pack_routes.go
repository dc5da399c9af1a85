package exchange

import (
	"math/rand/v2"
	"slices"
)

// routeRounds is how often every block may change its route.
const routeRounds = 6

// A router gives blocks shortest routes that spread sends and receives over the
// orbits of nodes.
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

// cheapest returns the shortest route of a block that adds least to the sum of the
// squares of sends and receives. It goes layer by layer from the sender.
func (r *router) cheapest(b Block, rng *rand.Rand) []int {
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
				// Twice the increase, and a coin for ties.
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
