package exchange

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/objective/exchange"
)

// A link leads from a node to a neighbour. Links are listed by the node that they leave, axis by axis: the one in
// direction + before that in direction -, or in ascending order of the nodes that they enter where there are no
// directions.
type link struct {
	to   int32
	axis int
	dir  core.Dir // 0 on an axis without directions, or where both mean this link
	room int      // blocks that it carries in a phase with all ports
}

// checkEnds checks what axes say beyond their kind: shifts at their ends, which must not move each other in a circle,
// and bandwidths. It fills in the order in which shifts are carried out.
func (n *network) checkEnds(head exchange.Head) error {
	n.twist = make([][]int, len(head.Axes))
	for i, a := range head.Axes {
		switch {
		case head.Model != exchange.AllPort && (a.Twist != nil || a.Bandwidth != 0):
			return fmt.Errorf("axis %d: twist and bandwidth belong to the model %s", i, exchange.AllPort)
		case a.Bandwidth < 0 || a.Bandwidth > core.MaxBandwidth:
			return fmt.Errorf("axis %d: the bandwidth %d lies outside 1..%d", i, a.Bandwidth, core.MaxBandwidth)
		case a.Twist == nil:
			continue
		case a.Kind != exchange.Ring || len(a.Twist) != len(head.Axes) || a.Twist[i] != 0:
			return fmt.Errorf("axis %d: a twist belongs to a ring and has a number for every axis, its own 0", i)
		}
		for j, s := range a.Twist {
			if s < 0 || s >= head.Axes[j].Nodes || s > 0 && head.Axes[j].Kind != exchange.Ring {
				return fmt.Errorf("axis %d: the twist %d along axis %d lies outside 0..%d, or that is no ring", i, s, j,
					head.Axes[j].Nodes-1)
			}
		}
		n.twist[i] = a.Twist
	}
	for len(n.order) < len(n.axes) { // an axis that no other moves once those before it are done
		next := slices.IndexFunc(core.Range(len(n.axes)), func(i int) bool {
			return !slices.Contains(n.order, i) && !slices.ContainsFunc(core.Range(len(n.axes)), func(j int) bool {
				return !slices.Contains(n.order, j) && n.twist[j] != nil && n.twist[j][i] > 0
			})
		})
		if next < 0 {
			return fmt.Errorf("the twists of the axes move each other in a circle")
		}
		n.order = append(n.order, next)
	}
	return nil
}

// ringStep returns the node one step along a ring, over its end if need be.
func (n *network) ringStep(v, axis int, dir core.Dir) int {
	c := make([]int, len(n.axes))
	for i := range c {
		c[i] = n.coord(int32(v), i)
	}
	c[axis] += int(dir)
	node := 0
	for _, i := range n.order {
		over := c[i]
		c[i] = core.Mod(over, n.axes[i].nodes)
		turns := (over - c[i]) / n.axes[i].nodes
		for j, s := range n.twist[i] {
			c[j] += turns * s
		}
		node += c[i] * n.strides[i]
	}
	return node
}

// setLinks lists the links of every node.
func (n *network) setLinks(head exchange.Head) {
	around := 1
	for _, a := range n.axes {
		around += a.nodes
	}
	n.meter.ChargeAll(8, n.nodes, around)
	n.out, n.first = make([][]link, n.nodes), make([]int, n.nodes)
	for v := range n.out {
		n.first[v] = n.links
		for i := range n.axes {
			n.appendLinks(v, i, max(1, head.Axes[i].Bandwidth))
		}
		n.links += len(n.out[v])
	}
}

// appendLinks adds the links of a node along an axis. Where both directions of a ring lead to the same node there is
// one link.
func (n *network) appendLinks(v, axis, room int) {
	a := &n.axes[axis]
	add := func(to int, dir core.Dir) {
		if to != v {
			n.out[v] = append(n.out[v], link{int32(to), axis, dir, room})
		}
	}
	if a.kind == exchange.Ring {
		ahead, back := n.ringStep(v, axis, core.Plus), n.ringStep(v, axis, core.Minus)
		if back == ahead {
			add(ahead, 0)
		} else {
			add(ahead, core.Plus)
			add(back, core.Minus)
		}
		return
	}
	if a.kind == exchange.Path {
		for _, dir := range []core.Dir{core.Plus, core.Minus} {
			to, _ := n.next(v, axis, dir)
			add(to, dir)
		}
		return
	}
	c := n.coord(int32(v), axis)
	for d := range a.nodes {
		if a.distance[c][d] == 1 {
			add(v+(d-c)*n.strides[axis], 0)
		}
	}
}

// neighbours returns the nodes that each node can send to, ascending.
func (n *network) neighbours() [][]int {
	out := make([][]int, n.nodes)
	for v, links := range n.out {
		for _, l := range links {
			out[v] = append(out[v], int(l.to))
		}
		slices.Sort(out[v])
	}
	return out
}

// capacity returns how many blocks all links carry in a phase.
func (n *network) capacity() int64 {
	sum := int64(0)
	for _, links := range n.out {
		for _, l := range links {
			sum += int64(l.room)
		}
	}
	return sum
}

// linkSteps returns the steps that every exchange with all ports needs: the greatest distance of two processors; the
// distances of all blocks add up to no more than all links carry; and a processor sends its blocks over its own links,
// and receives others over as many.
func (n *network) linkSteps() int64 {
	far, all, own := int64(0), new(big.Int), int64(0)
	for _, p := range n.processors {
		distance := n.cheapestFrom(p, func(int) int64 { return 1 })
		for _, q := range n.processors {
			far = max(far, distance[q])
			all.Add(all, big.NewInt(distance[q]))
		}
		room := int64(0)
		for _, l := range n.out[p] {
			room += int64(l.room)
		}
		own = max(own, (int64(len(n.processors))-2)/max(room, 1)+1) // processors are two at least
	}
	return max(far, own, roundUp(all, big.NewInt(max(n.capacity(), 1))))
}

func roundUp(a, b *big.Int) int64 {
	up := new(big.Int).Add(a, b)
	return up.Sub(up, big.NewInt(1)).Div(up, b).Int64()
}

// weightedSteps returns the lower bound on the steps of any exchange under the model that weights give, not all 0: by
// store and forward of the nodes that send, with all ports of the links. Blocks cost at least as much as their cheapest
// paths, and a step costs at most the sum of the weights, each times what its link carries. Errors say what is wrong
// with the weights. Cost: a search from every processor.
func (n *network) weightedSteps(model exchange.Model, weights []int) (*big.Rat, error) {
	want, noun := n.nodes, "node"
	if model == exchange.AllPort {
		want, noun = n.links, "link"
	}
	if len(weights) != want {
		return nil, fmt.Errorf("there are %d weights for %d %ss", len(weights), want, noun)
	}
	room, sum := make([]int, 0, want), int64(0)
	owner := make([]int, 0, n.links) // by link: the place of its weight
	for v, links := range n.out {
		for i, l := range links {
			if model == exchange.AllPort {
				owner, room = append(owner, n.first[v]+i), append(room, l.room)
			} else {
				owner = append(owner, v)
			}
		}
		if model != exchange.AllPort {
			room = append(room, 1)
		}
	}
	for i, w := range weights {
		if w < 0 || w > math.MaxInt32 {
			return nil, fmt.Errorf("the weight %d of %s %d lies outside 0..%d", w, noun, i, math.MaxInt32)
		}
		sum += int64(w) * int64(room[i])
	}
	if sum == 0 {
		return nil, fmt.Errorf("all weights are 0")
	}
	total := new(big.Int)
	for _, p := range n.processors {
		cost := n.cheapestFrom(p, func(link int) int64 { return int64(weights[owner[link]]) })
		for _, q := range n.processors {
			total.Add(total, big.NewInt(cost[q]))
		}
	}
	return new(big.Rat).SetFrac(total, big.NewInt(sum)), nil
}

// cheapestFrom returns the weight of a cheapest path to every node. It looks at the links of a node again whenever a
// cheaper path to it is found.
func (n *network) cheapestFrom(from int, weight func(link int) int64) []int64 {
	n.meter.Charge(int64(16 * n.nodes))
	cost, waits := make([]int64, n.nodes), make([]bool, n.nodes)
	for v := range cost {
		cost[v] = math.MaxInt64 / 2
	}
	cost[from] = 0
	for queue := []int{from}; len(queue) > 0; queue = queue[1:] {
		u := queue[0]
		waits[u] = false
		n.meter.Charge(int64(1 + len(n.out[u])))
		for i, l := range n.out[u] {
			if way := cost[u] + weight(n.first[u]+i); way < cost[l.to] {
				cost[l.to] = way
				if !waits[l.to] {
					waits[l.to] = true
					queue = append(queue, int(l.to))
				}
			}
		}
	}
	return cost
}

// checkLink checks a send with all ports: one block over a link, which has carried fewer than its bandwidth in this
// phase. Axis and direction may be absent, but must be right if they are given; then the first link to the neighbour
// that has room is taken.
func (e *follower) checkLink(i int, send *exchange.Send) *fault {
	if send.Path != nil || len(send.Blocks) != 1 {
		return e.wrong(ruleNeighbour, i, "it takes %d blocks, or has a path; with all ports it takes one to a neighbour",
			len(send.Blocks))
	}
	now, full := int32(e.phases+1), -1
	for k, l := range e.net.out[send.From] {
		if l.to != send.To || send.Axis >= 0 && send.Axis != l.axis || send.Dir != 0 && l.dir != 0 && send.Dir != l.dir {
			continue
		}
		number := e.net.first[send.From] + k
		if e.used[number] != now {
			e.used[number], e.carried[number] = now, 0
		}
		if int(e.carried[number]) < l.room {
			e.carried[number]++
			return nil
		}
		full = k
	}
	if full < 0 {
		return e.wrongStep(i, send)
	}
	l := e.net.out[send.From][full]
	f := e.wrong(ruleLink, i, "the link from node %d to node %d carries more than %d blocks", send.From, send.To, l.room)
	f.Link = l.words(send.From)
	return f
}

// words returns a link as verdicts name it.
func (l link) words(from int32) *Link {
	out := &Link{From: int(from), To: int(l.to), Axis: l.axis}
	if l.dir != 0 {
		out.Dir = l.dir.String()
	}
	return out
}

// linkNearer returns the first link of a shortest path from a node to another, nil if there is none.
func (n *network) linkNearer(from, to int32) *Link {
	cost := n.cheapestFrom(int(to), func(int) int64 { return 1 }) // links lead both ways
	for _, l := range n.out[from] {
		if cost[l.to] < cost[from] {
			return l.words(from)
		}
	}
	return nil
}
