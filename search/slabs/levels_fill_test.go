package slabs

import (
	"slices"

	"leeway/core"
	"leeway/search/census"
)

// online returns the link of a line through node 0 moved to the line through v.
func (w *levelsTwin) online(l core.Link, v int) core.Link {
	from, port := w.t.LinkFrom(l)
	return w.t.Link(v+from-w.t.Coord(v, port.Dim)*w.t.Stride(port.Dim), port.Dim, port.Dir)
}

// prepare computes forced loads and the automorphisms that leave the counts as they are.
func (c *twinClass) prepare() {
	n := c.t.N()
	c.rests = make([][]int64, n*n)
	for v := range n {
		forced := make([]int64, c.t.M())
		for s, counts := range c.counts {
			for l, b := range c.b[s] {
				for z, count := range counts {
					forced[c.online(l, v)] += b.term[c.t.Coord(v, s)][z] * int64(count)
				}
			}
		}
		c.forced = append(c.forced, forced)
	}
	for _, image := range c.all {
		if c.leaves(image) {
			c.stable = append(c.stable, image)
		}
	}
}

// leaves reports whether every slab goes to one of the same count.
func (c *twinClass) leaves(image []int) bool {
	for s, counts := range c.counts {
		for x, v := range counts {
			var slab []int // the coordinates that all its images agree in
			for t := range c.counts {
				var at []int
				for u := range c.t.N() {
					if c.t.Coord(u, s) == x {
						at = append(at, c.t.Coord(image[u], t))
					}
				}
				if slices.Min(at) == slices.Max(at) {
					slab = append(slab, c.counts[t][at[0]])
				}
			}
			if len(slab) != 1 || slab[0] != v {
				return false
			}
		}
	}
	return true
}

// rest returns by link what a pair exchanges beyond its forced loads.
func (c *twinClass) rest(u, v int) []int64 {
	at := &c.rests[u*c.t.N()+v]
	if *at != nil {
		return *at
	}
	rest := make([]int64, c.t.M())
	for _, pair := range [][2]int{{u, v}, {v, u}} {
		for l, load := range c.flow(pair[0], pair[1]) {
			rest[l] += c.units(load)
		}
		for s := range c.counts {
			for l, b := range c.b[s] {
				rest[c.online(l, pair[0])] -= b.term[c.t.Coord(pair[0], s)][c.t.Coord(pair[1], s)]
			}
		}
	}
	for _, load := range rest {
		if load < 0 {
			panic("a rest below 0")
		}
	}
	*at = rest
	return rest
}

// processors returns the fixed nodes and those of a list.
func (c *twinClass) processors(list []int) []int { return slices.Concat(c.problem.Fixed.Nodes(), list) }

// within reports whether the fixed nodes and a list have a load of at most the limit on every link.
func (c *twinClass) within(list []int) bool {
	load := make([]int64, c.t.M())
	list = c.processors(list)
	for i, u := range list {
		for l, v := range c.forced[u] {
			load[l] += v
		}
		for _, v := range list[:i] {
			for l, x := range c.rest(u, v) {
				load[l] += x
			}
		}
	}
	for l, v := range load {
		if v > c.limits[c.dim(core.Link(l))] {
			return false
		}
	}
	return true
}

// have returns how many of a list lie in slab x of s.
func (c *twinClass) have(list []int, s, x int) (count int) {
	for _, v := range c.processors(list) {
		if c.t.Coord(v, s) == x {
			count++
		}
	}
	return count
}

func (c *twinClass) candidates(list []int) (next []int) {
	from := 0
	if len(list) > 0 {
		from = list[len(list)-1] + 1
	}
search:
	for v := from; v < c.t.N(); v++ {
		if c.problem.MustHave(v) || !c.problem.MayHave(v) {
			continue
		}
		for s, counts := range c.counts {
			if x := c.t.Coord(v, s); c.have(list, s, x) == counts[x] {
				continue search
			}
		}
		if c.within(append(slices.Clone(list), v)) {
			next = append(next, v)
		}
	}
	return next
}

func (c *twinClass) goesOn(list []int) bool {
	if len(list) == 0 && !c.within(nil) {
		return false
	}
	next := c.candidates(list)
	for s := range c.counts {
		for t, counts := range c.counts {
			for x, v := range counts {
				if s != t && c.room(list, next, s, t, x) < v-c.have(list, t, x) {
					return false
				}
			}
		}
	}
	return true
}

// room adds up over the lines along s in slab x of t.
func (c *twinClass) room(list, next []int, s, t, x int) (sum int) {
	for v := range c.t.N() {
		if c.t.Coord(v, s) != 0 || c.t.Coord(v, t) != x {
			continue
		}
		inLine := func(nodes []int) (count int) {
			for y := range c.t.Side(s) {
				if slices.Contains(nodes, v+y*c.t.Stride(s)) {
					count++
				}
			}
			return count
		}
		sum += min(inLine(next), c.widths[s]-inLine(c.processors(list)))
	}
	return sum
}

func (c *twinClass) smallest(list []int) bool {
	for _, image := range c.stable {
		var moved []int
		for _, v := range list {
			moved = append(moved, image[v])
		}
		if slices.Sort(moved); slices.Compare(moved, list) < 0 {
			return false
		}
	}
	return true
}

// prefix returns the class as a list. Prefixes returns the slab counts of every class.
func (w *levelsTwin) Prefixes() (list [][]int) {
	w.listed = w.classes()
	for _, c := range w.listed {
		list = append(list, slices.Concat(c.counts...))
	}
	return list
}

// Walk counts and sums the nodes of a class.
func (w *levelsTwin) Walk(i int) (nodes int64, sum uint64, found bool) { return w.listed[i].walk() }

// walk counts and sums the nodes of the class.
func (c *twinClass) walk() (nodes int64, sum uint64, found bool) {
	c.prepare()
	var visit func(list []int)
	visit = func(list []int) {
		nodes++
		hash := uint64(0)
		for _, v := range append(slices.Concat(c.counts...), list...) {
			hash = census.Hash(hash, v)
		}
		sum += hash
		found = found || len(c.processors(list)) == c.n
		if !c.goesOn(list) {
			return
		}
		for _, v := range c.candidates(list) {
			if longer := append(slices.Clone(list), v); c.goesOn(longer) && c.smallest(longer) {
				visit(longer)
			}
		}
	}
	visit(nil)
	return nodes, sum, found
}
