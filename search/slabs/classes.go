package slabs

import (
	"cmp"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/core/symmetry"
	"leeway/objective"
	"leeway/search/census"
)

// A nodePlan is one question of levels prepared: its classes, and what filling them needs.
type nodePlan struct {
	problem objective.Problem
	rings   []*ring
	sides   [][]counted // by dimension
	// by dimension, as they are and reversed, and number: the place of the slab counts, or of what stands for them, in
	// the order of all; nil where nodes are fixed or forbidden
	ranks    [][2][]int
	classes  [][]int // by class and dimension: the number of its slab counts
	prefixes [][]int
	loads    *loads
	points   []symmetry.Point // by point of the group
	moves    []move           // of the group, where nodes are fixed or forbidden
	lines    *lines
	images   [][]uint8 // by automorphism: of nodes
	slabs    [][]uint8 // by automorphism: of slabs
}

// newNodePlan lists the classes. It fails with errTooMany, or with an error of the budget or of symmetry.Of.
func newNodePlan(p objective.Problem, below *big.Rat, b *budget, workers int) (*nodePlan, error) {
	r, t := p.Routing, p.Torus()
	g, err := p.Group(b.ctx)
	if err != nil {
		return nil, err
	}
	q := &nodePlan{problem: p, points: g.List()}
	if p.Conditioned() {
		q.moves = movesOf(g)
	}
	for s := range t.D() {
		d := newRing(r, s, p.Size)
		if p.Conditioned() {
			d.hold(p)
		} else {
			d.mirror = d.open && reverses(q.points, s)
		}
		side, err := d.counted(unitsBelow(below, p, s), b, workers)
		if err != nil {
			return nil, err
		}
		q.rings, q.sides = append(q.rings, d), append(q.sides, side)
	}
	if q.classes, err = q.choose(b); err != nil {
		return nil, err
	}
	if len(q.classes) > 0 {
		q.loads, q.images, q.lines = newLoads(r, q.rings, loadsBelow(below, p)), imagesOf(g), newLines(t)
		q.slabs = slabImages(q.images, q.points, q.lines)
	}
	q.prefix()
	return q, nil
}

// prefix makes a prefix of every class.
func (q *nodePlan) prefix() {
	q.prefixes = nil
	for _, class := range q.classes {
		var prefix []int
		for s, i := range class {
			prefix = append(prefix, q.sides[s][i].counts.ints(q.rings[s].k)...)
		}
		q.prefixes = append(q.prefixes, prefix)
	}
}

// Split returns 0: prefixes are classes.
func (q *nodePlan) Split() int { return 0 }

// Prefixes returns the classes, the slab counts of all dimensions in sequence.
func (q *nodePlan) Prefixes() [][]int { return q.prefixes }

// Walker returns a walker with memory of its own.
func (q *nodePlan) Walker() census.Walker { return newNodeWalker(q) }

// A counted is slab counts with their width.
type counted struct {
	ranked
	width int
}

// counted returns the slab counts of the ring whose lines hold enough, in order. It fails with errTooMany, or with an
// error of the budget.
func (d *ring) counted(limit int64, b *budget, workers int) ([]counted, error) {
	found, err := list(newSide(d, limit), nil, b, workers, func() func(slabCounts, []uint64) (counted, bool) {
		return func(c slabCounts, _ []uint64) (counted, bool) {
			width, tried := d.width(&c, limit)
			if b.spend(int64(tried)) != nil {
				return counted{}, false // the listing fails with the same error
			}
			return counted{rank(c), width}, width*d.lines >= d.n
		}
	})
	slices.SortFunc(found, func(a, b counted) int { return order(&a.ranked, &b.ranked) })
	return found, err
}

// A chooser lists the classes: slab counts of all dimensions that leave room for each other, the first of every orbit
// under the points or, where nodes are fixed or forbidden, the moves.
type chooser struct {
	*nodePlan
	torus  *core.Torus
	budget *budget
	kinds  []roomKinds // by dimension
	from   [][]int     // by point and dimension: the dimension that it takes there

	picks, picked []int   // by dimension: the number of its slab counts, and that of their kind
	classes       [][]int // by class and dimension: the number of its slab counts
}

// A roomKind is what says whether slab counts of two dimensions leave each other room.
type roomKind struct{ most, width int }

// roomKinds are those of the slab counts of a dimension. No kind stands alone: each goes with some of every other
// dimension.
type roomKinds struct {
	of    []int // by number of slab counts: that of their kind, -1 if they are in no class
	list  []roomKind
	count []int      // by kind: the slab counts of it
	fits  [][][]bool // by kind, other dimension, and kind there
}

// choose returns the classes in order. It fails with errTooMany, or with an error of the budget.
func (q *nodePlan) choose(b *budget) ([][]int, error) {
	t := q.problem.Torus()
	c := &chooser{nodePlan: q, torus: t, budget: b, picks: make([]int, t.D()), picked: make([]int, t.D())}
	c.sort()
	if !q.problem.Conditioned() {
		c.rank()
		// An orbit has no more classes than there are points.
		if most := b.kept * int64(len(q.points)); c.closed() && c.tuples(0, 1, most) > most {
			return nil, errTooMany
		}
	}
	if err := c.pick(0); err != nil {
		return nil, err
	}
	return c.classes, nil
}

// sort finds the kinds.
func (c *chooser) sort() {
	for _, side := range c.sides {
		var k roomKinds
		for _, m := range side {
			kind := roomKind{int(slices.Max(m.counts[:])), m.width}
			at := slices.Index(k.list, kind)
			if at < 0 {
				at = len(k.list)
				k.list, k.count = append(k.list, kind), append(k.count, 0)
			}
			k.of = append(k.of, at)
			k.count[at]++
		}
		c.kinds = append(c.kinds, k)
	}
	for s := range c.kinds {
		k := &c.kinds[s]
		for _, a := range k.list {
			var fits [][]bool
			for t := range c.kinds {
				lines := c.torus.N() / (c.torus.Side(s) * c.torus.Side(t))
				fits = append(fits, nil)
				for _, b := range c.kinds[t].list {
					fits[t] = append(fits[t], s == t || a.most <= b.width*lines && b.most <= a.width*lines)
				}
			}
			k.fits = append(k.fits, fits)
		}
	}
	for c.lonely() {
	}
	for _, k := range c.kinds {
		for i, kind := range k.of {
			if k.count[kind] == 0 {
				k.of[i] = -1
			}
		}
	}
}

// lonely empties the kinds that go with none of some other dimension and reports whether there were any.
func (c *chooser) lonely() (some bool) {
	for _, k := range c.kinds {
		for i := range k.list {
			for t, fits := range k.fits[i] {
				goes := func(j int) bool { return fits[j] && c.kinds[t].count[j] > 0 }
				if k.count[i] > 0 && !slices.ContainsFunc(core.Range(len(fits)), goes) {
					k.count[i], some = 0, true
				}
			}
		}
	}
	return some
}

// tuples returns how many slab counts of dimension s and the following leave each other and the kinds picked before
// room, times a number, or some number above the most that is asked for.
func (c *chooser) tuples(s int, times, most int64) (sum int64) {
	if s == len(c.kinds) {
		return times
	}
	for kind, count := range c.kinds[s].count {
		if c.picked[s] = kind; count > 0 && c.room(s) {
			if sum += c.tuples(s+1, min(times*int64(count), most+1), most); sum > most {
				break
			}
		}
	}
	return sum
}

// room reports whether the kinds picked for dimension s and those before leave each other room.
func (c *chooser) room(s int) bool {
	fits := c.kinds[s].fits[c.picked[s]]
	for t, kind := range c.picked[:s] {
		if !fits[t][kind] {
			return false
		}
	}
	return true
}

// closed reports whether points take all slab counts to slab counts of the same kind.
func (c *chooser) closed() bool {
	seen := map[[3]int]bool{}
	for p := range c.points {
		u := &c.points[p]
		for s, t := range u.Perm {
			way := [3]int{s, t}
			if u.Flip[s] {
				way[2] = 1
			}
			if seen[way] {
				continue
			}
			seen[way] = true
			for i, kind := range c.kinds[s].of {
				at, listed := slices.BinarySearch(c.ranks[t][0], c.image(u, s, i))
				if !listed || (kind < 0) != (c.kinds[t].of[at] < 0) ||
					kind >= 0 && c.kinds[s].list[kind] != c.kinds[t].list[c.kinds[t].of[at]] {
					return false
				}
			}
		}
	}
	return true
}

// rank numbers all slab counts and their reversals, so that those of sides of one length compare by their numbers.
func (c *chooser) rank() {
	type sized struct {
		k int
		ranked
	}
	var all []sized
	of := make([][2][]sized, len(c.sides))
	for s, side := range c.sides {
		k := c.torus.Side(s)
		for _, m := range side {
			of[s][0], of[s][1] = append(of[s][0], sized{k, m.ranked}),
				append(of[s][1], sized{k, rank(c.rings[s].representative(m.counts, true))})
		}
		all = append(append(all, of[s][0]...), of[s][1]...)
	}
	compare := func(a, b sized) int { return cmp.Or(cmp.Compare(a.k, b.k), order(&a.ranked, &b.ranked)) }
	slices.SortFunc(all, compare)
	for _, u := range c.points {
		from := make([]int, len(c.sides))
		for s, t := range u.Perm {
			from[t] = s
		}
		c.from = append(c.from, from)
	}
	c.ranks = make([][2][]int, len(c.sides))
	for s := range of {
		for flip, list := range of[s] {
			for _, m := range list {
				at, _ := slices.BinarySearchFunc(all, m, compare)
				c.ranks[s][flip] = append(c.ranks[s][flip], at)
			}
		}
	}
}

// pick goes through the slab counts of dimension s and the following.
func (c *chooser) pick(s int) error {
	if s == len(c.sides) {
		if !c.first() {
			return nil
		}
		if c.classes = append(c.classes, slices.Clone(c.picks)); int64(len(c.classes)) > c.budget.kept {
			return errTooMany
		}
		return nil
	}
	if err := c.budget.spend(int64(len(c.sides[s]))); err != nil {
		return err
	}
	for i, kind := range c.kinds[s].of {
		if c.picks[s], c.picked[s] = i, kind; kind < 0 || !c.room(s) {
			continue
		}
		if err := c.pick(s + 1); err != nil {
			return err
		}
	}
	return nil
}

// first reports whether no point, or no move, takes the class picked to an earlier one.
func (c *chooser) first() bool {
	if c.problem.Conditioned() {
		return !slices.ContainsFunc(c.moves, c.movesEarlier)
	}
	for p, from := range c.from {
		for t, s := range from {
			if image, own := c.image(&c.points[p], s, c.picks[s]), c.ranks[t][0][c.picks[t]]; image != own {
				if image < own {
					return false
				}
				break
			}
		}
	}
	return true
}

// image returns the rank of what a point makes of slab counts of dimension s.
func (q *nodePlan) image(u *symmetry.Point, s, number int) int {
	flip := 0
	if u.Flip[s] {
		flip = 1
	}
	return q.ranks[s][flip][number]
}

// movesEarlier reports whether a move takes the class picked to an earlier one.
func (c *chooser) movesEarlier(m move) bool {
	images := make([]ranked, len(c.picks))
	for s, i := range c.picks {
		own := c.sides[s][i]
		images[m.perm[s]] = ranked{own.counts.moved(m.to[s]), own.squares}
	}
	for s, i := range c.picks {
		if d := order(&images[s], &c.sides[s][i].ranked); d != 0 {
			return d < 0
		}
	}
	return false
}
