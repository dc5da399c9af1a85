package check

import (
	"math/bits"
	"slices"

	"leeway/objective/exchange"
)

// ExchangeBounds are lower bounds on any complete exchange of the same processors
// on the same network in the same model.
type ExchangeBounds struct {
	Phases       int64 `json:"phases"`       // startups or steps
	Transmission int64 `json:"transmission"` // blocks
}

// bounds returns the lower bounds. In store and forward both are the steps: each
// has sends of one block.
func (n *network) bounds(model exchange.Model) ExchangeBounds {
	p := int64(len(n.processors))
	if p < 2 {
		return ExchangeBounds{}
	}
	most := max(p-1, n.cutBound()) // a processor sends p-1 blocks
	if model == exchange.Wormhole {
		return ExchangeBounds{Phases: int64(bits.Len64(uint64(p - 1))), Transmission: most}
	}
	most = max(most, n.rampBound(), n.flightBound(), n.bottleneckBound())
	return ExchangeBounds{most, most}
}

// rampBound returns the steps that the distances of all blocks need. Of P
// processors at most P blocks leave in a step, so that in step k, from 0, at most
// (k+1)P nodes have something to send; likewise at the end, backwards. With all
// nodes processors this is the mean status, rounded up (seed 003, (1)).
func (n *network) rampBound() int64 {
	work := n.work()
	nodes, p := int64(n.nodes), int64(len(n.processors))
	for steps := int64(1); ; steps++ {
		n.meter.charge(1)
		rise := min((nodes-1)/p, steps/2) // steps at each end that cannot be full
		if 2*p*rise*(rise+1)/2+(steps-2*rise)*min(nodes, p*(rise+1)) >= work {
			return steps
		}
	}
}

// flightBound returns the steps that the time between first sends and last receives
// needs. The p-1 blocks of a processor leave in different steps, 0 + 1 + .. at least;
// those for it come in different steps. Between lies the distance at least: over all
// blocks, p(p-1)T - p(p-1)(p-2) is no less than their distances.
func (n *network) flightBound() int64 {
	p := int64(len(n.processors))
	pairs := p * (p - 1)
	return (n.work() + pairs*(p-2) + pairs - 1) / pairs
}

// work returns the sum of the distances of all blocks, axis by axis.
func (n *network) work() int64 {
	total := int64(0)
	for i, a := range n.axes {
		n.meter.charge(int64(len(n.processors)) + int64(a.nodes)*int64(a.nodes))
		count := make([]int64, a.nodes)
		for _, v := range n.processors {
			count[n.coord(int32(v), i)]++
		}
		for c, row := range a.distance {
			for d, distance := range row {
				total += count[c] * count[d] * int64(distance)
			}
		}
	}
	return total
}

// bottleneckBound returns the most blocks that one node must send: its own and those
// between parts of a path or a graph that only it joins. On a path that is
// (i+1)(n-1-i)+i(n-i) for node i. Rings, complete graphs and products of two
// connected graphs stay connected without a node.
func (n *network) bottleneckBound() int64 {
	axis := slices.IndexFunc(n.axes, func(a axis) bool { return a.nodes == n.nodes })
	if axis < 0 || n.axes[axis].kind != exchange.Path && n.axes[axis].kind != exchange.Graph {
		return 0
	}
	most := int64(0)
	for v := range n.nodes {
		parts := n.partsWithout(n.axes[axis].neighbours, v)
		all, same := int64(0), int64(0)
		for _, size := range parts {
			all, same = all+size, same+size*size
		}
		relayed := all*all - same
		if n.number[v] >= 0 {
			relayed += all
		}
		most = max(most, relayed)
	}
	return most
}

// partsWithout returns how many processors each part of a graph has once node v is
// taken out.
func (n *network) partsWithout(neighbours [][]int32, v int) []int64 {
	seen := make([]bool, n.nodes)
	seen[v] = true
	var parts []int64
	for start := range n.nodes {
		n.meter.charge(1)
		if seen[start] {
			continue
		}
		seen[start] = true
		size := int64(0)
		for queue := []int32{int32(start)}; len(queue) > 0; queue = queue[1:] {
			if n.processor(queue[0]) {
				size++
			}
			n.meter.charge(int64(1 + len(neighbours[queue[0]])))
			for _, w := range neighbours[queue[0]] {
				if !seen[w] {
					seen[w] = true
					queue = append(queue, w)
				}
			}
		}
		parts = append(parts, size)
	}
	return parts
}

// cutBound returns the most blocks that must cross, one way, between a run of
// consecutive coordinates of a ring or path and the rest, over the sends that can
// cross at once: no more than links, nor than nodes with a port on a side.
func (n *network) cutBound() int64 {
	most := int64(0)
	for i, a := range n.axes {
		if a.kind != exchange.Ring && a.kind != exchange.Path {
			continue
		}
		n.meter.charge(int64(len(n.processors)) + int64(a.nodes)*int64(a.nodes))
		count := make([]int64, a.nodes+1) // of processors before a coordinate
		for _, v := range n.processors {
			count[n.coord(int32(v), i)+1]++
		}
		for c := range a.nodes {
			count[c+1] += count[c]
		}
		across := int64(n.nodes / a.nodes)
		for first := range a.nodes {
			for end := first + 1; end <= a.nodes && end-first < a.nodes; end++ {
				inside := count[end] - count[first]
				crossing := inside * (int64(len(n.processors)) - inside)
				capacity := across * int64(min(a.borders(first, end), end-first, a.nodes-(end-first)))
				most = max(most, (crossing+capacity-1)/capacity)
			}
		}
	}
	return most
}

// borders returns over how many links of one line a run of coordinates sends out.
func (a axis) borders(first, end int) int {
	switch {
	case a.kind == exchange.Path && (first == 0 || end == a.nodes):
		return 1
	case a.nodes == 2:
		return 1
	}
	return 2
}
