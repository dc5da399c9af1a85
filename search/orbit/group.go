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
	for i, p := range verified.List() {
		images := verified.Images(i, 0)
		g.number[symmetry.Element{Point: p}.Text(g.torus)] = len(g.points)
		g.points, g.images = append(g.points, p), append(g.images, images)
	}
	return g, nil
}

// has reports whether an element belongs to the group: translations all do.
func (g *group) has(e symmetry.Element) bool {
	_, ok := g.number[symmetry.Element{Point: e.Point}.Text(g.torus)]
	return ok
}

// order returns the number of elements.
func (g *group) order() int { return len(g.points) * g.torus.N() }

// element returns the element with a number.
func (g *group) element(i int) symmetry.Element {
	return symmetry.Element{Point: g.points[i/g.torus.N()], Shift: i % g.torus.N()}
}

// numberOf returns the number of an element of the group.
func (g *group) numberOf(e symmetry.Element) int {
	return g.number[symmetry.Element{Point: e.Point}.Text(g.torus)]*g.torus.N() + e.Shift
}
