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
}

// A linkShare is what a pair puts on a link.
type linkShare struct {
	link   int
	amount int64
}

// newFlows tables the flows of all pairs. The error is that of the context. Cost: O(N^2) flows of pairs.
func newFlows(ctx context.Context, p objective.Problem) (*flows, error) {
	t, r := p.Torus(), p.Routing
	den := r.Denominator()
	f := &flows{unit: den.Int64()}
	sent := func(u, v int) (list []linkShare) {
		flow := r.Flow(u, v, nil)
		times := new(big.Int).Div(den, flow.Den)
		for _, s := range flow.Shares {
			list = append(list, linkShare{int(s.Link), new(big.Int).Mul(times, s.Num).Int64()})
		}
		return list
	}
	if t.Closed() && routing.Invariant(r) { // what node 0 sends, moved
		from := make([][]linkShare, t.N())
		for v := 1; v < t.N(); v++ {
			from[v] = sent(0, v)
		}
		sent = func(u, v int) (list []linkShare) {
			for _, s := range from[t.Difference(u, v)] {
				port, node := s.link/t.N(), s.link%t.N()
				list = append(list, linkShare{port*t.N() + t.Sum(node, u), s.amount})
			}
			return list
		}
	}
	for v := range t.N() {
		for u := range v {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			list := append(sent(u, v), sent(v, u)...)
			slices.SortFunc(list, func(a, b linkShare) int { return a.link - b.link })
			kept := list[:0]
			for _, s := range list {
				if last := len(kept) - 1; last >= 0 && kept[last].link == s.link {
					kept[last].amount += s.amount
				} else {
					kept = append(kept, s)
				}
			}
			f.pairs = append(f.pairs, kept)
		}
	}
	return f, nil
}

// between returns what two nodes send each other.
func (f *flows) between(u, v int) []linkShare {
	u, v = min(u, v), max(u, v)
	return f.pairs[v*(v-1)/2+u]
}

// limit returns the largest load of a link below a value, in units.
func (f *flows) limit(t *core.Torus, l core.Link, below *big.Rat) int64 {
	if !t.HasLink(l) {
		return 0
	}
	_, port := t.LinkFrom(l)
	x := new(big.Rat).Mul(below, big.NewRat(f.unit*int64(t.Bandwidth(port.Dim)), 1))
	whole := new(big.Int).Div(x.Num(), x.Denom()).Int64()
	if x.IsInt() {
		whole--
	}
	return whole
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
	for v := range images {
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
