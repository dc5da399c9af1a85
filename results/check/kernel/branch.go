package kernel

import "slices"

// A sum says that the count of a set is that of its parts, each times a number: as multisets of nodes they are equal.
type sum struct {
	whole  int
	parts  []term
	widest int64 // the most that the bounds of a part leave open, times its number
}

// A Bound says that the count of a set is at least Lo and at most Hi.
type Bound struct {
	Set int   `json:"set"`
	Lo  int64 `json:"lo"`
	Hi  int64 `json:"hi"`
}

// A branch is the placements whose counts are within bounds. What sums imply is drawn from every change until nothing
// more follows; a branch whose bounds cross has no placement.
type branch struct {
	lo, hi  []int64 // of the count of every set
	crossed bool

	sums     []sum
	tlo, thi []int64  // by sum: the bounds of its parts, added up
	within   [][]term // by set: the sums where it stands, as a part that number of times, as the whole 0 times
	queue    []int    // sums to look at again
	queued   []bool
	trail    []Bound // what was overwritten, for undo
	high     int     // the most entries that trail has had
	work     int64   // that is not paid for
}

// addSum adds a sum, to be looked at with the next propagation.
func (b *branch) addSum(s sum) {
	i := len(b.sums)
	b.within[s.whole] = append(b.within[s.whole], term{i, 0})
	for _, p := range s.parts {
		s.widest = max(s.widest, p.times*(b.hi[p.of]-b.lo[p.of]))
		b.within[p.of] = append(b.within[p.of], term{i, p.times})
	}
	b.sums, b.tlo, b.thi = append(b.sums, s), append(b.tlo, dot(s.parts, b.lo)), append(b.thi, dot(s.parts, b.hi))
	b.queue, b.queued = append(b.queue, i), append(b.queued, true)
}

// bind sets the bounds of a set, and with them those of the sums of which it is a part.
func (b *branch) bind(s int, lo, hi int64) {
	b.work += int64(len(b.within[s])) + 1
	for _, in := range b.within[s] {
		b.tlo[in.of] += in.times * (lo - b.lo[s])
		b.thi[in.of] += in.times * (hi - b.hi[s])
	}
	b.lo[s], b.hi[s] = lo, hi
}

// tighten takes in that the count of a set is at least lo and at most hi, but not yet what follows from it.
func (b *branch) tighten(s int, lo, hi int64) {
	lo, hi = max(lo, b.lo[s]), min(hi, b.hi[s])
	switch {
	case lo > hi:
		b.crossed = true
		return
	case lo == b.lo[s] && hi == b.hi[s]:
		return
	}
	b.trail = append(b.trail, Bound{s, b.lo[s], b.hi[s]})
	b.bind(s, lo, hi)
	for _, in := range b.within[s] {
		if !b.queued[in.of] {
			b.queued[in.of] = true
			b.queue = append(b.queue, in.of)
		}
	}
}

// propagate draws what the sums imply until nothing more follows or bounds cross.
func (b *branch) propagate(r *reader) {
	for len(b.queue) > 0 && r.err == nil {
		i := b.queue[len(b.queue)-1]
		b.queue = b.queue[:len(b.queue)-1]
		if b.queued[i] = false; !b.crossed {
			b.apply(i)
		}
		r.pay(b.work)
		b.work = 0
	}
	if more := len(b.trail) - b.high; more > 0 {
		b.high += more
		r.pay(24 * int64(more))
	}
}

// apply draws what one sum implies: for the whole from the parts, for each part from the whole and the others.
func (b *branch) apply(i int) {
	s, lo, hi := &b.sums[i], b.tlo[i], b.thi[i]
	b.work++
	b.tighten(s.whole, lo, hi)
	above, below := b.hi[s.whole]-lo, hi-b.lo[s.whole] // how much the parts may rise together, and fall
	if b.crossed || min(above, below) >= s.widest {
		return
	}
	b.work += int64(len(s.parts))
	for _, p := range s.parts {
		least, most := b.hi[p.of]-floorDiv(below, p.times), b.lo[p.of]+floorDiv(above, p.times)
		if b.tighten(p.of, least, most); b.crossed {
			return
		}
	}
}

// floorDiv returns a/b rounded down, b above 0.
func floorDiv(a, b int64) int64 {
	if b == 1 { // as most parts count
		return a
	}
	q := a / b
	if q*b > a {
		q--
	}
	return q
}

// undo takes back all changes but the first ones.
func (b *branch) undo(changes int) {
	for len(b.trail) > changes {
		was := b.trail[len(b.trail)-1]
		b.trail = b.trail[:len(b.trail)-1]
		b.bind(was.Set, was.Lo, was.Hi)
	}
}

// clone returns a branch with the same bounds and no trail.
func (b *branch) clone() *branch {
	return &branch{lo: slices.Clone(b.lo), hi: slices.Clone(b.hi), crossed: b.crossed, sums: b.sums, within: b.within,
		tlo: slices.Clone(b.tlo), thi: slices.Clone(b.thi), queued: make([]bool, len(b.sums))}
}
