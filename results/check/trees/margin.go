package trees

import (
	"math/big"
	"math/bits"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/results/check/census"
	"leeway/results/check/meter"
	"leeway/results/check/shares"
)

// A marginWalk repeats a census by the tree margin of docs/proofs.md. Side 1 are the rows, whose places the column
// margins count, side 0 the columns.
type marginWalk struct {
	torus  *core.Torus
	sides  [2]*marginSide
	images [][]int // by point: of the nodes
	points []point
	// by side, side of the image, reversed or not, and number: number of the image, -1 if not listed
	ranks  [2][2][2][]int32
	groups []marginGroup // of row margins
	heads  [][]int       // column margins
	kept   []slabMove    // under conditions: what the automorphisms that keep to them do; instead of points
	given  bool          // there are conditions
}

// A marginGroup are row margins with the same sizes that occur and that columns may have: they go together with the
// same column margins.
type marginGroup struct {
	occur, allowed uint32
	members        []int32 // ascending
}

// newMargins returns the walk without its margins.
func newMargins(m *meter.Meter, r routing.Routing, n int, c census.Conditions, below *big.Rat) (*marginWalk, error) {
	routings, shape := "", ""
	if r.Torus().D() != 2 {
		shape = "two dimensions only"
	}
	if _, ok := r.(*routing.Orders); !ok {
		routings = "odr, udr and orders only"
	}
	group, err := fillQuestion(m, treeMargin, routings, shape, r, n)
	if err != nil {
		return nil, err
	}
	w, d := &marginWalk{torus: r.Torus(), given: c.Any()}, shares.PartDenominator(m, r)
	if w.given {
		w.images = keeping(m, c, group)
	} else {
		w.images = imagesOf(m, group)
	}
	for s := range w.sides {
		_, unit := shares.FirstPart(m, r, s, 1-s)
		carried := new(big.Rat).Mul(below, big.NewRat(int64(w.torus.Bandwidth(s)), 1))
		w.sides[s] = newMarginSide(m, r, s, n, limitBelow(carried, d, big.NewInt(2*unit), big.NewInt(marginMost)))
		w.sides[s].hold(w.torus, s, c)
	}
	return w, nil
}

// prepare lists and groups the margins.
func (w *marginWalk) prepare(m *meter.Meter) error {
	if w.given {
		m.ChargeAll(4, len(w.images), w.torus.Side(0)+w.torus.Side(1))
		w.kept = moves(w.torus, w.images)
	} else {
		w.points = pointsOf(w.torus, w.images)
	}
	for s, side := range w.sides {
		side.mirror = side.open && reversesAlone(w.points, s)
	}
	if err := w.sides[1].list(m); err != nil {
		return err
	}
	if len(w.sides[1].margins) == 0 {
		return nil // there are no classes, whatever the row margins
	}
	if w.sides[0].like(w.sides[1]) {
		w.sides[0].margins = w.sides[1].margins
	} else if err := w.sides[0].list(m); err != nil {
		return err
	}
	if w.given {
		w.groupRows()
		w.listHeads()
		return nil
	}
	// Each margin has images under all points, and all its rotations are looked at for them.
	if err := m.Spend(int64(len(w.sides[0].margins)+len(w.sides[1].margins)) * int64(64*(4+len(w.points)))); err != nil {
		return err
	}
	w.rankMargins()
	w.groupRows()
	w.listHeads()
	return nil
}

// listHeads makes a prefix of every column margin.
func (w *marginWalk) listHeads() {
	k := w.sides[1].places
	numbers := make([]int, k*len(w.sides[1].margins))
	for _, m := range w.sides[1].margins {
		for x, v := range m.counts[:k] {
			numbers[x] = int(v)
		}
		w.heads = append(w.heads, numbers[:k:k])
		numbers = numbers[k:]
	}
}

// ahead reports whether a move takes column margin c and row margin r to an earlier pair.
func (w *marginWalk) ahead(m *slabMove, c, r *ranked) bool {
	var image [2]ranked
	for s, margin := range [2]*ranked{r, c} {
		i := &image[m.to[s]]
		i.squares = margin.squares
		for x, v := range margin.counts[:w.sides[s].places] {
			i.counts[m.at[s][x]] = v
		}
	}
	if d := image[1].compare(c); d != 0 {
		return d < 0
	}
	return image[0].compare(r) < 0
}

// groupRows puts row margins that go with the same column margins together.
func (w *marginWalk) groupRows() {
	numbers := map[[2]uint32]int{}
	for i, m := range w.sides[0].margins {
		key := [2]uint32{m.occur, m.allowed}
		g, ok := numbers[key]
		if !ok {
			g = len(w.groups)
			numbers[key] = g
			w.groups = append(w.groups, marginGroup{occur: m.occur, allowed: m.allowed})
		}
		w.groups[g].members = append(w.groups[g].members, int32(i))
	}
}

// Prefixes implements census.Walk: they are the column margins.
func (w *marginWalk) Prefixes() [][]int { return w.heads }

// Run implements census.Walk.
func (w *marginWalk) Run(m *meter.Meter, from, to int, most int64) census.Tally {
	f := newMarginFill(m, w, most)
	return f.Through(from, to, f.open)
}

// rankMargins looks up the images of all margins that some point asks for.
func (w *marginWalk) rankMargins() {
	var numbers [2]map[necklace]int32
	for s, side := range w.sides {
		numbers[s] = make(map[necklace]int32, len(side.margins))
		for i, m := range side.margins {
			numbers[s][m.counts] = int32(i)
		}
	}
	for i := range w.points {
		p := &w.points[i]
		for s, side := range w.sides {
			to, flip := p.to[s], p.way(s)
			if w.ranks[s][to][flip] != nil {
				continue
			}
			list := make([]int32, len(side.margins))
			for i := range list {
				list[i] = -1
				counts := side.margins[i].counts
				if number, ok := numbers[to][side.representative(counts, p.flip[s])]; ok {
					list[i] = number
				}
			}
			w.ranks[s][to][flip] = list
		}
	}
}

// first reports whether no point takes column margin c and row margin r to earlier ones. A margin that is not listed
// counts as later. Under conditions it is the automorphisms that keep to them, and lines must have room for both, too.
func (w *marginWalk) first(c, r int) bool {
	if w.given {
		columns, rows := &w.sides[1].margins[c], &w.sides[0].margins[r]
		for i := range w.kept {
			if w.ahead(&w.kept[i], &columns.ranked, &rows.ranked) {
				return false
			}
		}
		return columns.hasLines(rows.counts[:w.sides[0].places]) && rows.hasLines(columns.counts[:w.sides[1].places])
	}
	for i := range w.points {
		p := &w.points[i]
		var image [2]int // by dimension
		for s, margin := range [2]int{r, c} {
			image[p.to[s]] = int(w.ranks[s][p.to[s]][p.way(s)][margin])
		}
		if image[0] >= 0 && image[1] >= 0 && (image[1] < c || image[1] == c && image[0] < r) {
			return false
		}
	}
	return true
}

// A marginMap moves the places of a line.
type marginMap = [maxFillSide]uint8

// mapsWithin lists what the automorphisms do to columns that keep the column margin, every row where it is, and the
// conditions.
func (w *marginWalk) mapsWithin(counts []uint8) (list []marginMap) {
	for i := range w.kept {
		m := &w.kept[i]
		keeps := m.to[1] == 1
		for x, v := range counts {
			keeps = keeps && counts[m.at[1][x]] == v
		}
		for y := range w.sides[0].places {
			keeps = keeps && int(m.at[0][y]) == y
		}
		if keeps {
			list = append(list, m.at[1])
		}
	}
	return list
}

// mapsKeeping lists the rotations but the identity, and the reflections if asked, that leave the counts as they are. A
// path has no rotations, and one reflection.
func mapsKeeping(counts []uint8, open, reflect bool) []marginMap {
	k := len(counts)
	var list []marginMap
	try := func(image func(x int) int) {
		var m marginMap
		for x, v := range counts {
			if m[x] = uint8(image(x)); counts[m[x]] != v {
				return
			}
		}
		list = append(list, m)
	}
	for s := range k {
		if s > 0 && !open {
			try(func(x int) int { return (x + s) % k })
		}
		if reflect && (!open || s == k-1) {
			try(func(x int) int { return (s + k - x) % k })
		}
	}
	return list
}

// maxMarginSets is the most sets of places of which a margin must leave room for one.
const maxMarginSets = 4096

// A marginSide is what the lines along one dimension, a ring of places each or a path, may carry. Loads are whole
// numbers of units, of which a message has 2 or 4; it is the limits that bandwidths are in.
type marginSide struct {
	axis
	lines   int
	size    int   // processors
	words   int   // of a marginLoad that count
	message int64 // its units
	// g[x][z] is, by class of links, what a processor at place x of a line and any at place z bring to the line.
	g       [][]marginLoad
	most    int64      // limit, below 0 if no load is within it
	limit   marginLoad // of one line, by class
	all     marginLoad // limit of all lines
	held    []held     // by line: its fixed and forbidden places; nil if there are none at all
	sets    []placeSet // those of which a margin must leave room for one, nil if they are too many
	margins []marginList
}

// newMarginSide returns the side of the lines along dimension s for a limit in units. Classes with the same g say the
// same and are held once.
func newMarginSide(m *meter.Meter, r routing.Routing, s, n int, limit int64) *marginSide {
	t := r.Torus()
	first, unit := shares.FirstPart(m, r, s, 1-s)
	side := &marginSide{axis: axis{places: t.Side(s), open: t.Open(s)}, lines: t.Side(1 - s), size: n, most: limit,
		message: 2 * unit}
	side.g = make([][]marginLoad, side.places)
	for x := range side.g {
		side.g[x] = make([]marginLoad, side.places)
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

// held are the places of a line that are fixed and those that are forbidden, as bits.
type held struct{ fixed, forbidden uint32 }

// hold takes in the conditions on the nodes, of which the side has lines along dimension dim.
func (s *marginSide) hold(t *core.Torus, dim int, c census.Conditions) {
	if !c.Any() {
		return
	}
	s.give(t, dim, s.lines, c)
	s.held = make([]held, s.lines)
	for _, v := range c.Fixed.Nodes() {
		s.held[t.Coord(v, 1-dim)].fixed |= 1 << t.Coord(v, dim)
	}
	for _, v := range c.Forbidden.Nodes() {
		s.held[t.Coord(v, 1-dim)].forbidden |= 1 << t.Coord(v, dim)
	}
}

// bound returns the places of a line that must, and those that cannot, have a processor under the counts: in a place
// that has no more than its fixed nodes only these do, in one that has all it may all do but the forbidden ones.
func (s *marginSide) bound(counts []uint8, line int) (must, never uint32) {
	h := s.held[line]
	must, never = h.fixed, h.forbidden
	for x, v := range counts {
		if int(v) == s.given[x].least {
			never |= 1 << x &^ h.fixed
		}
		if int(v) == s.given[x].most {
			must |= 1 << x &^ h.forbidden
		}
	}
	return must, never
}

// addClass puts g and the limits of one class into its lanes.
func (s *marginSide) addClass(class int, g [][]int64, limit int64) {
	for x := range g {
		for z := range g {
			s.g[x][z].set(class, g[x][z])
		}
	}
	s.limit.set(class, limit)
	s.all.set(class, limit*int64(s.lines))
}

// A placeSet is a set of places of a line with what any processor brings to a line of that content, by place.
type placeSet struct {
	places uint32
	adds   []marginLoad
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
		adds := make([]marginLoad, s.places)
		for z := range adds {
			for x := range s.places {
				adds[z].add(&s.g[x][z], int(set>>x&1), s.words)
			}
		}
		list = append(list, placeSet{places: set, adds: adds})
	}
	return list
}

// costs returns, by place, what a processor of a line there brings to it under the counts.
func (s *marginSide) costs(counts []uint8) (costs [maxFillSide]marginLoad) {
	for x := range s.places {
		for z, v := range counts {
			costs[x].add(&s.g[x][z], int(v), s.words)
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

// like reports whether the other side has the same lines, and so the same margins.
func (s *marginSide) like(other *marginSide) bool {
	return s.held == nil && s.places == other.places && s.open == other.open && s.mirror == other.mirror &&
		s.lines == other.lines && s.limit == other.limit && slices.EqualFunc(s.g, other.g, slices.Equal)
}

// Loads of several link classes are held three to a word: 20 bits each, and a guard bit above that lets all of them be
// compared at once. A tree has sums of at most 2 * 16 * marginMost in one lane, which is below 2^20.
const (
	marginLane  = 21
	marginMask  = 1<<marginLane - 1
	marginGuard = 1<<20 | 1<<41 | 1<<62
	marginWords = (2*maxFillSide + 2) / 3
	// marginMost is above the load of every link: a line of 16 processors sends to 256, and a message is at most 4
	// units.
	marginMost = 4*maxFillSide*maxFillSide*maxFillSide + 1
)

// A marginLoad holds one number for every link class of a side. What uses it is told how many of its words count.
type marginLoad [marginWords]uint64

// set puts v into the lane of class i.
func (l *marginLoad) set(i int, v int64) {
	shift := i % 3 * marginLane
	l[i/3] = l[i/3]&^(marginMask<<shift) | uint64(v)<<shift
}

// at returns the number of class i.
func (l *marginLoad) at(i int) int64 { return int64(l[i/3] >> (i % 3 * marginLane) & marginMask) }

// add adds times the other numbers.
func (l *marginLoad) add(other *marginLoad, times int, words int) {
	for i := range words {
		l[i] += other[i] * uint64(times)
	}
}

// within reports whether no number is above that of the other.
func (l *marginLoad) within(other *marginLoad, words int) bool {
	for i := range words {
		if ((other[i]|marginGuard)-l[i])&marginGuard != marginGuard {
			return false
		}
	}
	return true
}
