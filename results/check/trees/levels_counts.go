package trees

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"leeway/core"
	"leeway/results/check/meter"
)

// slabCounts are numbers of processors by slab across one dimension.
type slabCounts struct {
	counts  necklace
	squares int // sum of the squares of the counts
	width   int
	most    int      // the greatest count
	ranks   [2]int32 // among all counts and reversed counts of sides as long: its own, and that of its reverse
}

// compareCounts is the order of slab counts.
func compareCounts(a, b *slabCounts) int {
	return cmp.Or(a.squares-b.squares, bytes.Compare(b.counts[:], a.counts[:]))
}

// list fills counts with all slab counts of a number of processors in their
// order. It fails with a *core.InputError if they are more than most, or with that
// of the meter.
func (s *levelsSide) list(m *meter.Meter, size int, limit int64, most int) error {
	l := &slabLister{levelsSide: s, meter: m, size: size, limit: limit, most: most}
	for z := range l.nodes {
		l.nodes[z].total, l.loads[z] = make([]int64, len(s.cross)), make([]int64, len(s.cross))
		for x := range l.nodes[z].costs {
			l.nodes[z].costs[x] = make([]int64, len(s.cross))
		}
	}
	if err := l.extend(0, 1, size); err != nil {
		return err
	}
	slices.SortFunc(s.counts, func(a, b slabCounts) int { return compareCounts(&a, &b) })
	return nil
}

// A slabLister tries the counts of slab after slab, greatest rotations only.
type slabLister struct {
	*levelsSide
	meter  *meter.Meter
	size   int
	limit  int64
	most   int   // lists
	steps  int64 // since the last charge
	counts necklace
	nodes  [maxFillSide + 1]partialCounts // by slabs counted
	loads  [maxFillSide + 1][]int64       // by size of a content, a scratch of width
}

// partialCounts is what the counts of some first slabs bring, by class.
type partialCounts struct {
	total []int64              // to all links of the class
	costs [maxFillSide][]int64 // by place: the share of a processor there
}

// extend tries the counts of slabs z, z+1, ... that add up to left; see necklace
// for the period.
func (l *slabLister) extend(z, period, left int) error {
	steps := l.steps + 4
	l.steps = 0
	if err := l.meter.Spend(steps); err != nil {
		return err
	}
	if z == l.places {
		return l.complete(period)
	}
	most := l.counts.most(z, period, min(left, l.slab))
	for v := l.counts.least(z, l.places, left); v <= most; v++ {
		l.counts[z] = uint8(v)
		if !l.within(z) {
			break // loads only grow with the count
		}
		if !l.splits(z) {
			continue
		}
		if err := l.extend(z+1, l.counts.period(z, period), left-v); err != nil {
			return err
		}
	}
	return nil
}

// within brings in the count of slab z and reports whether the links of every
// class carry no more than the limit for the slabs up to z, and whether each of
// these that holds processors takes one of them on a line.
func (l *slabLister) within(z int) bool {
	have, next, v := &l.nodes[z], &l.nodes[z+1], int64(l.counts[z])
	l.steps += int64(len(l.cross) * (z + l.places))
	for class, b := range l.cross {
		slope := int64(0)
		for x, c := range l.counts[:z] {
			slope += int64(c) * (b[x][z] + b[z][x])
		}
		if next.total[class] = have.total[class] + slope*v; next.total[class] > l.limit*int64(l.slab) {
			return false
		}
		for x := range l.places {
			cost := have.costs[x][class] + l.share[class][x][z]*v
			if next.costs[x][class] = cost; cost > l.limit && x <= z && l.counts[x] > 0 {
				return false
			}
		}
	}
	return true
}

// splits reports whether the processors on every arc of slabs that ends with z
// can send to all others. Wherever those are, what they get crosses one of the
// two ends of the arc, or the one end that a side of 2 has, outwards: no counts
// are lost for which every class of links carries all that crosses it.
func (l *slabLister) splits(z int) bool {
	unit := l.cross[0][0][1] // all that goes from place 0 to its neighbour
	ends, arc := min(2, l.places-1), 0
	for x := z; x >= 0; x-- {
		arc += int(l.counts[x])
		if unit*int64(arc*(l.size-arc)) > int64(ends*l.slab)*l.limit {
			return false
		}
	}
	return true
}

// complete notes the counts if their rotations are no greater and they are wide
// enough.
func (l *slabLister) complete(period int) error {
	if l.places%period != 0 {
		return nil
	}
	c := slabCounts{counts: l.counts, width: l.width()}
	if c.width*l.slab < l.size {
		return nil
	}
	if len(l.levelsSide.counts) == l.most {
		return &core.InputError{Text: fmt.Sprint(l.size), Problem: fmt.Sprintf("more than %d lists of counts of %d processors in %d slabs",
			l.most, l.size, l.places)}
	}
	for _, v := range l.counts[:l.places] {
		c.squares += int(v) * int(v)
		c.most = max(c.most, int(v))
	}
	l.levelsSide.counts = append(l.levelsSide.counts, c)
	return nil
}

// width returns how many places the largest content has that fits the counts.
func (l *slabLister) width() int {
	var places []int // those with processors
	for x, v := range l.counts[:l.places] {
		if v > 0 {
			places = append(places, x)
		}
	}
	best, costs := 0, &l.nodes[l.places].costs
	var content [maxFillSide]int
	var grow func(left []int, size int)
	grow = func(left []int, size int) {
		best = max(best, size)
		for ; size+len(left) > best; left = left[1:] {
			content[size] = left[0]
			if l.fits(costs, content[:size+1]) {
				grow(left[1:], size+1)
			}
		}
	}
	grow(places, 0)
	return best
}

// fits reports whether a content fits the counts, whose costs by place are given.
// The loads of the content without its last place are known, and it fits.
func (l *slabLister) fits(costs *[maxFillSide][]int64, content []int) bool {
	last := len(content) - 1
	l.steps += int64(len(l.inner) * len(content))
	x := content[last]
	for class, inner := range l.inner {
		load := l.loads[last][class] + costs[x][class]
		for _, y := range content[:last] {
			load += inner[x][y] + inner[y][x]
		}
		if l.loads[last+1][class] = load; load > l.limit {
			return false
		}
	}
	return true
}
