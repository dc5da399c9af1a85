package steps

import (
	"math/big"
	"slices"

	"leeway/core"
	"leeway/objective/exchange"
)

// A Bound says that no complete exchange by store and forward has fewer steps.
type Bound struct {
	Name    string
	Value   *big.Rat
	Steps   int   // Value, rounded up
	Weights []int // of "weights", by node: the witness
}

// lowerBounds returns lower bounds on the steps of a complete exchange among the participants (nil: all), the best
// first; any node may pass blocks on.
//
//   - status: every block needs its distance in hops, and a step has at most N hops; for all nodes this is AS(G)
//     (seed 003, (1)).
//   - degree: a processor sends all its blocks.
//   - ramp: at most P blocks leave the P processors in a step, so that only (k+1)P nodes can send in step k, from 0;
//     and likewise at the end, backwards.
//   - flight: the blocks of a processor leave in different steps and come to a processor in different steps; between
//     lies the distance. So the mean distance + P-2.
//   - node: one node sends its own blocks, and those between the parts of the network that fall apart without it: on
//     a path (i+1)(n-1-i)+i(n-i) for node i.
//   - cut: blocks between a run of coordinates and the rest cross few links.
//
// Cost: O(axes * (side^2 + P) * side), and on a path or graph a search per node.
func lowerBounds(n *Network, participants []int) []Bound {
	procs := n.processors(participants)
	work, p := n.work(procs), len(procs)
	// the fewest steps with room for the work: one step more adds room in the middle, where most nodes can send
	ramp := 0
	for room := 0; room < work; ramp++ {
		room += min(n.nodes, (ramp/2+1)*p)
	}
	flight := new(big.Rat)
	// blocks of a processor leave in steps 0, 1, .. at best, those for it come at the ends of steps T, T-1, ..
	if p > 1 {
		flight.Add(big.NewRat(int64(work), int64(p)*int64(p-1)), big.NewRat(int64(p-2), 1))
	}
	whole := func(steps int) *big.Rat { return big.NewRat(int64(steps), 1) }
	return bestFirst([]Bound{
		newBound("status", big.NewRat(int64(work), int64(n.nodes))),
		newBound("degree", whole(max(p-1, 0))),
		newBound("ramp", whole(ramp)),
		newBound("flight", flight),
		newBound("node", whole(nodeSteps(n, procs))),
		newBound("cut", cutValue(n, procs)),
	})
}

func newBound(name string, v *big.Rat) Bound { return Bound{Name: name, Value: v, Steps: roundUp(v)} }

// processors returns the participants, all nodes for nil.
func (n *Network) processors(participants []int) []int {
	if participants == nil {
		return core.Range(n.nodes)
	}
	return participants
}

// work returns the sum of the distances of all blocks, axis by axis.
func (n *Network) work(procs []int) int {
	total := 0
	for i, f := range n.factors {
		count := make([]int, f.Nodes)
		for _, p := range procs {
			count[n.coord(p, i)]++
		}
		for c, row := range f.distance {
			for d, distance := range row {
				total += count[c] * count[d] * distance
			}
		}
	}
	return total
}

// withWeights adds the bound by weights, which takes longer than all others.
func withWeights(bounds []Bound, n *Network, participants []int) []Bound {
	return bestFirst(append(bounds, newWeigher(n, n.processors(participants)).search()))
}

// bestFirst puts the best bound first.
func bestFirst(bounds []Bound) []Bound {
	slices.SortStableFunc(bounds, func(a, b Bound) int { return b.Value.Cmp(a.Value) })
	// Among bounds with the same steps the one with the larger exact value comes first.
	slices.SortStableFunc(bounds, func(a, b Bound) int { return b.Steps - a.Steps })
	return bounds
}

// nodeSteps returns the most blocks that one node must send. Only paths and given graphs can fall apart without a
// node, and only where they are the whole network.
func nodeSteps(n *Network, procs []int) int {
	most := max(len(procs)-1, 0)
	for _, f := range n.factors {
		if f.Nodes < n.nodes || f.Kind != exchange.Path && f.Kind != exchange.Graph {
			continue
		}
		for v := range n.nodes {
			all, same := 0, 0
			for _, size := range processorsInParts(f, procs, v) {
				all, same = all+size, same+size*size
			}
			sends := all*all - same
			if slices.Contains(procs, v) {
				sends += all
			}
			most = max(most, sends)
		}
	}
	return most
}

// processorsInParts returns how many processors each part of the graph has once node v is taken out.
func processorsInParts(f factor, procs []int, v int) []int {
	links := slices.Clone(f.neighbours)
	links[v] = nil
	seen := make([]bool, f.Nodes)
	seen[v] = true
	var parts []int
	for _, p := range procs {
		if seen[p] {
			continue
		}
		size, distance := 0, exchange.Distances(links, p)
		for _, q := range procs {
			if distance[q] < exchange.Unreachable && q != v {
				seen[q] = true
				size++
			}
		}
		parts = append(parts, size)
	}
	return parts
}

// cutValue returns the best bound of a cut between coordinates first..end-1 of a ring or path and the rest. In one
// direction a step takes at most as many blocks across it as there are links, or nodes on either side.
func cutValue(n *Network, procs []int) *big.Rat {
	best := new(big.Rat)
	for i, f := range n.factors {
		if f.Kind != exchange.Ring && f.Kind != exchange.Path {
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
	return best
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

// The bound by weights is the dual of a linear program. Let a send cost the weight of its sender, or with all ports
// that of its link. Blocks cost at least as much as their cheapest paths, shortest or not, and a step costs at most
// the sum of all weights, each times what there is room for, so the number of steps is at least the quotient, whatever
// the weights are. By store and forward equal weights give the status bound, and weight at a single node gives the
// bound "node". Since any weights are valid, they may be found by a heuristic in whole numbers: weights grow where
// cheapest paths make a node or link busiest. The rule is inferred; the paper has equal weights only.

// Limits of the search for weights: relaxations over all rounds, rounds, and the largest weight.
const (
	weightWork   = 1 << 24
	weightRounds = 400
	weightRange  = 1 << 16

	simpleWeights = 32 // the largest weight that the best ones are then rounded to
)

// A weigher holds weights and finds how often the first places of sends are used on cheapest paths: senders, or links.
// Translations that keep the processors keep the weights.
type weigher struct {
	*orbits
	procs   []int
	isProc  []int // by node: 1 for a processor
	sources []int // processors, one of each orbit
	weight  []int // by place
	load    []int // by place: sends of the last routes
	cost    []int // by node, of the source at hand
	before  [][2]int
}

// newWeigher returns a weigher with equal weights.
func newWeigher(n *Network, procs []int) *weigher {
	w := &weigher{orbits: newOrbits(n, symmetricShifts(n, procs)), procs: procs, isProc: make([]int, n.nodes),
		cost: make([]int, n.nodes), before: make([][2]int, n.nodes)}
	for _, p := range procs {
		w.isProc[p] = 1
		if w.nodes[w.class[p]] == p {
			w.sources = append(w.sources, p)
		}
	}
	w.weight, w.load = make([]int, len(w.room)), make([]int, len(w.room))
	for i := range w.weight {
		w.weight[i] = weightRange / 2
	}
	if n.model == exchange.StoreAndForward { // receivers have none
		clear(w.weight[len(w.nodes):])
	}
	return w
}

// bound returns the bound by the weights.
func (w *weigher) bound() Bound {
	b := Bound{Name: exchange.WeightBound, Value: new(big.Rat)}
	if w.net.model == exchange.AllPort {
		b.Name = exchange.CongestionBound
	}
	for v, places := range w.places {
		if w.net.model == exchange.StoreAndForward {
			b.Weights = append(b.Weights, w.weight[w.class[v]])
			continue
		}
		for _, place := range places {
			b.Weights = append(b.Weights, w.weight[place[0]])
		}
	}
	all, common := new(big.Int), 0
	for place, weight := range w.weight {
		all.Add(all, big.NewInt(int64(weight)*int64(w.room[place])))
		if common+weight > 0 {
			common = core.GCD(common, weight)
		}
	}
	for i := range b.Weights {
		b.Weights[i] /= max(common, 1)
	}
	if total := w.route(); all.Sign() > 0 { // of one source, or link, of each orbit
		b.Value.SetFrac(total, all)
	}
	b.Steps = roundUp(b.Value)
	return b
}

// search returns the best bound by weights that are found, going on from those of the weigher.
func (w *weigher) search() Bound {
	best := Bound{Value: new(big.Rat)}
	links := 1
	for _, out := range w.out {
		links += len(out)
	}
	rounds := min(weightRounds, weightWork/(links*max(len(w.sources), 1)))
	var weights []int
	for round := range rounds {
		if b := w.bound(); b.Value.Cmp(best.Value) > 0 {
			best, weights = b, slices.Clone(w.weight)
		}
		w.adjust(4 + round/4)
	}
	for scale := min(rounds, simpleWeights); scale > 0 && weights != nil; scale-- {
		for i, weight := range weights {
			w.weight[i] = (2*weight*scale + weightRange) / (2 * weightRange)
		}
		if b := w.bound(); b.Value.Cmp(best.Value) >= 0 {
			best = b
		}
	}
	return best
}

// route sends every block along a cheapest path and returns the sum of the costs.
func (w *weigher) route() *big.Int {
	clear(w.load)
	total := new(big.Int)
	for _, p := range w.sources {
		w.reach(p)
		order := core.Range(len(w.cost))
		slices.SortFunc(order, func(u, v int) int { return w.cost[v] - w.cost[u] })
		below := slices.Clone(w.isProc) // processors reached by way of a node
		for _, v := range order {
			if v == p {
				continue
			}
			total.Add(total, big.NewInt(int64(w.isProc[v]*w.cost[v])))
			u, via := w.before[v][0], w.before[v][1]
			below[u] += below[v]
			w.load[w.places[u][via][0]] += below[v]
		}
	}
	return total
}

// reach finds the cheapest paths from a node.
func (w *weigher) reach(from int) {
	for v := range w.cost {
		w.cost[v] = tooDear
	}
	w.cost[from] = 0
	for queue := []int{from}; len(queue) > 0; queue = queue[1:] {
		u := queue[0]
		for via, s := range w.out[u] {
			if cost := w.cost[u] + w.weight[w.places[u][via][0]]; cost < w.cost[s.to] {
				w.cost[s.to], w.before[s.to] = cost, [2]int{u, via}
				queue = append(queue, s.to)
			}
		}
	}
}

// adjust raises the weights where the load is high; the larger slow is, the less.
func (w *weigher) adjust(slow int) {
	busiest := 1
	for i, load := range w.load {
		busiest = max(busiest, load/w.room[i])
	}
	for i, load := range w.load {
		w.weight[i] += w.weight[i] * (load / w.room[i]) / (busiest * slow)
	}
	largest := slices.Max(w.weight)
	for i, weight := range w.weight {
		w.weight[i] = max(weight*weightRange/largest, min(weight, 1))
	}
}
