package exchange

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"leeway/core"
)

// Packing complete exchange among some nodes into steps of store and forward, where
// any node may pass blocks on. It is inferred: the papers have a processor at every
// node. First every block gets a shortest route, so that no node has much more to
// send or receive than others; then each step takes a matching of send ports to
// receive ports, of greatest weight, the weight of i to j being (sends still due at
// i)^2 + (receives still due at j)^2, and the block with the longest way to go. Fewer
// steps than that are then looked for by negotiation (pack_negotiate.go).
//
// On a torus the translations that map the processors to themselves map such a
// schedule to itself: only one block of each orbit is packed, and only one port of
// each orbit of nodes.

// PackSteps returns a schedule of complete exchange among the participants, nodes
// in ascending order (nil: all). It is the best of several packings with fixed
// seeds, fewer on large networks.
// Errors are *core.InputError: a participant that is no node or out of order, or more
// hops than fit the memory (2^23, a path of 290 nodes).
func PackSteps(n *Network, participants []int) (*StepPlan, error) {
	for i, p := range participants {
		if p < 0 || p >= n.nodes || i > 0 && participants[i-1] >= p {
			return nil, &core.InputError{Text: n.String(), Problem: "participants are nodes of the network in ascending order"}
		}
	}
	steps, bounds, err := pack(n, participants)
	if err != nil {
		return nil, err
	}
	return newStepPlan(Schedule{Name: "packed", Network: n, Participants: slices.Clone(participants),
		Phases: listRun(n.nodes, steps).phases}, len(steps), bounds), nil
}

// A packing is the question with its symmetry.
type packing struct {
	net    *Network
	shifts []int // translations of the symmetry group, by the image of node 0
	class  []int // by node: its orbit
	nodes  []int // by orbit: a node of it
	blocks []Block
	out    [][]step  // by node
	rows   [][]int16 // by node: distances from it, once they were asked for
}

func newPacking(n *Network, participants []int) *packing {
	procs := participants
	if procs == nil {
		procs = allOf(n.nodes)
	}
	p := &packing{net: n, shifts: symmetricShifts(n, procs), class: make([]int, n.nodes), rows: make([][]int16, n.nodes)}
	for v := range p.class {
		p.class[v] = -1
		p.out = append(p.out, n.steps(v))
	}
	for v := range p.class {
		if p.class[v] >= 0 {
			continue
		}
		for _, s := range p.shifts {
			p.class[n.shifted(v, s)] = len(p.nodes)
		}
		p.nodes = append(p.nodes, v)
	}
	for _, from := range procs {
		if p.nodes[p.class[from]] != from {
			continue
		}
		for _, to := range procs {
			if from != to {
				p.blocks = append(p.blocks, Block{int32(from), int32(to)})
			}
		}
	}
	return p
}

// distances returns the distance of every node.
func (p *packing) distances(from int) []int16 {
	if p.rows[from] == nil {
		row := make([]int16, p.net.nodes)
		for v := range row {
			row[v] = int16(p.net.Distance(from, v))
		}
		p.rows[from] = row
	}
	return p.rows[from]
}

// symmetricShifts returns the translations that map the processors to themselves,
// that by 0 first; only that one unless all factors are rings.
func symmetricShifts(n *Network, procs []int) []int {
	rings := !slices.ContainsFunc(n.factors, func(f factor) bool { return f.Kind != RingFactor })
	if !rings || len(procs) == 0 {
		return []int{0}
	}
	isProc := make([]bool, n.nodes)
	for _, p := range procs {
		isProc[p] = true
	}
	var shifts []int
	for s := range n.nodes {
		if !slices.ContainsFunc(procs, func(p int) bool { return !isProc[n.shifted(p, s)] }) {
			shifts = append(shifts, s)
		}
	}
	return shifts
}

// shifted returns the node whose coordinates are the sums of those of v and s.
func (n *Network) shifted(v, s int) int {
	w := 0
	for i, f := range n.factors {
		w += (n.coord(v, i) + n.coord(s, i)) % f.Nodes * n.strides[i]
	}
	return w
}

// Limits of the search for a packing. All count work, so that the answer does not
// depend on the machine.
const (
	maxHops         = 1 << 23 // of a packing
	greedyHops      = 1 << 19 // over all greedy packings
	greedyTries     = 64
	negotiateWork   = 1 << 27 // relaxations
	negotiateTries  = 100     // for each number of steps
	negotiateRounds = 300     // of a try
	negotiateDetour = 2       // hops more than on a shortest route, in every other try
)

// pack returns the steps of the best packing found, and bounds on them. Greedy
// packings come first; unless one reaches a bound, fewer steps are looked for one by
// one by negotiation.
func pack(n *Network, participants []int) ([][]hop, []StepBound, error) {
	p, bounds := newPacking(n, participants), StepBounds(n, participants)
	if hops := p.hops() * len(p.shifts); hops > maxHops {
		return nil, nil, &core.InputError{Text: n.String(), Problem: fmt.Sprintf("packing takes up to %d hops, but this exchange has %d", maxHops, hops)}
	}
	best := p.greedy(bounds[0].Steps)
	if len(best) > bounds[0].Steps {
		bounds = withWeights(bounds, n, participants)
	}
	work := negotiateWork
	for tries := 0; len(best) > bounds[0].Steps && tries < negotiateTries && work > 0; tries++ {
		rng := rand.New(rand.NewPCG(uint64(tries), 1))
		if fewer := p.negotiate(len(best)-1, tries%2*negotiateDetour, &work, rng); fewer != nil {
			best, tries = fewer, -1
		}
	}
	return p.expand(best), bounds, nil
}

// greedy returns the best of several packings by matchings.
func (p *packing) greedy(bound int) [][]hop {
	var best [][]hop
	for seed := range max(1, min(greedyTries, greedyHops/max(p.hops(), 1))) {
		rng := rand.New(rand.NewPCG(uint64(seed), 0))
		steps := p.schedule(p.routes(rng), rng)
		if best == nil || len(steps) < len(best) {
			best = steps
		}
		if len(best) <= bound {
			break
		}
	}
	return best
}

// hops returns the sum of the distances of the blocks.
func (p *packing) hops() int {
	total := 0
	for _, b := range p.blocks {
		total += p.net.Distance(int(b.From), int(b.To))
	}
	return total
}

// expand applies the symmetries.
func (p *packing) expand(steps [][]hop) [][]hop {
	for i, hops := range steps {
		var all []hop
		for _, s := range p.shifts {
			for _, h := range hops {
				image := func(v int32) int32 { return int32(p.net.shifted(int(v), s)) }
				all = append(all, hop{int(image(int32(h.from))), int(image(int32(h.to))), h.axis, h.dir,
					Block{image(h.block.From), image(h.block.To)}})
			}
		}
		steps[i] = all
	}
	return steps
}
