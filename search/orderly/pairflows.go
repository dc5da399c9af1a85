package orderly

import (
	"context"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/objective"
)

// pairFlows are what all pairs of nodes send each other, in units: as the steps of a proof count them, before
// bandwidths.
type pairFlows struct {
	unit  int64         // of a message
	step  []int64       // by link: what divides all that two nodes put on it, 0 if that is nothing
	nodes int           // of the network
	pairs [][]linkShare // by nodes u < v at v(v-1)/2+u, both directions together
}

// A linkShare is what a pair puts on a link.
type linkShare struct {
	link   core.Link
	amount int64
}

// newPairFlowsOf tables the flows of all pairs. The error is that of the context. Cost: O(N^2) flows of pairs.
func newPairFlowsOf(ctx context.Context, p objective.Problem) (*pairFlows, error) {
	t := p.Torus()
	den := p.Routing.Denominator()
	f := &pairFlows{unit: den.Int64(), nodes: t.N(), step: make([]int64, t.M())}
	for v := range t.N() {
		for u := range v {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			var list []linkShare
			for _, ends := range [2][2]int{{u, v}, {v, u}} {
				flow := p.Routing.Flow(ends[0], ends[1], nil)
				times := new(big.Int).Div(den, flow.Den)
				for _, s := range flow.Shares {
					list = append(list, linkShare{s.Link, new(big.Int).Mul(times, s.Num).Int64()})
				}
			}
			slices.SortFunc(list, func(a, b linkShare) int { return int(a.link - b.link) })
			kept := list[:0]
			for _, s := range list {
				if last := len(kept) - 1; last >= 0 && kept[last].link == s.link {
					kept[last].amount += s.amount
				} else {
					kept = append(kept, s)
				}
			}
			for _, s := range kept {
				f.step[s.link] = core.GCD(f.step[s.link], s.amount)
			}
			f.pairs = append(f.pairs, kept)
		}
	}
	return f, nil
}

// between returns what two nodes send each other.
func (f *pairFlows) between(u, v int) []linkShare {
	u, v = min(u, v), max(u, v)
	return f.pairs[v*(v-1)/2+u]
}

// linksBetween returns the links from one node to another, ascending, by the two.
func linksBetween(t *core.Torus) map[[2]int][]core.Link {
	links := map[[2]int][]core.Link{}
	for l := range core.Link(t.M()) {
		if t.HasLink(l) {
			from, to := t.LinkEnds(l)
			links[[2]int{from, to}] = append(links[[2]int{from, to}], l)
		}
	}
	return links
}

// mask returns dimensions, as bits, such that a map of nodes, and of links, preserves what links carry if links along
// these dimensions are taken to the links back; false if there are none.
func mask(t *core.Torus, between map[[2]int][]core.Link, images []int,
	preserved func(images []int, links []core.Link) bool) (uint, bool) {
	links := make([]core.Link, t.M())
	for mask := range uint(1) << t.D() {
		ok := true
		for ends, list := range between {
			to := between[[2]int{images[ends[0]], images[ends[1]]}]
			if len(to) != len(list) {
				return 0, false
			}
			for k, l := range list {
				links[l] = to[k]
				_, port := t.LinkFrom(to[k])
				if mask>>port.Dim&1 == 1 {
					links[l] = t.Reverse(to[k])
				}
				_, own := t.LinkFrom(l)
				ok = ok && t.Bandwidth(own.Dim) == t.Bandwidth(port.Dim)
			}
		}
		if ok && preserved(images, links) {
			return mask, true
		}
	}
	return 0, false
}

// preserved reports whether maps of nodes and links preserve what all pairs put on links.
func (f *pairFlows) preserved(images []int, links []core.Link) bool {
	amounts := make([]int64, len(links))
	for v := range f.nodes {
		for u := range v {
			list, to := f.between(u, v), f.between(images[u], images[v])
			for _, s := range to {
				amounts[s.link] = s.amount
			}
			same := len(list) == len(to)
			for _, s := range list {
				same = same && amounts[links[s.link]] == s.amount
			}
			for _, s := range to {
				amounts[s.link] = 0
			}
			if !same {
				return false
			}
		}
	}
	return true
}
