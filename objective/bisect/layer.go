package bisect

import "math/bits"

// A layer holds, for every pattern of the frontier and number of processors in S
// so far, the fewest links out so far. The frontier has one node per place: of
// the slab being filled where that is done, of the slab before where not.
type layer struct {
	width int      // numbers of processors, 0..width-1
	cost  []uint16 // by pattern*width + number
	live  []bool   // by pattern: some cost is below none
}

// none is the cost of a state that is impossible or too dear.
const none = 1 << 14

func newLayer(places, width int) *layer {
	l := &layer{width: width, cost: make([]uint16, width<<places), live: make([]bool, 1<<places)}
	for i := range l.cost {
		l.cost[i] = none
	}
	return l
}

func (l *layer) clone() *layer {
	return &layer{width: l.width, cost: append([]uint16(nil), l.cost...), live: append([]bool(nil), l.live...)}
}

// row returns the costs of a pattern.
func (l *layer) row(pattern uint32) []uint16 {
	return l.cost[int(pattern)*l.width : (int(pattern)+1)*l.width]
}

// A step replaces the node at one place of the frontier by its neighbour in the
// next slab.
type step struct {
	place     int
	processor bool
	earlier   uint32 // neighbours at places that are replaced already
	first     uint32 // the pattern of the first slab
	closing   bool   // the slab borders on the first one again
	unclosed  uint32 // places whose link back to the first slab is still to come
	limit     int    // states whose cut cannot stay below this are dropped
}

// own returns the links that the new node adds to the cut when it goes to side
// bit, besides the one to the node that it replaces.
func (s step) own(pattern, bit uint32) uint16 {
	links := bits.OnesCount32((pattern ^ -bit) & s.earlier)
	if s.closing && s.first>>s.place&1 != bit {
		links++
	}
	return uint16(links)
}

// below returns the least cost at which a new pattern is dropped: each place that
// differs from the first slab still costs a link on its way around.
func (s step) below(pattern uint32) uint16 {
	return uint16(max(0, s.limit-bits.OnesCount32((pattern^s.first)&s.unclosed)))
}

// apply makes the step in place. Cost: 2^places times the width, less what has
// been dropped.
func (l *layer) apply(s step) {
	bit := uint32(1) << s.place
	for zero := uint32(0); int(zero) < len(l.live); zero++ {
		if zero&bit != 0 || !l.live[zero] && !l.live[zero|bit] {
			continue
		}
		one := zero | bit
		a, b := l.row(zero), l.row(one)
		if s.processor {
			l.live[zero], l.live[one] = countedMove(a, b, s.own(zero, 0), s.own(one, 1), s.below(zero), s.below(one))
		} else {
			l.live[zero], l.live[one] = freeMove(a, b, s.own(zero, 0), s.own(one, 1), s.below(zero), s.below(one))
		}
	}
}

// freeMove updates the rows of side 0 and 1 for a node without a processor and
// says which have a state left.
func freeMove(a, b []uint16, addA, addB, endA, endB uint16) (liveA, liveB bool) {
	b = b[:len(a)]
	leastA, leastB := uint16(none), uint16(none)
	for c := range a {
		x, y := min(a[c], b[c]+1)+addA, min(b[c], a[c]+1)+addB
		if x >= endA {
			x = none
		}
		if y >= endB {
			y = none
		}
		a[c], b[c] = x, y
		leastA, leastB = min(leastA, x), min(leastB, y)
	}
	return leastA < none, leastB < none
}

// countedMove is freeMove for a processor: on side 1 it raises the number by one.
func countedMove(a, b []uint16, addA, addB, endA, endB uint16) (liveA, liveB bool) {
	b = b[:len(a)]
	leastA, leastB := uint16(none), uint16(none)
	for c := len(a) - 1; c >= 0; c-- {
		x, y := min(a[c], b[c]+1)+addA, uint16(none)
		if c > 0 {
			y = min(b[c-1], a[c-1]+1) + addB
		}
		if x >= endA {
			x = none
		}
		if y >= endB {
			y = none
		}
		a[c], b[c] = x, y
		leastA, leastB = min(leastA, x), min(leastB, y)
	}
	return leastA < none, leastB < none
}
