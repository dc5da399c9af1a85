package objective

import (
	"math/bits"

	"leeway/core"
	"leeway/core/routing"
)

// packed is an Incremental that evaluates a swap without making it. Beside the
// loads it keeps, for every node v, the vector V_v of the joint flows of v with
// all processors, so that the loads after a swap of a for b are
//
//	load - V_a + V_b - joint(a, b)
//
// a few word operations per four links: loads are packed four to a word, in
// lanes of 16 bits of which the top one stays clear. Making a swap costs the
// joint flows of every node with a and b.
type packed struct {
	flows   *flowTable
	den     int64
	words   int
	padding int // lanes that are no link
	load    []uint64
	around  []uint64 // V, row by row
	joint   []uint64 // joint flows of all pairs, row by row; nil where that is too large
	after   []uint64 // scratch: loads after a swap
	in      []bool
	log     moveLog
}

// Limits of packed: lanes hold values below 2^15, and the vectors of all nodes,
// or the flows of all pairs, stay within a cache's reach.
const (
	laneLimit      = 1 << 15
	maxAroundWords = 1 << 17
	maxJointWords  = 1 << 19
)

// packedApplies reports whether loads of n processors in units of 1/den fit the
// lanes. A link carries pairs from one set of processors to a disjoint one, at
// most n^2/4, and V_v at most twice n flows.
func packedApplies(t *core.Torus, den int64, n int) bool {
	m := int64(n)
	words := (t.M() + 3) / 4
	return words*t.N() <= maxAroundWords && den < laneLimit && den*(m*m/4+2*m+2) < laneLimit
}

func newPacked(r routing.Routing, den int64) *packed {
	t := r.Torus()
	words := (t.M() + 3) / 4
	e := &packed{flows: newFlowTable(r, den), den: den, words: words, padding: words*4 - t.M(),
		load: make([]uint64, words), around: make([]uint64, words*t.N()), after: make([]uint64, words), in: make([]bool, t.N())}
	if words*t.N()*t.N() <= maxJointWords {
		e.joint = make([]uint64, words*t.N()*t.N())
		for p := range t.N() {
			for q := range t.N() {
				e.flows.each(p, q, func(l int, w int64) { addLane(e.row(e.joint, p*t.N()+q), l, uint64(w)) })
			}
		}
	}
	return e
}

func (e *packed) row(a []uint64, i int) []uint64 { return a[i*e.words:][:e.words] }

func addLane(words []uint64, l int, v uint64) { words[l>>2] += v << (l & 3 * 16) }

func subtractLane(words []uint64, l int, v uint64) { words[l>>2] -= v << (l & 3 * 16) }

func (e *packed) Den() int64  { return e.den }
func (e *packed) Exact() bool { return true }

func (e *packed) Reset(nodes []int) {
	clear(e.load)
	clear(e.around)
	clear(e.in)
	e.log = e.log[:0]
	for _, v := range nodes {
		e.change(none, v)
	}
}

func (e *packed) Add(v int)        { e.log.make(e, none, v) }
func (e *packed) Remove(v int)     { e.log.make(e, v, none) }
func (e *packed) Swap(out, in int) { e.log.make(e, out, in) }
func (e *packed) Undo()            { e.log.undo(e) }

func (e *packed) change(out, in int) {
	if out != none {
		for i, w := range e.row(e.around, out) {
			e.load[i] -= w
		}
		e.in[out] = false
	}
	e.changeAround(out, in)
	if in != none {
		for i, w := range e.row(e.around, in) {
			e.load[i] += w
		}
		e.in[in] = true
	}
}

// changeAround updates the vectors of all nodes.
func (e *packed) changeAround(out, in int) {
	if e.joint == nil {
		for u := range e.in {
			if out != none {
				e.flows.takeFrom(e.row(e.around, u), u, out)
			}
			if in != none {
				e.flows.addTo(e.row(e.around, u), u, in)
			}
		}
		return
	}
	// The joint flows of one node with all nodes lie like the vectors.
	all := len(e.around)
	switch {
	case in == none:
		subtractWords(e.around, e.joint[out*all:][:all])
	case out == none:
		addWords(e.around, e.joint[in*all:][:all])
	default:
		plus, minus := e.joint[in*all:][:all], e.joint[out*all:][:all]
		for i := range e.around {
			e.around[i] += plus[i] - minus[i]
		}
	}
}

func addWords(to, words []uint64) {
	words = words[:len(to)]
	for i, w := range words {
		to[i] += w
	}
}

func subtractWords(to, words []uint64) {
	words = words[:len(to)]
	for i, w := range words {
		to[i] -= w
	}
}

func (e *packed) Peak() (int64, int) { return e.peak(e.load) }

func (e *packed) TrySwap(out, in int) (int64, int) {
	va, vb := e.row(e.around, out), e.row(e.around, in)
	after := e.after
	if e.joint == nil {
		for i, w := range e.load {
			after[i] = w - va[i] + vb[i]
		}
		e.flows.takeFrom(after, out, in)
		return e.peak(after)
	}
	joint := e.row(e.joint, out*len(e.in)+in)
	load := e.load[:len(after)]
	va, vb, joint = va[:len(after)], vb[:len(after)], joint[:len(after)]
	var most uint64
	for i := range after {
		w := load[i] - va[i] + vb[i] - joint[i]
		after[i] = w
		most = maxLanes(most, w)
	}
	return e.count(after, largestLane(most))
}

// Lane arithmetic on four values below 2^15 in a word.
const (
	laneTops = 0x8000_8000_8000_8000
	laneOnes = 0x0001_0001_0001_0001
)

// maxLanes returns the larger value lane by lane.
func maxLanes(x, y uint64) uint64 {
	d := (x | laneTops) - y // the top bit stays where x >= y, over the difference
	ge := d & laneTops
	return y + d&(ge-ge>>15)
}

func largestLane(x uint64) uint64 {
	x = maxLanes(x, x>>32)
	x = maxLanes(x, x>>16&0xffff)
	return x & 0xffff
}

func (e *packed) peak(words []uint64) (int64, int) {
	var most uint64
	for _, w := range words {
		most = maxLanes(most, w)
	}
	return e.count(words, largestLane(most))
}

// count returns most with the number of links that carry it.
func (e *packed) count(words []uint64, most uint64) (int64, int) {
	pattern := most * laneOnes
	others := 0
	for _, w := range words {
		others += bits.OnesCount64(((w ^ pattern) + (laneTops - laneOnes)) & laneTops)
	}
	links := 4*len(words) - others
	if most == 0 {
		links -= e.padding
	}
	return int64(most), links
}
