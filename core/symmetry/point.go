// Package symmetry has the automorphisms of networks that preserve E_max under a routing, verified on the loads
// of pairs, and what they do to placements: canonical forms, orbits, stabilisers.
package symmetry

import (
	"slices"

	"leeway/core"
)

// Permutes reports whether the point moves dimensions, Reflects whether it turns any
// around.
func (g Point) Permutes() bool { return !slices.IsSorted(g.Perm) }

// Reflects reports whether the point turns a dimension around.
func (g Point) Reflects() bool { return slices.Contains(g.Flip, true) }

// A Point is an automorphism: coordinate j of a node, negated if Flip[j], becomes
// coordinate Perm[j]; on a twisted torus, step j of a vector. In an open dimension c becomes k-1-c where it would be
// negated; but for those, node 0 stays. Without dimensions node v becomes node Perm[v].
type Point struct {
	Perm []int
	Flip []bool
}

// Fits reports whether the map of vectors that the point is maps the lattice of a twisted torus to itself: each vector
// that goes round a dimension and back over the shift leads to the same node after it.
func (g Point) Fits(t *core.Torus) bool {
	for j, shift := range t.Twist() {
		v := make([]int, t.D())
		for i := range v {
			v[i] = -shift[i]
		}
		v[j] = t.Side(j)
		if t.NodeAt(g.vector(v)) != 0 {
			return false
		}
	}
	return true
}

// vector returns the image of a vector of steps.
func (g Point) vector(v []int) []int {
	image := make([]int, len(v))
	for j, x := range v {
		if g.Flip[j] {
			x = -x
		}
		image[g.Perm[j]] = x
	}
	return image
}

// Node returns the image of node v.
func (g Point) Node(t *core.Torus, v int) int {
	if !t.HasDimensions() {
		return g.Perm[v]
	}
	if !t.Separable() {
		return t.NodeAt(g.vector(t.Coords(v)))
	}
	image := 0
	for j := range g.Perm {
		c := t.Coord(v, j)
		switch {
		case g.Flip[j] && t.Open(j):
			c = t.Side(j) - 1 - c
		case g.Flip[j] && c > 0:
			c = t.Side(j) - c
		}
		image += c * t.Stride(g.Perm[j])
	}
	return image
}

// Edge returns the image of link l on the image of its edge, in its own
// direction along the dimension or, if turned, in the other one.
func (g Point) Edge(t *core.Torus, l core.Link, turned bool) core.Link {
	switch {
	case !t.HasDimensions() && !t.HasLink(l):
		return l
	case !t.HasDimensions() && turned:
		return t.Reverse(g.givenEdge(t, l))
	case !t.HasDimensions():
		return g.givenEdge(t, l)
	}
	from, port := t.LinkFrom(l)
	dir := port.Dir
	if turned {
		dir = -dir
	}
	if turned != g.Flip[port.Dim] { // it is the reverse of the image of l that has this direction
		_, from = t.LinkEnds(l)
	}
	return t.Link(g.Node(t, from), g.Perm[port.Dim], dir)
}

func linkTo(t *core.Torus, l core.Link) int {
	_, to := t.LinkEnds(l)
	return to
}

// Compose returns the point g∘h: first h, then g.
func (g Point) Compose(h Point) Point {
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
	b := make([]byte, 0, 3*len(g.Perm))
	for j, p := range g.Perm {
		f := byte(0)
		if g.Flip[j] {
			f = 1
		}
		b = append(b, byte(p), byte(p>>8), f)
	}
	return string(b)
}

// IdentityOf returns the point of a network that moves nothing.
func IdentityOf(t *core.Torus) Point {
	if !t.HasDimensions() {
		return Identity(t.N())
	}
	return Identity(t.D())
}

// Identity returns the point of d dimensions that moves nothing.
func Identity(d int) Point {
	return Point{Perm: core.Range(d), Flip: make([]bool, d)}
}

// A Closure is the group that some points generate.
type Closure struct {
	generators, elements []Point
	reached              map[string]bool
}

// NewClosure returns the closure of nothing: the identity.
func NewClosure(d int) *Closure {
	id := Identity(d)
	return &Closure{elements: []Point{id}, reached: map[string]bool{id.key(): true}}
}

// Has reports whether the points added so far generate g.
func (c *Closure) Has(g Point) bool { return c.reached[g.key()] }

// Add takes g as a generator. Cost O(order of the group) per generator.
func (c *Closure) Add(g Point) {
	c.generators = append(c.generators, g)
	for i := 0; i < len(c.elements); i++ { // elements grows while we walk it
		for _, h := range c.generators {
			if e := h.Compose(c.elements[i]); !c.Has(e) {
				c.reached[e.key()] = true
				c.elements = append(c.elements, e)
			}
		}
	}
}
