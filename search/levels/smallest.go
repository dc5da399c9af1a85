package levels

import (
	"slices"

	"leeway/core/symmetry"
)

// imagesOf returns the images of all nodes under every automorphism: all
// translations of the first point, then of the second, and so on.
func imagesOf(g *symmetry.Group) [][]uint8 {
	var list [][]uint8
	for i := range g.Points() {
		for shift := range g.Torus().N() {
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
func slabImages(images [][]uint8, turns []turn, l *lines) [][]uint8 {
	list := make([][]uint8, len(images))
	for i, image := range images {
		to := turns[i*len(turns)/len(images)].to
		list[i] = make([]uint8, len(l.dim))
		for v, u := range image {
			for s, slab := range l.slab[v] {
				list[i][slab] = uint8(l.slab[u][to[s]])
			}
		}
	}
	return list
}

// stabiliser returns the automorphisms that leave slab counts, of one dimension after
// the other, as they are.
func (q *plan) stabiliser(counts []int) (list [][]uint8) {
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

// A canon tells which lists are smallest under a stabiliser. The edge of an
// automorphism is the first node of the list that is not in its image, or the
// number of nodes if it maps the list to itself. List and image agree below the
// edge, so a longer list is not smallest if a node added goes below it.
type canon struct {
	group [][]uint8
	edges [][]int // by size of the list and automorphism
	nodes int
}

// turnTo starts with the empty list under another stabiliser.
func (c *canon) turnTo(group [][]uint8) {
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

// edge returns the edge of a list under an automorphism, and whether its image is
// not earlier.
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
