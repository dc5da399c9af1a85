package slabs

import (
	"slices"

	"leeway/core/symmetry"
)

// A turn is what a symmetry of the routing that fixes node 0 does to the dimensions, and so
// to counts, up to rotation of each.
type turn struct {
	to   []int  // by dimension: where it goes
	flip []bool // by dimension: whether it is reversed
}

// turnsOf returns what the points of a group do, one after the other.
func turnsOf(g *symmetry.Group) []turn {
	t := g.Torus()
	list := make([]turn, g.Points())
	for i := range list {
		u := turn{make([]int, t.D()), make([]bool, t.D())}
		image := g.Images(i, 0)
		for s := range t.D() {
			step := image[t.Stride(s)]
			for t.Coord(step, u.to[s]) == 0 {
				u.to[s]++
			}
			u.flip[s] = t.Coord(step, u.to[s]) != 1
		}
		list[i] = u
	}
	return list
}

// swaps reports whether the two dimensions of a torus trade places.
func (u turn) swaps() bool { return u.to[0] == 1 }

// flipsColumns reports whether the order of the columns may be turned around
// while the rows stay where they are.
func flipsColumns(turns []turn) bool {
	return slices.ContainsFunc(turns, func(u turn) bool { return !u.swaps() && !u.flip[0] && u.flip[1] })
}
