package congestion

import (
	"leeway/core"
	"leeway/core/symmetry"
)

// An automorphism of the torus, as the image of every node.
type automorphism []int32

// stabiliser returns generators of the group of automorphisms (translations
// after permutations of equal sides and reflections) that map the placement to
// itself.
func stabiliser(p core.Placement) (gens []automorphism) {
	if p.Size() == 0 {
		return nil
	}
	translations, turns := symmetry.Stabiliser(p, points(p.Torus(), maxPointWork/p.Size()))
	for _, e := range append(translations, turns...) {
		images := make(automorphism, p.Torus().N())
		for v := range images {
			images[v] = int32(e.Image(p.Torus(), v))
		}
		gens = append(gens, images)
	}
	return gens
}
