// Package flows tables what pairs of processors put on links, as the engines that write proofs as steps count it.
package flows

import (
	"context"
	"iter"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/core/differences"
	"leeway/core/routing"
	"leeway/core/symmetry"
	"leeway/objective"
)

// A Table is what all pairs of nodes send each other, in units: as the steps of a proof count them, before bandwidths.
type Table struct {
	Unit  int64     // of a message
	Pairs [][]Share // by nodes u < v at v(v-1)/2+u, both directions together, without zeros
	Alone [][]Share // under client traffic, by node: what a processor there and all other nodes send each other
	even  bool      // translations preserve them
}

// A Share is what a pair puts on a link.
type Share struct {
	Link   int
	Amount int64
}

// New tables the flows of all pairs. The error is that of the context. Cost: O(N^2) flows of pairs.
func New(ctx context.Context, p objective.Problem) (*Table, error) {
	t := p.Torus()
	den := p.Routing.Denominator()
	if p.Traffic.Clients() {
		den = new(big.Int).Set(den)
		core.FoldLCM(den, p.ReplyRouting().Denominator())
	}
	f := &Table{Unit: den.Int64(), Pairs: make([][]Share, t.N()*(t.N()-1)/2), Alone: make([][]Share, t.N())}
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
				f.Alone[v] = append(f.Alone[v], times(int64(p.Traffic.Request), requests(u, v))...)
				f.Alone[v] = append(f.Alone[v], times(int64(p.Traffic.Reply), replies(v, u))...)
			case u < v:
				f.Pairs[v*(v-1)/2+u] = together(append(requests(u, v), requests(v, u)...))
			}
		}
		f.Alone[v] = together(f.Alone[v])
	}
	return f, nil
}

// sending returns what returns what a node sends another, in units of 1/den. Where translations move paths it is that
// of node 0, moved.
func sending(r routing.Routing, den *big.Int) func(u, v int) []Share {
	t := r.Torus()
	sent := func(u, v int) (list []Share) {
		flow := r.Flow(u, v, nil)
		units := new(big.Int).Div(den, flow.Den)
		for _, s := range flow.Shares {
			list = append(list, Share{int(s.Link), new(big.Int).Mul(units, s.Num).Int64()})
		}
		return list
	}
	if !t.Closed() || !routing.Invariant(r) {
		return sent
	}
	from := make([][]Share, t.N())
	return func(u, v int) (list []Share) {
		d := differences.Number(t, u, v)
		if from[d] == nil {
			from[d] = sent(0, d)
		}
		for _, s := range from[d] {
			port, node := s.Link/t.N(), s.Link%t.N()
			list = append(list, Share{port*t.N() + t.Sum(node, u), s.Amount})
		}
		return list
	}
}

// times multiplies what is put on links, in place.
func times(factor int64, list []Share) []Share {
	for i := range list {
		list[i].Amount *= factor
	}
	return list
}

// together adds up what is put on each link, and leaves out what is 0.
func together(list []Share) []Share {
	slices.SortFunc(list, func(a, b Share) int { return a.Link - b.Link })
	kept := list[:0]
	for _, s := range list {
		if last := len(kept) - 1; last >= 0 && kept[last].Link == s.Link {
			kept[last].Amount += s.Amount
		} else if s.Amount > 0 {
			kept = append(kept, s)
		}
	}
	return kept
}

// Pair returns what two nodes send each other.
func (f *Table) Pair(u, v int) []Share {
	u, v = min(u, v), max(u, v)
	return f.Pairs[v*(v-1)/2+u]
}

// Limits returns, by link, the largest load below a value, or with equal at most that: a multiple of what divides all
// that is put on it.
func (f *Table) Limits(t *core.Torus, value *big.Rat, equal bool) []int64 {
	divisors := make([]int64, t.M())
	for _, lists := range [2][][]Share{f.Pairs, f.Alone} {
		for _, list := range lists {
			for _, s := range list {
				divisors[s.Link] = core.GCD(s.Amount, divisors[s.Link])
			}
		}
	}
	limits := Limits(t, f.Unit, value, equal)
	for l, d := range divisors {
		if d > 0 {
			limits[l] -= (limits[l]%d + d) % d
		}
	}
	return limits
}

// Limits returns, by link, the largest whole number of units below a value of messages, or with equal at most that; 0
// for numbers without a link.
func Limits(t *core.Torus, unit int64, value *big.Rat, equal bool) []int64 {
	limits, most := make([]int64, t.M()), objective.NumeratorBelow
	if equal {
		most = objective.Numerator
	}
	for l := range t.EachLink() {
		limits[l] = most(value, big.NewInt(unit*int64(t.LinkBandwidth(l)))).Int64()
	}
	return limits
}

// Mask returns dimensions, as bits, such that a map of nodes, and of links, preserves what links carry if links along
// these dimensions are taken to the links back; false if there are none. The links between all nodes are given.
func Mask(t *core.Torus, between map[[2]int][]core.Link, images []int,
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
				_, port := t.LinkFrom(to[k])
				links[l] = to[k]
				if mask>>port.Dim&1 == 1 {
					links[l] = t.Reverse(to[k])
				}
				ok = ok && t.LinkBandwidth(l) == t.LinkBandwidth(to[k])
			}
		}
		if ok && preserved(images, links) {
			return mask, true
		}
	}
	return 0, false
}

// Symmetries yields the elements of a group that preserve what all pairs put on links by a map of links, but for the
// identity: the images of all nodes, and the dimensions that Mask returns for them.
func (f *Table) Symmetries(t *core.Torus, g *symmetry.Group) iter.Seq2[[]int, uint] {
	return func(yield func([]int, uint) bool) {
		between := t.LinksBetween()
		for i := range g.Points() {
			mask, ok := uint(0), false
			for _, shift := range g.Shifts() {
				images := g.Images(i, shift)
				if !ok {
					if mask, ok = Mask(t, between, images, f.Preserved); !ok {
						break // it preserves E_max otherwise
					}
				}
				if !slices.Equal(images, core.Range(len(images))) && !yield(images, mask) {
					return
				}
			}
		}
	}
}

// Inverse returns, by node, that of which it is the image.
func Inverse(images []int) []int {
	inverse := make([]int, len(images))
	for v, w := range images {
		inverse[w] = v
	}
	return inverse
}

// Preserved reports whether maps of nodes and links preserve what all pairs put on links.
func (f *Table) Preserved(images []int, links []core.Link) bool {
	amounts := make([]int64, len(links))
	alike := func(list, to []Share) bool {
		for _, s := range to {
			amounts[s.Link] = s.Amount
		}
		same := len(list) == len(to)
		for _, s := range list {
			same = same && amounts[links[s.Link]] == s.Amount
		}
		for _, s := range to {
			amounts[s.Link] = 0
		}
		return same
	}
	for v := range images {
		if !alike(f.Alone[v], f.Alone[images[v]]) {
			return false
		}
		for u := range v {
			if f.even && u > 0 {
				break // these pairs are node 0 and another, moved
			}
			if !alike(f.Pair(u, v), f.Pair(images[u], images[v])) {
				return false
			}
		}
	}
	return true
}
