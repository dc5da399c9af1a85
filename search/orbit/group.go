package orbit

import (
	"leeway/core"
	"leeway/core/routing"
	"leeway/core/symmetry"
)

// A group is the verified group that preserves E_max, as points that can be
// multiplied. Its element (i, shift) has number i*N + shift.
type group struct {
	torus   *core.Torus
	routing string
	points  []symmetry.Point
	images  [][]int        // by point: image of every node
	number  map[string]int // of points, by the text of the element without shift
}

// groupOf returns the group of a routing. Errors are those of symmetry.Of.
func groupOf(r routing.Routing) (*group, error) {
	verified, err := symmetry.Of(r)
	if err != nil {
		return nil, err
	}
	g := &group{torus: r.Torus(), routing: r.String(), number: map[string]int{}}
	for i := range verified.Points() {
		images := verified.Images(i, 0)
		p := pointFrom(g.torus, images)
		g.number[element{Point: p}.text(g.torus)] = len(g.points)
		g.points, g.images = append(g.points, p), append(g.images, images)
	}
	return g, nil
}

// pointFrom reads a point off the images of the nodes next to node 0.
func pointFrom(t *core.Torus, images []int) symmetry.Point {
	p := pureShift(t, 0).Point
	for j := range t.D() {
		image := images[t.Stride(j)]
		for to := range t.D() {
			if c := t.Coord(image, to); c != 0 {
				p.Perm[j], p.Flip[j] = to, c != 1
			}
		}
	}
	return p
}

// has reports whether an element belongs to the group: translations all do.
func (g *group) has(e element) bool {
	_, ok := g.number[element{Point: e.Point}.text(g.torus)]
	return ok
}

// order returns the number of elements.
func (g *group) order() int { return len(g.points) * g.torus.N() }

// element returns the element with a number.
func (g *group) element(i int) element {
	return element{Point: g.points[i/g.torus.N()], shift: i % g.torus.N()}
}

// numberOf returns the number of an element of the group.
func (g *group) numberOf(e element) int {
	return g.number[element{Point: e.Point}.text(g.torus)]*g.torus.N() + e.shift
}
