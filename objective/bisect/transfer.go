package bisect

import (
	"context"
	"slices"

	"leeway/core"
)

// transfer finds narrow cuts by dynamic programming with a broken profile: nodes
// join the frontier one by one, slab by slab around the torus.
//
// What closes the torus is the pattern of the first slab, which must be tried one
// after the other. Three things keep their number small. A cut with fewer links
// than the limit has a slab with at most (limit-1)/k of them inside; we begin
// there, in every slab that symmetry tells apart. The complement of a cut is as
// narrow. And limits fall whenever a cut is found. On k x k below 2k links, for
// example, one slab lies on one side entirely.
type transfer struct {
	*slabs
	placement core.Placement
	graph     *graph
	// limits holds, by number of processors in S, the links out that a cut of use
	// must stay below. It reads the same from both ends.
	limits []int
	// tighten returns the limits after a cut has been found.
	tighten func(count, out int) []int
	best    *found
}

// found is a cut that has been found but not traced yet.
type found struct {
	start      int
	first      uint32
	count, out int
}

// newTransfer returns the engine, nil if the torus is too wide for it.
func newTransfer(p core.Placement, limits []int, tighten func(count, out int) []int) *transfer {
	s := newSlabs(p)
	if s == nil || slices.Max(limits) >= none {
		return nil
	}
	return &transfer{slabs: s, placement: p, graph: newGraph(p.Torus()), limits: limits, tighten: tighten}
}

// work returns an upper estimate of the states that run visits.
func (x *transfer) work() float64 {
	patterns := len(x.patterns(x.inner())) * len(x.starts(x.placement))
	return float64(patterns) * x.states() * float64(x.m*x.k)
}

// within reports whether run visits at most limit states. It does not list the
// patterns where one would be too many.
func (x *transfer) within(limit float64) bool {
	return x.states()*float64(x.m*x.k) <= limit && x.work() <= limit
}

// states returns the number of states of a layer.
func (x *transfer) states() float64 { return float64(int(1)<<x.m) * float64(x.width()) }

// inner returns the links within its slab that the first pattern may have.
func (x *transfer) inner() int { return (slices.Max(x.limits) - 1) / x.k }

// width returns the numbers of processors to be told apart.
func (x *transfer) width() int {
	for c := len(x.limits) - 1; c >= 0; c-- {
		if x.limits[c] > 0 {
			return c + 1
		}
	}
	return 1
}

// run looks for cuts below the limits until none is left and returns the last one
// found, nil if there is none, and whether it looked at everything before the
// context ended.
func (x *transfer) run(ctx context.Context) (core.Set, bool) {
	complete := x.search(ctx)
	if x.best == nil {
		return nil, complete
	}
	return x.trace(*x.best), complete
}

func (x *transfer) search(ctx context.Context) bool {
	patterns := x.patterns(x.inner())
	slices.SortStableFunc(patterns, func(a, b uint32) int { return x.out(a) - x.out(b) })
	for _, first := range patterns {
		for _, start := range x.starts(x.placement) {
			if slices.Max(x.limits) < 1 || x.out(first) > x.inner() {
				return true // no later pattern has fewer links inside
			}
			l, ok := x.sweep(ctx, start, first, slices.Max(x.limits), nil)
			if !ok {
				return false
			}
			x.collect(l, start, first)
		}
	}
	return true
}

// collect takes the cuts below the limits out of a finished layer.
func (x *transfer) collect(l *layer, start int, first uint32) {
	least := make([]int, l.width)
	for c := range least {
		least[c] = none
	}
	for p, live := range l.live {
		if live {
			for c, v := range l.row(uint32(p)) {
				least[c] = min(least[c], int(v))
			}
		}
	}
	for c, out := range least {
		if out < x.limits[c] {
			x.best = &found{start: start, first: first, count: c, out: out}
			x.limits = x.tighten(c, out)
		}
	}
}

// sweep fills the slabs from start around the torus, given the pattern of the
// first one, and returns the last layer. It stops, returning false, when the
// context ends. If visit is not nil it sees the layer before each slab.
func (x *transfer) sweep(ctx context.Context, start int, first uint32, limit int, visit func(i int, l *layer)) (*layer, bool) {
	l := newLayer(x.m, x.width())
	if c := x.count(start, first); c < l.width && x.out(first) < limit {
		l.row(first)[c] = uint16(x.out(first))
		l.live[first] = true
	}
	for i := 1; i < x.k; i++ {
		if ctx.Err() != nil {
			return nil, false
		}
		if visit != nil {
			visit(i, l)
		}
		for _, s := range x.steps(start, i, first, limit) {
			l.apply(s)
		}
	}
	return l, true
}

// steps returns the steps that fill the i-th slab after start.
func (x *transfer) steps(start, i int, first uint32, limit int) []step {
	list := make([]step, x.m)
	all := uint32(1)<<x.m - 1
	for place := range list {
		done := uint32(1)<<place - 1
		s := step{place: place, processor: x.processor[(start+i)%x.k][place], earlier: x.neighbours[place] & done,
			first: first, limit: limit}
		switch {
		case x.k == 2: // the one link to the first slab is that to the node replaced
		case i == x.k-1:
			s.closing, s.unclosed = true, all&^done&^(1<<place)
		default:
			s.unclosed = all
		}
		list[place] = s
	}
	return list
}
