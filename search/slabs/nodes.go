package slabs

import (
	"slices"

	"leeway/core"
	"leeway/core/symmetry"
	"leeway/objective/lanes"
	"leeway/search/census"
)

// A nodeWalker fills one class after the other. It belongs to one worker.
type nodeWalker struct {
	*nodePlan
	census.Counter
	levels []*level // by size of the list
	list   []int    // the nodes that are not fixed
	fixed  []int    // nodes that every list has besides
	free   []int    // nodes that are neither fixed nor forbidden
	widths []int    // by dimension, of the class at hand
	canon  canon
	room   []int // by line, for goesOn
	left   []int // by slab, for step and goesOn
}

// A level is what follows from the list of its size: its loads and its candidates.
type level struct {
	hash   uint64
	biased []uint64 // the loads of the list, with the bias
	next   []int    // candidates, ascending
	around []uint64 // by candidate: the loads that it would bring
	lacks  []int    // by slab: the nodes still to come
	within []int    // by line: the nodes of the list in it
}

func newNodeWalker(q *nodePlan) *nodeWalker {
	w := &nodeWalker{nodePlan: q}
	if len(q.classes) == 0 {
		return w
	}
	w.fixed, w.free = q.problem.Fixed.Nodes(), q.problem.Candidates()
	n, t := q.problem.Size-len(w.fixed), q.problem.Torus()
	w.widths, w.room, w.left = make([]int, t.D()), make([]int, len(q.lines.slabs)), make([]int, len(q.lines.dim))
	w.canon = canon{edges: make([][]int, n+1), nodes: t.N()}
	for range n + 1 {
		w.levels = append(w.levels, &level{biased: make([]uint64, q.loads.Words), around: make([]uint64, t.N()*q.loads.Words),
			lacks: make([]int, len(q.lines.dim)), within: make([]int, len(q.lines.slabs))})
	}
	return w
}

// Walk fills class i up to the first placement.
func (w *nodeWalker) Walk(i int, poll func(nodes int64) bool) census.Tally {
	w.Start(poll)
	w.list = w.list[:0]
	w.levels[0].hash = census.HashAll(0, w.prefixes[i])
	if w.Visit(w.levels[0].hash) && w.open(w.classes[i]) {
		w.extend(w.levels[0])
	}
	return w.End()
}

// open makes the first level the empty list under a class and reports whether it goes on.
func (w *nodeWalker) open(class []int) bool {
	l := w.levels[0]
	forced := make([][][]int64, len(class))
	l.lacks = l.lacks[:0]
	for s, i := range class {
		side := w.sides[s][i]
		w.widths[s] = side.width
		l.lacks = append(l.lacks, side.counts.ints(w.rings[s].k)...)
		for x := range w.rings[s].k {
			forced[s] = append(forced[s], w.rings[s].forcedLoad(x, &side.counts))
		}
	}
	for i := range l.biased {
		l.biased[i] = w.loads.Bias
	}
	clear(l.within)
	l.next = l.next[:0]
	for i, v := range w.fixed {
		if !w.packAround(l, v, i, forced) {
			return false
		}
		lanes.AddScaled(l.biased, l.biased, 1, w.around(l, 0))
		for s, slab := range w.lines.slab[v] {
			l.lacks[slab]--
			l.within[w.lines.of[v][s]]++
		}
	}
	full := l.full()
	for _, v := range w.free {
		if w.lines.in[v]&full == 0 && w.packAround(l, v, len(w.fixed), forced) {
			l.next = append(l.next, v)
		}
	}
	if !w.goesOn(l) {
		return false
	}
	w.canon.start(w.stabiliser(l.lacks))
	return true
}

// packAround makes the loads that node v brings besides the first fixed nodes those of the next candidate of the empty
// list, and reports whether they are within the limit.
func (w *nodeWalker) packAround(l *level, v, fixed int, forced [][][]int64) bool {
	row := w.around(l, len(l.next))
	if !w.loads.packForced(row, w.problem.Torus(), v, forced) {
		return false
	}
	for _, u := range w.fixed[:fixed] {
		if !w.loads.AddWithin(row, row, w.loads.Pair(u, v), l.biased) {
			return false
		}
	}
	return true
}

// around returns the loads that candidate number i of a level brings.
func (w *nodeWalker) around(l *level, i int) []uint64 {
	return lanes.Row(l.around, i, w.loads.Words)
}

// full returns the slabs that lack nothing, as bits.
func (l *level) full() (slabs uint64) {
	for slab, lack := range l.lacks {
		if lack == 0 {
			slabs |= 1 << slab
		}
	}
	return slabs
}

// extend visits the lists that start with the one at hand, without that one. It returns false when the walk ended.
func (w *nodeWalker) extend(l *level) bool {
	wanted := w.problem.Size - len(w.fixed)
	if len(w.list) == wanted {
		w.Found = core.MustPlacement(w.problem.Torus(), slices.Concat(w.fixed, w.list))
		return false
	}
	size := len(w.list)
	for i, v := range l.next {
		if len(l.next)-i < wanted-size {
			break
		}
		w.list = append(w.list[:size], v)
		child := w.levels[size+1]
		if !w.step(l, child, i) || !w.goesOn(child) || !w.canon.grow(w.list) {
			continue
		}
		child.hash = census.Hash(l.hash, v)
		if !w.Visit(child.hash) || !w.extend(child) {
			return false
		}
	}
	w.list = w.list[:size]
	return true
}

// step fills the child of a level by its candidate number i. It returns false where some slab is left with too few
// candidates; the child then does not go on.
func (w *nodeWalker) step(l, child *level, i int) bool {
	v, around := l.next[i], w.around(l, i)
	copy(child.lacks, l.lacks)
	copy(child.within, l.within)
	for s, slab := range w.lines.slab[v] {
		child.lacks[slab]--
		child.within[w.lines.of[v][s]]++
	}
	full, rest := child.full(), l.next[i+1:]
	if !w.count(child, rest, full) {
		return false
	}
	for x, b := range l.biased {
		child.biased[x] = b + around[x]
	}
	child.next = child.next[:0]
	for j, u := range rest {
		switch {
		case w.lines.in[u]&full != 0:
		case w.loads.AddWithin(w.around(child, len(child.next)), w.around(l, i+1+j), w.loads.Pair(v, u), child.biased):
			child.next = append(child.next, u)
		case !w.drop(child, u):
			return false
		}
	}
	return true
}

// count counts by slab those of some nodes that are in no full slab, and reports whether they are as many as lack.
func (w *nodeWalker) count(l *level, nodes []int, full uint64) bool {
	clear(w.left)
	for _, u := range nodes {
		if w.lines.in[u]&full == 0 {
			for _, slab := range w.lines.slab[u] {
				w.left[slab]++
			}
		}
	}
	for slab, lack := range l.lacks {
		if w.left[slab] < lack {
			return false
		}
	}
	return true
}

// drop takes a node from the counts and reports whether they are still as many.
func (w *nodeWalker) drop(l *level, u int) bool {
	for _, slab := range w.lines.slab[u] {
		if w.left[slab]--; w.left[slab] < l.lacks[slab] {
			return false
		}
	}
	return true
}

// goesOn reports whether the lines have room for what every slab lacks.
func (w *nodeWalker) goesOn(l *level) bool {
	for s, width := range w.widths {
		from, to := w.lines.first[s], w.lines.first[s+1]
		room := w.room[from:to]
		clear(room)
		for _, v := range l.next {
			room[w.lines.of[v][s]-from]++
		}
		copy(w.left, l.lacks)
		for i, have := range room {
			for _, slab := range w.lines.slabs[from+i] {
				w.left[slab] -= min(have, width-l.within[from+i])
			}
		}
		for slab, lack := range w.left {
			if lack > 0 && w.lines.dim[slab] != s {
				return false
			}
		}
	}
	return true
}

// imagesOf returns the images of all nodes under every automorphism: all translations of the first point, then of the
// second, and so on.
func imagesOf(g *symmetry.Group) [][]uint8 {
	var list [][]uint8
	for i := range g.Points() {
		for _, shift := range g.Shifts() {
			image := make([]uint8, g.Torus().N())
			for v, u := range g.Images(i, shift) {
				image[v] = uint8(u)
			}
			list = append(list, image)
		}
	}
	return list
}

// slabImages returns, by automorphism, the number of the slab that each slab goes to.
func slabImages(images [][]uint8, points []symmetry.Point, l *lines) [][]uint8 {
	list := make([][]uint8, len(images))
	for i, image := range images {
		to := points[i*len(points)/len(images)].Perm
		list[i] = make([]uint8, len(l.dim))
		for v, u := range image {
			for s, slab := range l.slab[v] {
				list[i][slab] = uint8(l.slab[u][to[s]])
			}
		}
	}
	return list
}

// stabiliser returns the automorphisms that leave slab counts, of one dimension after the other, as they are.
func (q *nodePlan) stabiliser(counts []int) (list [][]uint8) {
	for i, to := range q.slabs {
		if keeps(to, counts) {
			list = append(list, q.images[i])
		}
	}
	return list
}

func keeps(to []uint8, counts []int) bool {
	for slab, v := range counts {
		if counts[to[slab]] != v {
			return false
		}
	}
	return true
}

// A canon tells which lists are smallest under a stabiliser. The edge of an automorphism is the first node of the list
// that is not in its image, or the number of nodes if it maps the list to itself. List and image agree below the edge,
// so a longer list is not smallest if a node added goes below it.
type canon struct {
	group [][]uint8
	edges [][]int // by size of the list and automorphism
	nodes int
}

// start starts with the empty list under another stabiliser.
func (c *canon) start(group [][]uint8) {
	c.group = group
	for size := range c.edges {
		c.edges[size] = slices.Grow(c.edges[size][:0], len(group))[:len(group)]
	}
	for i := range group {
		c.edges[0][i] = c.nodes
	}
}

// grow reports whether a list is smallest, which it was without its last node.
func (c *canon) grow(list []int) bool {
	last := len(list) - 1
	from, to := c.edges[last], c.edges[last+1]
	for i, image := range c.group {
		switch at := int(image[list[last]]); {
		case at > from[i]:
			to[i] = from[i]
		case from[i] < c.nodes && at < from[i]:
			return false
		default:
			edge, smallest := c.edge(list, image)
			if !smallest {
				return false
			}
			to[i] = edge
		}
	}
	return true
}

// edge returns the edge of a list under an automorphism, and whether its image is not earlier.
func (c *canon) edge(list []int, image []uint8) (edge int, smallest bool) {
	var own, other [MaxNodes]bool
	for _, v := range list {
		own[v], other[image[v]] = true, true
	}
	for v := range c.nodes {
		if own[v] != other[v] {
			return v, own[v]
		}
	}
	return c.nodes, true
}
