package orderly

import (
	"leeway/core"
	"leeway/core/symmetry"
)

// elements tables a group that does not move node 0 everywhere: the image of every node under each of its elements.
// There are few: on a mesh of d equal sides at most 2^d d!.
type elements struct {
	n       int
	images  [][]uint8 // by element, the identity left out
	inverse [][]uint8 // by element: the node of an image
	order   int
}

// newElements tables a group. Cost O(order N).
func newElements(g *symmetry.Group) *elements {
	n, shifts := g.Torus().N(), g.Shifts()
	m := &elements{n: n, order: g.Order()}
	for point := range g.Points() {
		for _, shift := range shifts {
			if point == 0 && shift == 0 {
				continue
			}
			image, inverse := make([]uint8, n), make([]uint8, n)
			for v, x := range g.Images(point, shift) {
				image[v], inverse[x] = uint8(x), uint8(v)
			}
			m.images, m.inverse = append(m.images, image), append(m.inverse, inverse)
		}
	}
	return m
}

// A general is what a canon is, for any group: it has the edge of every element.
type general struct {
	*elements
	set   core.Set
	edges []uint16 // by element: the first node in the list that is not in its image, n if there is none
	drops core.Set
}

// newGenerals returns lists of up to some number of nodes.
func newGenerals(m *elements, size int) (list []smallest) {
	for range size + 1 {
		list = append(list, &general{elements: m, set: core.NewSet(m.n), edges: make([]uint16, len(m.images)),
			drops: core.NewSet(m.n)})
	}
	return list
}

// root makes g the empty list, which all elements map to itself.
func (g *general) root() {
	clear(g.set)
	clear(g.drops)
	for i := range g.edges {
		g.edges[i] = uint16(g.n)
	}
}

func (g *general) dropped() core.Set { return g.drops }

// grow makes g the list from with one more node, which is larger than all and not dropped, and reports whether it is
// smallest; if not, g is of no use. Cost: a look at every element, and a list comparison for those whose edge it moves.
func (g *general) grow(before smallest, nodes []int) bool {
	from, v := before.(*general), nodes[len(nodes)-1]
	copy(g.set, from.set)
	g.set.Add(v)
	copy(g.drops, from.drops)
	copy(g.edges, from.edges)
	for i, edge := range g.edges {
		if int(edge) != g.n && uint16(g.images[i][v]) != edge {
			continue
		}
		var image [maxNodes / 64]uint64
		for _, u := range nodes {
			x := g.images[i][u]
			image[x>>6] |= 1 << (x & 63)
		}
		at, inSet := firstDifference(g.set, image[:len(g.set)])
		switch {
		case at < 0:
			g.edges[i] = uint16(g.n)
			continue
		case !inSet:
			return false
		}
		g.edges[i] = uint16(at)
		for x := range at {
			g.drops.Add(int(g.inverse[i][x]))
		}
	}
	return true
}

// orbit returns the number of images of the list.
func (g *general) orbit() int64 {
	fixing := 1
	for _, edge := range g.edges {
		if int(edge) == g.n {
			fixing++
		}
	}
	return int64(g.order / fixing)
}
