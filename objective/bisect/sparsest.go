package bisect

import (
	"cmp"
	"context"
	"math/bits"

	"leeway/core"
)

// Limits of the search for the sparsest cut.
const (
	sparseWork  = 1 << 26 // states of the transfer matrix: a tenth of a second
	guessNodes  = 4096    // nodes up to which the bisection is looked at
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
// elsewhere it is the best of a single processor, bands of slabs, sweeps and
// the narrowest bisection found. The set is nil when there are fewer than two
// processors; when the context ends it is the best so far, not exact. Without dimensions it is the best of the
// nodes within any distance of a node, and never exact. Cost: about a tenth of a
// second, on more than 4096 nodes O(M) times the dimensions.
func Sparsest(ctx context.Context, p core.Placement) (core.Set, bool) {
	if p.Size() < 2 {
		return nil, true
	}
	s := &sparse{graph: newGraph(p.Torus()), placement: p, processors: p.Set()}
	s.take(s.setOf([]int{Corner(p)}))
	t, steps := p.Torus(), sweepSteps
	for j := 0; t.HasDimensions() && j < t.D(); j++ {
		s.take(Middle(p, j).Set(t))
		if steps = sweepSteps / 4; s.nodes > singleNodes {
			steps = 0
		}
	}
	for order, levels := range sweeps(t, steps) {
		if ctx.Err() != nil {
			break
		}
		s.prefix(order)
		for _, level := range levels {
			s.prefix(level)
		}
	}
	if t.HasDimensions() && s.nodes <= guessNodes && ctx.Err() == nil {
		s.take(guess(ctx, Half(p)).Side)
	}
	return s.set, s.exact(ctx)
}

// Corner returns the processor, of at least one, with the least capacity out, the first of
// them: on a torus the first of all.
func Corner(p core.Placement) int {
	t, nodes := p.Torus(), p.Nodes()
	best := nodes[0]
	for _, v := range nodes[1:] {
		if !t.Closed() && t.CapacityAt(v) < t.CapacityAt(best) {
			best = v
		}
	}
	return best
}

// exact puts a sparser cut in the place of the best as long as there is one, and
// reports whether it could.
func (s *sparse) exact(ctx context.Context) bool {
	if ctx.Err() != nil || !s.placement.Torus().HasDimensions() {
		return false
	}
	x := newTransfer(s.placement, s.limits(), s.tighten)
	if x == nil || !x.fits(sparseWork) {
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
	return cmp.Or(cmp.Compare(aHigh, bHigh), cmp.Compare(aLow, bLow))
}

func (s *sparse) take(set core.Set) {
	count, out := processorsInside(s.placement, set), s.graph.capacityOut(set)
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

func (s *sparse) prefix(order []int) {
	length := 0
	s.prefixes(order, s.processors, func(i, count, out int) {
		if s.better(count, out) {
			s.count, s.out, length = count, out, i
		}
	})
	if length > 0 {
		s.set = s.setOf(order[:length])
	}
}
