package lns

import (
	"slices"

	"leeway/core/routing"
	"leeway/objective"
)

// flows says what pairs of nodes send each other, in units of 1/D.
type flows struct {
	nodes, links int
	joint        [][]share // by displacement d: what nodes 0 and d send each other
	delta        []int32   // by p*nodes+q: the displacement from p to q
	sum          []int32   // by p*nodes+d: node p + d
}

// A share is the load on the link of number base + from, which leaves node from.
type share struct{ from, base, weight int32 }

// newFlows tables a problem that Supports allows. Cost: two flows and N sums for
// every node.
func newFlows(p objective.Problem) *flows {
	t := p.Torus()
	n := t.N()
	f := &flows{nodes: n, links: t.M(), joint: make([][]share, n), delta: make([]int32, n*n), sum: make([]int32, n*n)}
	for v := range n {
		for w := range n {
			d := t.Displacement(v, w)
			f.delta[v*n+w], f.sum[v*n+d] = int32(d), int32(w)
		}
	}
	den, weights := p.Routing.Denominator().Int64(), make([]int32, t.M())
	for d := 1; d < n; d++ {
		clear(weights)
		for _, flow := range []routing.Flow{p.Routing.Flow(0, d, nil), p.Routing.Flow(d, 0, nil)} {
			for _, s := range flow.Shares {
				weights[s.Link] += int32(s.Num.Int64() * (den / flow.Den.Int64()))
			}
		}
		for link, w := range weights {
			if w > 0 {
				f.joint[d] = append(f.joint[d], share{from: int32(link % n), base: int32(link - link%n), weight: w})
			}
		}
		f.joint[d] = slices.Clip(f.joint[d])
	}
	return f
}

// each calls do for every link that v and w load when they exchange, with the load.
func (f *flows) each(v, w int, do func(link, load int32)) {
	at := f.sum[v*f.nodes:][:f.nodes]
	for _, s := range f.joint[f.delta[v*f.nodes+w]] {
		do(s.base+at[s.from], s.weight)
	}
}

// around sets loads, by link, to what v exchanges with the nodes of a list.
func (f *flows) around(loads []int32, v int, list []int) {
	clear(loads)
	for _, w := range list {
		f.each(v, w, func(link, load int32) { loads[link] += load })
	}
}

// loads returns what every link carries when a list of nodes sends.
func (f *flows) loads(list []int) []int32 {
	loads := make([]int32, f.links)
	for i, v := range list {
		for _, w := range list[:i] {
			f.each(v, w, func(link, load int32) { loads[link] += load })
		}
	}
	return loads
}
