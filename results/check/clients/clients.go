// Package clients walks the tree clients of docs/proofs.md again: the counts of the lines first, then what fills them.
// It shares no code with the engine in search, which must come to the same counts.
package clients

import (
	"fmt"
	"math/big"
	"math/bits"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results/check/census"
	"leeway/results/check/meter"
	"leeway/results/check/shares"
)

// tree is the name of the tree.
const tree = "clients"

// Limits of the walk.
const (
	maxSide   = 16      // the longest side of a torus
	maxCounts = 1 << 20 // the most counts of a dimension that are listed, and the most prefixes
)

// New prepares the walk of the tree of an engine, cut at prefixes of a length, for no placement of n processors with
// E_max below a value under routing and client traffic of a problem: it lists the prefixes. It fails with a
// *core.InputError for what the tree is not defined for, with an error where it has more prefixes than are listed, and
// with that of the meter. Placements keep to the conditions.
func New(m *meter.Meter, p objective.Problem, n int, c census.Conditions, below *big.Rat, engine string,
	split int) (census.Walk, error) {
	return meter.Within(m, func() (census.Walk, error) {
		if engine != tree || split != 0 {
			return nil, fmt.Errorf("there is no tree %q with split %d for client traffic", engine, split)
		}
		w, err := newWalk(m, p, n, c, below)
		if err != nil {
			return nil, err
		}
		return w, w.prepare(m)
	})
}

// A walk repeats a census by the tree clients of docs/proofs.md. Side 1 are the rows, whose places the column counts
// count, side 0 the columns.
type walk struct {
	torus *core.Torus
	sides [2]*side
	cond  census.Conditions
	pairs []pair
	heads [][]int
	where [][2]int // by prefix: number of its pair, and of its column counts there
}

// A pair are the counts for one largest row and one largest column, those of rows by the sizes that occur in them.
type pair struct {
	columns, rows [][]int
	groups        []group
}

// A group are the numbers of the row counts with the same sizes.
type group struct {
	sizes lineSizes
	rows  []int
}

// lineSizes say how many lines have each number of processors.
type lineSizes [maxSide + 1]uint8

func sizesOf(counts []int) (sizes lineSizes) {
	for _, v := range counts {
		sizes[v]++
	}
	return sizes
}

// newWalk returns the walk without its counts.
func newWalk(m *meter.Meter, p objective.Problem, n int, c census.Conditions, below *big.Rat) (*walk, error) {
	t := p.Torus()
	undefined := func(text, domain string) error {
		return &core.InputError{Text: text, Problem: fmt.Sprintf("the tree %s is defined for %s", tree, domain)}
	}
	switch {
	case !p.Traffic.Clients():
		return nil, undefined(p.Traffic.String(), "client traffic only")
	case t.D() != 2:
		return nil, undefined(t.String(), "two dimensions only")
	case t.Twisted():
		return nil, undefined(t.String(), "tori that are not twisted only")
	case slices.Max(t.Dims()) > maxSide:
		return nil, undefined(t.String(), fmt.Sprintf("sides up to %d", maxSide))
	case n < 0 || n > t.N():
		return nil, undefined(fmt.Sprint(n), fmt.Sprintf("sizes up to %d, the nodes of %s", t.N(), t))
	}
	for _, r := range []routing.Routing{p.Routing, p.ReplyRouting()} {
		if _, ok := r.(*routing.Orders); !ok {
			return nil, undefined(r.String(), "odr, udr and orders only")
		}
	}
	d := shares.ClientsDenominator(m, p)
	loads := shares.Clients(m, p, d)
	if loads == nil {
		return nil, undefined(p.Traffic.String(), fmt.Sprintf("loads of up to %d bits", shares.ClientBits))
	}
	w := &walk{torus: t, cond: c}
	limit := shares.Below(below, d)
	for s := range w.sides {
		w.sides[s] = &side{places: t.Side(s), lines: t.Side(1 - s), size: n}
		if err := w.sides[s].read(m, t, s, loads, c); err != nil {
			return nil, err
		}
		if w.sides[s].limit = -1; limit.Sign() >= 0 {
			w.sides[s].limit = mostLoad
			if limit.Cmp(big.NewInt(mostLoad)) < 0 {
				w.sides[s].limit = limit.Int64()
			}
		}
	}
	return w, nil
}

// mostLoad is above all loads.
const mostLoad = 1 << shares.ClientBits

// A side is what the lines along one dimension may carry. A processor at place x brings own[e][x] to the links of
// class e of its own line, more than other[e][x], which it brings to every line.
type side struct {
	places, lines, size int
	limit               int64 // below 0 if no load is within it
	own, other          [][]int64
	maps                [][]int // rotations and reflections of the places that permute the classes, but for the identity
	least, most         []int   // of processors by place, for the nodes that are fixed and forbidden
}

// read reads the classes off the loads of all processors, which must have the form.
func (s *side) read(m *meter.Meter, t *core.Torus, dim int, loads [][]int64, c census.Conditions) error {
	m.ChargeAll(4, t.N(), t.M())
	node := func(place, line int) int { return place*t.Stride(dim) + line*t.Stride(1-dim) }
	for port := range t.Degree() {
		if t.Port(port).Dim != dim {
			continue
		}
		for place := range s.places {
			at := func(line int) int { return port*t.N() + node(place, line) }
			own, other := make([]int64, s.places), make([]int64, s.places)
			for x := range s.places {
				other[x] = loads[node(x, 0)][at(1)]
				own[x] = loads[node(x, 0)][at(0)] - other[x]
				for line := range s.lines {
					for on := range s.lines {
						want := other[x]
						if line == on {
							want += own[x]
						}
						if own[x] < 0 || loads[node(x, on)][at(line)] != want {
							return fmt.Errorf("the loads along dimension %d are not the same on all lines", dim)
						}
					}
				}
			}
			s.add(own, other)
		}
	}
	s.least, s.most = make([]int, s.places), make([]int, s.places)
	for v := range t.N() {
		if x := t.Coord(v, dim); c.Fixed != nil && c.Fixed.Has(v) {
			s.least[x]++
		}
		if x := t.Coord(v, dim); c.Forbidden == nil || !c.Forbidden.Has(v) {
			s.most[x]++
		}
	}
	if !c.Any() {
		s.findMaps()
	}
	return nil
}

// add notes a class, unless it carries nothing or is there.
func (s *side) add(own, other []int64) {
	if slices.Max(own) > 0 || slices.Max(other) > 0 {
		if s.class(own, other) < 0 {
			s.own, s.other = append(s.own, own), append(s.other, other)
		}
	}
}

// class returns the number of a class, -1 if it is none.
func (s *side) class(own, other []int64) int {
	for e := range s.own {
		if slices.Equal(s.own[e], own) && slices.Equal(s.other[e], other) {
			return e
		}
	}
	return -1
}

// findMaps tries all rotations and reflections.
func (s *side) findMaps() {
	k := s.places
	seen := [][]int{core.Range(k)}
	for _, sign := range []int{1, k - 1} { // -1 is k-1 modulo k
		for shift := range k {
			image := make([]int, k)
			for x := range image {
				image[x] = (sign*x + shift) % k
			}
			if slices.ContainsFunc(seen, func(other []int) bool { return slices.Equal(other, image) }) {
				continue
			}
			seen = append(seen, image)
			permutes := true
			for e := range s.own {
				own, other := make([]int64, k), make([]int64, k)
				for x, y := range image {
					own[y], other[y] = s.own[e][x], s.other[e][x]
				}
				permutes = permutes && s.class(own, other) >= 0
			}
			if permutes {
				s.maps = append(s.maps, image)
			}
		}
	}
}

// prepare lists the counts of all pairs of largest sizes.
func (w *walk) prepare(m *meter.Meter) error {
	columns, rows := w.sides[0], w.sides[1]
	for row := 1; row <= rows.places; row++ {
		for column := 1; column <= columns.places; column++ {
			if column*rows.places < columns.size || row*columns.places < columns.size {
				continue
			}
			// Most pairs have no counts of the side whose counts are smaller, which are fewer.
			var p pair
			lists := []func() (int, error){
				func() (int, error) { return p.list(m, &p.rows, columns, row, column) },
				func() (int, error) { return p.list(m, &p.columns, rows, column, row) },
			}
			if !columns.hasRoom(m, column) || !rows.hasRoom(m, row) {
				continue
			}
			if row > column {
				slices.Reverse(lists)
			}
			count, err := lists[0]()
			if err == nil && count > 0 {
				count, err = lists[1]()
			}
			if err != nil {
				return err
			}
			if count > 0 {
				w.add(p, row)
			}
		}
	}
	if len(w.heads) > maxCounts {
		return tooMany(columns.size)
	}
	return nil
}

// tooMany is the error where more counts fit than are listed.
func tooMany(n int) error {
	return &core.InputError{Text: fmt.Sprint(n), Problem: fmt.Sprintf("more than %d counts to list", maxCounts)}
}

// add appends a pair with its prefixes.
func (w *walk) add(p pair, row int) {
	for i, c := range p.columns {
		w.heads = append(w.heads, append([]int{row}, c...))
		w.where = append(w.where, [2]int{len(w.pairs), i})
	}
	number := map[lineSizes]int{}
	for i, r := range p.rows {
		sizes := sizesOf(r)
		g, seen := number[sizes]
		if !seen {
			g = len(p.groups)
			number[sizes] = g
			p.groups = append(p.groups, group{sizes: sizes})
		}
		p.groups[g].rows = append(p.groups[g].rows, i)
	}
	w.pairs = append(w.pairs, p)
}

// list lists counts whose greatest is top, under which some line has the given size.
func (p *pair) list(m *meter.Meter, to *[][]int, s *side, top, size int) (int, error) {
	l := &lister{side: s, meter: m, top: top, counts: make([]int, s.places)}
	for set := range uint32(1) << s.places {
		if bits.OnesCount32(set) == size {
			l.sets = append(l.sets, set)
		}
	}
	m.ChargeAll(2, 1<<s.places, len(s.own))
	l.extend(0, s.size, l.sets)
	*to = l.found
	return len(l.found), l.err
}

// A lister tries the counts of place after place.
type lister struct {
	*side
	meter  *meter.Meter
	top    int
	counts []int
	sets   []uint32
	found  [][]int
	err    error
}

// extend tries the counts of the places from z on, of left processors, given the sets that had room before. Every
// processor still to come brings at least the least of the places from z on.
func (l *lister) extend(z, left int, sets []uint32) {
	if l.err != nil {
		return
	}
	if z == l.places {
		if slices.Max(l.counts) == l.top && l.stands() {
			if l.found = append(l.found, slices.Clone(l.counts)); len(l.found) > maxCounts {
				l.err = tooMany(l.size)
			}
		}
		return
	}
	for v := max(l.least[z], left-(l.places-z-1)*l.top); v <= min(l.top, l.most[z], left); v++ {
		l.counts[z] = v
		room, fit := l.room(z+1, left-v)
		if !fit {
			continue
		}
		if kept := l.keep(z, room, sets); len(kept) > 0 {
			l.extend(z+1, left-v, kept)
		}
		if l.err != nil {
			return
		}
	}
	l.counts[z] = 0
}

// room returns, by class, what the counts of the first z places leave to the content of a line, and whether all lines
// together can carry them and every processor placed fits a line alone.
func (l *lister) room(z, left int) (room []int64, fit bool) {
	if l.err = l.meter.Spend(int64(4 * len(l.own) * l.places)); l.err != nil {
		return nil, false
	}
	room = make([]int64, len(l.own))
	for e := range l.own {
		brought, together := int64(0), int64(0)
		for x, v := range l.counts[:z] {
			brought += int64(v) * l.other[e][x]
			together += int64(v) * l.own[e][x]
		}
		if left > 0 {
			brought += int64(left) * slices.Min(l.other[e][z:])
			together += int64(left) * slices.Min(l.own[e][z:])
		}
		room[e] = l.limit - brought
		if together > int64(l.lines)*room[e] {
			return nil, false
		}
		for x, v := range l.counts[:z] {
			if v > 0 && l.own[e][x] > room[e] {
				return nil, false
			}
		}
	}
	return room, true
}

// keep returns the sets that a line may have as its content when place z has its count.
func (l *lister) keep(z int, room []int64, sets []uint32) (kept []uint32) {
	for _, set := range sets {
		has := set>>z&1 != 0
		if has && l.counts[z] == 0 || !has && l.counts[z] == l.lines {
			continue
		}
		if l.carries(set, room) {
			kept = append(kept, set)
		}
	}
	l.err = l.meter.Spend(int64(len(sets) * (2 + bits.OnesCount32(l.sets[0]))))
	return kept
}

// carries reports whether a content is within the room.
func (s *side) carries(set uint32, room []int64) bool {
	for e, most := range room {
		if s.load(e, set) > most {
			return false
		}
	}
	return true
}

// load returns what a content brings to its own line.
func (s *side) load(e int, set uint32) (load int64) {
	for ; set != 0; set &= set - 1 {
		load += s.own[e][bits.TrailingZeros32(set)]
	}
	return load
}

// hasRoom reports whether some content of a size is within the limit when all processors bring to other lines what they
// bring at least.
func (s *side) hasRoom(m *meter.Meter, size int) bool {
	m.ChargeAll(2, 1<<s.places, len(s.own))
	room := make([]int64, len(s.own))
	for e := range room {
		room[e] = s.limit - int64(s.size)*slices.Min(s.other[e])
	}
	for set := range uint32(1) << s.places {
		if bits.OnesCount32(set) == size && s.carries(set, room) {
			return true
		}
	}
	return false
}

// stands reports whether no map makes the counts greater.
func (l *lister) stands() bool {
	for _, image := range l.maps {
		moved := make([]int, l.places)
		for x, y := range image {
			moved[y] = l.counts[x]
		}
		if slices.Compare(moved, l.counts) > 0 {
			return false
		}
	}
	return true
}

// Prefixes implements census.Walk: they are the size of the largest row and the column counts.
func (w *walk) Prefixes() [][]int { return w.heads }

// Run implements census.Walk.
func (w *walk) Run(m *meter.Meter, from, to int, most int64) census.Tally {
	f := &filling{Pass: census.NewPass(m, most), walk: w, known: map[[2]int]*lineContents{}}
	return f.Through(from, to, f.open)
}
