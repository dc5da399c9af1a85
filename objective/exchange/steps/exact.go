package steps

import (
	"cmp"
	"slices"
)

// Which vectors reach a number of steps, decided exactly on small networks (inferred). By Koenig's theorem (orders.go)
// a schedule of T steps that is the same at every node is a choice of one vector for every displacement such that no
// port is taken more than T times its bandwidth. Displacements are taken one after the other, with all sums of ports
// that choices so far can have. Weights of the ports keep these few: a port at a price of w costs at most w T times its
// bandwidth, and every displacement costs at least its cheapest vector, so that what choices cost beyond the cheapest
// ones is at most what is left of T. Near the congestion bound that is next to nothing.

// maxSums bounds the sums of ports that decide keeps, over all displacements.
const maxSums = 1 << 20

// A sum is what the choices for the first displacements take of every port.
type sum struct {
	ports  string // the number of hops over each, two bytes each
	beyond int    // cost beyond the cheapest vectors
	before int    // the sum without the last displacement, in the layer before
	choice int
}

// decide returns a choice of vectors for a schedule of so many steps that is the same at every node, given prices of
// the ports, nil if there is none. It reports whether that is certain: not if there are too many sums.
func (n *Network) decide(price []int, steps int) (best *balance, certain bool) {
	out := n.out[0]
	budget := 0
	for port, s := range out {
		budget += price[port] * s.room * steps
	}
	cheapest := vectors(n.Network, price, 0, steps)
	for d, list := range cheapest[1:] {
		if len(list) == 0 {
			return nil, true // farther away than there are steps
		}
		budget -= costOf(cheapest[d+1][0], price)
	}
	if budget < 0 {
		return nil, true
	}
	choices := vectors(n.Network, price, budget, steps)
	order := make([]int, 0, n.N()-1)
	for d := 1; d < n.N(); d++ {
		order = append(order, d)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(len(choices[a]), len(choices[b])) })
	layers, total := [][]sum{{{ports: string(make([]byte, 2*len(out)))}}}, 0
	for _, d := range order {
		least := costOf(cheapest[d][0], price)
		var next []sum
		seen := map[string]bool{}
		for i, s := range layers[len(layers)-1] {
			for c, v := range choices[d] {
				beyond := s.beyond + costOf(v, price) - least
				if beyond > budget {
					continue
				}
				if ports, fits := take(s.ports, v, out, steps); fits && !seen[ports] {
					seen[ports] = true
					next = append(next, sum{ports, beyond, i, c})
				}
			}
		}
		if total += len(next); total > maxSums {
			return nil, false
		}
		layers = append(layers, next)
	}
	last := layers[len(layers)-1]
	if len(last) == 0 {
		return nil, true
	}
	best = newBalance(choices, out, nil)
	for i, at := len(order)-1, 0; i >= 0; i-- {
		s := layers[i+1][at]
		d := order[i]
		best.add(d, -1)
		best.chosen[d] = s.choice
		best.add(d, 1)
		at = s.before
	}
	return best, true
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
