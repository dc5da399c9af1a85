package orderly

import (
	"leeway/core"
	"leeway/core/symmetry"
)

// images tables the automorphisms. Only images that hold node 0 can be smaller than a smallest list, so an automorphism
// is a point (it fixes 0) and an origin, the node of the list that is then moved to 0.
type images struct {
	n, points, order int
	words, masks     int      // of a set of nodes, of a set of points
	all              bitset   // the set of all points
	from             []uint8  // by origin and node: the displacement between them
	to               []uint8  // by point and displacement: its image
	least            []uint8  // by displacement: its smallest image
	onto             []uint64 // by e and displacement: the set of points that take it to e
	below            []uint64 // by e, origin, point: the set of nodes whose image is below e
	anyBelow         []uint64 // by e, origin: their union over all points
}

// newImages tables a group. Cost O(points N^2) words.
func newImages(g *symmetry.Group) *images {
	n, sums := g.Torus().N(), core.Sums(g.Torus())
	m := &images{n: n, points: g.Points(), words: (n + 63) / 64, masks: (g.Points() + 63) / 64, order: g.Order()}
	m.from = make([]uint8, n*n)
	for p := range n {
		for d := range n {
			m.from[p*n+sums.At(p, d)] = uint8(d)
		}
	}
	m.to = make([]uint8, n*m.points)
	m.onto = make([]uint64, n*n*m.masks)
	m.least = make([]uint8, n)
	m.all = make(bitset, m.masks)
	inverse := make([]int, n*m.points) // by node and point: of what it is the image
	for i := range m.points {
		m.all.add(i)
		for d, x := range g.Images(i, 0) {
			m.to[i*n+d] = uint8(x)
			inverse[x*m.points+i] = d
			m.takers(x, d).add(i)
			if i == 0 || uint8(x) < m.least[d] {
				m.least[d] = uint8(x)
			}
		}
	}
	m.fillBelow(sums, inverse)
	return m
}

// fillBelow makes the sets for e from those for e-1.
func (m *images) fillBelow(sums core.NodeTable, inverse []int) {
	row := m.n * m.points * m.words // of one e
	m.below = make([]uint64, (m.n+1)*row)
	m.anyBelow = make([]uint64, (m.n+1)*m.n*m.words)
	for e := 1; e <= m.n; e++ {
		copy(m.below[e*row:][:row], m.below[(e-1)*row:])
		for origin := range m.n {
			for i, d := range inverse[(e-1)*m.points:][:m.points] {
				set := m.row(origin, i, e)
				set.add(sums.At(origin, d))
				m.union(origin, e).join(set)
			}
		}
	}
}

// takers returns the points that take displacement d to e.
func (m *images) takers(e, d int) bitset { return m.onto[(e*m.n+d)*m.masks:][:m.masks] }

// row returns the nodes whose image is below e.
func (m *images) row(origin, point, e int) bitset {
	return m.below[((e*m.n+origin)*m.points+point)*m.words:][:m.words]
}

// union returns the nodes that some point takes below e.
func (m *images) union(origin, e int) bitset {
	return m.anyBelow[(e*m.n+origin)*m.words:][:m.words]
}
