package elements

import (
	"slices"

	"leeway/core"
	"leeway/core/symmetry"
	"leeway/core/union"
)

// Stabiliser returns generators of the group of elements that map some nodes, at least
// one, to themselves and have one of the points given, which form a group: first
// translations, then one element for each of some of the points.
//
// An element of the stabiliser is fixed by its point up to a translation of the
// stabiliser, so one for each of some points that generate the others, with all
// translations, generate it. Cost: points times n^2 at worst; most points fail at once.
func Stabiliser(p core.Placement, points []symmetry.Point) (translations, turns []Element) {
	t, nodes, set := p.Torus(), p.Nodes(), p.Set()
	reached := union.New(t.N()) // by the translations so far
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
	known := symmetry.NewClosure(len(symmetry.IdentityOf(t).Perm))
	images := make([]int, len(nodes))
	for _, g := range points {
		if known.Has(g) {
			continue
		}
		for i, v := range nodes {
			images[i] = g.Node(t, v)
		}
		for _, target := range targets {
			shift := t.Displacement(images[0], target)
			if shift == t.ClosedPart(shift) && mapsInto(t, images, shift, set) {
				known.Add(g)
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
