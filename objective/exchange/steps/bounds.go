package steps

import (
	"math/big"
	"slices"

	"leeway/core"
	"leeway/objective/exchange"
)

// withWeights adds the bound by weights, which takes longer than all others.
func withWeights(bounds []exchange.Bound, n *Network, d exchange.Demand) []exchange.Bound {
	return exchange.BestFirst(append(bounds, newWeigher(n, d).search()))
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
// Translations that keep the demand keep the weights.
type weigher struct {
	*orbits
	demand  exchange.Demand
	sources []int // nodes with blocks, one of each orbit
	weight  []int // by place
	load    []int // by place: sends of the last routes
	cost    []int // by node, of the source at hand
	before  [][2]int
}

// newWeigher returns a weigher with equal weights.
func newWeigher(n *Network, d exchange.Demand) *weigher {
	w := &weigher{orbits: newOrbits(n, symmetricShifts(n, d)), demand: d, cost: make([]int, n.N()),
		before: make([][2]int, n.N())}
	for _, p := range d.Nodes {
		if w.nodes[w.class[p]] == p {
			w.sources = append(w.sources, p)
		}
	}
	w.weight, w.load = make([]int, len(w.room)), make([]int, len(w.room))
	for i := range w.weight {
		w.weight[i] = weightRange / 2
	}
	if n.Model() == exchange.StoreAndForward { // receivers have none
		clear(w.weight[len(w.nodes):])
	}
	return w
}

// bound returns the bound by the weights.
func (w *weigher) bound() exchange.Bound {
	var weights []int
	for v, places := range w.places {
		if w.net.Model() == exchange.StoreAndForward {
			weights = append(weights, w.weight[w.class[v]])
			continue
		}
		for _, place := range places {
			weights = append(weights, w.weight[place[0]])
		}
	}
	all, common := new(big.Int), 0
	for place, weight := range w.weight {
		all.Add(all, big.NewInt(int64(weight)*int64(w.room[place])))
		if common+weight > 0 {
			common = core.GCD(common, weight)
		}
	}
	for i := range weights {
		weights[i] /= max(common, 1)
	}
	value, name := new(big.Rat), exchange.WeightBound
	if w.net.Model() == exchange.AllPort {
		name = exchange.CongestionBound
	}
	if total := w.route(); all.Sign() > 0 { // of one source, or link, of each orbit
		value.SetFrac(total, all)
	}
	b := exchange.NewBound(name, value)
	b.Weights = weights
	return b
}

// search returns the best bound by weights that are found, going on from those of the weigher.
func (w *weigher) search() exchange.Bound {
	best := exchange.Bound{Value: new(big.Rat)}
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
		below := make([]int, len(w.cost)) // blocks that go by way of a node
		for v, blocks := range w.demand.Receivers(p) {
			below[v] = blocks
			cost := big.NewInt(int64(w.cost[v]))
			total.Add(total, cost.Mul(cost, big.NewInt(int64(blocks))))
		}
		for _, v := range order {
			if v == p {
				continue
			}
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
