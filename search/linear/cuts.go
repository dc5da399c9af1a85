package linear

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"

	"leeway/encode/veripb"
)

// cuts adds rows about counts while the solver decides them.
type cuts struct {
	*reasoner
	solver *solver
	whole  [][]*border // by dimension: all links between two slabs
	planes [][]*border // by dimension: those of them in one slab of another dimension
	lines  [][]*border // by dimension: single links
	known  map[string]bool
	least  []int // scratch
}

// borders sets the borders of every dimension.
func (c *cuts) setBorders() {
	t := c.torus
	for d := range t.D() {
		var whole, planes, lines []*border
		for _, minus := range []bool{false, true} {
			for x := range t.Side(d) {
				var all []int
				for i, l := range c.links {
					if l.dim == d && l.minus == minus && t.Coord(l.from, d) == x {
						all = append(all, i)
						lines = append(lines, c.newBorder(d, []int{i}))
					}
				}
				if len(all) == 0 {
					continue
				}
				whole = append(whole, c.newBorder(d, all))
				for o := range t.D() {
					if o == d || t.D() == 2 {
						continue
					}
					for place := range t.Side(o) {
						var some []int
						for _, i := range all {
							if t.Coord(c.links[i].from, o) == place {
								some = append(some, i)
							}
						}
						if len(some) > 0 {
							planes = append(planes, c.newBorder(d, some))
						}
					}
				}
			}
		}
		c.whole, c.planes, c.lines = append(c.whole, whole), append(c.planes, planes), append(c.lines, lines)
	}
}

// holds reports whether a literal holds.
func (c *cuts) holds(l veripb.Literal) bool { return c.solver.value[litOf(l)] > 0 }

// cut is called when nothing propagates. It adds what follows from the counts that hold, and returns a row that fails.
func (c *cuts) cut() (failed int32, added bool) {
	for d := range c.torus.D() {
		least, sum := c.counts(d)
		ids := c.overfull(d, least)
		if sum == c.size && len(ids) == 0 {
			key := fmt.Sprint(d, least)
			if !c.known[key] {
				c.known[key] = true
				if failed = c.complete(d, least); failed != noRow {
					return failed, true
				}
				added = true
			}
		}
		for _, id := range ids {
			added = true
			if failed = c.solver.add(id); failed != noRow {
				return failed, true
			}
		}
	}
	return noRow, added
}

// counts returns what every slab of a dimension holds at least, and the sum.
func (c *cuts) counts(d int) (least []int, sum int) {
	c.least = c.least[:0]
	for _, s := range c.slabs[d] {
		n := 0
		for n+1 < len(s.counts) && c.holds(s.counts[n+1]) {
			n++
		}
		c.least = append(c.least, n)
		sum += n
	}
	return c.least, sum
}

// overfull returns clauses that exclude the counts, or one more in a slab, where all links of a border together would
// carry too much.
func (c *cuts) overfull(d int, least []int) (ids []veripb.ID) {
	for _, b := range c.whole[d] {
		if carried(b, least) > b.limit {
			return []veripb.ID{c.exclude(b, least, -1)}
		}
	}
	for x, s := range c.slabs[d] {
		if least[x]+1 >= len(s.counts) || c.solver.value[litOf(s.counts[least[x]+1])] != 0 {
			continue
		}
		least[x]++
		for _, b := range c.whole[d] {
			if carried(b, least) > b.limit {
				ids = append(ids, c.exclude(b, least, x))
				break
			}
		}
		least[x]--
	}
	return ids
}

// carried returns what slabs put on a border.
func carried(b *border, counts []int) int64 {
	load := int64(0)
	for x, cx := range counts {
		for y := range x {
			load += b.between[x][y] * int64(cx) * int64(counts[y])
		}
	}
	return load
}

// exclude derives the clause that no slab may have so many; those but the one at keep are lowered first as far as the
// border still carries too much.
func (c *cuts) exclude(b *border, counts []int, keep int) veripb.ID {
	counts = slices.Clone(counts)
	for x := range counts {
		for x != keep && counts[x] > 0 {
			if counts[x]--; carried(b, counts) <= b.limit {
				counts[x]++
				break
			}
		}
	}
	slabs := c.slabs[b.dim]
	type product struct {
		id    veripb.ID
		times int64
	}
	var list []product
	for x, cx := range counts {
		for y := range x {
			if w := b.between[x][y]; w > 0 && cx > 0 && counts[y] > 0 {
				list = append(list, product{c.product(slabs[x], cx, slabs[y], counts[y]), w})
			}
		}
	}
	c.sum.Add(b.id, 1)
	for _, p := range list {
		c.sum.Add(p.id, p.times)
	}
	c.sum.Weaken(func(v veripb.Literal) bool { return int(v) > c.model.Vars() })
	return c.clause()
}

// clause saturates the sum and, if all coefficients are then the degree, divides by it.
func (c *cuts) clause() veripb.ID {
	c.sum.Saturate()
	c.sum.Divide(max(c.sum.Degree(), 1))
	return c.sum.Done()
}

// complete adds what follows when the counts of a dimension are known: for every link and plane what processors there
// have to carry, how many fit into a line, and from that how many into every slab of the other dimensions. It returns a
// row that fails.
func (c *cuts) complete(d int, counts []int) int32 {
	counts = slices.Clone(counts)
	lines := make([]*forced, len(c.lines[d]))
	for i, b := range c.lines[d] {
		lines[i] = c.force(b, counts)
	}
	rooms := c.rooms(d, counts, lines)
	failed := int32(noRow)
	add := func(id veripb.ID) {
		if f := c.solver.add(id); f != noRow {
			failed = f
		}
	}
	if all := c.fit(rooms); all != 0 {
		add(all)
		return failed
	}
	for _, l := range rooms {
		if l.id != 0 {
			add(l.id)
		}
	}
	for o := range c.torus.D() {
		if o == d {
			continue
		}
		for _, s := range c.slabs[o] {
			if id := c.crowded(rooms, s); id != 0 {
				add(id)
			}
		}
	}
	for _, f := range lines {
		if failedRow := c.addForced(f); failedRow != noRow {
			failed = failedRow
		}
	}
	for _, b := range c.planes[d] {
		f := c.force(b, counts)
		if failedRow := c.addForced(f); failedRow != noRow {
			failed = failedRow
		}
		for o := range c.torus.D() {
			if id := c.plane(f, o); id != 0 {
				add(id)
			}
		}
	}
	return failed
}

// addForced adds the row of what a border carries, and returns it if it fails. It comes into the proof if it is used.
func (c *cuts) addForced(f *forced) int32 {
	if f.row.Degree <= 0 {
		return noRow
	}
	return c.solver.addRow(f.row, 0, func() veripb.ID { return c.derive(f) })
}

// A room is what a line has room for.
type room struct {
	nodes []int
	most  int
	id    veripb.ID // that no more fit; 0: all do
}

// rooms returns the lines along a dimension.
func (c *cuts) rooms(d int, counts []int, lines []*forced) []room {
	t := c.torus
	empty := make([]veripb.ID, len(counts))
	var list []room
	for v := range t.N() {
		if t.Coord(v, d) != 0 {
			continue
		}
		l := room{}
		for x := range t.Side(d) {
			l.nodes = append(l.nodes, v+x*t.Stride(d))
		}
		on := make(map[int]bool, len(l.nodes))
		for _, p := range l.nodes {
			on[p] = true
		}
		var loads []*forced
		for _, f := range lines {
			if on[c.links[f.border.links[0]].from] {
				loads = append(loads, f)
			}
		}
		c.fill(&l, d, counts, loads, empty)
		list = append(list, l)
	}
	return list
}

// maxPlaces is the longest line of which all contents are tried.
const maxPlaces = 16

// fill finds the largest content of a line, and derives that it has no larger one: smallest sets of places that carry
// too much are excluded by clauses; if every j of some places have at least j-w without a processor, so have every j+1
// at least j+1-w, for these j+1 rows add up to j times a sum that is at least (j+1)(j-w), which is above j (j-w).
func (c *cuts) fill(l *room, d int, counts []int, loads []*forced, empty []veripb.ID) {
	k := len(l.nodes)
	l.most = k
	if k > maxPlaces {
		return
	}
	var places []int
	for x, n := range counts {
		if n > 0 {
			places = append(places, x)
		}
	}
	inside := make([][][]int64, len(loads))
	for i, f := range loads {
		inside[i] = c.inside(f, l.nodes)
	}
	carries := func(i, a int) int64 {
		load := int64(0)
		for j, x := range places {
			if a>>j&1 == 0 {
				continue
			}
			load += loads[i].force[l.nodes[x]]
			for k, y := range places[:j] {
				if a>>k&1 != 0 {
					load += inside[i][x][y]
				}
			}
		}
		return load
	}
	why := make([]*forced, 1<<len(places)) // by content, of the places with processors: what carries too much
	most := 0
	for a := 1; a < len(why); a++ {
		for i := range places {
			if a>>i&1 != 0 && why[a&^(1<<i)] != nil {
				why[a] = why[a&^(1<<i)]
				break
			}
		}
		if why[a] == nil {
			for i, f := range loads {
				if carries(i, a) > f.border.limit {
					why[a] = f
					break
				}
			}
		}
		if why[a] == nil {
			most = max(most, bits.OnesCount(uint(a)))
		}
	}
	l.most = most
	if most == k {
		return
	}
	known := map[int]veripb.ID{} // by content
	var row func(a int) veripb.ID
	row = func(a int) veripb.ID {
		if id, ok := known[a]; ok {
			return id
		}
		var id veripb.ID
		if j := bits.OnesCount(uint(a)); j == most+1 {
			small := a
			for i := range places {
				if b := small &^ (1 << i); b != small && why[b] != nil {
					small = b
				}
			}
			if id = known[small]; id == 0 {
				id = c.tooMuch(why[small], l.nodes, places, small)
				known[small] = id
			}
		} else {
			var ids []veripb.ID
			for i := range places {
				if a>>i&1 != 0 {
					ids = append(ids, row(a&^(1<<i)))
				}
			}
			for _, id := range ids {
				c.sum.Add(id, 1)
			}
			c.sum.Divide(int64(j - 1))
			c.sum.Saturate()
			id = c.sum.Done()
		}
		known[a] = id
		return id
	}
	var ids []veripb.ID
	if most < len(places) {
		ids = append(ids, row(1<<len(places)-1))
	}
	for x, n := range counts {
		if n == 0 {
			if empty[x] == 0 {
				empty[x] = c.emptySlab(d, counts, x)
			}
			p := c.node(l.nodes[x])
			c.sum.Add(empty[x], 1)
			c.sum.Weaken(func(v veripb.Literal) bool { return v == p || int(v) > c.torus.N() })
			c.sum.Saturate()
			ids = append(ids, c.sum.Done())
		}
	}
	for _, id := range ids {
		c.sum.Add(id, 1)
	}
	c.sum.Saturate()
	l.id = c.sum.Done()
}

// inside returns what is left of the pairs within a line, by the places of both.
func (c *cuts) inside(f *forced, line []int) [][]int64 {
	place := make(map[int]int, len(line))
	for x, v := range line {
		place[v] = x
	}
	list := make([][]int64, len(line))
	for x := range list {
		list[x] = make([]int64, len(line))
	}
	for _, l := range f.rest {
		p, q := c.nodesOf(l.pair)
		x, ok := place[p]
		y, ok2 := place[q]
		if ok && ok2 {
			list[x][y], list[y][x] = l.load, l.load
		}
	}
	return list
}

// tooMuch derives that a content of a line carries too much.
func (c *cuts) tooMuch(f *forced, line, places []int, a int) veripb.ID {
	id := c.derive(f)
	c.sum.Add(id, 1)
	in := map[veripb.Literal]bool{}
	for i, x := range places {
		if a>>i&1 != 0 {
			in[c.node(line[x])] = true
		}
	}
	for _, l := range f.rest {
		if p, q := c.nodesOf(l.pair); in[c.node(p)] && in[c.node(q)] {
			c.sum.Add(c.pairs[l.pair], c.sum.Coef(-c.pairVar(l.pair)))
		}
	}
	c.sum.Weaken(func(v veripb.Literal) bool { return in[v] || int(v) > c.model.Vars() })
	return c.clause()
}

// emptySlab derives that a slab has no processors if the others have all.
func (c *cuts) emptySlab(d int, counts []int, x int) veripb.ID {
	c.sum.Add(c.sizeID[1], 1)
	for y, n := range counts {
		if n > 0 {
			c.sum.Add(c.slabs[d][y].atLeast[n], 1)
		}
	}
	s := c.slabs[d][x]
	c.sum.Weaken(func(v veripb.Literal) bool { return int(v) > c.torus.N() || s.has[int(v)-1] })
	c.sum.Saturate()
	return c.sum.Done()
}

// fit derives that the lines together have too little room, if so.
func (c *cuts) fit(rooms []room) veripb.ID {
	most := 0
	for _, l := range rooms {
		most += l.most
	}
	if most >= c.size {
		return 0
	}
	c.sum.Add(c.sizeID[0], 1)
	for _, l := range rooms {
		if l.id != 0 {
			c.sum.Add(l.id, 1)
		}
	}
	c.sum.Weaken(func(v veripb.Literal) bool { return int(v) > c.torus.N() })
	return c.clause()
}

// crowded derives that a slab of another dimension has no more processors than its lines have room for.
func (c *cuts) crowded(rooms []room, s *slab) veripb.ID {
	most := 0
	for _, l := range rooms {
		if s.has[l.nodes[0]] {
			most += l.most
		}
	}
	if most+1 >= len(s.counts) {
		return 0
	}
	c.sum.Add(s.atLeast[most+1], 1)
	for _, l := range rooms {
		if s.has[l.nodes[0]] && l.id != 0 {
			c.sum.Add(l.id, 1)
		}
	}
	c.sum.Weaken(func(v veripb.Literal) bool { return int(v) > c.torus.N() })
	return c.clause()
}

// plane derives how many processors a slab of another dimension may have at most so that the links of the border in it
// carry little enough.
func (c *cuts) plane(f *forced, o int) veripb.ID {
	t := c.torus
	place := t.Coord(c.links[f.border.links[0]].from, o)
	for _, l := range f.border.links {
		if t.Coord(c.links[l].from, o) != place {
			return 0
		}
	}
	s := c.slabs[o][place]
	if o == f.border.dim {
		return 0
	}
	// With n processors on the nodes that have to carry least; fractions do not help, for the last is taken whole.
	order := slices.Clone(s.nodes)
	slices.SortStableFunc(order, func(v, w int) int { return cmp.Compare(f.force[v], f.force[w]) })
	load, most := int64(0), len(order)
	for i, v := range order {
		if load += f.force[v]; load > f.border.limit {
			most = i
			break
		}
	}
	if most+1 >= len(s.counts) {
		return 0
	}
	dear := f.force[order[most]]
	if dear == 0 {
		return 0
	}
	id := c.derive(f)
	c.sum.Add(id, 1)
	c.sum.Add(s.atLeast[most+1], dear)
	c.sum.Weaken(func(v veripb.Literal) bool { return int(v) > c.model.Vars() })
	if c.sum.Degree() <= 0 {
		c.sum.Clear()
		return 0
	}
	return c.clause()
}

// nodesOf returns the nodes of a pair, the smaller first.
func (c *cuts) nodesOf(pair int) (p, q int) {
	q = 1
	for q*(q+1)/2 <= pair {
		q++
	}
	return pair - q*(q-1)/2, q
}
