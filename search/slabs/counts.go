package slabs

import (
	"bytes"
	"cmp"
	"slices"
	"sync"
	"sync/atomic"

	"leeway/core/parallel"
	"leeway/objective/lanes"
)

// slabCounts hold the processors in every slab of a dimension, zeros beyond its length. In two dimensions they are a
// margin.
type slabCounts [MaxSide]uint8

// squares returns the sum of the squares.
func (c *slabCounts) squares() (sum int32) {
	for _, v := range c {
		sum += int32(v) * int32(v)
	}
	return sum
}

// sizes returns the counts that occur in the first k slabs as bits.
func (c *slabCounts) sizes(k int) (has uint32) {
	for _, v := range c[:k] {
		has |= 1 << v
	}
	return has
}

// ints returns the first k counts as numbers.
func (c *slabCounts) ints(k int) []int {
	list := make([]int, k)
	for x := range list {
		list[x] = int(c[x])
	}
	return list
}

// greatest returns the greatest rotation of the first k counts, reversed first if flip.
func (c slabCounts) greatest(k int, flip bool) slabCounts {
	if flip {
		slices.Reverse(c[:k])
	}
	best := c
	for s := 1; s < k; s++ {
		var rotated slabCounts
		copy(rotated[copy(rotated[:], c[s:k]):], c[:s])
		if slices.Compare(rotated[:], best[:]) > 0 {
			best = rotated
		}
	}
	return best
}

// A ranked is counts with the sum of their squares, by which they are ordered.
type ranked struct {
	counts  slabCounts
	squares int32
}

func rank(c slabCounts) ranked { return ranked{c, c.squares()} }

// order compares counts in the order of the trees: by the sum of squares, least first, then lexicographically, greatest
// first.
func order(a, b *ranked) int {
	if a.squares != b.squares {
		return cmp.Compare(a.squares, b.squares)
	}
	return bytes.Compare(b.counts[:], a.counts[:])
}

// list lists counts of a side, one of every rotation class of a ring, whose boundaries carry no more than all their
// links may and that leave room for one of the patterns, nil for any. Each worker asks a keeper of its own what to keep
// of them, given what the boundaries have left, in wide lanes; they come in no special order. It fails with errTooMany
// or an error of the budget.
func list[T any](s *side, patterns []pattern, b *budget, workers int,
	keeper func() func(c slabCounts, spare []uint64) (T, bool)) ([]T, error) {
	l := &listing{side: s, budget: b, could: patterns}
	var mu sync.Mutex
	var found []T
	workers = max(1, workers)
	parallel.Each(b.ctx, workers, workers, func(int) {
		var own []T
		keep, c := keeper(), newCounting(l)
		c.keep = func(counts slabCounts, spare []uint64) bool {
			kept, ok := keep(counts, spare)
			if ok {
				own = append(own, kept)
			}
			return ok
		}
		c.fill(0, 1, s.n, 0)
		c.spend()
		mu.Lock()
		defer mu.Unlock()
		found = append(found, own...)
	})
	if l.kept.Load() > b.kept {
		return nil, errTooMany
	}
	return found, b.spend(0)
}

// A listing is what the workers that list counts share.
type listing struct {
	*side
	budget *budget
	could  []pattern    // contents of a fullest line, nil if any will do
	next   atomic.Int64 // prefix that no worker has taken
	kept   atomic.Int64
}

// A counting is one worker's walk over the counts of a listing, by filling slab after slab.
//
// Of all rotations of counts the greatest is listed, unless nodes are fixed or forbidden. Prefixes of such sequences
// are extended as in the algorithm of Fredricksen, Kessler and Maiorana: with period p so far, the next entry is at
// most the one p before. On a path, and under conditions, all counts are gone through, and each is listed that stands
// for itself.
type counting struct {
	*listing
	counts slabCounts
	gaps   [][]uint64 // by depth: what the boundaries have left
	slopes [][]uint64 // by depth: for every slab, what one more processor there adds to the boundaries
	pairs  [][]uint64 // by slab z: for every slab, what one processor there and one in z add
	rooms  []room     // by depth: a content that a fullest line may still have
	whole  []uint64   // the limit in narrow lanes
	least  []uint64   // for tight
	keep   func(c slabCounts, spare []uint64) bool
	prefix int64 // number of the next prefix of the length that workers share
	mine   int64 // the one to be taken next
	taken  int64 // steps that the budget does not know of
	ended  bool
}

// stepsPerLook is how many steps a worker takes between looks at what the others do.
const stepsPerLook = 1024

// sharedAt is the length of the prefixes that workers share out.
const sharedAt = 3

func newCounting(l *listing) *counting {
	k, w := l.k, l.wide.words
	c := &counting{listing: l, whole: l.narrow.same(l.limit), least: make([]uint64, w), mine: l.next.Add(1) - 1}
	for range k + 1 {
		c.rooms = append(c.rooms, room{gap: slices.Clone(c.whole)})
		c.gaps, c.slopes = append(c.gaps, make([]uint64, w)), append(c.slopes, make([]uint64, k*w))
	}
	copy(c.gaps[0], l.wide.same(l.limit*int64(l.lines)))
	for z := range k {
		var pairs []uint64
		for x := range k {
			pairs = append(pairs, l.wide.pack(func(i int) int64 { return l.forms[i][x][z] + l.forms[i][z][x] })...)
		}
		c.pairs = append(c.pairs, pairs)
	}
	return c
}

// fill tries all counts for slab z when rest processors are left, the sequence has the given period and the last k/2
// slabs (or all, if fewer) hold run.
func (c *counting) fill(z, period, rest, run int) {
	if z == min(sharedAt, c.k-1) && !c.own() {
		return
	}
	if z == c.k {
		if c.turns() && c.k%period == 0 || !c.turns() && c.counts == c.representative(c.counts, false) {
			c.take()
		}
		return
	}
	if h := c.k / 2; z >= h {
		run -= int(c.counts[z-h])
	}
	least, most := c.span(z, period, rest)
	for v, seen := 0, 0; v <= most && !c.stop(); v++ {
		if !c.put(z, v) {
			break // more will not fit either
		}
		if v < least || z+1 >= c.k/2 && c.balanced(run+v) || c.tight(z, rest-v) {
			continue
		}
		if !c.room(z, seen, v) {
			if v > 0 {
				break
			}
			continue
		}
		seen = v
		next := period
		if z > 0 && v < int(c.counts[z-period]) {
			next = z + 1
		}
		c.counts[z] = uint8(v)
		c.fill(z+1, next, rest-v, run+v)
	}
}

// own reports whether the prefix at hand is this worker's. Prefixes come to all workers in the same order.
func (c *counting) own() bool {
	c.prefix++
	if c.prefix-1 != c.mine {
		return false
	}
	c.mine = c.next.Add(1) - 1
	return true
}

// stop reports whether the listing has ended early.
func (c *counting) stop() bool {
	if c.taken++; c.taken == stepsPerLook {
		c.spend()
	}
	return c.ended
}

// spend tells the budget of the steps taken.
func (c *counting) spend() {
	if c.budget.spend(c.taken) != nil || c.kept.Load() > c.budget.kept {
		c.ended = true
	}
	c.taken = 0
}

// span returns the least and the most that slab z may hold. Where rotations stand for each other the first is a
// fullest.
func (c *counting) span(z, period, rest int) (least, most int) {
	if !c.turns() {
		least, most = rest, rest
		for x := z + 1; x < c.k; x++ {
			least, most = least-int(c.high[x]), most-int(c.low[x])
		}
		return max(int(c.low[z]), least), min(int(c.high[z]), most)
	}
	if z == 0 {
		return (c.n + c.k - 1) / c.k, min(c.lines, c.n)
	}
	return max(0, rest-(c.k-z-1)*int(c.counts[0])), min(int(c.counts[z-period]), rest)
}

// put brings slab z from v-1 processors to v, at first to none. It reports false if that is more than the boundaries
// bear.
func (c *counting) put(z, v int) bool {
	w := c.wide.words
	if v == 0 {
		copy(c.gaps[z+1], c.gaps[z])
		copy(c.slopes[z+1], c.slopes[z])
		return true
	}
	if !c.wide.Subtract(c.gaps[z+1], c.gaps[z+1], c.wide.place(c.slopes[z], z)) {
		return false
	}
	behind := c.slopes[z+1][(z+1)*w:]
	lanes.AddScaled(behind, behind, 1, c.pairs[z][(z+1)*w:])
	return true
}

// room reports whether v processors in slab z leave room for a fullest line, when it was last asked about seen of them,
// 0 at first.
func (c *counting) room(z, seen, v int) bool {
	if c.could == nil {
		return true
	}
	from, next := &c.rooms[z], &c.rooms[z+1]
	if seen > 0 {
		from = next
	}
	p := &c.could[from.which]
	if (v > 0 || p.mask>>z&1 == 0) && p.take(c.narrow, next.gap, from.gap, z, v-seen) {
		next.which = from.which
		return true
	}
	for next.which = from.which + 1; next.which < len(c.could); next.which++ {
		if c.fits(&c.could[next.which], next.gap, z, v) {
			return true
		}
	}
	return false
}

// fits reports whether a pattern fits the slabs before z and v processors in slab z, and finds its gap.
func (c *counting) fits(p *pattern, gap []uint64, z, v int) bool {
	copy(gap, c.whole)
	for x := range z + 1 {
		count := v
		if x < z {
			count = int(c.counts[x])
		}
		if count == 0 && p.mask>>x&1 != 0 || !p.take(c.narrow, gap, gap, x, count) {
			return false
		}
	}
	return true
}

// balanced reports whether so many processors on one side of two cuts, half the ring apart, send more across them than
// the links of two boundaries carry: all of it leaves by the one or the other. On a ring of 2 and on a path the forms
// say so as early.
func (c *counting) balanced(inside int) bool {
	return c.k > 2 && !c.open && int64(inside)*int64(c.n-inside)*c.unit > 2*c.limit*int64(c.lines)
}

// tight reports whether some boundary cannot bear the rest of the processors, wherever they stand behind slab z.
func (c *counting) tight(z, rest int) bool {
	if rest == 0 || z+1 == c.k {
		return false
	}
	slopes := c.slopes[z+1]
	copy(c.least, c.wide.place(slopes, z+1))
	for x := z + 2; x < c.k; x++ {
		c.wide.Lower(c.least, c.least, c.wide.place(slopes, x))
	}
	for i, v := range c.least {
		c.least[i] = v * uint64(rest)
	}
	return !c.wide.Covers(c.gaps[z+1], c.least)
}

// take offers the counts at hand to be kept.
func (c *counting) take() {
	if c.keep(c.counts, c.gaps[c.k]) && c.listing.kept.Add(1) > c.budget.kept {
		c.ended = true
	}
}
