package orderly

import (
	"context"
	"math/big"
	"math/bits"
	"slices"

	"leeway/core"
	"leeway/objective"
	"leeway/objective/lanes"
	"leeway/search"
	"leeway/search/census"
)

// NeedsName is the word by which records, proofs and flags call the engine Needs.
const NeedsName = "needs"

// Needs walks the tree of Engine without the lists whose slabs need more processors than are still to come, on twisted
// tori: what a processor sends to those in other slabs must leave it across them. The zero value is ready.
type Needs struct{}

// Name returns "needs".
func (Needs) Name() string { return NeedsName }

// Supports is that of Engine, on twisted tori under routings whose paths do not depend on the processors.
func (Needs) Supports(p objective.Problem) error {
	switch {
	case !p.Torus().Twisted():
		return search.Unsupported(NeedsName, p, "the torus is not twisted: margin, levels and orderly are for it")
	case p.Routing.DependsOnPlacement():
		return search.Unsupported(NeedsName, p, "its paths depend on the processors")
	}
	return Engine{}.Supports(p)
}

// Plan is that of Engine.
func (Needs) Plan(ctx context.Context, p objective.Problem, below *big.Rat, _ int) (census.Plan, error) {
	t, err := newTables(ctx, p)
	if err != nil {
		return nil, err
	}
	t.needs = true
	return t.plan(ctx, t.below(below), prefixesWanted, false)
}

// An outlet are the links along one dimension out of each node, or into it.
type outlet struct {
	links [][]lanes.Place // by node
	slab  []int           // by node: that across the dimension
}

// newOutlets returns the outlets of a torus.
func newOutlets(t *core.Torus, q *census.Loads) (list []outlet) {
	for s := range t.D() {
		slab := make([]int, t.N())
		for v := range slab {
			slab[v] = t.Slab(v, s)
		}
		out, in := make([][]lanes.Place, t.N()), make([][]lanes.Place, t.N())
		for i, port := range t.Ports() {
			for v := 0; v < t.N() && port.Dim == s; v++ {
				l := core.Link(i*t.N() + v)
				out[v], in[v] = append(out[v], q.Lane[l]), append(in[v], q.Lane[t.Reverse(l)])
			}
		}
		list = append(list, outlet{out, slab}, outlet{in, slab})
	}
	return list
}

// served reports whether the processors still to come can be as many in each slab as its processors need there.
func (w *walker) served(at *level) bool {
	left := w.size - len(at.nodes)
	if left < 2 {
		return true
	}
	for i := range w.outlets {
		next := (w.failed + i) % len(w.outlets) // what failed last is tried first
		o := w.outlets[next]
		var needs [maxNodes]int // by slab
		sum := 0
		for _, list := range [2][]int{at.nodes, w.fixed} {
			for _, v := range list {
				x := o.slab[v]
				if more := w.need(at, o, v, left) - needs[x]; more > 0 {
					needs[x], sum = needs[x]+more, sum+more
				}
				if sum > left {
					w.failed = next
					return false
				}
			}
		}
	}
	return true
}

// need returns the least k such that some of the candidates, as many as are to come and k of them in the slab of
// processor v, bring no more to its links than these have room for; one more than are to come if there is none.
func (w *walker) need(at *level, o outlet, v, left int) int {
	room := int64(0)
	for _, l := range o.links[v] {
		room += w.loads.Max() - w.loads.Get(at.biased, l)
	}
	own, others := w.own[:0], w.others[:0]
	for i, word := range at.next {
		for ; word != 0; word &= word - 1 {
			u := i<<6 + bits.TrailingZeros64(word)
			row, brought := lanes.Row(at.around, u, w.loads.Words), int64(0)
			for _, l := range o.links[v] {
				brought += w.loads.Get(row, l)
			}
			if o.slab[u] == o.slab[v] {
				own = append(own, brought)
			} else {
				others = append(others, brought)
			}
		}
	}
	w.own, w.others = own, others // their memory
	if len(others) >= left && int64(left)*slices.Max(others) <= room {
		return 0
	}
	slices.Sort(own)
	slices.Sort(others)
	k := max(0, left-len(others))
	if k > len(own) {
		return left + 1
	}
	for _, x := range own[:k] {
		room -= x
	}
	for _, x := range others[:left-k] {
		room -= x
	}
	for ; room < 0; k++ {
		if k == left || k == len(own) {
			return left + 1
		}
		room += others[left-k-1] - own[k]
	}
	return k
}
