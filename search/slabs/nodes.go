package slabs

import (
	"math/bits"
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
	canon  canon
	lacks  []int // by slab: the nodes still to come
	takes  []int // by line: its width less the nodes of the list in it
}

// A level is what follows from the list of its size: its loads and its candidates.
type level struct {
	hash   uint64
	biased []uint64 // the loads of the list, with the bias
	open   nodeSet  // nodes in no full slab
	next   nodeSet  // candidates
	around []uint64 // by node, for candidates: the loads that it would bring
	room   lineRoom // of the candidates that no longer list has tried
}

// A lineRoom is what candidates leave of the room on lines, all numbers below 256.
type lineRoom struct {
	have  []uint8   // by line: candidates in it
	rooms [][]uint8 // by dimension and slab: the room of the lines along the dimension
}

func newNodeWalker(q *nodePlan) *nodeWalker {
	w := &nodeWalker{nodePlan: q}
	if len(q.classes) == 0 {
		return w
	}
	w.fixed, w.free = q.problem.Fixed.Nodes(), q.problem.Candidates()
	n, t, slabs := q.problem.Size-len(w.fixed), q.problem.Torus(), len(q.lines.dim)
	w.canon = canon{edges: make([][]int, n+1), nodes: t.N()}
	w.lacks, w.takes = make([]int, slabs), make([]int, len(q.lines.slabs))
	for range n + 1 {
		l := &level{biased: make([]uint64, q.loads.Words), around: make([]uint64, t.N()*q.loads.Words),
			room: lineRoom{have: make([]uint8, len(q.lines.slabs))}}
		for range t.D() {
			l.room.rooms = append(l.room.rooms, make([]uint8, slabs))
		}
		w.levels = append(w.levels, l)
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
	w.lacks = w.lacks[:0]
	for s, i := range class {
		side := w.sides[s][i]
		w.lacks = append(w.lacks, side.counts.ints(w.rings[s].k)...)
		for line := w.lines.first[s]; line < w.lines.first[s+1]; line++ {
			w.takes[line] = side.width
		}
		for x := range w.rings[s].k {
			loads := w.rings[s].forcedLoad(x, &side.counts)
			for e := range loads {
				loads[e] *= int64(w.problem.Torus().Scale(s))
			}
			forced[s] = append(forced[s], loads)
		}
	}
	counts := slices.Clone(w.lacks)
	for i := range l.biased {
		l.biased[i] = w.loads.Bias
	}
	l.open = nodeSet{}
	for _, v := range w.free {
		l.open.add(v)
	}
	for i, v := range w.fixed {
		if !w.packAround(l, v, i, forced) {
			return false
		}
		lanes.AddScaled(l.biased, l.biased, 1, w.around(l, v))
		w.put(v, 1)
	}
	for slab, lack := range w.lacks {
		if lack == 0 {
			l.open.without(&w.lines.inSlab[slab])
		}
	}
	if l.next = l.open; !w.goesOn(l) {
		return false // whatever the loads are
	}
	for _, v := range w.free {
		if l.open.has(v) && !w.packAround(l, v, len(w.fixed), forced) {
			if l.next.remove(v); !w.drop(&l.room, v) {
				return false
			}
		}
	}
	w.canon.start(w.stabiliser(class, counts))
	return true
}

// packAround finds the loads that node v brings to the empty list besides the first fixed nodes, and reports whether
// they are within the limit.
func (w *nodeWalker) packAround(l *level, v, fixed int, forced [][][]int64) bool {
	row := w.around(l, v)
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

// around returns the loads that a candidate of a level brings.
func (w *nodeWalker) around(l *level, v int) []uint64 { return lanes.Row(l.around, v, w.loads.Words) }

// put puts a node in its lines and slabs, or takes it out if by is -1.
func (w *nodeWalker) put(v, by int) {
	of := w.lines.of[v]
	for s, slab := range w.lines.slab[v] {
		w.lacks[slab] -= by
		w.takes[of[s]] -= by
	}
}

// extend visits the lists that start with the one at hand, without that one. It returns false when the walk ended.
func (w *nodeWalker) extend(l *level) bool {
	size := len(w.list)
	if size == len(w.levels)-1 {
		w.Found = core.MustPlacement(w.problem.Torus(), slices.Concat(w.fixed, w.list))
		return false
	}
	child, rest := w.levels[size+1], l.next
	// Of the lists from a candidate on all further nodes are among the candidates from it on: once these leave too little
	// room none goes on.
	for v := rest.first(); v >= 0; v = rest.first() {
		rest.remove(v)
		w.list = append(w.list[:size], v)
		child.room.enter(&l.room, w, v)
		w.put(v, 1)
		if w.step(l, child, v, &rest) && w.canon.grow(w.list) {
			child.hash = census.Hash(l.hash, v)
			if !w.Visit(child.hash) || !w.extend(child) {
				return false
			}
		}
		if w.put(v, -1); !w.drop(&l.room, v) {
			break
		}
	}
	w.list = w.list[:size]
	return true
}

// step fills the child of a level by its candidate v, which has been put in, from the candidates above v, and reports
// whether it goes on.
func (w *nodeWalker) step(l, child *level, v int, above *nodeSet) bool {
	child.open = l.open
	for _, slab := range w.lines.slab[v] {
		if w.lacks[slab] == 0 {
			child.open.without(&w.lines.inSlab[slab])
		}
	}
	child.next = *above
	child.next.meet(&child.open)
	full := *above
	full.without(&child.open)
	for u := full.first(); u >= 0; u = full.first() {
		if full.remove(u); !w.drop(&child.room, u) {
			return false // whatever the loads are
		}
	}
	lanes.AddScaled(child.biased, l.biased, 1, w.around(l, v))
	for i, tried := range child.next[:w.lines.words] {
		for tried != 0 {
			over := w.loads.Join(i, tried, 0, child.around, l.around, v, child.biased)
			if over == 0 {
				break
			}
			u := i<<6 + bits.TrailingZeros64(over)
			if child.next.remove(u); !w.drop(&child.room, u) {
				return false
			}
			tried &^= over | (over - 1)
		}
	}
	return true
}

// goesOn finds the room among the candidates of a level and reports whether the lines along every dimension have as
// much as the slabs of the others lack.
func (w *nodeWalker) goesOn(l *level) bool {
	for s, rooms := range l.room.rooms {
		clear(rooms)
		for line := w.lines.first[s]; line < w.lines.first[s+1]; line++ {
			have := w.lines.in[line].common(&l.next, w.lines.words)
			l.room.have[line] = uint8(have)
			if more := min(have, w.takes[line]); more > 0 {
				for _, slab := range w.lines.slabs[line] {
					rooms[slab] += uint8(more)
				}
			}
		}
		for slab, lack := range w.lacks {
			if int(rooms[slab]) < lack && w.lines.dim[slab] != s {
				return false
			}
		}
	}
	return true
}

// enter takes over the room of a list for that with a candidate more, which is not put in yet. The slabs of the
// candidate lack one less then, so there is still room.
func (r *lineRoom) enter(from *lineRoom, w *nodeWalker, v int) {
	copy(r.have, from.have)
	for s, line := range w.lines.of[v] {
		copy(r.rooms[s], from.rooms[s])
		if r.have[line]--; w.takes[line] > 0 {
			for _, slab := range w.lines.slabs[line] {
				r.rooms[s][slab]--
			}
		}
	}
}

// drop takes a node off the candidates with which a list goes on, and reports whether it still does.
func (w *nodeWalker) drop(r *lineRoom, v int) bool {
	for s, line := range w.lines.of[v] {
		if r.have[line]--; int(r.have[line]) >= w.takes[line] {
			continue
		}
		rooms := r.rooms[s]
		for _, slab := range w.lines.slabs[line] {
			if rooms[slab]--; int(rooms[slab]) < w.lacks[slab] {
				return false
			}
		}
	}
	return true
}

// A nodeSet has one bit a node.
type nodeSet [MaxNodes / 64]uint64

func (a *nodeSet) add(v int)      { a[v>>6] |= 1 << (v & 63) }
func (a *nodeSet) remove(v int)   { a[v>>6] &^= 1 << (v & 63) }
func (a *nodeSet) has(v int) bool { return a[v>>6]>>(v&63)&1 != 0 }

func (a *nodeSet) meet(b *nodeSet) {
	for i := range a {
		a[i] &= b[i]
	}
}

func (a *nodeSet) without(b *nodeSet) {
	for i := range a {
		a[i] &^= b[i]
	}
}

// first returns the least node, -1 if there is none.
func (a *nodeSet) first() int {
	for i, word := range a {
		if word != 0 {
			return i<<6 + bits.TrailingZeros64(word)
		}
	}
	return -1
}

// common returns how many nodes are in both sets, whose nodes lie in so many words.
func (a *nodeSet) common(b *nodeSet, words int) (count int) {
	for i, word := range a[:words] {
		count += bits.OnesCount64(word & b[i])
	}
	return count
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

// stabiliser returns the automorphisms that leave the slab counts of a class, of one dimension after the other, as they
// are.
func (q *nodePlan) stabiliser(class, counts []int) (list [][]uint8) {
	shifts := len(q.images) / len(q.points)
	for p := range q.points {
		if q.ranks != nil && !q.turns(p, class) {
			continue
		}
		for i := p * shifts; i < (p+1)*shifts; i++ {
			if keeps(q.slabs[i], counts) {
				list = append(list, q.images[i])
			}
		}
	}
	return list
}

// turns reports whether a point, and some translations after it, leave the slab counts of a class as they are.
func (q *nodePlan) turns(point int, class []int) bool {
	u := &q.points[point]
	for s, i := range class {
		if t := u.Perm[s]; q.image(u, s, i) != q.ranks[t][0][class[t]] {
			return false
		}
	}
	return true
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
