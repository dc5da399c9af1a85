package kernel

import "slices"

// A set is a multiset of nodes: a processor at nodes[i] counts times[i], at least 1, for the count of the set.
type set struct {
	nodes []int // ascending
	times []int64
}

// A part is a set that counts times in a sum.
type part struct {
	set   int
	times int64
}

// A sum says that the count of a set is that of its parts, each times a number: as multisets of nodes they are equal.
type sum struct {
	whole  int
	parts  []part
	widest int64 // the most that the bounds of a part leave open, times its number
}

// A branch is the placements whose counts are within bounds. What sums imply is drawn from every change until nothing
// more follows; a branch whose bounds cross has no placement.
type branch struct {
	lo, hi  []int64 // of the count of every set
	crossed bool

	sums   []sum
	totals []bounds  // by sum: those that its parts have together
	within [][]place // by set: where it stands
	queue  []int     // sums to look at again
	queued []bool
	trail  []change // what was overwritten, for undo
	high   int      // the most entries that trail has had
	work   int64    // that is not paid for
}

// A place is a sum in which a set stands: as a part so many times, as the whole 0 times.
type place struct {
	sum   int
	times int64
}

type bounds struct{ lo, hi int64 }

// A change is the bounds that a set had.
type change struct {
	set int
	bounds
}

// addSum adds a sum, to be looked at with the next tightening.
func (b *branch) addSum(s sum) {
	i := len(b.sums)
	var total bounds
	b.within[s.whole] = append(b.within[s.whole], place{i, 0})
	for _, p := range s.parts {
		total.lo += p.times * b.lo[p.set]
		total.hi += p.times * b.hi[p.set]
		s.widest = max(s.widest, p.times*(b.hi[p.set]-b.lo[p.set]))
		b.within[p.set] = append(b.within[p.set], place{i, p.times})
	}
	b.sums, b.totals = append(b.sums, s), append(b.totals, total)
	b.queue, b.queued = append(b.queue, i), append(b.queued, true)
}

// bind sets the bounds of a set, and with them those of the sums of which it is a part.
func (b *branch) bind(s int, to bounds) {
	b.work += int64(len(b.within[s])) + 1
	for _, in := range b.within[s] {
		b.totals[in.sum].lo += in.times * (to.lo - b.lo[s])
		b.totals[in.sum].hi += in.times * (to.hi - b.hi[s])
	}
	b.lo[s], b.hi[s] = to.lo, to.hi
}

// tighten takes in that the count of a set is at least lo and at most hi.
func (b *branch) tighten(s int, lo, hi int64) {
	lo, hi = max(lo, b.lo[s]), min(hi, b.hi[s])
	switch {
	case lo > hi:
		b.crossed = true
		return
	case lo == b.lo[s] && hi == b.hi[s]:
		return
	}
	b.trail = append(b.trail, change{s, bounds{b.lo[s], b.hi[s]}})
	b.bind(s, bounds{lo, hi})
	for _, in := range b.within[s] {
		if !b.queued[in.sum] {
			b.queued[in.sum] = true
			b.queue = append(b.queue, in.sum)
		}
	}
}

// propagate draws what the sums imply until nothing more follows or bounds cross.
func (b *branch) propagate(spend Spender) error {
	for len(b.queue) > 0 {
		i := b.queue[len(b.queue)-1]
		b.queue = b.queue[:len(b.queue)-1]
		b.queued[i] = false
		if b.crossed {
			continue
		}
		b.apply(i)
		if err := b.pay(spend); err != nil {
			return err
		}
	}
	if err := b.pay(spend); err != nil {
		return err
	}
	if more := len(b.trail) - b.high; more > 0 {
		b.high += more
		return spend(24 * int64(more))
	}
	return nil
}

// pay pays for the work that is done.
func (b *branch) pay(spend Spender) error {
	work := b.work
	b.work = 0
	return spend(work)
}

// apply draws what one sum implies: for the whole from the parts, for each part from the whole and the others.
func (b *branch) apply(i int) {
	s, total := &b.sums[i], b.totals[i]
	b.work++
	b.tighten(s.whole, total.lo, total.hi)
	above, below := b.hi[s.whole]-total.lo, total.hi-b.lo[s.whole] // how much the parts may rise together, and fall
	if b.crossed || min(above, below) >= s.widest {
		return
	}
	b.work += int64(len(s.parts))
	for _, p := range s.parts {
		most, least := b.lo[p.set]+floorDiv(above, p.times), b.hi[p.set]-floorDiv(below, p.times)
		if b.tighten(p.set, least, most); b.crossed {
			return
		}
	}
}

// floorDiv returns a/b rounded down, b above 0.
func floorDiv(a, b int64) int64 {
	if q := a / b; q*b > a {
		return q - 1
	} else {
		return q
	}
}

// undo takes back all changes but the first ones.
func (b *branch) undo(changes int) {
	for len(b.trail) > changes {
		c := b.trail[len(b.trail)-1]
		b.trail = b.trail[:len(b.trail)-1]
		b.bind(c.set, c.bounds)
	}
}

// clone returns a branch with the same bounds and no trail.
func (b *branch) clone() *branch {
	c := *b
	c.lo, c.hi, c.totals = slices.Clone(b.lo), slices.Clone(b.hi), slices.Clone(b.totals)
	c.queued, c.queue, c.trail, c.high = make([]bool, len(b.sums)), nil, nil, 0
	return &c
}
