package counts

import (
	"slices"

	"leeway/encode/steps"
)

// A branch is what is known of the counts of sets: between which numbers each lies.
type branch struct {
	lo, hi    []int
	crossed   bool
	crossedAt steps.Set // of which they cross

	sums   []sum
	within [][]int // by set: the sums in which it stands
	queue  []int
	queued []bool
	trail  []change
	looked int // how many of them have been looked at
}

// A sum says that the count of a set is that of its parts, which are disjoint.
type sum struct {
	whole steps.Set
	parts []steps.Set
}

// A change is the bounds that a set had.
type change struct {
	set    steps.Set
	lo, hi int
}

// add adds a set that counts at most a number.
func (b *branch) add(most int) {
	b.lo, b.hi, b.within = append(b.lo, 0), append(b.hi, most), append(b.within, nil)
}

// sum adds a sum.
func (b *branch) sum(whole steps.Set, parts []steps.Set) {
	i := len(b.sums)
	b.sums, b.queued, b.queue = append(b.sums, sum{whole, parts}), append(b.queued, true), append(b.queue, i)
	b.within[whole] = append(b.within[whole], i)
	for _, p := range parts {
		b.within[p] = append(b.within[p], i)
	}
}

// bound takes in that a count lies between two numbers, and what sums imply of it.
func (b *branch) bound(s steps.Set, lo, hi int) {
	b.tighten(s, lo, hi)
	for len(b.queue) > 0 {
		i := b.queue[len(b.queue)-1]
		b.queue = b.queue[:len(b.queue)-1]
		if b.queued[i] = false; !b.crossed {
			b.draw(&b.sums[i])
		}
	}
}

func (b *branch) tighten(s steps.Set, lo, hi int) {
	lo, hi = max(lo, b.lo[s]), min(hi, b.hi[s])
	if lo == b.lo[s] && hi == b.hi[s] {
		return
	}
	b.trail = append(b.trail, change{s, b.lo[s], b.hi[s]})
	b.lo[s], b.hi[s] = lo, hi
	if lo > hi {
		b.crossed, b.crossedAt = true, s
	}
	for _, i := range b.within[s] {
		if !b.queued[i] {
			b.queued[i] = true
			b.queue = append(b.queue, i)
		}
	}
}

// draw takes in what a sum implies.
func (b *branch) draw(s *sum) {
	lo, hi := 0, 0
	for _, p := range s.parts {
		lo, hi = lo+b.lo[p], hi+b.hi[p]
	}
	b.tighten(s.whole, lo, hi)
	above, below := b.hi[s.whole]-lo, hi-b.lo[s.whole]
	for _, p := range s.parts {
		if b.crossed {
			return
		}
		if b.hi[p]-b.lo[p] > min(above, below) {
			b.tighten(p, b.hi[p]-below, b.lo[p]+above)
		}
	}
}

// A mark is where a branch can be taken back to.
type mark struct {
	changes int
	crossed bool
}

func (b *branch) mark() mark { return mark{len(b.trail), b.crossed} }

func (b *branch) back(to mark) {
	for len(b.trail) > to.changes {
		c := b.trail[len(b.trail)-1]
		b.trail = b.trail[:len(b.trail)-1]
		b.lo[c.set], b.hi[c.set] = c.lo, c.hi
	}
	b.crossed, b.looked = to.crossed, min(b.looked, len(b.trail))
}

// clone returns a branch with the same sums that goes its own way.
func (b *branch) clone() branch {
	c := *b
	c.lo, c.hi, c.trail, c.queue = slices.Clone(b.lo), slices.Clone(b.hi), nil, nil
	c.queued = make([]bool, len(b.queued))
	return c
}
