package trees

import (
	"math/big"
	"math/bits"
	"slices"

	"leeway/core/routing"
	"leeway/results/check/meter"
	"leeway/results/check/shares"
)

// maxMarginSets is the most sets of places of which a margin must leave room for
// one.
const maxMarginSets = 4096

// A marginSide is what the lines along one dimension, a ring of places each, may
// carry. Loads are whole numbers of units, of which a message has 2 or 4.
type marginSide struct {
	places  int // of a line
	lines   int
	size    int   // processors
	words   int   // of a marginLoad that count
	message int64 // its units
	// share[x][z] is g[x][z]: by class of links, what a processor at place x of
	// a line and any at place z bring to the line.
	share   [][]marginLoad
	most    int64      // limit, below 0 if no load is within it
	limit   marginLoad // of one line, by class
	all     marginLoad // limit of all lines
	sets    []placeSet // those of which a margin must leave room for one, nil if they are too many
	margins []marginList
}

// newMarginSide returns the side of the lines along dimension s for a limit in
// units. Classes with the same shares say the same and are held once.
func newMarginSide(m *meter.Meter, r routing.Routing, s, n int, limit int64) *marginSide {
	t := r.Torus()
	first, unit := shares.FirstPart(m, r, s, 1-s)
	side := &marginSide{places: t.Side(s), lines: t.Side(1 - s), size: n, most: limit, message: 2 * unit}
	side.share = make([][]marginLoad, side.places)
	for x := range side.share {
		side.share[x] = make([]marginLoad, side.places)
	}
	classes := 0
	var have [][][]int64
	for _, part := range shares.Slab(m, r, s) {
		g := shares.NewTable(side.places)
		for x := range g {
			for z := range g {
				g[x][z] = first*part[x][z] + (unit-first)*part[z][x]
			}
		}
		if slices.ContainsFunc(have, func(old [][]int64) bool { return slices.EqualFunc(old, g, slices.Equal) }) {
			continue
		}
		have = append(have, g)
		side.addClass(classes, g, max(0, limit))
		classes++
	}
	side.words = (classes + 2) / 3
	m.ChargeAll(64, 1<<side.places)
	side.sets = side.placeSets((n + side.lines - 1) / side.lines)
	return side
}

// addClass puts the shares and limits of one class into its lanes.
func (s *marginSide) addClass(class int, g [][]int64, limit int64) {
	for x := range g {
		for z := range g {
			s.share[x][z].set(class, g[x][z])
		}
	}
	s.limit.set(class, limit)
	s.all.set(class, limit*int64(s.lines))
}

// A placeSet is a set of places of a line with what any processor brings to a
// line of that content, by place.
type placeSet struct {
	places uint32
	share  []marginLoad
}

// placeSets lists the sets of m places, nil if they are more than maxMarginSets.
func (s *marginSide) placeSets(m int) []placeSet {
	if new(big.Int).Binomial(int64(s.places), int64(m)).Cmp(big.NewInt(maxMarginSets)) > 0 {
		return nil
	}
	list := []placeSet{}
	for set := range uint32(1) << s.places {
		if bits.OnesCount32(set) != m {
			continue
		}
		share := make([]marginLoad, s.places)
		for z := range share {
			for x := range s.places {
				share[z].add(&s.share[x][z], int(set>>x&1), s.words)
			}
		}
		list = append(list, placeSet{places: set, share: share})
	}
	return list
}

// costs returns, by place, what a processor of a line there brings to it under
// the counts.
func (s *marginSide) costs(counts []uint8) (costs [maxFillSide]marginLoad) {
	for x := range s.places {
		for z, v := range counts {
			costs[x].add(&s.share[x][z], int(v), s.words)
		}
	}
	return costs
}

// total returns what all lines together carry under the counts.
func (s *marginSide) total(counts []uint8, costs *[maxFillSide]marginLoad) (total marginLoad) {
	for x, v := range counts {
		total.add(&costs[x], int(v), s.words)
	}
	return total
}

// like reports whether the other side has the same lines, and so the same
// margins.
func (s *marginSide) like(other *marginSide) bool {
	return s.places == other.places && s.lines == other.lines && s.limit == other.limit &&
		slices.EqualFunc(s.share, other.share, slices.Equal)
}
