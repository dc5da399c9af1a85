package bisect

import (
	"context"
	"math/bits"

	"leeway/core"
)

// Limits of the search for the sparsest cut.
const (
	sparseWork  = 1 << 26 // states of the transfer matrix: a tenth of a second
	boxNodes    = 4096    // nodes up to which all boxes are looked at
	climbSteps  = 1 << 22 // nodes looked at by local moves
	singleNodes = 1 << 16 // nodes up to which orders from many origins are swept
)

// sparse keeps the cut with the largest a b / out seen so far, a and b being the
// processors on its sides.
type sparse struct {
	*graph
	placement  core.Placement
	processors core.Set
	count, out int // of the best cut; out 0 if there is none
	set        core.Set
}

// Sparsest returns a set S for which |P in S| |P not in S| / Out(S) is large, and
// whether no set has more. It is exact where the transfer matrix is quick, in
// particular on k x k tori up to about 8x8 and all with up to 24 nodes;
// elsewhere it is the best of single processors, bands of slabs, boxes, sweeps and
// bisections, improved by local moves. The set is nil when there are fewer than
// two processors; when the context ends it is the best so far, not exact. Cost: about a tenth of a second, on more than 4096 nodes O(M)
// times the dimensions.
func Sparsest(ctx context.Context, p core.Placement) (core.Set, bool) {
	if p.Size() < 2 {
		return nil, true
	}
	s := &sparse{graph: newGraph(p.Torus()), placement: p, processors: p.Set()}
	s.single()
	s.bands()
	s.sweeps(ctx)
	if s.nodes <= boxNodes && ctx.Err() == nil {
		s.boxes()
		s.take(guess(ctx, Half(p)).Side)
	}
	s.climb(ctx)
	return s.set, s.exact(ctx)
}

// exact puts a sparser cut in the place of the best as long as there is one, and
// reports whether it could.
func (s *sparse) exact(ctx context.Context) bool {
	if ctx.Err() != nil {
		return false
	}
	x := newTransfer(s.placement, s.limits(), s.tighten)
	if x == nil || !x.within(sparseWork) {
		return false
	}
	set, complete := x.run(ctx)
	if set != nil {
		s.set = set
	}
	return complete
}

// better reports whether a cut is sparser than the best.
func (s *sparse) better(count, out int) bool {
	return out > 0 && (s.out == 0 || compare(s.pairs(count), s.out, s.pairs(s.count), out) > 0)
}

func (s *sparse) pairs(count int) uint64 { return uint64(count) * uint64(s.placement.Size()-count) }

// compare returns the sign of a*x - b*y, without overflow.
func compare(a uint64, x int, b uint64, y int) int {
	aHigh, aLow := bits.Mul64(a, uint64(x))
	bHigh, bLow := bits.Mul64(b, uint64(y))
	switch {
	case aHigh > bHigh || aHigh == bHigh && aLow > bLow:
		return 1
	case aHigh == bHigh && aLow == bLow:
		return 0
	}
	return -1
}

func (s *sparse) take(set core.Set) {
	count, out := inside(s.placement, set), s.graph.out(set)
	if s.better(count, out) {
		s.count, s.out, s.set = count, out, set
	}
}

// limits returns, by number of processors, the links out that a sparser cut stays
// below: out < count (n-count) / best ratio.
func (s *sparse) limits() []int {
	n := s.placement.Size()
	list := make([]int, n+1)
	best := s.pairs(s.count)
	for c := 1; c < n; c++ {
		high, low := bits.Mul64(s.pairs(c), uint64(s.out))
		quotient, rest := bits.Div64(high, low, best)
		if rest > 0 {
			quotient++
		}
		list[c] = int(quotient)
	}
	return list
}

// tighten asks for cuts sparser than one that the transfer matrix found.
func (s *sparse) tighten(count, out int) []int {
	s.count, s.out = count, out
	return s.limits()
}

func (s *sparse) single() {
	set := core.NewSet(s.nodes)
	set.Add(s.placement.Nodes()[0])
	s.take(set)
}

func (s *sparse) bands() {
	for j := range s.placement.Torus().D() {
		s.take(Middle(s.placement, j).Set(s.placement.Torus()))
	}
}

// sweeps looks at all prefixes of hyperplane and slab sweeps.
func (s *sparse) sweeps(ctx context.Context) {
	t := s.placement.Torus()
	count := 1
	if s.nodes <= singleNodes {
		count = max(1, min(maxOrigins, sweepSteps/4/(t.M()*(t.D()+1))))
	}
	for _, origin := range origins(t, count) {
		if ctx.Err() != nil {
			return
		}
		s.prefix(hyperplane(t, origin))
		for j := range t.D() {
			s.prefix(layers(t, j, origin))
		}
	}
}

func (s *sparse) prefix(order []int) {
	length := 0
	s.prefixes(order, s.processors, func(i, count, out int) {
		if s.better(count, out) {
			s.count, s.out, length = count, out, i
		}
	})
	if length > 0 {
		s.set = core.NewSet(s.nodes)
		for _, v := range order[:length] {
			s.set.Add(v)
		}
	}
}

// climb moves single nodes as long as that makes the best cut sparser.
func (s *sparse) climb(ctx context.Context) {
	set := append(core.Set(nil), s.set...)
	for steps := 0; steps < climbSteps && ctx.Err() == nil; steps += s.nodes {
		node, count, out := -1, s.count, s.out
		for v := range s.nodes {
			if c, o := s.moved(set, v, count, out); s.better(c, o) {
				node, s.count, s.out = v, c, o
			}
		}
		if node < 0 {
			break
		}
		if set.Has(node) {
			set.Remove(node)
		} else {
			set.Add(node)
		}
	}
	s.set = set
}

// moved returns processors in S and links out after a node has changed sides.
func (s *sparse) moved(set core.Set, v, count, out int) (int, int) {
	crossing := 0
	for _, w := range s.of(v) {
		if set.Has(int(w)) != set.Has(v) {
			crossing++
		}
	}
	if s.processors.Has(v) {
		if set.Has(v) {
			count--
		} else {
			count++
		}
	}
	return count, out + s.degree - 2*crossing
}
