package steps

import (
	"cmp"
	"math"
	"math/big"
	"slices"

	"leeway/objective/exchange"
)

// Which numbers of steps a schedule that is the same at every node can have, on small networks (docs/laws.md).
// By Koenig's theorem (orders.go) it is a choice of one vector for every displacement such that in T steps no port is
// taken more than T times its bandwidth. Prices of the ports keep choices few: a port at a price of w costs at most w T
// times its bandwidth, and every displacement costs at least its cheapest vector, so that what choices cost beyond the
// cheapest ones is at most what is left. Near the congestion bound that is next to nothing.

// maxSums bounds the sums of ports that choose keeps, over all displacements.
const maxSums = 1 << 20

// A sum is what the choices for the first displacements take of every port.
type sum struct {
	ports  string // the number of hops over each, two bytes each
	beyond int    // cost beyond the cheapest vectors
	before int    // the sum without the last displacement, in the layer before
	choice int
}

// opposite returns the displacement back.
func (n *Network) opposite(d int) int { return n.Displacement(d, 0) }

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

// choose returns a choice of vectors for a schedule of a given number of steps, given prices as for invariantBound;
// nil if there is none, or if there are too many to look at. If mirrored, the block for -d goes as that for d does,
// backwards.
func (n *Network) choose(price []int, steps int, mirrored bool) *balance {
	alone := func(d int) bool { return !mirrored || n.opposite(d) == d }
	out := n.out[0]
	choices, budget := n.affordable(price, steps)
	if budget < 0 {
		return nil
	}
	var order []int
	for d := 1; d < n.N(); d++ {
		if alone(d) || d < n.opposite(d) {
			order = append(order, d)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { // displacements that are their own opposites last
		if alone(a) != alone(b) {
			return cmp.Compare(n.opposite(b), b) - cmp.Compare(n.opposite(a), a)
		}
		return cmp.Compare(len(choices[a]), len(choices[b]))
	})
	layers, total := [][]sum{{{ports: string(make([]byte, 2*len(out)))}}}, 0
	for _, d := range order {
		least := math.MaxInt
		for _, v := range choices[d] {
			least = min(least, costOf(v, price))
		}
		var next []sum
		seen := map[string]bool{}
		for i, s := range layers[len(layers)-1] {
			for c, v := range choices[d] {
				beyond := costOf(v, price) - least
				if !alone(d) {
					v, beyond = slices.Concat(v, n.backwards(v)), 2*beyond
				}
				if beyond += s.beyond; beyond > budget {
					continue
				}
				if ports, fits := take(s.ports, v, out, steps); fits && !seen[ports] {
					seen[ports] = true
					next = append(next, sum{ports, beyond, i, c})
				}
			}
		}
		if total += len(next); total > maxSums || len(next) == 0 {
			return nil
		}
		layers = append(layers, next)
	}
	var room []int
	for _, s := range out {
		room = append(room, s.room)
	}
	best := newBalance(choices, room, nil)
	for i, at := len(order)-1, 0; i >= 0; i-- {
		d, s := order[i], layers[i+1][at]
		best.set(d, s.choice)
		if o := n.opposite(d); !alone(d) {
			back := n.backwards(choices[d][s.choice])
			best.set(o, slices.IndexFunc(choices[o], func(v portVector) bool { return slices.Equal(v, back) }))
		}
		at = s.before
	}
	return best
}

// set chooses a vector.
func (b *balance) set(d, choice int) {
	b.add(d, -1)
	b.chosen[d] = choice
	b.add(d, 1)
}

// backwards returns the vector of the opposite displacement.
func (n *Network) backwards(v portVector) portVector {
	back := make(portVector, len(v))
	for i, port := range v {
		p := n.Port(int(port))
		back[i] = int16(n.PortIndex(p.Dim, -p.Dir))
	}
	return back
}

// costOf returns the price of the ports of a vector.
func costOf(v portVector, price []int) (cost int) {
	for _, port := range v {
		cost += price[port]
	}
	return cost
}

// take adds a vector to a sum of ports, and reports whether no port is taken too often.
func take(ports string, v portVector, out []step, steps int) (string, bool) {
	sum := []byte(ports)
	for _, port := range v {
		n := int(sum[2*port])<<8 + int(sum[2*port+1]) + 1
		if n > steps*out[port].room {
			return "", false
		}
		sum[2*port], sum[2*port+1] = byte(n>>8), byte(n)
	}
	return string(sum), true
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
