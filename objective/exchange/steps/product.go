package steps

import (
	"iter"
	"slices"

	"leeway/objective/exchange"
)

// A Plan is a schedule with what is known about it.
type Plan struct {
	Schedule exchange.Schedule
	Network  *Network
	Steps    int
	// no schedule has fewer steps; the best first. The bound by weights only if the others are not reached
	Bounds  []exchange.Bound
	Optimal bool // Steps reaches the best bound
	// Invariant is what no schedule of all nodes that is the same at every node goes below, 0 if that was not asked: on
	// tori of up to 256 nodes where shortest paths do not reach the bound.
	Invariant int
}

// newPlan returns the plan of a sequence for a demand.
func newPlan(name string, n *Network, d exchange.Demand, r sequence, bounds []exchange.Bound) *Plan {
	head := n.head.WithDemand(d)
	head.Name = name
	return &Plan{exchange.Schedule{Head: head, Phases: n.phases(r)}, n, r.steps, bounds, r.steps == bounds[0].Steps, 0}
}

// WithSteps returns the plan with other steps for the same question, of sends of one block between neighbours whose
// axes need not be given; anything else is a bug of the caller and panics.
func (p *Plan) WithSteps(name string, phases []exchange.Phase) *Plan {
	steps := make([][]hop, len(phases))
	for t, phase := range phases {
		for _, s := range phase {
			steps[t] = append(steps[t], hop{s.From, s.To, nil, s.Blocks[0]})
		}
	}
	return newPlan(name, p.Network, p.Network.complete(p.Schedule.Participants), listed(p.Network.N(), steps), p.Bounds)
}

// ProductA2 returns the schedule of algorithm A2 (seed 003, Figure 4), recursively with A all factors but the last: N
// times the sum of T_i/n_i steps, T_i those of factor i. That is optimal when every T_i is AS(G_i), as on rings and
// complete graphs. Errors are those of Pack. Cost: paths and given graphs are packed once; phases are made when asked
// for.
func ProductA2(n *Network) (*Plan, error) {
	var whole sequence
	for i, a := range n.head.Axes {
		f, err := NewProduct(n.Model(), n.text, a)
		if err != nil {
			return nil, err
		}
		one, err := factorSequence(f)
		switch {
		case err != nil:
			return nil, err
		case i == 0:
			whole = one
		default:
			whole = combineA2(whole, one)
		}
	}
	demand := n.complete(nil)
	bounds := exchange.Bounds(n.Model(), n.Network, demand)
	if whole.steps > bounds[0].Steps {
		bounds = withWeights(bounds, n, demand)
	}
	return newPlan("product-a2", n, demand, whole, bounds), nil
}

// A hop takes one block over a link in a step; nil: over the link to its end, of which there is one, or any.
type hop struct {
	from, to int32
	by       *step
	block    exchange.Block
}

// A sequence is a complete exchange of nodes 0..nodes-1 as the hops of each step. A step's slice may be reused for the
// next.
type sequence struct {
	nodes, steps int
	hops         iter.Seq[[]hop]
}

// phases returns the steps of a sequence as phases.
func (n *Network) phases(r sequence) iter.Seq[exchange.Phase] {
	return func(yield func(exchange.Phase) bool) {
		var phase exchange.Phase
		var blocks []exchange.Block // the blocks of all sends
		for hops := range r.hops {
			phase, blocks = slices.Grow(phase[:0], len(hops))[:len(hops)], slices.Grow(blocks[:0], len(hops))[:len(hops)]
			for i := range hops {
				h := &hops[i]
				if h.by == nil {
					h.by = n.stepTo(int(h.from), int(h.to))
				}
				blocks[i] = h.block
				phase[i] = exchange.Send{From: h.from, To: h.to, Axis: h.by.axis, Dir: h.by.dir,
					Blocks: blocks[i : i+1 : i+1]}
			}
			if !yield(phase) {
				return
			}
		}
	}
}

// listed is a sequence whose steps are known.
func listed(nodes int, steps [][]hop) sequence {
	return sequence{nodes, len(steps), slices.Values(steps)}
}

// factorSequence returns the exchange of one factor: by rule where its nodes may be turned around, packed on all
// others.
func factorSequence(f *Network) (sequence, error) {
	if !f.turns() {
		steps, _, err := pack(f, f.complete(nil))
		return listed(f.N(), steps), err
	}
	// All nodes at once forward their blocks of one offset after the other, each along the translates of a shortest
	// path from node 0. That is optimal: AS(G) steps, in which no port is idle; floor(n^2/4) on rings, n-1 on complete
	// graphs (inferred: seed 003 cites a report for rings).
	n := f.N()
	return sequence{n, statusOf(f.Network, 0), func(yield func([]hop) bool) {
		hops := make([]hop, n)
		for offset := 1; offset < n; offset++ {
			path := f.shortest(0, offset)
			for k := range len(path) - 1 {
				for v := range n {
					hops[v] = hop{int32((v + path[k]) % n), int32((v + path[k+1]) % n), nil,
						exchange.NewBlock(v, (v+offset)%n)}
				}
				if !yield(hops) {
					return
				}
			}
		}
	}}, nil
}

// turns reports whether adding 1 to the numbers of all nodes, modulo their number, is a symmetry: on rings, complete
// graphs and other circulants.
func (n *Network) turns() bool {
	links := exchange.Neighbours(n.Network)
	for v := range links {
		next := make([]int, len(links[v]))
		for i, w := range links[v] {
			next[i] = (w + 1) % n.N()
		}
		if slices.Sort(next); !slices.Equal(next, links[(v+1)%n.N()]) {
			return false
		}
	}
	return true
}

// shortest returns the nodes of a shortest path.
func (n *Network) shortest(from, to int) []int {
	path := []int{from}
	for v := from; v != to; path = append(path, v) {
		nearer := func(s step) bool { return n.LeeDistance(s.to, to) < n.LeeDistance(v, to) }
		v = n.out[v][slices.IndexFunc(n.out[v], nearer)].to
	}
	return path
}

// combineA2 is algorithm A2 on the product of A and B, node (v,u) numbered v |B| + u: |A| T_B + |B| T_A steps.
func combineA2(a, b sequence) sequence {
	return sequence{a.nodes * b.nodes, a.nodes*b.steps + b.nodes*a.steps, func(yield func([]hop) bool) {
		if inCopiesOfB(a.nodes, b, yield) {
			inCopiesOfA(a, b.nodes, yield)
		}
	}}
}

// inCopiesOfB runs b once for every r in A, in all copies of B at once; node (v,u) sends its blocks for (r,*).
func inCopiesOfB(copies int, b sequence, yield func([]hop) bool) bool {
	var all []hop
	for r := range copies {
		for hops := range b.hops {
			all = all[:0]
			for v := range copies {
				first := int32(v * b.nodes)
				for i := range hops {
					h := &hops[i]
					all = append(all, hop{first + h.from, first + h.to, nil,
						exchange.Block{From: first + h.block.From, To: int32(r*b.nodes) + h.block.To}})
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
	n := int32(copies)
	for k := range n {
		for hops := range a.hops {
			all = all[:0]
			for u := range n {
				for i := range hops {
					h := &hops[i]
					all = append(all, hop{h.from*n + u, h.to*n + u, nil,
						exchange.Block{From: h.block.From*n + k, To: h.block.To*n + u}})
				}
			}
			if !yield(all) {
				return false
			}
		}
	}
	return true
}
