package kernel

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
	whole int
	parts []part
}

// A branch is the placements whose counts are within bounds. What sums imply is drawn from every change until nothing
// more follows; a branch whose bounds cross has no placement.
type branch struct {
	lo, hi  []int64 // of the count of every set
	crossed bool

	sums   []sum
	within [][]int // by set: the sums in which it stands
	queue  []int   // sums to look at again
	queued []bool
	trail  []change // what was overwritten, for undo
	high   int      // the most entries that trail has had
}

// A change is the bounds that a set had.
type change struct {
	set    int
	lo, hi int64
}

// addSum adds a sum, to be looked at with the next tightening.
func (b *branch) addSum(s sum) {
	i := len(b.sums)
	b.sums = append(b.sums, s)
	b.queued = append(b.queued, true)
	b.queue = append(b.queue, i)
	b.within[s.whole] = append(b.within[s.whole], i)
	for _, p := range s.parts {
		b.within[p.set] = append(b.within[p.set], i)
	}
}

// tighten takes in that the count of a set is at least lo and at most hi.
func (b *branch) tighten(s int, lo, hi int64) {
	lo, hi = max(lo, b.lo[s]), min(hi, b.hi[s])
	if lo == b.lo[s] && hi == b.hi[s] {
		return
	}
	b.trail = append(b.trail, change{s, b.lo[s], b.hi[s]})
	b.lo[s], b.hi[s] = lo, hi
	if lo > hi {
		b.crossed = true
	}
	for _, i := range b.within[s] {
		if !b.queued[i] {
			b.queued[i] = true
			b.queue = append(b.queue, i)
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
		if err := spend(int64(len(b.sums[i].parts)) + 1); err != nil {
			return err
		}
		b.apply(b.sums[i])
	}
	if more := len(b.trail) - b.high; more > 0 {
		b.high += more
		return spend(24 * int64(more))
	}
	return nil
}

// apply draws what one sum implies: for the whole from the parts, for each part from the whole and the others.
func (b *branch) apply(s sum) {
	var lo, hi int64
	for _, p := range s.parts {
		lo += p.times * b.lo[p.set]
		hi += p.times * b.hi[p.set]
	}
	b.tighten(s.whole, lo, hi)
	above, below := b.hi[s.whole]-lo, hi-b.lo[s.whole] // how much the parts may rise together, and fall
	for _, p := range s.parts {
		if b.crossed {
			return
		}
		most, least := b.lo[p.set]+floorDiv(above, p.times), b.hi[p.set]-floorDiv(below, p.times)
		b.tighten(p.set, least, most)
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
		b.lo[c.set], b.hi[c.set] = c.lo, c.hi
	}
}
