package orderly

import "leeway/core/symmetry"

// images tables the automorphisms. Only images that hold node 0 can be smaller
// than a smallest list, so an automorphism is a point (it fixes 0) and an origin,
// the node of the list that is then moved to 0.
type images struct {
	n, points, words, order int
	to                      []uint8  // by origin, node, point: the image
	below                   []uint64 // by origin, point, e: the set of nodes whose image is below e
}

// newImages tables a group. Cost O(points N^2) steps.
func newImages(g *symmetry.Group) *images {
	t := g.Torus()
	n := t.N()
	m := &images{n: n, points: g.Points(), words: (n + 63) / 64, order: g.Order()}
	m.to = make([]uint8, n*n*m.points)
	m.below = make([]uint64, n*m.points*(n+1)*m.words)
	for i := range m.points {
		image := g.Images(i, 0)
		for origin := range n {
			for v := range n {
				x := t.Displacement(image[origin], image[v])
				m.to[(origin*n+v)*m.points+i] = uint8(x)
				m.row(origin, i, x+1).add(v)
			}
			for e := 1; e <= n; e++ { // sets of single images become those of all below
				for w, b := range m.row(origin, i, e-1) {
					m.row(origin, i, e)[w] |= b
				}
			}
		}
	}
	return m
}

// row returns the nodes whose image is below e.
func (m *images) row(origin, point, e int) bitset {
	return m.below[((origin*m.points+point)*(m.n+1)+e)*m.words:][:m.words]
}

// targets returns the images of v by point.
func (m *images) targets(origin, v int) []uint8 {
	return m.to[(origin*m.n+v)*m.points:][:m.points]
}

// A canon is a smallest list with what automorphisms make of it: edge[i] is, for
// origin i/points and point i%points, the first node in the list that is not in
// its image, or n if the automorphism maps the list to itself.
//
// A node v that an automorphism takes below its edge makes list+v not smallest,
// and any longer list with v: below the edge, list and image agree but for the
// images of what is added. So such nodes are dropped for good.
type canon struct {
	nodes   []int
	set     bitset
	edge    []uint16
	dropped bitset
	image   bitset // scratch
}

func newCanon(m *images, size int) *canon {
	return &canon{set: make(bitset, m.words), edge: make([]uint16, 0, m.points*size), dropped: make(bitset, m.words), image: make(bitset, m.words)}
}

// grow makes c the list from with the larger node v added and reports whether it
// is smallest; if not, c is of no use. Cost O(points size) look-ups, and a list
// comparison for every automorphism that v leaves undecided.
func (c *canon) grow(m *images, from *canon, v int) bool {
	c.nodes = append(append(c.nodes[:0], from.nodes...), v)
	copy(c.set, from.set)
	c.set.add(v)
	c.edge = append(c.edge[:0], from.edge...)
	copy(c.dropped, from.dropped)
	for o, origin := range from.nodes {
		edges := c.edge[o*m.points:][:m.points]
		for i, x := range m.targets(origin, v) {
			if uint16(x) <= edges[i] && !c.settle(m, origin, i, int(x), &edges[i]) {
				return false
			}
		}
	}
	for i := range m.points {
		edge, smaller := c.compare(m, v, i)
		if smaller {
			return false
		}
		c.edge = append(c.edge, uint16(edge))
		c.drop(m, v, i, edge)
	}
	return true
}

// settle brings an edge up to date when the last node goes to x, which is at or
// below it, and reports false if the image became smaller.
func (c *canon) settle(m *images, origin, point, x int, edge *uint16) bool {
	if x < int(*edge) && int(*edge) < m.n {
		return false
	}
	after, smaller := c.compare(m, origin, point)
	if smaller {
		return false
	}
	*edge = uint16(after)
	c.drop(m, origin, point, after)
	return true
}

// compare returns the edge of the list under an automorphism, and whether the
// image is smaller.
func (c *canon) compare(m *images, origin, point int) (edge int, smaller bool) {
	row := m.to[origin*m.n*m.points+point:]
	if m.words == 1 { // the same as below, in a register
		image := uint64(0)
		for _, v := range c.nodes {
			image |= 1 << (row[v*m.points] & 63)
		}
		c.image[0] = image
	} else {
		clear(c.image)
		for _, v := range c.nodes {
			c.image.add(int(row[v*m.points]))
		}
	}
	first, inSet := c.set.firstDifference(c.image)
	if first < 0 {
		return m.n, false
	}
	return first, !inSet
}

// drop drops the nodes that go below an edge.
func (c *canon) drop(m *images, origin, point, edge int) {
	if edge == m.n {
		return
	}
	for w, b := range m.row(origin, point, edge) {
		c.dropped[w] |= b
	}
}

// orbit returns the number of images of the list: the group's order over the
// number of automorphisms that map the list to itself, all of which have an
// origin in it.
func (c *canon) orbit(m *images) int64 {
	stabilizer := 0
	for _, e := range c.edge {
		if int(e) == m.n {
			stabilizer++
		}
	}
	return int64(m.order / stabilizer)
}
