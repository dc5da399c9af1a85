package exchange

import (
	"math/big"
	"slices"
)

// A StepBound says that no complete exchange by store and forward has fewer steps.
type StepBound struct {
	Name    string
	Value   *big.Rat
	Steps   int   // Value, rounded up
	Weights []int // of "weights", by node: the witness
}

// StepBounds returns lower bounds on the steps of a complete exchange among the
// participants (nil: all), the best first; any node may pass blocks on.
//
//   - status: every block needs its distance in hops, a step has N at most; for all
//     nodes AS(G) (seed 003, (1)).
//   - degree: a processor sends all its blocks.
//   - ramp: of P processors at most P blocks leave in a step, so that only (k+1)P nodes
//     can send in step k, from 0; and likewise at the end, backwards.
//   - flight: the blocks of a processor leave in different steps and come to a processor
//     in different steps; between lies the distance. So the mean distance + P-2.
//   - node: one node sends its own blocks, and those between the parts of the network
//     that fall apart without it: on a path (i+1)(n-1-i)+i(n-i) for node i.
//   - cut: blocks between a run of coordinates and the rest cross few links.
//
// Cost: O(P^2) distances, and on a path or graph a search per node.
func StepBounds(n *Network, participants []int) []StepBound {
	procs := participants
	if procs == nil {
		procs = allOf(n.nodes)
	}
	work := 0
	for _, p := range procs {
		for _, q := range procs {
			work += n.Distance(p, q)
		}
	}
	whole := func(name string, steps int) StepBound {
		return StepBound{name, big.NewRat(int64(steps), 1), steps, nil}
	}
	bounds := []StepBound{
		{"status", big.NewRat(int64(work), int64(n.nodes)), (work + n.nodes - 1) / n.nodes, nil},
		whole("degree", max(len(procs)-1, 0)),
		whole("ramp", rampSteps(n.nodes, len(procs), work)),
		flightBound(len(procs), work),
		whole("node", nodeSteps(n, procs)),
		cutBound(n, procs),
	}
	return bestFirst(bounds)
}

// withWeights adds the bound by weights, which takes longer than all others.
func withWeights(bounds []StepBound, n *Network, participants []int) []StepBound {
	procs := participants
	if procs == nil {
		procs = allOf(n.nodes)
	}
	return bestFirst(append(bounds, weightBound(n, procs)))
}

// bestFirst puts the best bound first.
func bestFirst(bounds []StepBound) []StepBound {
	slices.SortStableFunc(bounds, func(a, b StepBound) int { return b.Value.Cmp(a.Value) })
	// A fraction below is rounded up to the same steps: the exact value says more.
	slices.SortStableFunc(bounds, func(a, b StepBound) int { return b.Steps - a.Steps })
	return bounds
}

// allOf returns 0..n-1.
func allOf(n int) []int {
	nodes := make([]int, n)
	for v := range nodes {
		nodes[v] = v
	}
	return nodes
}

// rampSteps returns the fewest steps that have room for the work. One step more adds
// room in the middle, where most nodes can send.
func rampSteps(nodes, processors, work int) int {
	steps := 0
	for room := 0; room < work; steps++ {
		room += min(nodes, (steps/2+1)*processors)
	}
	return steps
}

// flightBound adds up over all blocks: the P-1 of a processor leave in steps 0, 1, ..
// at best, those for it come at the ends of steps T, T-1, .. at best.
func flightBound(processors, work int) StepBound {
	p := int64(processors)
	if p < 2 {
		return StepBound{Name: "flight", Value: new(big.Rat)}
	}
	v := big.NewRat(int64(work), p*(p-1))
	v.Add(v, big.NewRat(p-2, 1))
	return StepBound{"flight", v, roundUp(v), nil}
}

// nodeSteps returns the most blocks that one node must send. Only paths and given
// graphs can fall apart without a node, and only where they are the whole network.
func nodeSteps(n *Network, procs []int) int {
	most := max(len(procs)-1, 0)
	isProc := make([]bool, n.nodes)
	for _, p := range procs {
		isProc[p] = true
	}
	for _, f := range n.factors {
		if f.Nodes < n.nodes || f.Kind != PathFactor && f.Kind != GraphFactor {
			continue
		}
		for v := range n.nodes {
			all, same := 0, 0
			for _, size := range processorsInParts(f, isProc, v) {
				all, same = all+size, same+size*size
			}
			sends := all*all - same
			if isProc[v] {
				sends += all
			}
			most = max(most, sends)
		}
	}
	return most
}

// processorsInParts returns how many processors each part of the graph has once
// node v is taken out.
func processorsInParts(f factor, isProc []bool, v int) []int {
	seen := make([]bool, f.Nodes)
	seen[v] = true
	var parts []int
	for start := range f.Nodes {
		if seen[start] {
			continue
		}
		seen[start] = true
		stack, size := []int{start}, 0
		for len(stack) > 0 {
			u := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if isProc[u] {
				size++
			}
			for _, w := range f.neighbours[u] {
				if !seen[w] {
					seen[w] = true
					stack = append(stack, w)
				}
			}
		}
		parts = append(parts, size)
	}
	return parts
}

// cutBound returns the best bound of a cut between coordinates first..end-1 of a
// ring or path and the rest. A step takes no more blocks over it, one way, than
// there are links, nor than nodes on either side.
func cutBound(n *Network, procs []int) StepBound {
	best := new(big.Rat)
	for i, f := range n.factors {
		if f.Kind != RingFactor && f.Kind != PathFactor {
			continue
		}
		for first := range f.Nodes {
			inside := 0
			for end := first + 1; end <= f.Nodes; end++ {
				for _, p := range procs {
					if n.coord(p, i) == end-1 {
						inside++
					}
				}
				width := min(f.linksOut(first, end), end-first, f.Nodes-end+first)
				if width == 0 {
					continue // no rest
				}
				crossing := int64(inside) * int64(len(procs)-inside)
				if v := big.NewRat(crossing, int64(width)*int64(n.nodes/f.Nodes)); v.Cmp(best) > 0 {
					best = v
				}
			}
		}
	}
	return StepBound{"cut", best, roundUp(best), nil}
}

// linksOut returns how many links leave nodes first..end-1 of a ring or path.
func (f factor) linksOut(first, end int) int {
	links := 0
	for c := first; c < end; c++ {
		for _, w := range f.neighbours[c] {
			if w < first || w >= end {
				links++
			}
		}
	}
	return links
}

// roundUp returns the smallest whole number that is not below v, v not negative.
func roundUp(v *big.Rat) int {
	up := new(big.Int).Add(v.Num(), new(big.Int).Sub(v.Denom(), big.NewInt(1)))
	return int(up.Div(up, v.Denom()).Int64())
}
