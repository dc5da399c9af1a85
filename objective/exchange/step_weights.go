package exchange

import (
	"math/big"
	"slices"
)

// The bound by weights is the dual of a linear program: let a send by node v cost
// w_v. Blocks cost no less than their cheapest paths, and a step no more than the
// sum of all w, so that the steps are at least the one over the other, whatever
// the weights. With equal weights that is the status bound, with weight at one node
// only the bound "node". Any weights will do, so they may come from a guess in whole
// numbers: where cheapest paths make nodes busiest, weights grow. It is inferred;
// the paper has equal weights only.

// Limits of the guess: relaxations over all rounds, rounds, and the largest weight.
const (
	weightWork   = 1 << 24
	weightRounds = 400
	weightRange  = 1 << 16
)

// weightBound returns the best bound by weights found, with the weights.
func weightBound(n *Network, procs []int) StepBound {
	w := newWeigher(n, procs)
	best := StepBound{"weights", new(big.Rat), 0, nil}
	links := 1
	for _, out := range w.out {
		links += len(out)
	}
	for round := range min(weightRounds, weightWork/(links*max(len(procs), 1))) {
		total := w.route()
		v := big.NewRat(int64(total), int64(sumOf(w.weight)))
		if v.Cmp(best.Value) > 0 {
			best.Value, best.Weights = v, slices.Clone(w.weight)
		}
		w.adjust(4 + round/4)
	}
	best.Steps = roundUp(best.Value)
	return best
}

// A weigher has weights and finds what cheapest paths send.
type weigher struct {
	procs  []int
	isProc []int // by node: 1 for a processor
	out    [][]step
	weight []int // by node
	load   []int // by node: sends of the last routes
	cost   []int // by node, of the source at hand
	before []int
}

func newWeigher(n *Network, procs []int) *weigher {
	w := &weigher{procs: procs, isProc: make([]int, n.nodes), weight: slices.Repeat([]int{weightRange / 2}, n.nodes),
		load: make([]int, n.nodes), cost: make([]int, n.nodes), before: make([]int, n.nodes)}
	for _, p := range procs {
		w.isProc[p] = 1
	}
	for v := range n.nodes {
		w.out = append(w.out, n.steps(v))
	}
	return w
}

// route sends every block along a cheapest path and returns the sum of the costs.
func (w *weigher) route() int {
	clear(w.load)
	total := 0
	for _, p := range w.procs {
		w.search(p)
		order := allOf(len(w.cost))
		slices.SortFunc(order, func(u, v int) int { return w.cost[v] - w.cost[u] })
		below := slices.Clone(w.isProc) // processors reached by way of a node
		for _, v := range order {
			if v == p {
				continue
			}
			total += w.isProc[v] * w.cost[v]
			below[w.before[v]] += below[v]
			w.load[w.before[v]] += below[v]
		}
	}
	return total
}

// search finds the cheapest paths from a node.
func (w *weigher) search(from int) {
	for v := range w.cost {
		w.cost[v] = tooDear
	}
	w.cost[from] = 0
	for queue := []int{from}; len(queue) > 0; queue = queue[1:] {
		u := queue[0]
		for _, s := range w.out[u] {
			if cost := w.cost[u] + w.weight[u]; cost < w.cost[s.to] {
				w.cost[s.to], w.before[s.to] = cost, u
				queue = append(queue, s.to)
			}
		}
	}
}

// adjust makes busy nodes dearer, the less the larger slow is.
func (w *weigher) adjust(slow int) {
	busiest := max(slices.Max(w.load), 1)
	for v := range w.weight {
		w.weight[v] += w.weight[v] * w.load[v] / (busiest * slow)
	}
	largest := slices.Max(w.weight)
	for v := range w.weight {
		w.weight[v] = max(w.weight[v]*weightRange/largest, 1)
	}
}
