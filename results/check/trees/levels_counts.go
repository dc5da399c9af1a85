package trees

import (
	"fmt"
	"slices"

	"leeway/core"
	"leeway/results/check/meter"
)

// slabCounts are numbers of processors by slab across one dimension.
type slabCounts struct {
	ranked
	width int
	most  int      // the greatest count
	ranks [2]int32 // among all counts and reversed counts: its own, and that of its reverse
}

// list fills counts with all slab counts of a number of processors in their order. It fails with a *core.InputError if
// they are more than most, or with that of the meter.
func (s *levelsSide) list(m *meter.Meter, size, most int) error {
	l := &slabLister{levelsSide: s, size: size, most: most,
		countLister: countLister{meter: m, ring: s.places, open: s.open, room: s.slab, given: s.given}}
	l.fit, l.take = l.fitness, l.complete
	for z := range l.nodes {
		l.nodes[z].total, l.loads[z] = make([]int64, len(s.cross)), make([]int64, len(s.cross))
		for x := range l.nodes[z].costs {
			l.nodes[z].costs[x] = make([]int64, len(s.cross))
		}
	}
	if err := l.extend(0, 1, size); err != nil {
		return err
	}
	slices.SortFunc(s.counts, func(a, b slabCounts) int { return a.compare(&b.ranked) })
	return nil
}

// A slabLister tries the counts of slab after slab.
type slabLister struct {
	*levelsSide
	countLister
	size  int
	most  int                            // lists
	nodes [maxFillSide + 1]partialCounts // by slabs counted
	loads [maxFillSide + 1][]int64       // by size of a content, a scratch of width
}

// partialCounts is what the counts of some first slabs bring, by class.
type partialCounts struct {
	total []int64              // to all links of the class
	costs [maxFillSide][]int64 // by place: the forced load of a processor there
}

func (l *slabLister) fitness(z int) fitness {
	unit := l.cross[0][0][1] // all that goes from place 0 to its neighbour
	switch {
	case !l.within(z):
		return tooMuch // loads only grow with the count
	case !l.splits(z, l.size, unit, int64(l.slab)*l.limit):
		return unfit
	}
	return fits
}

// within brings in the count of slab z and reports whether the links of every class carry no more than the limit for
// the slabs up to z, and whether each of these that holds processors takes one of them on a line.
func (l *slabLister) within(z int) bool {
	have, next, v := &l.nodes[z], &l.nodes[z+1], int64(l.tried[z])
	l.steps += int64(len(l.cross) * (z + l.places))
	for class, b := range l.cross {
		slope := int64(0)
		for x, c := range l.tried[:z] {
			slope += int64(c) * (b[x][z] + b[z][x])
		}
		if next.total[class] = have.total[class] + slope*v; next.total[class] > l.limit*int64(l.slab) {
			return false
		}
		for x := range l.places {
			cost := have.costs[x][class] + l.forced[class][x][z]*v
			if next.costs[x][class] = cost; cost > l.limit && x <= z && l.tried[x] > 0 {
				return false
			}
		}
	}
	return true
}

// complete notes the counts if they are wide enough and their reverse does not stand for them.
func (l *slabLister) complete() error {
	if l.mirror && l.rises(&l.tried) {
		return nil
	}
	c := slabCounts{ranked: rank(l.tried), width: l.width(), most: int(slices.Max(l.tried[:]))}
	if c.width*l.slab < l.size {
		return nil
	}
	if len(l.counts) == l.most {
		return &core.InputError{Text: fmt.Sprint(l.size),
			Problem: fmt.Sprintf("more than %d lists of counts of %d processors in %d slabs", l.most, l.size, l.places)}
	}
	l.counts = append(l.counts, c)
	return nil
}

// width returns how many places the largest content has that fits the counts.
func (l *slabLister) width() int {
	var places []int // those with processors
	for x, v := range l.tried[:l.places] {
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

// fits reports whether a content fits the counts, whose costs by place are given. The loads of the content without its
// last place are known, and it fits.
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
