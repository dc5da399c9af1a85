package bisect

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

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
// two processors; when the context ends it is the best so far, not exact. Without dimensions it is the best of the
// nodes within any distance of a node, improved by local moves, and never exact. Cost: about a tenth of a
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
	if t.HasDimensions() && s.nodes <= boxNodes && ctx.Err() == nil {
		if t.Separable() { // where sides are no rings
			s.boxes()
		}
		s.take(guess(ctx, Half(p)).Side)
	}
	s.climb(ctx)
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

// climb moves single nodes as long as that makes the best cut sparser.
func (s *sparse) climb(ctx context.Context) {
	set := slices.Clone(s.set)
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
		flip(set, node)
	}
	s.set = set
}

// moved returns processors in S and links out after a node has changed sides.
func (s *sparse) moved(set core.Set, v, count, out int) (int, int) {
	if s.processors.Has(v) {
		if set.Has(v) {
			count--
		} else {
			count++
		}
	}
	return count, out + s.nodeCapacity(v) - 2*s.crossing(set, v)
}

// boxes looks at all boxes: arcs of any length in every dimension, from any
// corner. Cost O(N^2).
func (s *sparse) boxes() {
	counts := make([]int32, s.nodes)
	for _, v := range s.placement.Nodes() {
		counts[v] = 1
	}
	b := &boxSearch{sparse: s, torus: s.placement.Torus(), lengths: make([]int, s.placement.Torus().D()), corner: -1}
	b.grow(0, counts)
	if b.corner >= 0 {
		s.set = b.box()
	}
}

// boxSearch goes through the shapes of boxes dimension by dimension.
type boxSearch struct {
	*sparse
	torus   *core.Torus
	lengths []int
	corner  int   // of the best box, -1 if none is best
	shape   []int // its lengths
}

// grow tries all lengths from dimension j on. counts holds the processors of the
// box with the lengths chosen so far, and 1 from j on, by its first corner.
func (b *boxSearch) grow(j int, counts []int32) {
	if j == len(b.lengths) {
		b.look(counts)
		return
	}
	sums := slices.Clone(counts)
	ahead := make([]int32, b.nodes) // by corner: the node length steps on, around open dimensions too
	for v := range ahead {
		ahead[v] = int32(b.torus.Shift(v, j, 1))
	}
	for b.lengths[j] = 1; ; b.lengths[j]++ {
		b.grow(j+1, sums)
		if b.lengths[j] == b.torus.Side(j) {
			return
		}
		for v, w := range ahead {
			sums[v] += counts[w]
			ahead[v] = int32(b.torus.Shift(int(w), j, 1))
		}
	}
}

// look compares the boxes of one shape.
func (b *boxSearch) look(counts []int32) {
	out := b.leaving(0)
	for v, c := range counts {
		if !b.torus.Closed() {
			out = b.leaving(v)
		}
		if b.better(int(c), out) {
			b.count, b.out, b.corner = int(c), out, v
			b.shape = append(b.shape[:0], b.lengths...)
		}
	}
}

// leaving returns the capacity out of a box of the current lengths from a corner on; without
// open dimensions the corner makes no difference.
func (b *boxSearch) leaving(corner int) int {
	volume := 1
	for _, a := range b.lengths {
		volume *= a
	}
	out := 0
	for j, a := range b.lengths {
		out += volume / a * cuts(b.torus, j, b.torus.Coord(corner, j), a) * b.torus.Bandwidth(j)
	}
	return out
}

// box returns the nodes of the best box.
func (b *boxSearch) box() core.Set {
	set := core.NewSet(b.nodes)
	for v := range b.nodes {
		in := true
		for j, a := range b.shape {
			k := b.torus.Side(j)
			in = in && (b.torus.Coord(v, j)-b.torus.Coord(b.corner, j)+k)%k < a
		}
		if in {
			set.Add(v)
		}
	}
	return set
}
