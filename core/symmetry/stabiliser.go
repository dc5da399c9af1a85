package symmetry

import (
	"slices"

	"leeway/core"
)

// Stabiliser returns generators of the group of elements that map some nodes, at least
// one, to themselves and have one of the points given, which form a group: first
// translations, then one element for each of some of the points.
//
// An element of the stabiliser is fixed by its point up to a translation of the
// stabiliser, so one for each of some points that generate the others, with all
// translations, generate it. Cost: points times n^2 at worst; most points fail at once.
func Stabiliser(p core.Placement, points []Point) (translations, turns []Element) {
	t, nodes, set := p.Torus(), p.Nodes(), p.Set()
	reached := core.NewUnion(t.N()) // by the translations so far
	for _, target := range nodes {
		shift := t.Displacement(nodes[0], target)
		if shift != t.ClosedPart(shift) || reached.Find(shift) == reached.Find(0) || !mapsInto(t, nodes, shift, set) {
			continue
		}
		for v := range t.N() {
			reached.Join(v, t.Sum(v, shift))
		}
		translations = append(translations, Translation(t, shift))
	}
	// Where a point takes the first node matters only up to these translations.
	var targets []int
	seen := make([]bool, t.N())
	for _, v := range nodes {
		if class := reached.Find(v); !seen[class] {
			seen[class] = true
			targets = append(targets, v)
		}
	}
	known := newClosure(t.D())
	images := make([]int, len(nodes))
	for _, g := range points {
		if known.has(g) {
			continue
		}
		for i, v := range nodes {
			images[i] = g.Node(t, v)
		}
		for _, target := range targets {
			shift := t.Displacement(images[0], target)
			if shift == t.ClosedPart(shift) && mapsInto(t, images, shift, set) {
				known.add(g)
				turns = append(turns, Element{g, shift})
				break
			}
		}
	}
	return translations, turns
}

// mapsInto reports whether the translation takes all nodes into the set.
func mapsInto(t *core.Torus, nodes []int, shift int, set core.Set) bool {
	return !slices.ContainsFunc(nodes, func(v int) bool { return !set.Has(t.Sum(v, shift)) })
}

// A closure is the group that some points generate.
type closure struct {
	generators, elements []Point
	reached              map[string]bool
}

// newClosure returns the closure of nothing: the identity.
func newClosure(d int) *closure {
	id := identity(d)
	return &closure{elements: []Point{id}, reached: map[string]bool{id.key(): true}}
}

// has reports whether the points added so far generate g.
func (c *closure) has(g Point) bool { return c.reached[g.key()] }

// add takes g as a generator. Cost O(order of the group) per generator.
func (c *closure) add(g Point) {
	c.generators = append(c.generators, g)
	for i := 0; i < len(c.elements); i++ { // elements grows while we walk it
		for _, h := range c.generators {
			if e := h.After(c.elements[i]); !c.has(e) {
				c.reached[e.key()] = true
				c.elements = append(c.elements, e)
			}
		}
	}
}
