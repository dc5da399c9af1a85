package trees

import "leeway/core"

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
// one; they come in with the node that they map to 0. The edge of such a g is the smallest
// number that is in the list or in its image and not in both: with a smallest list it is in the list, or there is none,
// and g fixes the list. A node v that enters moves the edge only if g(v) is the edge, so g waits at that node. What g
// maps below the edge, outside the list, can never enter: it is dropped.
type orderlyFirst struct {
	group  *orderlyGroup
	words  int // in use for one bit a node
	in     [256]bool
	heads  [256]int32 // by node: the wait that came last, -1 if none
	waits  []orderlyWait
	levels []orderlyStage // by length of the list
	steps  int            // since taken was called
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
	if f.moveEdges(to, v) && f.moveFixing(from, to, v) && (f.group.whole || f.bringToZero(to, v)) {
		return true
	}
	f.pop(m, v)
	return false
}

// pop takes node v at place m off the list again.
func (f *orderlyFirst) pop(m, v int) {
	f.in[v] = false
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

// bringToZero looks at the automorphisms that map v to 0.
func (f *orderlyFirst) bringToZero(to *orderlyStage, v int) bool {
	for i := range f.group.points {
		if !f.compare(to, orderlyImage{int32(i), f.group.points[i][v]}, 1, v) {
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
