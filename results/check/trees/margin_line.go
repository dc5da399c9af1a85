package trees

import "math/bits"

// A lineLister lists the contents that a line may have under some counts.
type lineLister struct {
	*marginSide
	costs [maxFillSide]marginLoad
	total marginLoad // what all lines carry
	least marginLoad // what a line must carry: its gap must not pass the spare
	empty uint32     // places where no line has a processor
	full  uint32     // places where all have
	loads [maxFillSide + 1]marginLoad
	steps int64 // since taken was called
}

// prepare sets the counts.
func (l *lineLister) prepare(counts []uint8) {
	l.costs = l.marginSide.costs(counts)
	l.total = l.marginSide.total(counts, &l.costs)
	l.empty, l.full = 0, 0
	for x, v := range counts {
		switch int(v) {
		case 0:
			l.empty |= 1 << x
		case l.lines:
			l.full |= 1 << x
		}
	}
	for i := range 3 * l.words {
		// L - load <= lines*L - total
		l.least.set(i, max(0, l.total.at(i)-l.all.at(i)+l.limit.at(i)))
	}
}

// each calls yield with every content that a line may have, its number of
// processors and its load, which holds until yield returns.
func (l *lineLister) each(yield func(content uint32, size int, load *marginLoad)) {
	l.loads[0] = marginLoad{}
	l.steps += int64(8 * l.places)
	l.grow(0, 0, yield)
}

// taken returns how many places were tried since it was called last.
func (l *lineLister) taken() int64 {
	steps := l.steps
	l.steps = 0
	return steps
}

// grow goes on with a content of places before x only, whose load is that of its
// size. Loads only grow.
func (l *lineLister) grow(x int, content uint32, yield func(uint32, int, *marginLoad)) {
	size := bits.OnesCount32(content)
	load := &l.loads[size]
	if content&l.full == l.full && l.least.within(load, l.words) {
		yield(content, size, load)
	}
	for ; x < l.places; x++ {
		if l.empty>>x&1 != 0 {
			continue
		}
		l.steps += int64(2 * l.words)
		next := &l.loads[size+1]
		*next = *load
		if next.add(&l.costs[x], 1, l.words); next.within(&l.limit, l.words) {
			l.grow(x+1, content|1<<x, yield)
		}
		if l.full>>x&1 != 0 {
			return
		}
	}
}
