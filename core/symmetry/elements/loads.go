package elements

import (
	"context"

	"leeway/core"
	"leeway/core/symmetry"
)

// maxCompared bounds the numbers that OfLoads compares: a second's work.
const maxCompared = 1 << 26

// OfLoads returns the group of the automorphisms that preserve the maximum of every sum of load vectors of nodes: loads
// returns the load of every link that a processor on a node causes by itself, in a stored vector or in scratch. Asked
// for is a map of links that carries the vector of every node to that of its image: every edge goes to its image, and
// for each dimension either every link keeps its direction or every link turns around. All points are tried on all
// nodes that are not translates of each other; that translations carry vectors along is taken for granted. Where these
// are too many comparisons only reflections are tried, or nothing: a smaller group is always sound. The error is that
// of the context.
func OfLoads(ctx context.Context, t *core.Torus, loads func(node int, scratch []int64) []int64) (*symmetry.Group,
	error) {
	w := core.NewWatch(ctx)
	bases := t.Bases()
	most := symmetry.MostPoints(t, max(1, maxCompared/len(bases)/t.M()))
	var points []symmetry.Point
	var scratch [2][]int64
	for i := range scratch {
		scratch[i] = make([]int64, t.M())
	}
	var edges [2][]core.Link // by link: the image on its edge that keeps its direction, and the other
	for i := range edges {
		edges[i] = make([]core.Link, t.M())
	}
	for _, g := range symmetry.Points(t, most) {
		carries := true
		for l := range core.Link(t.M()) {
			edges[0][l], edges[1][l] = g.Edge(t, l, false), g.Edge(t, l, true)
		}
		if err := w.Err(2 * t.M() * t.D()); err != nil {
			return nil, err
		}
		dirs := make([][2]bool, t.D()) // by dimension: still possible to keep, to turn
		for j := range dirs {
			dirs[j] = [2]bool{true, true}
		}
		for i := 0; i < len(bases) && carries && len(points) > 0; i++ { // the identity does
			if err := w.Err(t.M() * t.D()); err != nil {
				return nil, err
			}
			carries = matchVectors(t, edges, loads(bases[i], scratch[0]), loads(g.Node(t, bases[i]), scratch[1]), dirs)
		}
		if !carries {
			continue
		}
		points = append(points, g)
	}
	return symmetry.NewGroup(t, points), nil
}

// matchVectors is matchDirections for the loads a and b of all links, given the images of links either way. The image
// of a number without a link is one without, too, and both have load 0.
func matchVectors(t *core.Torus, edges [2][]core.Link, a, b []int64, dirs [][2]bool) bool {
	n := t.N()
	for port := range len(a) / n {
		possible := &dirs[t.Port(port).Dim]
		for l := port * n; l < (port+1)*n; l++ {
			if possible[0] && b[edges[0][l]] != a[l] {
				possible[0] = false
			}
			if possible[1] && b[edges[1][l]] != a[l] {
				possible[1] = false
			}
			if !possible[0] && !possible[1] {
				return false
			}
		}
	}
	return true
}
