package symmetry

import (
	"leeway/core"
)

// A Point is an automorphism that fixes node 0: coordinate j of a node, negated
// if Flip[j], becomes coordinate Perm[j].
type Point struct {
	Perm []int
	Flip []bool
}

// Node returns the image of node v.
func (g Point) Node(t *core.Torus, v int) int {
	image := 0
	for j := range g.Perm {
		c := t.Coord(v, j)
		if g.Flip[j] && c > 0 {
			c = t.Side(j) - c
		}
		image += c * t.Stride(g.Perm[j])
	}
	return image
}

// edge returns the image of link l on the image of its edge, in its own
// direction along the dimension or, if turned, in the other one.
func (g Point) edge(t *core.Torus, l core.Link, turned bool) core.Link {
	from, to := t.LinkEnds(l)
	_, port := t.LinkFrom(l)
	a, b := g.Node(t, from), g.Node(t, to)
	dim, dir := g.Perm[port.Dim], port.Dir
	if t.Side(dim) == 2 { // one link each way, told apart by where it starts
		if turned {
			a = b
		}
		return t.Link(a, dim, core.Plus)
	}
	if turned {
		dir = -dir
	}
	if link := t.Link(a, dim, dir); linkTo(t, link) == b {
		return link
	}
	return t.Link(b, dim, dir)
}

func linkTo(t *core.Torus, l core.Link) int {
	_, to := t.LinkEnds(l)
	return to
}

// After returns the point g∘h: first h, then g.
func (g Point) After(h Point) Point {
	d := len(g.Perm)
	c := Point{Perm: make([]int, d), Flip: make([]bool, d)}
	for j := range d {
		c.Perm[j] = g.Perm[h.Perm[j]]
		c.Flip[j] = h.Flip[j] != g.Flip[h.Perm[j]]
	}
	return c
}

// key returns a comparable name of the point.
func (g Point) key() string {
	b := make([]byte, 0, 2*len(g.Perm))
	for j, p := range g.Perm {
		f := byte(0)
		if g.Flip[j] {
			f = 1
		}
		b = append(b, byte(p), f)
	}
	return string(b)
}

// identity returns the point that moves nothing.
func identity(d int) Point {
	g := Point{Perm: make([]int, d), Flip: make([]bool, d)}
	for j := range d {
		g.Perm[j] = j
	}
	return g
}
