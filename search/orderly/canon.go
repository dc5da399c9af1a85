package orderly

import (
	"math/bits"
	"slices"

	"leeway/core"
)

// join adds the nodes of another set to a set.
func join(s, o core.Set) {
	for i, w := range o[:len(s)] {
		s[i] |= w
	}
}

// firstDifference returns the smallest node in one of two sets only and whether it is in s; none is -1.
func firstDifference(s, o core.Set) (node int, inS bool) {
	for i, w := range s {
		if x := w ^ o[i]; x != 0 {
			b := bits.TrailingZeros64(x)
			return i<<6 + b, w>>b&1 != 0
		}
	}
	return -1, false
}

// A smallest is a smallest list with what automorphisms make of it. Those of one walker grow from each other, depth
// first: one that has grown further is used no more once a shorter one grows again.
type smallest interface {
	// root makes it the empty list.
	root()
	// grow makes it a list with one more node, larger than all and not dropped, and reports whether it is smallest.
	grow(from smallest, nodes []int) bool
	// dropped returns the nodes with which no longer list is smallest. It belongs to the list.
	dropped() core.Set
	// orbit returns the number of images of the list.
	orbit() int64
}

// A canon is a smallest list with what automorphisms make of it. The edge of an automorphism is the first node in the
// list that is not in its image; without one it fixes the list. No edge is below the second node of the list, and most
// are that node: tables say which a node moves on, so these are kept nowhere. The others wait for the node that moves
// theirs on: the one of which it is the image.
//
// A node v that an automorphism takes below its edge makes list+v not smallest, and any longer list with v: below the
// edge, list and image agree but for the images of what is added. So such nodes are dropped for good.
type canon struct {
	*images
	*waits
	nodes  []int // belong to the level
	set    core.Set
	fixing []automorphism // those that fix the list; of node 0 alone, where all points do, none are listed
	mark   int            // of waits
	drops  core.Set
}

// An automorphism is a point, after a node is moved to 0.
type automorphism struct{ origin, point uint16 }

// waits are the automorphisms that wait, on a stack: those of a list lie above those of the list before.
type waits struct {
	heads []int32 // by node: the last that waits for it, -1 if none does
	stack []wait
}

// A wait is an automorphism, the node that it waits for, and the one before that waits for it too.
type wait struct {
	automorphism
	node uint16
	next int32
}

// pop takes off the stack what lies above a mark.
func (w *waits) pop(mark int) {
	for i := len(w.stack) - 1; i >= mark; i-- {
		w.heads[w.stack[i].node] = w.stack[i].next
	}
	w.stack = w.stack[:mark]
}

// newCanons returns lists of up to some number of nodes that grow from each other.
func newCanons(m *images, size int) (list []smallest) {
	w := &waits{heads: make([]int32, m.n)}
	for v := range w.heads {
		w.heads[v] = -1
	}
	for range size + 1 {
		list = append(list, &canon{images: m, waits: w, set: core.NewSet(m.n), drops: core.NewSet(m.n)})
	}
	return list
}

func (c *canon) dropped() core.Set { return c.drops }

// root makes c the empty list. Only node 0 may follow.
func (c *canon) root() {
	c.nodes, c.fixing, c.mark = nil, c.fixing[:0], 0
	clear(c.set)
	clear(c.drops)
}

// grow makes c the list from with one more node v, which is larger than all and not dropped, and reports whether it is
// smallest; if not, c is of no use. Cost: O(size) words of sets, and a list comparison for every automorphism that v
// leaves undecided.
func (c *canon) grow(before smallest, nodes []int) bool {
	from := before.(*canon)
	c.pop(from.mark)
	c.nodes, c.fixing = nodes, c.fixing[:0]
	v := nodes[len(nodes)-1]
	copy(c.set, from.set)
	c.set.Add(v)
	copy(c.drops, from.drops)
	switch {
	case len(nodes) == 1:
		return c.keep()
	case len(nodes) == 2:
		return c.open(0) && c.open(v) && c.keep()
	case !c.move(from, v):
		return false
	}
	second := nodes[1]
	for i, w := range c.movers(second, v) { // of these the second node was the edge
		for w &= from.set[i]; w != 0; w &= w - 1 {
			origin := i<<6 + bits.TrailingZeros64(w)
			if !c.settleAll(origin, c.takers(second, int(c.from[origin*c.n+v]))) {
				return false
			}
		}
	}
	return c.open(v) && c.keep()
}

// keep marks what the list is known by.
func (c *canon) keep() bool {
	c.mark = len(c.stack)
	return true
}

// move finds the new edges of automorphisms that wait for node v or fix the list without it.
func (c *canon) move(from *canon, v int) bool {
	for i := c.heads[v]; i >= 0; {
		w := c.stack[i]
		if !c.settle(w.automorphism) {
			return false
		}
		i = w.next
	}
	for _, g := range from.fixing {
		if int(c.to[int(g.point)*c.n+int(c.from[int(g.origin)*c.n+v])]) == v {
			c.fixing = append(c.fixing, g)
		} else if !c.settle(g) {
			return false
		}
	}
	return true
}

// open finds the edges of all points with a new origin and drops the nodes that go below them. It reports false if an
// image is smaller.
func (c *canon) open(origin int) bool {
	second, fixing := c.nodes[1], len(c.fixing)
	below, upTo := c.union(origin, second), c.union(origin, second+1)
	for i, w := range c.set {
		if w&below[i]&^c.one(origin, i) != 0 {
			return false
		}
	}
	for i, w := range c.set {
		for w &= upTo[i] &^ c.one(origin, i); w != 0; w &= w - 1 {
			v := i<<6 + bits.TrailingZeros64(w)
			if !c.settleAll(origin, c.takers(second, int(c.from[origin*c.n+v]))) {
				return false
			}
		}
	}
	if fixes := c.fixing[fixing:]; len(fixes) > 0 { // what they take below the second node is not dropped
		for i := range c.points {
			if !slices.Contains(fixes, automorphism{uint16(origin), uint16(i)}) {
				join(c.drops, c.row(origin, i, second))
			}
		}
		return true
	}
	join(c.drops, below)
	return true
}

// one returns word i of the set of one node.
func (c *canon) one(v, i int) uint64 {
	if v>>6 != i {
		return 0
	}
	return 1 << (v & 63)
}

// settleAll settles some points with one origin.
func (c *canon) settleAll(origin int, points core.Set) bool {
	for i, w := range points {
		for ; w != 0; w &= w - 1 {
			if !c.settle(automorphism{uint16(origin), uint16(i<<6 + bits.TrailingZeros64(w))}) {
				return false
			}
		}
	}
	return true
}

// settle finds the edge of the list under an automorphism and drops the nodes that go below it. It reports false if the
// image is smaller.
func (c *canon) settle(g automorphism) bool {
	var image [maxNodes / 64]uint64
	origin, point := int(g.origin), int(g.point)
	from, to := c.from[origin*c.n:][:c.n], c.to[point*c.n:][:c.n]
	for _, v := range c.nodes {
		x := to[from[v]]
		image[x>>6] |= 1 << (x & 63)
	}
	edge, inSet := firstDifference(c.set, image[:len(c.set)])
	if edge < 0 {
		c.fixing = append(c.fixing, g)
		return true
	}
	if !inSet {
		return false
	}
	join(c.drops, c.row(origin, point, edge))
	if v := c.onto(origin, point, edge); v > c.nodes[len(c.nodes)-1] {
		c.stack = append(c.stack, wait{g, uint16(v), c.heads[v]})
		c.heads[v] = int32(len(c.stack) - 1)
	}
	return true
}

// orbit returns the number of images of the list: the group's order over the number of automorphisms that map the list
// to itself, all of which have an origin in it.
func (c *canon) orbit() int64 {
	if len(c.nodes) == 1 {
		return int64(c.order / c.points)
	}
	return int64(c.order / len(c.fixing))
}
