package steps

import (
	"math/big"
	"slices"

	"leeway/objective/exchange"
)

// Which numbers of steps a schedule that is the same at every node can have, on small networks (docs/laws.md).
// By Koenig's theorem (orders.go) it is a choice of one vector for every displacement such that in T steps no port is
// taken more than T times its bandwidth. Prices of the ports keep vectors few: a port at a price of w costs at most w T
// times its bandwidth, and every displacement costs at least its cheapest vector, so that what a vector costs beyond
// the cheapest one is at most what is left. Near the congestion bound that is next to nothing.

// sumOfAll returns the sum of all displacements: node 0, or the only one of order two.
func (n *Network) sumOfAll() (sum int) {
	for d := range n.N() {
		sum = n.Sum(sum, d)
	}
	return sum
}

// invariantBound returns what no schedule of all nodes that is the same at every node goes below, given prices of the
// ports, the same in both directions of a dimension. All vectors together lead to the sum of all displacements, and
// what they take of a dimension in one direction and not in the other is idle in the other.
func (n *Network) invariantBound(price []int) *big.Rat {
	turned := slices.Clone(price) // where a port is its own reverse nothing is idle
	all := 0
	for port, s := range n.out[0] {
		all += price[port] * s.room
		if !n.BothWays(s.axis) {
			turned[port] = 0
		}
	}
	w := newWeigher(n, n.complete(nil))
	copy(w.weight, turned)
	w.reach(0)
	cost := w.cost[n.sumOfAll()]
	copy(w.weight, price)
	w.reach(0)
	for _, c := range w.cost {
		cost += c
	}
	return big.NewRat(int64(cost), int64(max(all, 1)))
}

// affordable returns the vectors that a schedule of a given number of steps which is the same at every node can have,
// given prices of the ports, and what these may cost beyond the cheapest ones in all; below 0 if there is no schedule.
func (n *Network) affordable(price []int, steps int) (choices [][]portVector, beyond int) {
	for port, s := range n.out[0] {
		beyond += price[port] * s.room * steps
	}
	cheapest := vectors(n.Network, price, 0, steps)
	for d := 1; d < n.N(); d++ {
		if len(cheapest[d]) == 0 {
			return nil, -1 // farther away than there are steps
		}
		beyond -= costOf(cheapest[d][0], price)
	}
	if beyond <= 0 {
		return cheapest, beyond
	}
	return vectors(n.Network, price, beyond, steps), beyond
}

// choose returns a choice of vectors for a schedule of a given number of steps, given prices as for invariantBound; nil
// if it finds none, as always where there is none.
func (n *Network) choose(price []int, steps int) *balance {
	choices, beyond := n.affordable(price, steps)
	if beyond < 0 {
		return nil
	}
	return balanced(choices, roomsOf(n.out[0]), steps, 20, 1<<8, nil)
}

// costOf returns the price of the ports of a vector.
func costOf(v portVector, price []int) (cost int) {
	for _, port := range v {
		cost += price[port]
	}
	return cost
}

// prices returns prices of the ports, the same in both directions, from the weights of a bound, else equal ones.
func (n *Network) prices(bounds []exchange.Bound) []int {
	price := slices.Repeat([]int{1}, len(n.out[0]))
	i := slices.IndexFunc(bounds, func(b exchange.Bound) bool { return b.Weights != nil })
	for port := range price {
		p := n.Port(port)
		if back := n.PortIndex(p.Dim, -p.Dir); i >= 0 { // weights of node 0, the same at every node
			price[port] = bounds[i].Weights[port] + bounds[i].Weights[back]
		}
	}
	return price
}
