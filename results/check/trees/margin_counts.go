package trees

import (
	"fmt"
	"math/bits"
	"slices"

	"leeway/core"
	"leeway/results/check/meter"
)

// maxMargins is the most margins of a dimension that are listed.
const maxMargins = 1 << 20

// A marginList is a list of counts of processors by place of a line, with the numbers that occur in it, which are sizes
// of the lines across, and the sizes that it allows the lines themselves: bit i for size i.
type marginList struct {
	ranked
	occur   uint32
	allowed uint32
	byLine  []uint32 // allowed by line, under conditions; else nil
}

// hasLines reports whether every line may have its size.
func (m *marginList) hasLines(sizes []uint8) bool {
	for i, v := range sizes {
		if m.byLine[i]>>v&1 == 0 {
			return false
		}
	}
	return true
}

// list fills margins with all margins of the side in their order. It fails with an *core.InputError if they are more
// than maxMargins, or with that of the meter. No margin is within a limit below 0.
func (s *marginSide) list(m *meter.Meter) error {
	if s.most < 0 {
		return nil
	}
	l := &marginLister{marginSide: s, countLister: countLister{meter: m, ring: s.places, open: s.open, room: s.lines,
		given: s.given}}
	l.fit, l.take = l.fitness, l.complete
	if err := l.extend(0, 1, s.size); err != nil {
		return err
	}
	slices.SortFunc(s.margins, func(a, b marginList) int { return a.compare(&b.ranked) })
	lines := &lineLister{marginSide: s}
	for i := range s.margins {
		at := &s.margins[i]
		for _, v := range at.counts[:s.places] {
			at.occur |= 1 << v
		}
		lines.prepare(at.counts[:s.places])
		if s.held == nil {
			lines.each(func(_ uint32, size int, _ *marginLoad) { at.allowed |= 1 << size })
		} else {
			s.sizesByLine(lines, at)
		}
		if err := m.Spend(lines.taken()); err != nil {
			return err
		}
	}
	return nil
}

// sizesByLine finds the sizes of each line that a margin allows, which lines is prepared for. Lines with the same
// conditions have the same.
func (s *marginSide) sizesByLine(lines *lineLister, at *marginList) {
	at.byLine = make([]uint32, s.lines)
	for i, h := range s.held {
		if before := slices.Index(s.held, h); before < i {
			at.byLine[i] = at.byLine[before]
			continue
		}
		lines.full, lines.empty = s.bound(at.counts[:s.places], i)
		lines.each(func(_ uint32, size int, _ *marginLoad) { at.byLine[i] |= 1 << size })
		at.allowed |= at.byLine[i]
	}
}

// A marginLister tries the counts of place after place.
type marginLister struct {
	*marginSide
	countLister
	nodes [maxFillSide + 1]partialMargin // by places filled
	rooms [maxFillSide + 1][]setLoad     // by places filled and set
}

// A setLoad is what a line of a set carries under a partial margin, if that is the one of the number.
type setLoad struct {
	number int64
	load   marginLoad
}

// A partialMargin is what the counts of some first places bring.
type partialMargin struct {
	number int64 // how many there were before on so many places
	total  marginLoad
	slopes [maxFillSide]marginLoad // by later place: what a processor there adds to the total
	set    int                     // the first set that has room, whatever the counts to come are
	room   marginLoad              // what a line of that set carries
}

// fitness brings in the count of place z and reports whether all lines together carry no more than their limit, and
// some set has room.
func (l *marginLister) fitness(z int) fitness {
	have, next, v := &l.nodes[z], &l.nodes[z+1], int(l.tried[z])
	if !l.splits(z, l.size, l.message, int64(l.lines)*l.most) {
		return unfit
	}
	next.total = have.total
	l.steps += int64(l.places)
	if next.total.add(&have.slopes[z], v, l.words); !next.total.within(&l.all, l.words) {
		return tooMuch // loads only grow
	}
	if !l.findRoom(z) {
		return unfit
	}
	for y := z + 1; y < l.places; y++ {
		next.slopes[y] = have.slopes[y]
		next.slopes[y].add(&l.g[z][y], v, l.words)
		next.slopes[y].add(&l.g[y][z], v, l.words)
	}
	return fits
}

// findRoom looks for the first set that has room when place z has its count, from the one on that had room before, and
// reports whether there is one.
func (l *marginLister) findRoom(z int) bool {
	if l.sets == nil {
		return true
	}
	have, next, empty := &l.nodes[z], &l.nodes[z+1], uint32(0)
	for x, v := range l.tried[:z+1] {
		if v == 0 {
			empty |= 1 << x
		}
	}
	next.number++
	next.set, next.room = have.set, have.room
	next.room.add(&l.sets[have.set].adds[z], int(l.tried[z]), l.words)
	for l.steps += int64(2 * l.places); ; l.load(z, next) {
		if l.sets[next.set].places&empty == 0 && next.room.within(&l.limit, l.words) {
			return true
		}
		for next.set++; next.set < len(l.sets) && l.sets[next.set].places&empty != 0; next.set++ {
		}
		if next.set == len(l.sets) {
			return false
		}
		l.steps += int64(2 * l.places)
	}
}

// load finds what a line of the set of a partial margin carries when the places up to z have their counts.
func (l *marginLister) load(z int, m *partialMargin) {
	m.room = *l.before(z, m.set)
	m.room.add(&l.sets[m.set].adds[z], int(l.tried[z]), l.words)
}

// before returns what a line of a set carries when the places before z have their counts. It is added up once for each
// partial margin.
func (l *marginLister) before(z, set int) *marginLoad {
	if l.rooms[z] == nil {
		l.meter.ChargeAll(8*(1+marginWords), len(l.sets))
		l.rooms[z] = make([]setLoad, len(l.sets))
	}
	at := &l.rooms[z][set]
	if z > 0 && at.number != l.nodes[z].number {
		at.number, at.load = l.nodes[z].number, *l.before(z-1, set)
		at.load.add(&l.sets[set].adds[z-1], int(l.tried[z-1]), l.words)
	}
	return &at.load
}

// complete notes the counts, if not their reverse stands for them.
func (l *marginLister) complete() error {
	if l.mirror && l.rises(&l.tried) {
		return nil
	}
	if len(l.margins) == maxMargins {
		return &core.InputError{Text: fmt.Sprint(l.size),
			Problem: fmt.Sprintf("more than %d margins of %d processors on %d lines of %d places to list", maxMargins, l.size,
				l.lines, l.places)}
	}
	l.steps += 256 // its memory
	l.margins = append(l.margins, marginList{ranked: rank(l.tried)})
	return nil
}

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

// prepare sets the counts. Under conditions lines may then have anything but processors where the counts are 0.
func (l *lineLister) prepare(counts []uint8) {
	l.costs = l.marginSide.costs(counts)
	l.total = l.marginSide.total(counts, &l.costs)
	l.empty, l.full = 0, 0
	for x, v := range counts {
		switch {
		case v == 0:
			l.empty |= 1 << x
		case int(v) == l.lines && l.held == nil:
			l.full |= 1 << x
		}
	}
	for i := range 3 * l.words {
		// L - load <= lines*L - total
		l.least.set(i, max(0, l.total.at(i)-l.all.at(i)+l.limit.at(i)))
	}
}

// each calls yield with every content that a line may have, its number of processors and its load, which holds until
// yield returns.
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

// grow goes on with a content of places before x only, whose load is that of its size. Loads only grow.
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
