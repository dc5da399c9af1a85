package exchange

import "slices"

// Complete exchange on products by exchanges of the factors: algorithms A1 and A2
// of V. V. Dimakopoulos and N. J. Dimopoulos, "Decomposition of total exchange for
// multidimensional interconnects" (seed 003), Figures 3 and 4. The paper leaves
// open how A1 moves the blocks between the copies of A: here pair of copies by pair,
// in a pipeline.

// A StepPlan is a schedule of store and forward with what is known about it.
type StepPlan struct {
	Schedule Schedule
	Steps    int
	Bounds   []StepBound // no schedule has fewer steps; the best first. By weights only if the others do not do
	Optimal  bool        // Steps reaches the best bound
}

func newStepPlan(s Schedule, steps int, bounds []StepBound) *StepPlan {
	s.Model = StoreAndForward
	s.Sides = s.Network.Sides()
	return &StepPlan{Schedule: s, Steps: steps, Bounds: bounds, Optimal: steps == bounds[0].Steps}
}

// ProductA2 returns the schedule of algorithm A2, recursively with A all factors
// but the last: N times the sum of T_i/n_i steps, T_i those of factor i. That is
// optimal when every T_i is AS(G_i), as on rings and complete graphs. Cost: paths
// and given graphs are packed once; phases are made when asked for.
func ProductA2(n *Network) (*StepPlan, error) { return product(n, "product-a2", combineA2) }

// ProductA1 returns the schedule of algorithm A1, for comparison.
func ProductA1(n *Network) (*StepPlan, error) { return product(n, "product-a1", combineA1) }

func product(n *Network, name string, combine func(a, b run, f factor, axis int) run) (*StepPlan, error) {
	var whole run
	for i, f := range n.factors {
		one, err := factorRun(f.Factor)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			whole = one
		} else {
			whole = combine(whole, one, f, i)
		}
	}
	bounds := StepBounds(n, nil)
	if whole.steps > bounds[0].Steps {
		bounds = withWeights(bounds, n, nil)
	}
	return newStepPlan(Schedule{Name: name, Network: n, Phases: whole.phases}, whole.steps, bounds), nil
}

// phases are the steps as phases.
func (r run) phases(yield func(Phase) bool) {
	var phase Phase
	var blocks []Block // the blocks of all sends
	for hops := range r.hops {
		phase, blocks = phase[:0], slices.Grow(blocks[:0], len(hops))[:len(hops)]
		for i := range hops {
			h := &hops[i]
			blocks[i] = h.block
			phase = append(phase, Send{int32(h.from), int32(h.to), h.axis, h.dir, blocks[i : i+1 : i+1]})
		}
		if !yield(phase) {
			return
		}
	}
}

// combineA2 is algorithm A2 on the product of A and B, node (v,u) numbered
// v |B| + u: |A| T_B + |B| T_A steps.
func combineA2(a, b run, _ factor, axis int) run {
	return run{a.nodes * b.nodes, a.nodes*b.steps + b.nodes*a.steps, func(yield func([]hop) bool) {
		if inCopiesOfB(a.nodes, b, axis, yield) {
			inCopiesOfA(a, b.nodes, yield)
		}
	}}
}

// inCopiesOfB runs b once for every r in A, in all copies of B at once, node (v,u)
// sending what it has for (r,*).
func inCopiesOfB(copies int, b run, axis int, yield func([]hop) bool) bool {
	var all []hop
	for r := range copies {
		for hops := range b.hops {
			all = all[:0]
			for v := range copies {
				first := v * b.nodes
				for i := range hops {
					h := &hops[i]
					all = append(all, hop{first + h.from, first + h.to, axis, h.dir,
						Block{int32(first) + h.block.From, int32(r*b.nodes) + h.block.To}})
				}
			}
			if !yield(all) {
				return false
			}
		}
	}
	return true
}

// inCopiesOfA runs a once for every k in B, in all copies of A at once, node (v,u)
// sending what came from (v,k).
func inCopiesOfA(a run, copies int, yield func([]hop) bool) bool {
	var all []hop
	for k := range copies {
		for hops := range a.hops {
			all = all[:0]
			for u := range copies {
				for i := range hops {
					h := &hops[i]
					all = append(all, hop{h.from*copies + u, h.to*copies + u, h.axis, h.dir,
						Block{h.block.From*int32(copies) + int32(k), h.block.To*int32(copies) + int32(u)}})
				}
			}
			if !yield(all) {
				return false
			}
		}
	}
	return true
}

// combineA1 is algorithm A1: for every pair of copies of A, what the one has for
// the other moves along a shortest path of B, in all copies of B at once, one block
// behind the other; then the copies of A exchange.
func combineA1(a, b run, f factor, axis int) run {
	steps := b.nodes * a.steps
	for _, row := range f.distance {
		for _, d := range row {
			if d > 0 {
				steps += a.nodes + d - 1
			}
		}
	}
	return run{a.nodes * b.nodes, steps, func(yield func([]hop) bool) {
		for j := range b.nodes {
			for k := range b.nodes {
				if !pipeline(a.nodes, f, axis, f.shortest(j, k), yield) {
					return
				}
			}
		}
		inCopiesOfA(a, b.nodes, yield)
	}}
}

// shortest returns the nodes of a shortest path of the factor.
func (f factor) shortest(from, to int) []int {
	path := []int{from}
	for v := from; v != to; {
		for _, w := range f.neighbours[v] {
			if f.distance[w][to] < f.distance[v][to] {
				v = w
				break
			}
		}
		path = append(path, v)
	}
	return path
}

// pipeline moves, in every copy of B, the blocks for all nodes of A along a path of
// B. A path without links takes no step.
func pipeline(copies int, f factor, axis int, path []int, yield func([]hop) bool) bool {
	first, last := path[0], path[len(path)-1]
	if first == last {
		return true
	}
	for t := range copies + len(path) - 2 {
		var all []hop
		for v := range copies {
			row := v * f.Nodes
			for m := 0; m+1 < len(path); m++ {
				if r := t - m; r >= 0 && r < copies {
					all = append(all, hop{row + path[m], row + path[m+1], axis, f.dir(path[m], path[m+1]),
						Block{int32(row + first), int32(r*f.Nodes + last)}})
				}
			}
		}
		if !yield(all) {
			return false
		}
	}
	return true
}
