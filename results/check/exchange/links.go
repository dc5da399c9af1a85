package exchange

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/objective/exchange"
)

// weightedSteps returns the lower bound on the steps of any exchange of these blocks under the model that weights give,
// not all 0: by store and forward of the nodes that send, with all ports of the links. Blocks cost at least as much as
// their cheapest paths, and a step costs at most the sum of the weights, each times what its link carries. Errors say
// what is wrong with the weights. Cost: a search from every processor.
func (n *network) weightedSteps(weights []int) (*big.Rat, error) {
	ports, want, noun := n.head.Model == exchange.AllPort, n.N(), "node"
	if ports {
		want, noun = n.Links(), "link"
	}
	if len(weights) != want {
		return nil, fmt.Errorf("there are %d weights for %d %ss", len(weights), want, noun)
	}
	for i, w := range weights {
		if w < 0 || w > math.MaxInt32 {
			return nil, fmt.Errorf("the weight %d of %s %d lies outside 0..%d", w, noun, i, math.MaxInt32)
		}
	}
	weight, sum, next := make([]int64, n.M()), int64(0), 0
	n.meter.Charge(int64(8 * n.M()))
	for v := range n.N() {
		if !ports {
			sum += int64(weights[v])
		}
		for l := range n.links(v) {
			if weight[l] = int64(weights[min(next, want-1)]); !ports {
				weight[l] = int64(weights[v])
			} else {
				sum += weight[l] * int64(n.LinkBandwidth(l))
				next++
			}
		}
	}
	if sum == 0 {
		return nil, fmt.Errorf("all weights are 0")
	}
	total := new(big.Int)
	for _, p := range n.demand.Nodes {
		cost := n.cheapestFrom(p, func(l core.Link) int64 { return weight[l] })
		for q, blocks := range n.demand.Receivers(p) {
			total.Add(total, new(big.Int).Mul(big.NewInt(cost[q]), big.NewInt(int64(blocks))))
		}
	}
	return new(big.Rat).SetFrac(total, big.NewInt(sum)), nil
}

// cheapestFrom returns the weight of a cheapest path to every node. It looks at the links of a node again whenever a
// cheaper path to it is found.
func (n *network) cheapestFrom(from int, weight func(core.Link) int64) []int64 {
	n.meter.Charge(int64(16 * n.N()))
	cost, waits := slices.Repeat([]int64{math.MaxInt64 / 2}, n.N()), make([]bool, n.N())
	cost[from] = 0
	for queue := []int{from}; len(queue) > 0; queue = queue[1:] {
		u := queue[0]
		waits[u] = false
		for l := range n.links(u) {
			_, to := n.LinkEnds(l)
			if way := cost[u] + weight(l); way < cost[to] {
				cost[to] = way
				if !waits[to] {
					waits[to] = true
					queue = append(queue, to)
				}
			}
		}
	}
	return cost
}

// checkStep checks a send in steps: one block over a link, which with all ports has carried fewer than its bandwidth in
// this phase. Axis and direction may be absent, but must be right if they are given; then the first link to the
// neighbour that has room is taken.
func (e *follower) checkStep(i int, send *exchange.Send) *fault {
	if send.Path != nil || len(send.Blocks) != 1 {
		return e.wrong(ruleNeighbour, i, "it takes %d blocks, or has a path; in steps it takes one to a neighbour",
			len(send.Blocks))
	}
	if send.Axis >= 0 && send.Dir != 0 && e.model == exchange.StoreAndForward && e.net.HasDimensions() { // as most say
		axis := e.net.head.Axes[send.Axis]
		v := e.net.Shift(int(send.From), send.Axis, int(send.Dir))
		c := e.net.Coord(int(send.From), send.Axis) + int(send.Dir)
		if v == int(send.To) && (axis.Kind == exchange.Ring || c >= 0 && c < axis.Nodes) {
			return nil
		}
	}
	full := core.Link(-1)
	for l := range e.net.links(int(send.From)) {
		if _, to := e.net.LinkEnds(l); to != int(send.To) || !e.net.follows(l, send.Axis, send.Dir) {
			continue
		}
		if e.model != exchange.AllPort || e.carry(l, e.net.LinkBandwidth(l)) {
			return nil
		}
		full = l
	}
	if full < 0 {
		if send.Axis < 0 {
			return e.wrong(ruleNeighbour, i, "node %d is no neighbour of node %d", send.To, send.From)
		}
		return e.wrong(ruleNeighbour, i, "node %d is no neighbour of node %d along axis %d in direction %v", send.To,
			send.From, send.Axis, send.Dir)
	}
	f := e.wrong(ruleLink, i, "the link from node %d to node %d carries more blocks than its bandwidth, %d",
		send.From, send.To, e.net.LinkBandwidth(full))
	f.Link = e.net.words(full)
	return f
}

// carry notes that a link carries one more in this phase and reports whether it has room for that.
func (e *follower) carry(l core.Link, room int) bool {
	if now := int32(e.phases + 1); e.used[l] != now {
		e.used[l], e.carried[l] = now, 0
	}
	e.carried[l]++
	return int(e.carried[l]) <= room
}

// words returns a link as verdicts name it.
func (n *network) words(l core.Link) *Link {
	from, to := n.LinkEnds(l)
	port := n.head.PortOf(n.Network, l)
	out := &Link{From: from, To: to, Axis: port.Dim}
	if kind := n.head.Axes[port.Dim].Kind; kind == exchange.Ring || kind == exchange.Path {
		out.Dir = cmp.Or(port.Dir, core.Plus).String()
	}
	return out
}

// linkTowards returns the first link of a shortest path from a node to another, nil if there is none.
func (n *network) linkTowards(from, to int32) *Link {
	cost := n.cheapestFrom(int(to), func(core.Link) int64 { return 1 }) // links lead both ways
	for l := range n.links(int(from)) {
		if _, next := n.LinkEnds(l); cost[next] < cost[from] {
			return n.words(l)
		}
	}
	return nil
}
