package symmetry

import (
	"context"
	"fmt"
	"math"
	"slices"

	"leeway/core"
	"leeway/core/routing"
)

// maxPoints bounds the points that a group lists, maxImages the images of nodes
// that it keeps for them (256 MB). On tori past that, Of returns translations
// and reflections only, or translations only: a smaller group is always sound.
const (
	maxPoints = 50_000
	maxImages = 1 << 26
)

// A Group is a verified group of automorphisms that preserve the maximum load
// under one routing: every translation of the torus after every listed point. Of a
// subgroup it has the points, one element for each, and the translations.
type Group struct {
	torus  *core.Torus
	points []Point
	images [][]int32 // by point: image of every node, by the element of the point
	shifts []int     // of its translations, ascending, 0 first; nil: all there are
}

// A WrongSymmetryError says that an automorphism does not preserve the loads of
// pairs. It means a bug in the rules of this package, never wrong input.
type WrongSymmetryError struct {
	Routing string
	Point   Point
}

// Error names the routing and the automorphism.
func (e *WrongSymmetryError) Error() string {
	return fmt.Sprintf("symmetry: permutation %v with flips %v does not preserve the loads of %s", e.Point.Perm,
		e.Point.Flip, e.Routing)
}

// GroupOf returns the group that preserves the maximum load under r. Its generators
// are verified on the loads of pairs, where automorphisms may change these; a failure is a *WrongSymmetryError. A table
// by pair is refused with an *core.InputError: translations change its paths.
// Cost O(N) pair flows per generator.
func GroupOf(r routing.Routing) (*Group, error) { return groupOf(r, nil) }

// GroupOfContext is GroupOf, or the error of the context when that ends first.
func GroupOfContext(ctx context.Context, r routing.Routing) (*Group, error) {
	return groupOf(r, core.NewWatch(ctx))
}

func groupOf(r routing.Routing, w *core.Watch) (*Group, error) {
	if routing.ByPair(r) {
		return nil, core.Invalid(r.String(), "a table by pair has no translations that could be used as symmetries").
			Hinted("write the table by displacement")
	}
	t := r.Torus()
	_, minimal := r.(*routing.Minimal)
	if minimal && !t.HasDimensions() {
		return newGroup(t, Points(t, min(maxPoints, maxImages/t.N())), w)
	}
	points := pointsOf(r)
	toVerify := generators(points)
	if minimal && r.Tie() == routing.TieBoth { // automorphisms take all shortest paths to all shortest paths
		toVerify = nil
	}
	for _, g := range toVerify {
		preserves, err := preserves(r, g, w)
		if err != nil {
			return nil, err
		}
		if !preserves {
			return nil, &WrongSymmetryError{Routing: r.String(), Point: g}
		}
	}
	return newGroup(t, points, w)
}

// NewGroup returns the group of some points of a torus, the identity first, and all its translations. That they are a
// group, and what they preserve, is taken for granted.
func NewGroup(t *core.Torus, points []Point) *Group {
	group, _ := newGroup(t, points, nil)
	return group
}

func newGroup(t *core.Torus, points []Point, w *core.Watch) (*Group, error) {
	group := &Group{torus: t, points: points, images: make([][]int32, len(points))}
	for i, g := range points {
		if err := w.Err(t.N() * t.D()); err != nil {
			return nil, err
		}
		group.images[i] = make([]int32, t.N())
		for v := range t.N() {
			group.images[i][v] = int32(g.Node(t, v))
		}
	}
	return group, nil
}

// pointsOf lists the points that the rules allow, the identity first, within
// the limits of a group.
func pointsOf(r routing.Routing) []Point {
	t := r.Torus()
	most := math.MaxInt
	if t.D() > maxPermuted {
		most = 1
	}
	perms, flips := sidePermutations(t, most), flipChoices(t)
	if points, ok := allowed(r, perms, flips); ok {
		return points
	}
	if points, ok := allowed(r, perms[:1], flips); ok {
		return points
	}
	return []Point{Identity(t.D())}
}

// allowed lists the allowed points with the given permutations and flips. It
// reports false when a group of them would pass the limits.
func allowed(r routing.Routing, perms [][]int, flips [][]bool) ([]Point, bool) {
	if len(perms)*len(flips) > maxPoints {
		return nil, false
	}
	var points []Point
	for _, perm := range perms {
		for _, flip := range flips {
			if g := (Point{Perm: perm, Flip: flip}); g.Fits(r.Torus()) && allows(r, g) {
				points = append(points, g)
			}
		}
	}
	return points, len(points)*r.Torus().N() <= maxImages
}

// MostPoints returns how many points of a torus a group may have, and no more than most.
func MostPoints(t *core.Torus, most int) int { return min(maxPoints, maxImages/t.N(), most) }

// Points returns the automorphisms of a torus but for translations, the identity first: all permutations of equal
// dimensions with all reflections; where they are more than most, reflections alone, or the identity alone. Without
// dimensions they are all maps of nodes that preserve links, or a group of these that are at most most.
func Points(t *core.Torus, most int) []Point {
	if !t.HasDimensions() {
		return automorphisms(t, most)
	}
	perms, flips := sidePermutations(t, most), flipChoices(t)
	if len(flips) > most {
		flips = flips[:1]
	}
	if len(perms) > most/len(flips) {
		perms = perms[:1]
	}
	var list []Point
	for _, perm := range perms {
		for _, flip := range flips {
			if g := (Point{Perm: perm, Flip: flip}); g.Fits(t) {
				list = append(list, g)
			}
		}
	}
	return list
}

// maxPermuted is the most dimensions that the group of a routing permutes.
const maxPermuted = 8

// sidePermutations lists the permutations that move dimensions only among equal ones, the identity first and
// alone where they are more than most.
func sidePermutations(t *core.Torus, most int) [][]int {
	d := t.D()
	count := 1
	for j := range d {
		equal := 0
		for i := range j + 1 {
			if t.SameAxis(i, j) {
				equal++
			}
		}
		if count *= equal; count > most {
			return [][]int{Identity(d).Perm}
		}
	}
	var list [][]int
	perm, used := make([]int, d), make([]bool, d)
	var extend func(j int)
	extend = func(j int) {
		if j == d {
			list = append(list, slices.Clone(perm))
			return
		}
		for to := range d {
			if !used[to] && t.SameAxis(to, j) {
				used[to], perm[j] = true, to
				extend(j + 1)
				used[to] = false
			}
		}
	}
	extend(0)
	return list
}

// flipChoices lists the subsets of the dimensions with links both ways, the empty one first.
func flipChoices(t *core.Torus) [][]bool {
	list := [][]bool{make([]bool, t.D())}
	for j := range t.D() {
		if !t.BothWays(j) {
			continue
		}
		for _, f := range list {
			g := slices.Clone(f)
			g[j] = true
			list = append(list, g)
		}
	}
	return list
}

// generators picks, in order, every point that the ones before do not generate.
func generators(points []Point) []Point {
	known := NewClosure(len(points[0].Perm))
	for _, g := range points {
		if !known.Has(g) {
			known.Add(g)
		}
	}
	return known.generators
}

// Torus returns the torus that the group acts on.
func (g *Group) Torus() *core.Torus { return g.torus }

// Order returns the number of elements: points times translations.
func (g *Group) Order() int {
	if g.shifts != nil {
		return len(g.points) * len(g.shifts)
	}
	return len(g.points) * g.torus.Translations()
}

// Transitive reports whether the group has all translations of a torus without open
// dimensions, so that some element takes any node to node 0. Then its points are the
// elements that fix node 0.
func (g *Group) Transitive() bool { return g.shifts == nil && g.torus.Closed() }

// Points returns how many points there are.
func (g *Group) Points() int { return len(g.points) }

// List returns the points, the identity first. They belong to the group.
func (g *Group) List() []Point { return g.points }

// Shifts returns the nodes by which the translations of the group move, ascending. The result is new.
func (g *Group) Shifts() []int {
	if g.shifts != nil {
		return slices.Clone(g.shifts)
	}
	var list []int
	for v := range g.torus.N() {
		if v == g.torus.ClosedPart(v) {
			list = append(list, v)
		}
	}
	return list
}

// StabiliserOf returns the subgroup of the elements that map every given set of nodes to itself. Cost at most
// O(points translations n) for n nodes in the sets; most elements fail at once.
func (g *Group) StabiliserOf(sets ...core.Set) *Group {
	sub := &Group{torus: g.torus}
	shifts, nodes := g.Shifts(), make([][]int, len(sets))
	for i, set := range sets {
		nodes[i] = set.Nodes()
	}
	for i, point := range g.points {
		for _, shift := range shifts {
			if !g.keeps(i, shift, sets, nodes) {
				continue
			}
			if i == 0 {
				sub.shifts = append(sub.shifts, shift)
				if shift != 0 {
					continue
				}
			}
			image := make([]int32, len(g.images[i]))
			for v, x := range g.images[i] {
				image[v] = int32(g.torus.Sum(int(x), shift))
			}
			sub.points, sub.images = append(sub.points, point), append(sub.images, image)
			if i > 0 {
				break
			}
		}
	}
	if len(sub.shifts) == g.torus.Translations() {
		sub.shifts = nil
	}
	return sub
}

// keeps reports whether point i with a translation after it maps the sets, whose nodes are listed, to themselves.
func (g *Group) keeps(i, shift int, sets []core.Set, nodes [][]int) bool {
	for s, set := range sets {
		for _, v := range nodes[s] {
			if !set.Has(g.torus.Sum(int(g.images[i][v]), shift)) {
				return false
			}
		}
	}
	return true
}

// Images returns the image of every node under the element of point i, then a translation by
// the node shift, one of Shifts. The result is new.
func (g *Group) Images(i, shift int) []int {
	image := make([]int, g.torus.N())
	for v := range image {
		image[v] = g.torus.Sum(int(g.images[i][v]), shift)
	}
	return image
}

// Orbits returns all images of some sets of nodes, each ascending and once, in lexicographic order. Cost O(points
// translations n log n) for each set of n nodes, and memory for all images of one set.
func (g *Group) Orbits(sets [][]int) [][]int {
	var all [][]int
	shifts := g.Shifts()
	for _, nodes := range sets {
		var orbit [][]int
		for i := range g.points {
			for _, shift := range shifts {
				image := make([]int, len(nodes))
				for x, v := range nodes {
					image[x] = g.torus.Sum(int(g.images[i][v]), shift)
				}
				slices.Sort(image)
				orbit = append(orbit, image)
			}
		}
		slices.SortFunc(orbit, slices.Compare)
		all = append(all, slices.CompactFunc(orbit, slices.Equal)...)
	}
	slices.SortFunc(all, slices.Compare)
	return slices.CompactFunc(all, slices.Equal)
}

// Canonical returns the lexicographically smallest of all images of a set of
// nodes, ascending, and the number of group elements that map the set to
// itself. Cost O(points n (n d + n log n)) for n nodes; of a subgroup with its translations in place of n.
func (g *Group) Canonical(nodes []int) (form []int, stabilizer int) {
	if len(nodes) == 0 {
		return []int{}, g.Order()
	}
	if g.shifts != nil {
		return g.smallest(nodes)
	}
	// The smallest image contains a node that is 0 in all closed dimensions, so only
	// translations that make some node so can give it.
	image := make([]int, len(nodes))
	for i := range g.points {
		for _, origin := range g.origins(g.images[i], nodes) {
			for x, v := range nodes {
				image[x] = g.torus.Displacement(origin, int(g.images[i][v]))
			}
			form, stabilizer = smaller(form, image, stabilizer)
		}
	}
	return form, stabilizer
}

// smallest is Canonical by all elements of a subgroup.
func (g *Group) smallest(nodes []int) (form []int, stabilizer int) {
	image := make([]int, len(nodes))
	for i := range g.points {
		for _, shift := range g.shifts {
			for x, v := range nodes {
				image[x] = g.torus.Sum(int(g.images[i][v]), shift)
			}
			form, stabilizer = smaller(form, image, stabilizer)
		}
	}
	return form, stabilizer
}

// smaller returns the smaller of the smallest image by now and another one, which it sorts, and how often it was met.
func smaller(form, image []int, times int) ([]int, int) {
	slices.Sort(image)
	switch c := compare(image, form); {
	case c < 0:
		return append(form[:0], image...), 1
	case c == 0:
		times++
	}
	return form, times
}

// origins returns the distinct closed parts of the images of some nodes.
func (g *Group) origins(images []int32, nodes []int) []int {
	origins := make([]int, len(nodes))
	for i, v := range nodes {
		origins[i] = g.torus.ClosedPart(int(images[v]))
	}
	if !g.torus.Closed() { // else the images themselves, which are distinct
		slices.Sort(origins)
		origins = slices.Compact(origins)
	}
	return origins
}

// compare orders images; no form at all comes last.
func compare(image, form []int) int {
	if form == nil {
		return -1
	}
	return slices.Compare(image, form)
}
