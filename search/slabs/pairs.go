package slabs

import (
	"bytes"
	"slices"

	"leeway/core/parallel"
	"leeway/core/symmetry"
	"leeway/objective"
	"leeway/search/census"
)

// A rowPlan is one question of margin prepared: the margins of both dimensions that fit the limit, and which of them go
// together.
type rowPlan struct {
	problem  objective.Problem
	columns  *margins  // dimension 1: the links of a row
	rows     *margins  // dimension 0: the links of a column; the same if it asks for the same
	matches  [][]int32 // by group of column margins: the groups of row margins that go with it
	classes  *reducer
	moves    []move // where nodes are fixed or forbidden, in place of classes
	flip     bool   // the order of the columns may be reversed
	prefixes [][]int
}

// newRowPlan lists the margins of both dimensions for their limits. It fails with errTooMany, or with an error of the
// budget or of symmetry.Of.
func newRowPlan(p objective.Problem, limits [2]int64, b *budget, workers int) (*rowPlan, error) {
	g, err := p.Group(b.ctx)
	if err != nil {
		return nil, err
	}
	along, across := newSide(lineRing(p, 1), limits[1]), newSide(lineRing(p, 0), limits[0])
	if p.Conditioned() {
		for _, s := range []*side{along, across} {
			s.hold(p)
			s.rule(p)
		}
	} else {
		along.mirror, across.mirror = along.open && reverses(g.List(), 1), across.open && reverses(g.List(), 0)
	}
	columns, err := newMargins(along, b, workers)
	if err != nil {
		return nil, err
	}
	rows := columns
	switch {
	case len(columns.frames) == 0:
		rows = &margins{side: across} // nothing goes together
	case !along.alike(across):
		if rows, err = newMargins(across, b, workers); err != nil {
			return nil, err
		}
	}
	q := &rowPlan{problem: p, columns: columns, rows: rows, matches: columns.matches(rows)}
	q.prefixes = make([][]int, len(columns.frames))
	for i := range columns.frames {
		q.prefixes[i] = columns.frames[i].counts.ints(columns.k)
	}
	if p.Conditioned() {
		q.moves = movesOf(g)
	} else {
		q.reduce(g.List())
	}
	return q, nil
}

// lineRing is newRing with the forms of lines.
func lineRing(p objective.Problem, s int) *ring {
	d := newRing(p.Routing, s, p.Size)
	d.forms = distinct(d.forced)
	return d
}

// reduce finds the images of the margins that go together with others.
func (q *rowPlan) reduce(points []symmetry.Point) {
	inColumns, inRows := make([]bool, len(q.columns.frames)), make([]bool, len(q.rows.frames))
	for g, others := range q.matches {
		if len(others) > 0 {
			mark(inColumns, q.columns.groups[g])
		}
		for _, h := range others {
			mark(inRows, q.rows.groups[h])
		}
	}
	q.classes, q.flip = newReducer(points, q.columns, q.rows, inColumns, inRows), reverses(points, 1)
}

// opens reports whether column margin i and row margin j, of groups that go together, make a class.
func (q *rowPlan) opens(i, j int32) bool {
	if q.classes != nil {
		return q.classes.first(i, j)
	}
	c, r := &q.columns.frames[i], &q.rows.frames[j]
	return q.columns.allows(i, &r.counts) && q.rows.allows(j, &c.counts) &&
		!slices.ContainsFunc(q.moves, func(m move) bool { return m.earlier(&c.ranked, &r.ranked) })
}

// allows reports whether every line may have its number of processors under margin i.
func (s *margins) allows(i int32, sizes *slabCounts) bool {
	for line, rule := range s.ruled {
		if s.byRule[i][rule]>>sizes[line]&1 == 0 {
			return false
		}
	}
	return true
}

func mark(set []bool, members []int32) {
	for _, i := range members {
		set[i] = true
	}
}

// A kind is what decides at once which margins of the other dimension go with one: each must have the lines that the
// other asks for.
type kind struct {
	has  uint32 // bit v: some slab holds v processors
	fits uint32 // bit v: a line of v processors fits under the margin, of some rule
}

func (a kind) matches(b kind) bool { return a.has&^b.fits == 0 && b.has&^a.fits == 0 }

// A frame is a margin with what it is asked for often.
type frame struct {
	ranked
	kind
}

// margins are the slab counts of one dimension under a limit.
type margins struct {
	*side
	frames []frame    // in order
	group  []int32    // by frame: number of its group, those of the same kind
	groups [][]int32  // by group: its frames
	kinds  []kind     // by group
	byRule [][]uint32 // by frame: fits for lines of each rule, where nodes are fixed or forbidden
}

// newMargins lists the margins of a side.
func newMargins(s *side, b *budget, workers int) (*margins, error) {
	frames, err := list(s, s.patterns(), b, workers, func() func(slabCounts, []uint64) (frame, bool) {
		l := newContents(s, s.narrow)
		return func(c slabCounts, spare []uint64) (frame, bool) {
			f := frame{rank(c), kind{has: c.sizes(s.k)}}
			if l.under(c, spare); !s.held {
				f.fits = l.sizes()
			}
			return f, true
		}
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(frames, func(a, b frame) int { return order(&a.ranked, &b.ranked) })
	m := &margins{side: s}
	if s.held {
		m.byRule = make([][]uint32, len(frames))
		parallel.With(b.ctx, workers, len(frames), func(int) *contents { return newContents(s, s.narrow) },
			func(l *contents, i int) {
				f := &frames[i]
				l.under(f.counts, s.spare(f.counts))
				m.byRule[i], f.fits = l.sizesByRule()
			})
		if err := b.spend(int64(len(frames))); err != nil {
			return nil, err
		}
	}
	m.keep(frames)
	return m, nil
}

// keep takes over the margins and groups them.
func (s *margins) keep(frames []frame) {
	s.frames, s.group = frames, make([]int32, len(frames))
	at := map[kind]int32{}
	for i, f := range frames {
		g, seen := at[f.kind]
		if !seen {
			g = int32(len(s.groups))
			at[f.kind] = g
			s.groups, s.kinds = append(s.groups, nil), append(s.kinds, f.kind)
		}
		s.group[i] = g
		s.groups[g] = append(s.groups[g], int32(i))
	}
}

// matches returns for every group of s the groups of t that go with it.
func (s *margins) matches(t *margins) [][]int32 {
	list := make([][]int32, len(s.groups))
	for g, a := range s.kinds {
		for h, b := range t.kinds {
			if a.matches(b) {
				list[g] = append(list[g], int32(h))
			}
		}
	}
	return list
}

// number returns the number among the margins listed of the one that stands for a margin, reversed first if flip, or
// -1.
func (s *margins) number(c slabCounts, flip bool) int32 {
	i, found := slices.BinarySearchFunc(s.frames, rank(s.representative(c, flip)),
		func(f frame, c ranked) int { return order(&f.ranked, &c) })
	if !found {
		return -1
	}
	return int32(i)
}

// A reducer tells which classes stand for their orbit under the points.
type reducer struct {
	points []symmetry.Point
	images [][2][]int32 // by point: number of the image of a column margin, then of a row margin
}

// newReducer finds the images of the margins that are in a class, given by bits; columns and rows are those of
// dimension 1 and 0.
func newReducer(points []symmetry.Point, columns, rows *margins, inColumns, inRows []bool) *reducer {
	r := &reducer{points: points}
	for _, u := range points {
		c, w := columns, rows
		if u.Permutes() {
			c, w = rows, columns
		}
		r.images = append(r.images, [2][]int32{c.images(columns, inColumns, u.Flip[1]), w.images(rows, inRows, u.Flip[0])})
	}
	return r
}

// images returns the numbers in s of the margins of t that are wanted, reversed first if flip.
func (s *margins) images(t *margins, wanted []bool, flip bool) []int32 {
	list := make([]int32, len(t.frames))
	for i, f := range t.frames {
		if wanted[i] {
			list[i] = s.number(f.counts, flip)
		}
	}
	return list
}

// first reports whether no image of the class of column margin i and row margin j comes earlier. An image that is not
// listed has no placement, and so has none the class; it counts as later, which is always safe.
func (r *reducer) first(i, j int32) bool {
	for u, image := range r.images {
		ci, cj := image[0][i], image[1][j]
		if r.points[u].Permutes() {
			ci, cj = cj, ci
		}
		if ci >= 0 && cj >= 0 && (ci < i || ci == i && cj < j) {
			return false
		}
	}
	return true
}

// A move is what an automorphism does to slabs: slab x of dimension s becomes slab to[s][x] of dimension perm[s].
type move struct {
	perm []int
	to   [][]uint8
}

// movesOf returns the moves of a group but the one that moves nothing.
func movesOf(g *symmetry.Group) (list []move) {
	t := g.Torus()
	for i, u := range g.List() {
		for _, shift := range g.Shifts() {
			image, m, rests := g.Images(i, shift), move{perm: u.Perm, to: make([][]uint8, t.D())}, !u.Permutes()
			for s := range m.to {
				for x := range t.Side(s) {
					at := t.Coord(image[x*t.Stride(s)], u.Perm[s])
					m.to[s], rests = append(m.to[s], uint8(at)), rests && at == x
				}
			}
			if !rests {
				list = append(list, m)
			}
		}
	}
	return list
}

// earlier reports whether the move takes a column margin and a row margin to an earlier pair.
func (m *move) earlier(c, r *ranked) bool {
	swaps, from := m.perm[0] == 1, c
	if swaps {
		from = r
	}
	if from.squares != c.squares {
		return from.squares < c.squares
	}
	columns, rows := c.counts.moved(m.to[1]), r.counts.moved(m.to[0])
	if swaps {
		columns, rows = rows, columns
	}
	if d := bytes.Compare(columns[:], c.counts[:]); d != 0 {
		return d > 0
	}
	return bytes.Compare(rows[:], r.counts[:]) > 0
}

// moved returns the counts when each slab goes to another.
func (c *slabCounts) moved(to []uint8) (image slabCounts) {
	for x, y := range to {
		image[y] = c[x]
	}
	return image
}

// keeping returns the images of the columns under the moves that leave every row where it is and a column margin as it
// is.
func keeping(moves []move, c slabCounts) (list [][]int) {
	for _, m := range moves {
		keeps := m.perm[0] == 0 && c.moved(m.to[1]) == c
		for y, to := range m.to[0] {
			keeps = keeps && int(to) == y
		}
		if !keeps {
			continue
		}
		to := make([]int, len(m.to[1]))
		for x, y := range m.to[1] {
			to[x] = int(y)
		}
		list = append(list, to)
	}
	return list
}

// reverses reports whether dimension s may be reversed while the others stay as they are.
func reverses(points []symmetry.Point, s int) bool {
	return slices.ContainsFunc(points, func(u symmetry.Point) bool {
		flips := 0
		for _, flip := range u.Flip {
			if flip {
				flips++
			}
		}
		return !u.Permutes() && u.Flip[s] && flips == 1
	})
}

// Split returns 0: prefixes are margins.
func (q *rowPlan) Split() int { return 0 }

// Prefixes returns the column margins.
func (q *rowPlan) Prefixes() [][]int { return q.prefixes }

// Walker returns a walker with memory of its own.
func (q *rowPlan) Walker() census.Walker { return newRowWalker(q) }
