package trees

import (
	"bytes"
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strconv"

	"leeway/core"
	"leeway/core/routing"
	"leeway/core/symmetry"
	"leeway/results/check/census"
	"leeway/results/check/meter"
	"leeway/results/check/shares"
)

// What the walks of the trees margin and levels share. Both list counts of processors first and fill them then.

// maxFillSide is the longest side of a torus whose tree margin or levels is walked.
const maxFillSide = 16

// fillQuestion returns the group of a routing, or a *core.InputError that says why the tree of the given name is not
// defined for n processors under it. Routings and shape say which the tree is defined for, if this is none of them,
// else "".
func fillQuestion(m *meter.Meter, tree, routings, shape string, r routing.Routing, n int) (*symmetry.Group, error) {
	t := r.Torus()
	undefined := func(text, domain string) error {
		return &core.InputError{Text: text, Problem: fmt.Sprintf("the tree %s is defined for %s", tree, domain)}
	}
	switch {
	case routings != "":
		return nil, undefined(r.String(), routings)
	case shape != "":
		return nil, undefined(t.String(), shape)
	case t.Twisted():
		return nil, undefined(t.String(), "tori that are not twisted only")
	case slices.Max(t.Dims()) > maxFillSide:
		return nil, undefined(t.String(), fmt.Sprintf("sides up to %d", maxFillSide))
	case n < 0 || n > t.N():
		return nil, &core.InputError{Text: strconv.Itoa(n),
			Problem: fmt.Sprintf("the size lies outside 0..%d, the nodes of torus %s", t.N(), t)}
	}
	return m.SymmetryOf(r)
}

// A point is an automorphism: coordinate s of a node, reversed if flip[s], becomes coordinate to[s]; from is the other
// way round. Reversed is k-c, which leaves node 0 where it is, on a ring of k places and k-1-c on a path.
type point struct {
	to, from []int
	flip     []bool
}

// pointsOf reads points off the images of node 0 and of the nodes next to it.
func pointsOf(t *core.Torus, images [][]int) (list []point) {
	for _, image := range images {
		p := point{to: make([]int, t.D()), from: make([]int, t.D()), flip: make([]bool, t.D())}
		for s := range t.D() {
			origin, next := image[0], image[t.Stride(s)]
			for t.Coord(next, p.to[s]) == t.Coord(origin, p.to[s]) {
				p.to[s]++
			}
			p.from[p.to[s]] = s
			p.flip[s] = t.Side(s) > 2 && t.Coord(next, p.to[s]) != t.Coord(origin, p.to[s])+1
		}
		list = append(list, p)
	}
	return list
}

// imagesOf returns the images of the nodes under the points of a group.
func imagesOf(m *meter.Meter, group *symmetry.Group) [][]int {
	m.ChargeAll(16, group.Points(), group.Torus().N()+64)
	images := make([][]int, group.Points())
	for i := range images {
		images[i] = group.Images(i, 0)
	}
	return images
}

// way returns 1 if a point reverses dimension s, else 0.
func (p *point) way(s int) int {
	if p.flip[s] {
		return 1
	}
	return 0
}

// limitBelow returns the largest multiple of 1/d below a value, in units of which a message has so many, rounded down;
// -1 if it is negative, and most if it is more.
func limitBelow(value *big.Rat, d, units, most *big.Int) int64 {
	limit := shares.Below(value, d)
	limit.Mul(limit, units)
	switch limit.Div(limit, d); {
	case limit.Sign() < 0:
		return -1
	case limit.Cmp(most) > 0:
		return most.Int64()
	}
	return limit.Int64()
}

// A necklace is a list of counts by place of a ring that grows at its end and is to be the greatest of its rotations.
// It is exactly if no count is above the one period places before, where the period, 1 at first, grows with every count
// that is below, and if the period divides the number of places in the end (Fredricksen, Kessler and Maiorana).
type necklace [maxFillSide]uint8

// least returns the least count of place z of so many with which the places after it, none above the first, can take
// what is left.
func (c *necklace) least(z, places, left int) int {
	if z == 0 {
		return (left + places - 1) / places
	}
	return max(0, left-(places-z-1)*int(c[0]))
}

// most returns the greatest count of place z: at most the limit.
func (c *necklace) most(z, period, limit int) int {
	if z == 0 {
		return limit
	}
	return min(limit, int(c[z-period]))
}

// period returns the period with the count of place z, given that without it.
func (c *necklace) period(z, before int) int {
	if z == 0 || c[z] < c[z-before] {
		return z + 1
	}
	return before
}

// An axis is the places of the lines along a dimension: a ring, or a path if it is open. A list of counts stands for
// its rotations on a ring, and on a path for its reverse if a symmetry reverses the path and nothing else (mirror),
// unless nodes are fixed or forbidden: then there is what they leave to each place.
type axis struct {
	places int
	open   bool
	mirror bool
	given  []span
}

// representative returns the counts that are listed of those that some stand for, reversed first if asked: the
// greatest.
func (s *axis) representative(counts necklace, reverse bool) necklace {
	if !s.open && s.given == nil {
		return greatestRotation(counts, s.places, reverse)
	}
	if reverse {
		slices.Reverse(counts[:s.places])
	}
	if s.mirror && s.rises(&counts) {
		slices.Reverse(counts[:s.places])
	}
	return counts
}

// rises reports whether counts are smaller than their reverse.
func (s *axis) rises(counts *necklace) bool {
	for x := range s.places {
		if a, b := counts[x], counts[s.places-1-x]; a != b {
			return a < b
		}
	}
	return false
}

// give takes in what conditions leave to the places along dimension dim, of so many nodes each.
func (s *axis) give(t *core.Torus, dim, nodes int, c census.Conditions) {
	if !c.Any() {
		return
	}
	s.given = make([]span, s.places)
	for x := range s.given {
		s.given[x].most = nodes
	}
	for _, v := range c.Fixed.Nodes() {
		s.given[t.Coord(v, dim)].least++
	}
	for _, v := range c.Forbidden.Nodes() {
		s.given[t.Coord(v, dim)].most--
	}
}

// reversesAlone reports whether some point reverses dimension s and nothing else.
func reversesAlone(points []point, s int) bool {
	return slices.ContainsFunc(points, func(p point) bool {
		for j := range p.to {
			if p.to[j] != j || p.flip[j] != (j == s) {
				return false
			}
		}
		return true
	})
}

// A slabMove is what an automorphism does to slabs: slab x of dimension s becomes slab at[s][x] of dimension to[s].
type slabMove struct {
	to []int
	at [][maxFillSide]uint8
}

// moves reads the moves off images of the nodes.
func moves(t *core.Torus, images [][]int) (list []slabMove) {
	for _, image := range images {
		m := slabMove{to: make([]int, t.D()), at: make([][maxFillSide]uint8, t.D())}
		for s := range m.to {
			for t.Coord(image[t.Stride(s)], m.to[s]) == t.Coord(image[0], m.to[s]) {
				m.to[s]++
			}
			for x := range t.Side(s) {
				m.at[s][x] = uint8(t.Coord(image[x*t.Stride(s)], m.to[s]))
			}
		}
		list = append(list, m)
	}
	return list
}

// image returns what the move makes of the counts of all dimensions.
func (m *slabMove) image(t *core.Torus, counts []*ranked) []ranked {
	image := make([]ranked, len(counts))
	for s, c := range counts {
		i := &image[m.to[s]]
		i.squares = c.squares
		for x := range t.Side(s) {
			i.counts[m.at[s][x]] = c.counts[x]
		}
	}
	return image
}

// A countLister tries the counts of place after place of a ring, greatest rotations only, or of a path.
type countLister struct {
	meter *meter.Meter
	steps int64 // since the last charge
	ring  int   // places
	open  bool  // they are a path
	room  int   // the greatest count of a place
	// given says how many nodes of each place are fixed and how many are not forbidden, nil if none is either. Then no
	// list of counts stands for its rotations.
	given []span
	tried necklace
	fit   func(z int) fitness // says what the counts up to place z are good for
	take  func() error        // is called with counts of all places
}

// A span are the counts that a place may have.
type span struct{ least, most int }

// The fitness of counts up to a place.
type fitness int

const (
	fits    fitness = iota
	unfit           // with this count of the last place
	tooMuch         // with this and any greater count
)

// extend tries the counts of places z, z+1, ... that add up to left; see necklace for the period. It fails with the
// error of take or of the meter.
func (l *countLister) extend(z, period, left int) error {
	steps := l.steps + 4
	l.steps = 0
	if err := l.meter.Spend(steps); err != nil {
		return err
	}
	if z == l.ring {
		if l.rotates() && l.ring%period != 0 {
			return nil // a rotation is greater
		}
		return l.take()
	}
	least, most := max(0, left-(l.ring-z-1)*l.room), min(left, l.room)
	switch {
	case l.given != nil:
		least, most = l.between(z, left)
	case !l.open:
		least, most = l.tried.least(z, l.ring, left), l.tried.most(z, period, most)
	}
	for v := least; v <= most; v++ {
		l.tried[z] = uint8(v)
		switch l.fit(z) {
		case unfit:
			continue
		case tooMuch:
			return nil
		}
		if err := l.extend(z+1, l.tried.period(z, period), left-v); err != nil {
			return err
		}
	}
	return nil
}

// rotates reports whether a list of counts stands for its rotations.
func (l *countLister) rotates() bool { return !l.open && l.given == nil }

// between returns the counts that place z may have when left processors are to be on it and the places after it.
func (l *countLister) between(z, left int) (least, most int) {
	least, most = left, left
	for _, after := range l.given[z+1:] {
		least, most = least-after.most, most-after.least
	}
	return max(least, l.given[z].least), min(most, l.given[z].most)
}

// splits reports whether the processors on every arc of places that ends with z can send to all others, of n. Wherever
// those are, what they get crosses one of the two ends of the arc, once and outwards; there is one end on a ring of 2
// and where the arc starts with a path. So no counts are lost for which all links of a place together, of the given
// capacity, carry what crosses them. Unit is what a message takes.
func (l *countLister) splits(z, n int, unit, capacity int64) bool {
	ends, arc := min(2, l.ring-1), 0
	for x := z; x >= 0; x-- {
		arc += int(l.tried[x])
		if l.open && x == 0 {
			ends = 1
		}
		if unit*int64(arc*(n-arc)) > int64(ends)*capacity {
			return false
		}
	}
	return true
}

// A ranked is counts with the sum of their squares, by which they are ordered.
type ranked struct {
	counts  necklace
	squares int
}

func rank(c necklace) ranked {
	r := ranked{counts: c}
	for _, v := range c {
		r.squares += int(v) * int(v)
	}
	return r
}

// compare is the order of slab counts and margins in the trees.
func (r *ranked) compare(o *ranked) int {
	return cmp.Or(r.squares-o.squares, bytes.Compare(o.counts[:], r.counts[:]))
}

// greatestRotation returns the greatest rotation of the first k counts, reversed first if asked.
func greatestRotation(counts necklace, k int, reverse bool) (greatest necklace) {
	if reverse {
		slices.Reverse(counts[:k])
	}
	for range k {
		if slices.Compare(counts[:k], greatest[:k]) > 0 {
			greatest = counts
		}
		first := counts[0]
		copy(counts[:], counts[1:k])
		counts[k-1] = first
	}
	return greatest
}
