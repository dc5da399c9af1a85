package counts

import (
	"context"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
)

// flows are what all pairs of nodes send each other, in units: as the steps of a proof count them, before bandwidths.
type flows struct {
	unit  int64         // of a message
	pairs [][]linkShare // by nodes u < v at v(v-1)/2+u, both directions together
	even  bool          // translations preserve them
	alone [][]linkShare // under client traffic, by node: what a processor there and all other nodes send each other
}

// A linkShare is what a pair puts on a link.
type linkShare struct {
	link   int
	amount int64
}

// newFlows tables the flows of all pairs. The error is that of the context. Cost: O(N^2) flows of pairs.
func newFlows(ctx context.Context, p objective.Problem) (*flows, error) {
	t := p.Torus()
	den := p.Routing.Denominator()
	if p.Traffic.Clients() {
		den = new(big.Int).Set(den)
		core.FoldLCM(den, p.ReplyRouting().Denominator())
	}
	f := &flows{unit: den.Int64(), pairs: make([][]linkShare, t.N()*(t.N()-1)/2), alone: make([][]linkShare, t.N())}
	f.even = t.Closed() && routing.Invariant(p.Routing) && routing.Invariant(p.ReplyRouting())
	requests, replies := sending(p.Routing, den), sending(p.ReplyRouting(), den)
	for v := range t.N() {
		for u := range t.N() {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			switch {
			case u == v:
			case p.Traffic.Clients():
				f.alone[v] = append(f.alone[v], times(int64(p.Traffic.Request), requests(u, v))...)
				f.alone[v] = append(f.alone[v], times(int64(p.Traffic.Reply), replies(v, u))...)
			case u < v:
				f.pairs[v*(v-1)/2+u] = together(append(requests(u, v), requests(v, u)...))
			}
		}
		f.alone[v] = together(f.alone[v])
	}
	return f, nil
}

// sending returns what returns what a node sends another, in units of 1/den. Where translations move paths it is that
// of node 0, moved.
func sending(r routing.Routing, den *big.Int) func(u, v int) []linkShare {
	t := r.Torus()
	sent := func(u, v int) (list []linkShare) {
		flow := r.Flow(u, v, nil)
		units := new(big.Int).Div(den, flow.Den)
		for _, s := range flow.Shares {
			list = append(list, linkShare{int(s.Link), new(big.Int).Mul(units, s.Num).Int64()})
		}
		return list
	}
	if !t.Closed() || !routing.Invariant(r) {
		return sent
	}
	from := make([][]linkShare, t.N())
	return func(u, v int) (list []linkShare) {
		d := t.Difference(u, v)
		if from[d] == nil {
			from[d] = sent(0, d)
		}
		for _, s := range from[d] {
			port, node := s.link/t.N(), s.link%t.N()
			list = append(list, linkShare{port*t.N() + t.Sum(node, u), s.amount})
		}
		return list
	}
}

// times multiplies what is put on links, in place.
func times(factor int64, list []linkShare) []linkShare {
	for i := range list {
		list[i].amount *= factor
	}
	return list
}

// together adds up what is put on each link, and leaves out what is 0.
func together(list []linkShare) []linkShare {
	slices.SortFunc(list, func(a, b linkShare) int { return a.link - b.link })
	kept := list[:0]
	for _, s := range list {
		if last := len(kept) - 1; last >= 0 && kept[last].link == s.link {
			kept[last].amount += s.amount
		} else if s.amount > 0 {
			kept = append(kept, s)
		}
	}
	return kept
}

// between returns what two nodes send each other.
func (f *flows) between(u, v int) []linkShare {
	u, v = min(u, v), max(u, v)
	return f.pairs[v*(v-1)/2+u]
}

// limitsBelow returns, by link, the largest load below a value: a multiple of what divides all that is put on it.
func (f *flows) limitsBelow(t *core.Torus, below *big.Rat) []int64 {
	step := make([]int64, t.M())
	for _, lists := range [2][][]linkShare{f.pairs, f.alone} {
		for _, list := range lists {
			for _, s := range list {
				step[s.link] = core.GCD(s.amount, step[s.link])
			}
		}
	}
	limits := make([]int64, t.M())
	for l := range limits {
		if !t.HasLink(core.Link(l)) {
			continue
		}
		_, port := t.LinkFrom(core.Link(l))
		x := new(big.Rat).Mul(below, big.NewRat(f.unit*int64(t.Bandwidth(port.Dim)), 1))
		limits[l] = objective.NumeratorBelow(x, big.NewInt(1)).Int64()
		if step[l] > 0 && limits[l] >= 0 {
			limits[l] -= limits[l] % step[l]
		}
	}
	return limits
}

// mask returns dimensions, as bits, such that a map of nodes preserves what all pairs put on links if links along them
// are taken to the links back; false if there are none.
func (f *flows) mask(t *core.Torus, images []int) (uint, bool) {
	numbers := map[[2]int][]core.Link{}
	for l := range core.Link(t.M()) {
		if t.HasLink(l) {
			from, to := t.LinkEnds(l)
			numbers[[2]int{from, to}] = append(numbers[[2]int{from, to}], l)
		}
	}
	links := make([]core.Link, t.M())
	for mask := range uint(1) << t.D() {
		ok := true
		for ends, list := range numbers {
			to := numbers[[2]int{images[ends[0]], images[ends[1]]}]
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
		if ok && f.preserved(images, links) {
			return mask, true
		}
	}
	return 0, false
}

// preserved reports whether maps of nodes and links preserve what all pairs put on links.
func (f *flows) preserved(images []int, links []core.Link) bool {
	amounts := make([]int64, len(links))
	alike := func(list, to []linkShare) bool {
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
		return same
	}
	for v := range images {
		if !alike(f.alone[v], f.alone[images[v]]) {
			return false
		}
		for u := range v {
			if f.even && u > 0 {
				break // these pairs are node 0 and another, moved
			}
			if !alike(f.between(u, v), f.between(images[u], images[v])) {
				return false
			}
		}
	}
	return true
}
