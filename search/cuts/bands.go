package cuts

import (
	"context"
	"slices"

	"leeway/core"
	"leeway/encode/steps"
)

// mostCases bounds the cases of slab counts that are looked at.
const mostCases = 1 << 14

// A banded is a proof by bands of neighbouring slabs across a dimension: m processors in a band and the n-m others
// send each other m (n-m) messages each way, over the links at the two ends of the band. It counts the processors of
// one slab after the other, until those of a band of the slabs counted are too many on either side.
type banded struct {
	*refuter
	ctx       context.Context
	nodes     [][]int // by slab
	least     []int   // by slab: how many processors it has at least, whatever the others have
	most      []int
	before    []int // processors up to each slab that is counted, from 0 on
	cases     int
	writing   bool
	sets      []steps.Set // by slab
	bands     map[[2]int]*band
	dimension int
}

// A band is one of neighbouring slabs, with what the proof has defined of it.
type band struct {
	links     []core.Link  // at its ends
	over      map[int]bool // by its number of processors: whether they carry too much
	used      bool
	weighting steps.Weighting
	view      steps.View
}

// byBands writes the proof if the counts of the slabs across a dimension show it, whatever paths messages take. Cost:
// at most mostCases cases, and the links for each band.
func (r *refuter) byBands(ctx context.Context, dim int) (bool, error) {
	t := r.torus
	k := t.Side(dim)
	b := &banded{refuter: r, ctx: ctx, dimension: dim, nodes: make([][]int, k), least: make([]int, k),
		most: make([]int, k), before: []int{0}, bands: map[[2]int]*band{}}
	for v := range t.N() {
		x := t.Coord(v, dim)
		b.nodes[x] = append(b.nodes[x], v)
		if r.MayHave(v) {
			b.most[x]++
		}
		if r.MustHave(v) {
			b.least[x]++
		}
	}
	if !b.count() {
		return false, ctx.Err()
	}
	b.writing = true
	for _, nodes := range b.nodes {
		b.sets = append(b.sets, r.to.Set(nodes))
	}
	r.to.Sum(steps.All, parts(b.sets))
	for from := range k {
		for to := from + 1; to <= k; to++ {
			if x := b.bands[[2]int{from, to}]; x != nil && x.used {
				x.define(b, from, to)
			}
		}
	}
	return b.count(), ctx.Err()
}

// count closes the case in which the slabs before have the counts of before, and reports whether it can.
func (b *banded) count() bool {
	if b.cases++; b.ctx.Err() != nil || !b.writing && b.cases > mostCases {
		return false
	}
	x := len(b.before) - 1
	for from := range x {
		if b.full(from, x) {
			return true
		}
	}
	if x == len(b.nodes) {
		return false
	}
	left := b.Size - b.before[x]
	low, high := max(b.least[x], left-sum(b.most[x+1:])), min(b.most[x], left-sum(b.least[x+1:]))
	if low > high {
		if b.writing {
			b.to.Crossed()
		}
		return true
	}
	for c := high; c >= low; c-- {
		if b.writing && c > low {
			b.to.Split(b.sets[x], c)
		}
		b.before = append(b.before, b.before[x]+c)
		closed := b.count()
		if b.before = b.before[:x+1]; !closed {
			return false
		}
	}
	return true
}

// full closes the case if the slabs of a band have so many processors that the links at its ends carry too much.
func (b *banded) full(from, to int) bool {
	inside := b.before[to] - b.before[from]
	x := b.bands[[2]int{from, to}]
	if x == nil {
		x = &band{over: map[int]bool{}}
		within := func(v int) bool { c := b.torus.Coord(v, b.dimension); return from <= c && c < to }
		for l := range core.Link(b.torus.M()) {
			if b.torus.HasLink(l) {
				if u, v := b.torus.LinkEnds(l); within(u) != within(v) {
					x.links = append(x.links, l)
				}
			}
		}
		b.bands[[2]int{from, to}] = x
	}
	over, ok := x.over[inside]
	if !ok {
		over = inside > 0 && inside < b.Size && b.overloaded(x.links, int64(2*inside*(b.Size-inside)))
		x.over[inside] = over
	}
	if x.used = x.used || over; over && b.writing {
		b.to.Weigh(x.weighting, steps.Identity, x.view)
	}
	return over
}

// define has the proof know the band and the nodes outside it.
func (x *band) define(b *banded, from, to int) {
	var inside, outside []steps.Set
	var in, out []int
	for i, s := range b.sets {
		if from <= i && i < to {
			inside, in = append(inside, s), append(in, b.nodes[i]...)
		} else {
			outside, out = append(outside, s), append(out, b.nodes[i]...)
		}
	}
	x.weighting = b.evenly(x.links)
	band, rest := b.union(inside, in), b.union(outside, out)
	b.to.Sum(steps.All, parts([]steps.Set{band, rest}))
	x.view = b.to.View([]steps.Set{band}, []steps.Set{rest})
}

// union returns the set of the nodes of some slabs.
func (b *banded) union(slabs []steps.Set, nodes []int) steps.Set {
	if len(slabs) == 1 {
		return slabs[0]
	}
	slices.Sort(nodes)
	whole := b.to.Set(nodes)
	b.to.Sum(whole, parts(slabs))
	return whole
}

// parts returns sets as the parts of a sum, each once.
func parts(sets []steps.Set) (list []steps.Part) {
	for _, s := range sets {
		list = append(list, steps.Part{Set: s, Times: 1})
	}
	return list
}
