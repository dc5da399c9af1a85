package check

import (
	"math/big"
	"math/bits"
	"slices"

	"leeway/core/routing"
)

// maxRingSets is the most sets of places of which a margin must leave room for
// one.
const maxRingSets = 4096

// A ringSide is what the lines along one dimension, a ring of places each, may
// carry. Loads are whole numbers of units, of which a message has 2 or 4.
type ringSide struct {
	places  int // of a line
	lines   int
	size    int   // processors
	words   int   // of a ringLoad that count
	message int64 // its units
	// share[x][z] is g[x][z]: by class of links, what a processor at place x of
	// a line and any at place z bring to the line.
	share   [][]ringLoad
	most    int64      // limit, below 0 if no load is within it
	limit   ringLoad   // of one line, by class
	all     ringLoad   // limit of all lines
	sets    []placeSet // those of which a margin must leave room for one, nil if they are too many
	margins []ringMargin
}

// newRingSide returns the side of the lines along dimension s for a limit in
// units. Classes with the same shares say the same and are held once.
func newRingSide(m *meter, r routing.Routing, s, n int, limit int64) *ringSide {
	t := r.Torus()
	first, unit := firstPart(m, r, s, 1-s)
	side := &ringSide{places: t.Side(s), lines: t.Side(1 - s), size: n, most: limit, message: 2 * unit}
	side.share = make([][]ringLoad, side.places)
	for x := range side.share {
		side.share[x] = make([]ringLoad, side.places)
	}
	classes := 0
	var have [][][]int64
	for _, part := range slabShares(m, r, s) {
		g := newTable(side.places)
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
	m.chargeAll(64, 1<<side.places)
	side.sets = side.placeSets((n + side.lines - 1) / side.lines)
	return side
}

// addClass puts the shares and limits of one class into its lanes.
func (s *ringSide) addClass(class int, g [][]int64, limit int64) {
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
	share  []ringLoad
}

// placeSets lists the sets of m places, nil if they are more than maxRingSets.
func (s *ringSide) placeSets(m int) []placeSet {
	if new(big.Int).Binomial(int64(s.places), int64(m)).Cmp(big.NewInt(maxRingSets)) > 0 {
		return nil
	}
	list := []placeSet{}
	for set := range uint32(1) << s.places {
		if bits.OnesCount32(set) != m {
			continue
		}
		share := make([]ringLoad, s.places)
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
func (s *ringSide) costs(counts []uint8) (costs [maxFillSide]ringLoad) {
	for x := range s.places {
		for z, v := range counts {
			costs[x].add(&s.share[x][z], int(v), s.words)
		}
	}
	return costs
}

// total returns what all lines together carry under the counts.
func (s *ringSide) total(counts []uint8, costs *[maxFillSide]ringLoad) (total ringLoad) {
	for x, v := range counts {
		total.add(&costs[x], int(v), s.words)
	}
	return total
}

// like reports whether the other side has the same lines, and so the same
// margins.
func (s *ringSide) like(other *ringSide) bool {
	return s.places == other.places && s.lines == other.lines && s.limit == other.limit &&
		slices.EqualFunc(s.share, other.share, slices.Equal)
}
