package steps

import (
	"iter"
	"slices"

	"leeway/core"
	"leeway/objective/exchange"
)

// A Plan is a schedule with what is known about it.
type Plan struct {
	Schedule exchange.Schedule
	Network  *Network
	Steps    int
	// no schedule has fewer steps; the best first. The bound by weights only if the others are not reached
	Bounds  []Bound
	Optimal bool // Steps reaches the best bound
}

// newPlan returns the plan of a sequence among participants.
func newPlan(name string, n *Network, participants []int, r sequence, bounds []Bound) *Plan {
	head := exchange.Head{Name: name, Model: n.model, Axes: n.axes(), Participants: slices.Clone(participants)}
	return &Plan{exchange.Schedule{Head: head, Phases: r.phases}, n, r.steps, bounds, r.steps == bounds[0].Steps}
}

// WithSteps returns the plan with other steps for the same question, of sends of one block between neighbours whose
// axes need not be given; anything else is a bug of the caller and panics.
func (p *Plan) WithSteps(name string, phases []exchange.Phase) *Plan {
	steps := make([][]hop, len(phases))
	for t, phase := range phases {
		for _, s := range phase {
			steps[t] = append(steps[t], hopOver(p.Network.steps(int(s.From)), int(s.From), int(s.To), s.Blocks[0]))
		}
	}
	return newPlan(name, p.Network, p.Schedule.Participants, listed(p.Network.nodes, steps), p.Bounds)
}

// ProductA2 returns the schedule of algorithm A2 (seed 003, Figure 4), recursively with A all factors but the last: N
// times the sum of T_i/n_i steps, T_i those of factor i. That is optimal when every T_i is AS(G_i), as on rings and
// complete graphs. Errors are those of Pack. Cost: paths and given graphs are packed once; phases are made when asked
// for.
func ProductA2(n *Network) (*Plan, error) { return product(n, "product-a2", combineA2) }

// ProductA1 returns the schedule of algorithm A1 (Figure 3), for comparison. The paper leaves open how A1 moves the
// blocks between the copies of A: here pair of copies by pair, in a pipeline.
func ProductA1(n *Network) (*Plan, error) { return product(n, "product-a1", combineA1) }

func product(n *Network, name string, combine func(a, b sequence, f factor, axis int) sequence) (*Plan, error) {
	var whole sequence
	for i, f := range n.factors {
		one, err := factorSequence(f)
		switch {
		case err != nil:
			return nil, err
		case i == 0:
			whole = one
		default:
			whole = combine(whole, one, f, i)
		}
	}
	bounds := lowerBounds(n, nil)
	if whole.steps > bounds[0].Steps {
		bounds = withWeights(bounds, n, nil)
	}
	return newPlan(name, n, nil, whole, bounds), nil
}

// A hop takes one block to a neighbour in a step of store and forward.
type hop struct {
	from, to int
	axis     int
	dir      core.Dir
	block    exchange.Block
}

// A sequence is a complete exchange of nodes 0..nodes-1 as the hops of each step. A step's slice may be reused for the
// next.
type sequence struct {
	nodes, steps int
	hops         iter.Seq[[]hop]
}

// phases are the steps as phases.
func (r sequence) phases(yield func(exchange.Phase) bool) {
	var phase exchange.Phase
	var blocks []exchange.Block // the blocks of all sends
	for hops := range r.hops {
		phase, blocks = slices.Grow(phase[:0], len(hops))[:len(hops)], slices.Grow(blocks[:0], len(hops))[:len(hops)]
		for i := range hops {
			h := &hops[i]
			blocks[i] = h.block
			phase[i] = exchange.Send{From: int32(h.from), To: int32(h.to), Axis: h.axis, Dir: h.dir,
				Blocks: blocks[i : i+1 : i+1]}
		}
		if !yield(phase) {
			return
		}
	}
}

// listed is a sequence whose steps are known.
func listed(nodes int, steps [][]hop) sequence {
	return sequence{nodes, len(steps), slices.Values(steps)}
}

// factorSequence returns the exchange of one factor: by rule on rings, complete graphs and circulants, packed on all
// others.
func factorSequence(f factor) (sequence, error) {
	switch f.Kind {
	case exchange.Ring:
		return ringSequence(f.Nodes), nil
	case exchange.Complete:
		return completeSequence(f.Nodes), nil
	case circulant:
		return circulantSequence(f), nil
	}
	n, err := NewNetwork(f.Factor)
	if err != nil {
		return sequence{}, err
	}
	steps, _, err := pack(n, nil)
	return listed(f.Nodes, steps), err
}

// shiftSequence is a sequence in which all n nodes at once forward their blocks of one offset after the other, each
// along the translates of one path from node 0.
func shiftSequence(n, steps int, paths iter.Seq2[[]int, core.Dir]) sequence {
	return sequence{n, steps, func(yield func([]hop) bool) {
		hops := make([]hop, n)
		for path, dir := range paths {
			for k := range len(path) - 1 {
				for v := range n {
					hops[v] = hop{(v + path[k]) % n, (v + path[k+1]) % n, 0, dir,
						exchange.NewBlock(v, (v+path[len(path)-1])%n)}
				}
				if !yield(hops) {
					return
				}
			}
		}
	}}
}

// ringSequence is optimal: floor(n^2/4) steps, no port idle. The offsets are +1, -1, +2, -2, ..., half of an even ring
// once. The rule is inferred: seed 003 cites a report for it.
func ringSequence(n int) sequence {
	return shiftSequence(n, n*n/4, func(yield func([]int, core.Dir) bool) {
		for o := 1; 2*o <= n; o++ {
			there, back := []int{0}, []int{n}
			for k := 1; k <= o; k++ {
				there, back = append(there, k), append(back, n-k)
			}
			if !yield(there, core.Plus) || 2*o < n && !yield(back, core.Minus) {
				return
			}
		}
	})
}

// completeSequence is optimal: in step k of n-1 every node sends its block for the node k places further on.
func completeSequence(n int) sequence {
	return shiftSequence(n, n-1, func(yield func([]int, core.Dir) bool) {
		for k := 1; k < n && yield([]int{0, k}, core.Plus); k++ {
		}
	})
}

// circulantSequence is optimal: AS(G) steps, no port idle. The recipe holds for any Cayley graph (inferred).
func circulantSequence(f factor) sequence {
	return shiftSequence(f.Nodes, sumOf(f.distance[0]), func(yield func([]int, core.Dir) bool) {
		for d := 1; d < f.Nodes && yield(f.shortest(0, d), core.Plus); d++ {
		}
	})
}

// combineA2 is algorithm A2 on the product of A and B, node (v,u) numbered v |B| + u: |A| T_B + |B| T_A steps.
func combineA2(a, b sequence, _ factor, axis int) sequence {
	return sequence{a.nodes * b.nodes, a.nodes*b.steps + b.nodes*a.steps, func(yield func([]hop) bool) {
		if inCopiesOfB(a.nodes, b, axis, yield) {
			inCopiesOfA(a, b.nodes, yield)
		}
	}}
}

// inCopiesOfB runs b once for every r in A, in all copies of B at once; node (v,u) sends its blocks for (r,*).
func inCopiesOfB(copies int, b sequence, axis int, yield func([]hop) bool) bool {
	var all []hop
	for r := range copies {
		for hops := range b.hops {
			all = all[:0]
			for v := range copies {
				first := v * b.nodes
				for i := range hops {
					h := &hops[i]
					all = append(all, hop{first + h.from, first + h.to, axis, h.dir,
						exchange.Block{From: int32(first) + h.block.From, To: int32(r*b.nodes) + h.block.To}})
				}
			}
			if !yield(all) {
				return false
			}
		}
	}
	return true
}

// inCopiesOfA runs a once for every k in B, in all copies of A at once; node (v,u) sends the blocks that came from
// (v,k).
func inCopiesOfA(a sequence, copies int, yield func([]hop) bool) bool {
	var all []hop
	for k := range copies {
		for hops := range a.hops {
			all = all[:0]
			for u := range copies {
				for i := range hops {
					h := &hops[i]
					all = append(all, hop{h.from*copies + u, h.to*copies + u, h.axis, h.dir,
						exchange.Block{From: h.block.From*int32(copies) + int32(k),
							To: h.block.To*int32(copies) + int32(u)}})
				}
			}
			if !yield(all) {
				return false
			}
		}
	}
	return true
}

// combineA1 is algorithm A1. For every pair of copies of A, the blocks of one for the other move along a shortest
// path of B, one behind the other and in all copies of B at once; then the copies of A exchange.
func combineA1(a, b sequence, f factor, axis int) sequence {
	steps := b.nodes * a.steps
	for _, row := range f.distance {
		for _, d := range row {
			if d > 0 {
				steps += a.nodes + d - 1
			}
		}
	}
	return sequence{a.nodes * b.nodes, steps, func(yield func([]hop) bool) {
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

// pipeline moves the blocks for all nodes of A along a path of B, in every copy of B. A path without links takes no
// step.
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
						exchange.NewBlock(row+first, r*f.Nodes+last)})
				}
			}
		}
		if !yield(all) {
			return false
		}
	}
	return true
}
