package pseudo

import "math/big"

// Sides of a bound: at least, at most.
const (
	low = iota
	high
)

// Reasons of bounds.
const (
	byRow      = iota // of the formula, or a definition: arg is its number in the branch's frame
	byDecision        // arg is the number of the decision
	bySum             // arg is the sum, with is the part, -1 for the whole
	byFilter          // arg is the link
)

// An entry is a bound on the count of a set with the reason for it. What it rests on stands before it.
type entry struct {
	set, side int
	value     int64
	before    int // the entry that it is better than, -1: none
	why       int
	arg, with int

	ref   string   // of the row that says it, once there is one
	rests *big.Int // by bits: the decisions that the row depends on
}

// A branch is the placements whose counts are within bounds, each with its reason. What sums imply is drawn until
// nothing more follows, or bounds cross.
type branch struct {
	*translator
	frame     moving // by which all names are moved that are written
	lo, hi    []int64
	last      [2][]int // by side and set: the entry of its bound, -1 where that is trivial
	entries   []entry
	decisions []literal
	crossed   *crossing
	queue     []int
	queued    []bool
}

// A crossing is why a branch has no placement: the bounds of a set, or the load of a link, -1, by the known nodes.
type crossing struct{ set, link, before int }

// newBranch returns the first branch of the question, with names moved by a frame.
func (t *translator) newBranch(frame moving) *branch {
	b := &branch{translator: t, frame: frame, queued: make([]bool, len(t.sums))}
	for _, s := range t.sets {
		b.lo, b.hi = append(b.lo, 0), append(b.hi, s.most())
		b.last[low], b.last[high] = append(b.last[low], -1), append(b.last[high], -1)
	}
	for i := range t.sums {
		b.queue, b.queued[i] = append(b.queue, i), true
	}
	n, size := t.n, int64(t.problem.Size)
	b.tighten(entry{set: 0, side: low, value: size, arg: sizeLow})
	b.tighten(entry{set: 0, side: high, value: size, arg: sizeHigh})
	for v := range n {
		switch row := t.given[frame.node[v]]; {
		case row > 0 && t.problem.MustHave(frame.node[v]):
			b.tighten(entry{set: 1 + v, side: low, value: 1, arg: row})
		case row > 0:
			b.tighten(entry{set: 1 + v, side: high, arg: row})
		}
	}
	next := 1 + n
	if t.problem.Radius > 0 {
		for v := range n {
			b.tighten(entry{set: next + v, side: low, value: 1, arg: t.ball[frame.node[v]]})
		}
		next += n
	}
	if t.problem.Traffic.Clients() {
		for l, limit := range t.limits {
			b.tighten(entry{set: next + l, side: high, value: limit, arg: t.link[frame.link[l]]})
		}
	}
	b.propagate()
	return b
}

// tighten takes in a bound, if it is better than the one there.
func (b *branch) tighten(e entry) {
	bound, better := &b.lo[e.set], e.value > b.lo[e.set]
	if e.side == high {
		bound, better = &b.hi[e.set], e.value < b.hi[e.set]
	}
	if !better || b.crossed != nil {
		return
	}
	*bound, e.before = e.value, b.last[e.side][e.set]
	b.entries = append(b.entries, e)
	b.last[e.side][e.set] = len(b.entries) - 1
	if b.lo[e.set] > b.hi[e.set] {
		b.crossed = &crossing{e.set, -1, len(b.entries)}
		return
	}
	for _, i := range b.within[e.set] {
		if !b.queued[i] {
			b.queue, b.queued[i] = append(b.queue, i), true
		}
	}
}

// propagate draws what the sums imply.
func (b *branch) propagate() {
	for len(b.queue) > 0 {
		i := b.queue[len(b.queue)-1]
		b.queue, b.queued[i] = b.queue[:len(b.queue)-1], false
		if b.crossed == nil {
			b.apply(i)
		}
	}
}

func (b *branch) apply(i int) {
	s := b.sums[i]
	var least, most, widest int64
	for _, p := range s.parts {
		low, high := p.times*b.lo[p.set], p.times*b.hi[p.set]
		least, most, widest = least+low, most+high, max(widest, high-low)
	}
	b.tighten(entry{set: s.whole, side: low, value: least, why: bySum, arg: i, with: -1})
	b.tighten(entry{set: s.whole, side: high, value: most, why: bySum, arg: i, with: -1})
	above, below := b.hi[s.whole]-least, most-b.lo[s.whole] // how much the parts may rise together, and fall
	if min(above, below) >= widest {
		return
	}
	for j, p := range s.parts {
		up, down := b.lo[p.set]+floorDiv(above, p.times), b.hi[p.set]-floorDiv(below, p.times)
		b.tighten(entry{set: p.set, side: low, value: down, why: bySum, arg: i, with: j})
		b.tighten(entry{set: p.set, side: high, value: up, why: bySum, arg: i, with: j})
	}
}

// floorDiv returns a/b rounded down, b above 0.
func floorDiv(a, b int64) int64 {
	q := a / b
	if q*b > a {
		q--
	}
	return q
}

// assume takes in a premise as the next decision.
func (b *branch) assume(p premise) {
	b.decisions = append(b.decisions, b.literal(b.sets[p.set].moved(b.frame.node), p))
	e := entry{set: p.set, side: low, value: p.number, why: byDecision, arg: len(b.decisions) - 1}
	if !p.atLeast {
		e.side = high
	}
	b.tighten(e)
	b.propagate()
}

// undo takes back all entries but the first, and all decisions but the first, and deletes their rows.
func (b *branch) undo(entries, decisions int) {
	for len(b.entries) > entries {
		e := &b.entries[len(b.entries)-1]
		b.entries = b.entries[:len(b.entries)-1]
		b.last[e.side][e.set] = e.before
		b.lo[e.set], b.hi[e.set] = b.valueWas(e.set, low, len(b.entries)), b.valueWas(e.set, high, len(b.entries))
		if e.ref != "" && e.why != byRow && e.why != byDecision {
			b.forget(e.ref)
		}
	}
	b.decisions, b.crossed = b.decisions[:decisions], nil
}

// was returns the entry of the bound of a set that was there before another entry, -1 where that was trivial.
func (b *branch) was(set, side, before int) int {
	i := b.last[side][set]
	for i >= before {
		i = b.entries[i].before
	}
	return i
}

// valueWas returns the bound of a set that was there before an entry.
func (b *branch) valueWas(set, side, before int) int64 {
	switch i := b.was(set, side, before); {
	case i >= 0:
		return b.entries[i].value
	case side == low:
		return 0
	}
	return b.sets[set].most()
}
