package congestion

import (
	"leeway/core"
	"leeway/core/symmetry"
)

// An automorphism of the torus, as the image of every node.
type automorphism []int32

// stabiliser returns generators of the group of automorphisms (translations
// after permutations of equal sides and reflections) that map the placement to
// itself. Cost: points times n^2 at worst; most points fail at once.
//
// An element of the stabiliser is fixed by its point up to a translation of the
// stabiliser, so one element for each of some points that generate the others,
// with all its translations, generate it.
func stabiliser(p core.Placement) []automorphism {
	t, nodes, set := p.Torus(), p.Nodes(), p.Set()
	if len(nodes) == 0 {
		return nil
	}
	gens, targets := translations(t, nodes, set)
	known := newClosure(t.D())
	for _, g := range points(t, maxPointWork/len(nodes)) {
		if known.contains(g) {
			continue
		}
		if shift, ok := fit(t, g, nodes, targets, set); ok {
			known.add(g)
			gens = append(gens, automorphismOf(t, g, shift))
		}
	}
	return gens
}

// translations returns generators of the translations that map the placement to
// itself, and one processor of every class that these make.
func translations(t *core.Torus, nodes []int, set core.Set) (gens []automorphism, firsts []int) {
	id := symmetry.Point{Perm: identity(t.D()), Flip: make([]bool, t.D())}
	reached := core.NewUnion(t.N()) // by the translations generated so far
	for _, target := range nodes {
		shift := t.Displacement(nodes[0], target)
		if reached.Find(shift) == reached.Find(0) || !mapsInto(t, nodes, shift, set) {
			continue
		}
		g := automorphismOf(t, id, shift)
		for v, image := range g {
			reached.Join(v, int(image))
		}
		gens = append(gens, g)
	}
	seen := make([]bool, t.N())
	for _, v := range nodes {
		if class := reached.Find(v); !seen[class] {
			seen[class] = true
			firsts = append(firsts, v)
		}
	}
	return gens, firsts
}

// fit returns a translation that after point g maps the placement to itself.
// Where the first processor goes matters only up to the translations of the
// placement, so targets holds one of each class.
func fit(t *core.Torus, g symmetry.Point, nodes, targets []int, set core.Set) (shift int, ok bool) {
	images := make([]int, len(nodes))
	for i, v := range nodes {
		images[i] = g.Node(t, v)
	}
	for _, target := range targets {
		shift := t.Displacement(images[0], target)
		if mapsInto(t, images, shift, set) {
			return shift, true
		}
	}
	return 0, false
}

// mapsInto reports whether the translation takes all nodes into the set.
func mapsInto(t *core.Torus, nodes []int, shift int, set core.Set) bool {
	back := t.Displacement(shift, 0)
	for _, v := range nodes {
		if !set.Has(t.Displacement(back, v)) {
			return false
		}
	}
	return true
}

func automorphismOf(t *core.Torus, g symmetry.Point, shift int) automorphism {
	back := t.Displacement(shift, 0)
	images := make(automorphism, t.N())
	for v := range images {
		images[v] = int32(t.Displacement(back, g.Node(t, v)))
	}
	return images
}
