package exchange

import (
	"math/rand/v2"
	"slices"
)

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

// A queue holds the blocks that wait in one orbit for a send to another, by the hops
// that they still have to make.
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
func (p *packing) hop(from, to int, b Block) hop { return hopOver(p.out[from], from, to, b) }

// hopOver returns the hop over the one of the steps from a node that leads to the other.
func hopOver(steps []step, from, to int, b Block) hop {
	s := steps[slices.IndexFunc(steps, func(s step) bool { return s.to == to })]
	return hop{from, to, s.axis, s.dir, b}
}
