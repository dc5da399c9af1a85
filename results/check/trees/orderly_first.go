package trees

import (
	"math/bits"

	"leeway/core"
)

// An orderlyGroup is a group of automorphisms: each is one of its points, which fix node 0, and a translation after it.
// If it is whole, its points are all its elements. Nodes fit a byte.
type orderlyGroup struct {
	whole   bool
	points  [][256]uint8 // images of the nodes
	inverse [][256]uint8 // by point: the node of an image
	plus    [][256]uint8 // plus[o][e] is the node e+o
}

// order returns how many automorphisms there are.
func (g *orderlyGroup) order() int {
	if g.whole {
		return len(g.points)
	}
	return len(g.points) * len(g.plus)
}

// newOrderlyGroup returns the group of points, given by the images of all nodes.
func newOrderlyGroup(t *core.Torus, points [][]int) *orderlyGroup {
	g := &orderlyGroup{points: make([][256]uint8, len(points)), inverse: make([][256]uint8, len(points)),
		plus: translations(t)}
	for i, images := range points {
		for v, to := range images {
			g.points[i][v], g.inverse[i][to] = uint8(to), uint8(v)
		}
	}
	return g
}

// translations returns, by node o and node e, the node e+o.
func translations(t *core.Torus) [][256]uint8 {
	plus := make([][256]uint8, t.N())
	for o := range t.N() {
		for sum := range t.N() {
			plus[o][t.Displacement(o, sum)] = uint8(sum)
		}
	}
	return plus
}

// An orderlyImage is an automorphism: a point, then minus the node origin.
type orderlyImage struct {
	point  int32
	origin uint8
}

// An orderlyFirst keeps a list of nodes that grows at its end, and tells whether it is smallest: no image is
// lexicographically earlier.
//
// If all translations are in the group, only automorphisms g whose image of the list contains 0 can make an earlier
// one; they come in with the node that they map to 0. The edge of such a g is the smallest number that is in the list
// or in its image and not in both: with a smallest list it is in the list, or there is none, and g fixes the list. A
// node v that enters moves the edge only if g(v) is the edge, so g waits at that node. What g maps below the edge,
// outside the list, can never enter: it is dropped.
//
// The second number of the list is the edge of most automorphisms, which are not noted: seconds says which node moves
// them.
type orderlyFirst struct {
	group   *orderlyGroup
	words   int // in use for one bit a node
	in      [256]bool
	set     nodeMask   // the same, if the group is not whole
	heads   [256]int32 // by node: the wait that came last, -1 if none
	waits   []orderlyWait
	levels  []orderlyStage // by length of the list
	seconds orderlySeconds
	steps   int // since taken was called
}

// orderlySeconds says which automorphisms map a node to 0 and another to one number or below it.
type orderlySeconds struct {
	number int        // 0: none yet
	starts []int32    // by both nodes: where their points begin
	points []uint16   // those that map the first to 0, after a translation, and the second to the number
	to     []nodeMask // by first node: second nodes that have points
	of     []nodeMask // by second node: first nodes
	below  []nodeMask // by first node: others that some point maps below the number
}

// find makes the tables for a number and returns the steps that it takes.
func (t *orderlySeconds) find(g *orderlyGroup, number int) int {
	n := len(g.plus)
	t.number, t.starts, t.points = number, make([]int32, n*n+1), make([]uint16, n*len(g.points))
	t.to, t.of, t.below = make([]nodeMask, n), make([]nodeMask, n), make([]nodeMask, n)
	for i := range g.points {
		for v, origin := range g.points[i][:n] {
			for e := 1; e < number; e++ {
				t.below[v].add(int(g.inverse[i][g.plus[origin][e]]))
			}
			w := int(g.inverse[i][g.plus[origin][number]])
			t.starts[v*n+w+1]++
			t.to[v].add(w)
			t.of[w].add(v)
		}
	}
	for i := range n * n {
		t.starts[i+1] += t.starts[i]
	}
	filled := make([]int32, n*n)
	for i := range g.points {
		for v, origin := range g.points[i][:n] {
			at := v*n + int(g.inverse[i][g.plus[origin][number]])
			t.points[t.starts[at]+filled[at]] = uint16(i)
			filled[at]++
		}
	}
	return n * (2*n + len(g.points)*(3+number))
}

// An orderlyWait is an automorphism whose edge is the image of a node.
type orderlyWait struct {
	orderlyImage
	node, edge uint8
	next       int32 // an earlier wait at the same node, -1 if there is none
}

// An orderlyStage is what is known of a list.
type orderlyStage struct {
	dropped [4]uint64      // one bit a node; see orderlyFirst.words
	fixing  []orderlyImage // automorphisms that fix the list
	waits   int            // how many there were before its last node entered
}

// newOrderlyFirst returns the list of no nodes, with room for n.
func newOrderlyFirst(g *orderlyGroup, n int) *orderlyFirst {
	f := &orderlyFirst{group: g, words: (len(g.plus) + 63) / 64, levels: make([]orderlyStage, n+1)}
	for v := range f.heads {
		f.heads[v] = -1
	}
	if g.whole { // all fix the empty list
		for i := range g.points {
			f.levels[0].fixing = append(f.levels[0].fixing, orderlyImage{int32(i), 0})
		}
	}
	return f
}

// taken returns how many numbers were compared since it was called last.
func (f *orderlyFirst) taken() int {
	steps := f.steps
	f.steps = 0
	return steps
}

// push puts node v, above the others, at place m of the list and reports whether that is smallest. If not, the list is
// as before.
func (f *orderlyFirst) push(m, v int) bool {
	from, to := &f.levels[m], &f.levels[m+1]
	to.dropped, to.fixing, to.waits = from.dropped, to.fixing[:0], len(f.waits)
	f.in[v] = true
	smallest := false
	switch {
	case f.group.whole:
		smallest = f.moveEdges(to, v) && f.moveFixing(from, to, v)
	case m == 0:
		smallest = f.first(to)
	case m == 1:
		if f.seconds.number != v {
			f.steps += f.seconds.find(f.group, v)
		}
		f.set = nodeMask{1}
		f.set.add(v)
		smallest = f.bringToZero(to, 0, v) && f.bringToZero(to, v, v)
	default:
		f.set.add(v)
		smallest = f.moveEdges(to, v) && f.moveFixing(from, to, v) && f.moveSecond(to, v) && f.bringToZero(to, v, v)
	}
	if !smallest {
		f.pop(m, v)
	}
	return smallest
}

// first notes that all points fix the list of node 0 alone.
func (f *orderlyFirst) first(to *orderlyStage) bool {
	for i := range f.group.points {
		to.fixing = append(to.fixing, orderlyImage{int32(i), 0})
	}
	return true
}

// pop takes node v at place m off the list again.
func (f *orderlyFirst) pop(m, v int) {
	f.in[v] = false
	f.set.remove(v)
	keep := f.levels[m+1].waits
	for i := len(f.waits) - 1; i >= keep; i-- {
		f.heads[f.waits[i].node] = f.waits[i].next
	}
	f.waits = f.waits[:keep]
}

// moveEdges goes on with the automorphisms that wait at v: their edge is now in the list and in its image.
func (f *orderlyFirst) moveEdges(to *orderlyStage, v int) bool {
	for i := f.heads[v]; i >= 0; {
		w := f.waits[i]
		if !f.compare(to, w.orderlyImage, int(w.edge)+1, v) {
			return false
		}
		i = w.next
	}
	return true
}

// moveFixing looks at what fixed the list before v.
func (f *orderlyFirst) moveFixing(from, to *orderlyStage, v int) bool {
	f.steps += len(from.fixing)
	for _, g := range from.fixing {
		if f.group.inverse[g.point][f.group.plus[g.origin][v]] == uint8(v) {
			to.fixing = append(to.fixing, g)
		} else if !f.compare(to, g, 0, v) {
			return false
		}
	}
	return true
}

// moveSecond goes on with the automorphisms that map v to the second number, which was their edge.
func (f *orderlyFirst) moveSecond(to *orderlyStage, v int) bool {
	for i, word := range f.seconds.of[v][:f.words] {
		for word &= f.set[i]; word != 0; word &= word - 1 {
			if !f.compareAll(to, i<<6+bits.TrailingZeros64(word), v, v) {
				return false
			}
		}
	}
	return true
}

// bringToZero looks at the automorphisms that map node u of the list to 0. The last number of the list is v.
func (f *orderlyFirst) bringToZero(to *orderlyStage, u, v int) bool {
	t, fixing := &f.seconds, len(to.fixing)
	for i, word := range t.below[u][:f.words] {
		if word&f.set[i] != 0 {
			return false
		}
	}
	f.steps += 4 * f.words
	for i, word := range t.to[u][:f.words] {
		for word &= f.set[i]; word != 0; word &= word - 1 {
			if !f.compareAll(to, u, i<<6+bits.TrailingZeros64(word), v) {
				return false
			}
		}
	}
	if len(to.fixing) == fixing {
		for i, word := range t.below[u][:f.words] {
			to.dropped[i] |= word
		}
		return true
	}
	fixes := map[int32]bool{} // what they map below the second number is not dropped
	for _, g := range to.fixing[fixing:] {
		fixes[g.point] = true
	}
	f.steps += len(f.group.points) * t.number
	for i := range f.group.points {
		if fixes[int32(i)] {
			continue
		}
		plus, inverse := &f.group.plus[f.group.points[i][u]], &f.group.inverse[i]
		for e := 1; e < t.number; e++ {
			x := inverse[plus[uint8(e)]]
			to.dropped[x>>6] |= 1 << (x & 63)
		}
	}
	return true
}

// compareAll compares the list with its images under the automorphisms that map node u to 0 and node w to the second
// number, below which they then agree.
func (f *orderlyFirst) compareAll(to *orderlyStage, u, w, v int) bool {
	t := &f.seconds
	at := u*len(f.group.plus) + w
	for _, i := range t.points[t.starts[at]:t.starts[at+1]] {
		if !f.compare(to, orderlyImage{int32(i), f.group.points[i][u]}, t.number+1, v) {
			return false
		}
	}
	return true
}

// compare finds the edge of g from a number on, below which list and image agree, and notes it. It returns false if the
// edge is in the image. The last number of the list is v.
func (f *orderlyFirst) compare(to *orderlyStage, g orderlyImage, from, v int) bool {
	plus, inverse := &f.group.plus[g.origin], &f.group.inverse[g.point]
	var below [4]uint64
	f.steps += 4
	for e := from; e <= v; e++ {
		x := inverse[plus[uint8(e)]]
		f.steps++
		switch in, image := f.in[uint8(e)], f.in[x]; {
		case in && image:
		case image:
			return false
		case in:
			f.wait(g, e, int(x), v)
			for i, w := range below[:f.words] {
				to.dropped[i] |= w
			}
			return true
		default:
			below[x>>6] |= 1 << (x & 63)
		}
	}
	to.fixing = append(to.fixing, g) // it has no number above v, so neither has the image
	return true
}

// wait notes that the edge of g is the image of node x. What comes before v will not enter any more.
func (f *orderlyFirst) wait(g orderlyImage, edge, x, v int) {
	if x > v {
		f.waits = append(f.waits, orderlyWait{g, uint8(x), uint8(edge), f.heads[x]})
		f.heads[x] = int32(len(f.waits) - 1)
	}
}
