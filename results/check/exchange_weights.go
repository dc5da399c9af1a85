package check

import (
	"context"
	"fmt"
	"math"
	"math/big"

	"leeway/objective/exchange"
)

// WeightedSteps returns the lower bound on the steps of any exchange by store and
// forward that weights show, by node, of which not all are 0: when a send by node v
// costs weights[v], blocks cost no less than their cheapest paths, and a step no
// more than the sum of the weights. Errors say what is wrong with the head or the
// weights. Cost: rounds over all links, for every processor.
func WeightedSteps(head exchange.Head, weights []int) (*big.Rat, error) {
	n, err := newNetwork(unmetered(context.Background()), head)
	if err != nil {
		return nil, err
	}
	return n.weightedSteps(weights)
}

func (n *network) weightedSteps(weights []int) (*big.Rat, error) {
	if len(weights) != n.nodes {
		return nil, fmt.Errorf("there are %d weights for %d nodes", len(weights), n.nodes)
	}
	sum := int64(0)
	for v, w := range weights {
		if w < 0 || w > math.MaxInt32 {
			return nil, fmt.Errorf("the weight %d of node %d lies outside 0..%d", w, v, math.MaxInt32)
		}
		sum += int64(w)
	}
	if sum == 0 {
		return nil, fmt.Errorf("all weights are 0")
	}
	total := new(big.Int)
	for _, p := range n.processors {
		cost := n.cheapestFrom(p, weights)
		for _, q := range n.processors {
			total.Add(total, big.NewInt(cost[q]))
		}
	}
	return new(big.Rat).SetFrac(total, big.NewInt(sum)), nil
}

// cheapestFrom returns the cost of a cheapest path to every node: it corrects the
// cost at the end of every link until nothing changes.
func (n *network) cheapestFrom(from int, weights []int) []int64 {
	cost := make([]int64, n.nodes)
	for v := range cost {
		cost[v] = math.MaxInt64 / 2
	}
	cost[from] = 0
	around := 0 // coordinates looked at from each node
	for _, a := range n.axes {
		around += a.nodes
	}
	for changed := true; changed; {
		n.meter.chargeAll(n.nodes, around)
		changed = false
		for u := range cost {
			for i, a := range n.axes {
				c := n.coord(int32(u), i)
				for d := range a.nodes {
					v := u + (d-c)*n.strides[i]
					if way := cost[u] + int64(weights[u]); a.distance[c][d] == 1 && way < cost[v] {
						cost[v], changed = way, true
					}
				}
			}
		}
	}
	return cost
}
