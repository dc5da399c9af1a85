package orderly

import "math/bits"

// A bitset is a set of nodes or of points; bits beyond the last are 0.
type bitset []uint64

func (s bitset) has(v int) bool { return s[v>>6]>>(v&63)&1 != 0 }
func (s bitset) add(v int)      { s[v>>6] |= 1 << (v & 63) }

// join adds what is in another set.
func (s bitset) join(o bitset) {
	for i, w := range o[:len(s)] {
		s[i] |= w
	}
}

// firstDifference returns the smallest node in one of the two sets only and whether it is in s; none is -1.
func (s bitset) firstDifference(o bitset) (node int, inS bool) {
	for i, w := range s {
		if x := w ^ o[i]; x != 0 {
			b := bits.TrailingZeros64(x)
			return i<<6 + b, w>>b&1 != 0
		}
	}
	return -1, false
}

// A smallest is a smallest list with what automorphisms make of it.
type smallest interface {
	// root makes it the list that all begin with.
	root(nodes []int)
	// grow makes it a list with one more node, larger than all and not dropped, and reports whether it is smallest.
	grow(from smallest, nodes []int) bool
	// dropped returns the nodes with which no longer list is smallest. It belongs to the list.
	dropped() bitset
	// orbit returns the number of images of the list.
	orbit() int64
}

// A canon is a smallest list with what automorphisms make of it. The edge of an automorphism is the first node in the
// list that is not in its image, or n if it maps the list to itself. No edge is below the second node of the list, and
// most are that node: those are kept as sets of points, the others one by one.
//
// A node v that an automorphism takes below its edge makes list+v not smallest, and any longer list with v: below the
// edge, list and image agree but for the images of what is added. So such nodes are dropped for good.
type canon struct {
	*images
	nodes   []int // belong to the level
	set     bitset
	atFirst bitset // by origin in the list: the points whose edge is the second node
	others  []edge
	drops   bitset
}

// An edge belongs to an automorphism: a point, and a node moved to 0.
type edge struct {
	origin, point uint16
	at            uint16 // the edge, above the second node
}

func newCanon(m *images, size int) *canon {
	return &canon{images: m, set: make(bitset, m.words), atFirst: make(bitset, 0, m.masks*size),
		drops: make(bitset, m.words)}
}

func (c *canon) dropped() bitset { return c.drops }

// root makes c the list of node 0 alone, which all points map to itself.
func (c *canon) root(nodes []int) {
	c.nodes = nodes
	clear(c.set)
	c.set.add(0)
	clear(c.drops)
	c.atFirst = c.atFirst[:0]
	c.others = c.others[:0]
}

// grow makes c the list from with one more node v, which is larger than all and not dropped, and reports whether it is
// smallest; if not, c is of no use. Cost O(size^2) look-ups, and a list comparison for every automorphism that v leaves
// undecided.
func (c *canon) grow(before smallest, nodes []int) bool {
	from := before.(*canon)
	c.nodes = nodes
	v := nodes[len(nodes)-1]
	copy(c.set, from.set)
	c.set.add(v)
	copy(c.drops, from.drops)
	c.others = append(c.others[:0], from.others...)
	c.atFirst = append(c.atFirst[:0], from.atFirst...)
	if len(c.nodes) == 2 {
		return c.open(0) && c.open(v)
	}
	for i := range c.others {
		o := &c.others[i]
		x := c.to[int(o.point)*c.n+int(c.from[int(o.origin)*c.n+v])]
		if uint16(x) == o.at || int(o.at) == c.n {
			at, smallest := c.settle(int(o.origin), int(o.point))
			if !smallest {
				return false
			}
			o.at = uint16(at)
		}
	}
	for i, origin := range from.nodes {
		if !c.touch(origin, c.atFirst[i*c.masks:][:c.masks], v) {
			return false
		}
	}
	return c.open(v)
}

// touch settles those of the given points that take v to the second node, which was their edge.
func (c *canon) touch(origin int, atFirst bitset, v int) bool {
	for w, points := range c.takers(c.nodes[1], int(c.from[origin*c.n+v])) {
		points &= atFirst[w]
		atFirst[w] &^= points
		for ; points != 0; points &= points - 1 {
			point := w<<6 + bits.TrailingZeros64(points)
			at, smallest := c.settle(origin, point)
			if !smallest {
				return false
			}
			c.others = append(c.others, edge{uint16(origin), uint16(point), uint16(at)})
		}
	}
	return true
}

// open finds the edges of all points with a new origin and drops the nodes that go below them. It reports false if an
// image is smaller.
func (c *canon) open(origin int) bool {
	second := c.nodes[1]
	first := len(c.atFirst)
	c.atFirst = append(c.atFirst, c.all...)
	known := len(c.others)
	for _, v := range c.nodes {
		if v == origin {
			continue
		}
		if int(c.least[c.from[origin*c.n+v]]) < second || !c.touch(origin, c.atFirst[first:], v) {
			return false
		}
	}
	for _, o := range c.others[known:] {
		if int(o.at) == c.n { // what it takes below the second node is not dropped
			c.dropEach(origin, c.atFirst[first:])
			return true
		}
	}
	c.drops.join(c.union(origin, second))
	return true
}

// dropEach drops what the given points take below the second node.
func (c *canon) dropEach(origin int, points bitset) {
	for i := range c.points {
		if points.has(i) {
			c.drops.join(c.row(origin, i, c.nodes[1]))
		}
	}
}

// settle returns the edge of the list under an automorphism and drops the nodes that go below it. It reports false if
// the image is smaller.
func (c *canon) settle(origin, point int) (at int, smallest bool) {
	var image [maxNodes / 64]uint64
	from, to := c.from[origin*c.n:][:c.n], c.to[point*c.n:][:c.n]
	for _, v := range c.nodes {
		x := to[from[v]]
		image[x>>6] |= 1 << (x & 63)
	}
	at, inSet := c.set.firstDifference(image[:len(c.set)])
	if at < 0 {
		return c.n, true
	}
	if inSet {
		c.drops.join(c.row(origin, point, at))
	}
	return at, inSet
}

// orbit returns the number of images of the list: the group's order over the number of automorphisms that map the list
// to itself, all of which have an origin in it.
func (c *canon) orbit() int64 {
	stabilizer := 0
	for _, o := range c.others {
		if int(o.at) == c.n {
			stabilizer++
		}
	}
	if len(c.nodes) == 1 {
		stabilizer = c.points
	}
	return int64(c.order / stabilizer)
}
