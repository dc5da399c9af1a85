package trees

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"leeway/core"
	"leeway/results/check/meter"
)

// maxMargins is the most margins of a dimension that are listed.
const maxMargins = 1 << 20

// A marginList is a list of counts of processors by place of a line, with the
// numbers that occur in it, which are sizes of the lines across, and the sizes
// that it allows the lines themselves: bit i for size i.
type marginList struct {
	counts  necklace
	squares int // sum of the squares of the counts
	occur   uint32
	allowed uint32
}

// list fills margins with all margins of the side in their order. It fails with
// an *core.InputError if they are more than maxMargins, or with that of the
// meter. No margin is within a limit below 0.
func (s *marginSide) list(m *meter.Meter) error {
	if s.most < 0 {
		return nil
	}
	l := &marginLister{marginSide: s, meter: m}
	if err := l.extend(0, 1, s.size); err != nil {
		return err
	}
	slices.SortFunc(s.margins, func(a, b marginList) int {
		return cmp.Or(a.squares-b.squares, bytes.Compare(b.counts[:], a.counts[:]))
	})
	lines := &lineLister{marginSide: s}
	for i := range s.margins {
		at := &s.margins[i]
		for _, v := range at.counts[:s.places] {
			at.occur |= 1 << v
		}
		lines.prepare(at.counts[:s.places])
		lines.each(func(_ uint32, size int, _ *marginLoad) { at.allowed |= 1 << size })
		if err := m.Spend(lines.taken()); err != nil {
			return err
		}
	}
	return nil
}

// A marginLister tries the counts of place after place, largest rotations only.
type marginLister struct {
	*marginSide
	meter  *meter.Meter
	steps  int64 // since the last charge
	counts necklace
	nodes  [maxFillSide + 1]partialMargin // by places filled
}

// A partialMargin is what the counts of some first places bring.
type partialMargin struct {
	total  marginLoad
	slopes [maxFillSide]marginLoad // by later place: what a processor there adds to the total
	set    int                     // the first set that has room, whatever the counts to come are
	room   marginLoad              // what a line of that set carries
}

// extend tries the counts of places z, z+1, ... that add up to left; see necklace
// for the period.
func (l *marginLister) extend(z, period, left int) error {
	steps := l.steps + 4
	l.steps = 0
	if err := l.meter.Spend(steps); err != nil {
		return err
	}
	if z == l.places {
		return l.complete(period)
	}
	most := l.counts.most(z, period, min(left, l.lines))
	have, next := &l.nodes[z], &l.nodes[z+1]
	for v := l.counts.least(z, l.places, left); v <= most; v++ {
		if l.counts[z] = uint8(v); !l.splits(z) {
			continue
		}
		next.total = have.total
		l.steps += int64(l.places)
		if next.total.add(&have.slopes[z], v, l.words); !next.total.within(&l.all, l.words) {
			break // loads only grow
		}
		if !l.findRoom(z) {
			continue
		}
		for y := z + 1; y < l.places; y++ {
			next.slopes[y] = have.slopes[y]
			next.slopes[y].add(&l.share[z][y], v, l.words)
			next.slopes[y].add(&l.share[y][z], v, l.words)
		}
		if err := l.extend(z+1, l.counts.period(z, period), left-v); err != nil {
			return err
		}
	}
	return nil
}

// splits reports whether the processors on every arc of places that ends with z
// can send to all others. Wherever those are, a shortest path to them crosses one
// of the two ends of the arc, the one end that a side of 2 has, once and outwards:
// no margin without negative spare is lost.
func (l *marginLister) splits(z int) bool {
	ends, arc := min(2, l.places-1), 0
	for x := z; x >= 0; x-- {
		arc += int(l.counts[x])
		if l.message*int64(arc*(l.size-arc)) > int64(ends*l.lines)*l.most {
			return false
		}
	}
	return true
}

// findRoom looks for the first set that has room when place z has its count, from
// the one on that had room before, and reports whether there is one.
func (l *marginLister) findRoom(z int) bool {
	if l.sets == nil {
		return true
	}
	have, next := &l.nodes[z], &l.nodes[z+1]
	next.set, next.room = have.set, have.room
	next.room.add(&l.sets[have.set].share[z], int(l.counts[z]), l.words)
	for ; ; l.load(z, next) {
		l.steps += int64(2 * l.places)
		places := l.sets[next.set].places
		for x, v := range l.counts[:z+1] {
			if v == 0 {
				places &^= 1 << x
			}
		}
		if places == l.sets[next.set].places && next.room.within(&l.limit, l.words) {
			return true
		}
		if next.set++; next.set == len(l.sets) {
			return false
		}
	}
}

// load adds up what a line of the set of a partial margin carries when the
// places up to z have their counts.
func (l *marginLister) load(z int, m *partialMargin) {
	m.room = marginLoad{}
	for x, v := range l.counts[:z+1] {
		m.room.add(&l.sets[m.set].share[x], int(v), l.words)
	}
}

// complete notes the counts if their rotations are no greater.
func (l *marginLister) complete(period int) error {
	if l.places%period != 0 {
		return nil
	}
	if len(l.margins) == maxMargins {
		return &core.InputError{Text: fmt.Sprint(l.size), Problem: fmt.Sprintf("more than %d margins of %d processors on %d lines of %d places to list",
			maxMargins, l.size, l.lines, l.places)}
	}
	l.steps += 256 // its memory
	squares := 0
	for _, v := range l.counts[:l.places] {
		squares += int(v) * int(v)
	}
	l.margins = append(l.margins, marginList{counts: l.counts, squares: squares})
	return nil
}
