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
	from             []uint8  // by origin and node: the displacement between them
	to               []uint8  // by point and displacement: its image
	whence           []uint8  // by e, origin and point: the node whose image is e
	taken            []uint64 // by e and displacement: the set of points that take it to e
	moving           []uint64 // by e and node: the set of origins with which some point takes the node to e
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
	m.whence = make([]uint8, n*n*m.points)
	m.taken = make([]uint64, n*n*m.masks)
	m.moving = make([]uint64, n*n*m.words)
	for i := range m.points {
		for d, x := range g.Images(i, 0) {
			m.to[i*n+d] = uint8(x)
			m.takers(x, d).Add(i)
			for origin := range n {
				v := sums.At(origin, d)
				m.whence[(x*n+origin)*m.points+i] = uint8(v)
				m.movers(x, v).Add(origin)
			}
		}
	}
	m.fillBelow()
	return m
}

// fillBelow makes the sets for e from those for e-1.
func (m *images) fillBelow() {
	row := m.n * m.points * m.words // of one e
	m.below = make([]uint64, (m.n+1)*row)
	m.anyBelow = make([]uint64, (m.n+1)*m.n*m.words)
	for e := 1; e <= m.n; e++ {
		copy(m.below[e*row:][:row], m.below[(e-1)*row:])
		for origin := range m.n {
			for i := range m.points {
				set := m.row(origin, i, e)
				set.Add(m.onto(origin, i, e-1))
				join(m.union(origin, e), set)
			}
		}
	}
}

// onto returns the node whose image is e.
func (m *images) onto(origin, point, e int) int { return int(m.whence[(e*m.n+origin)*m.points+point]) }

// takers returns the points that take displacement d to e.
func (m *images) takers(e, d int) core.Set { return m.taken[(e*m.n+d)*m.masks:][:m.masks] }

// movers returns the origins with which some point takes node v to e.
func (m *images) movers(e, v int) core.Set { return m.moving[(e*m.n+v)*m.words:][:m.words] }

// row returns the nodes whose image is below e.
func (m *images) row(origin, point, e int) core.Set {
	return m.below[((e*m.n+origin)*m.points+point)*m.words:][:m.words]
}

// union returns the nodes that some point takes below e.
func (m *images) union(origin, e int) core.Set {
	return m.anyBelow[(e*m.n+origin)*m.words:][:m.words]
}
