package lattice

import (
	"context"

	"leeway/core/family"
	"leeway/core/routing"
	"leeway/core/symmetry"
)

// Limits of what is listed and tabled: lattices of one order, symmetries by which
// they are compared, numbers in the table of one lattice, and cosets of the lattice
// of one node, whose unions are any placements and other methods' work. Fewer
// symmetries cost time only; what the other limits leave out is not looked at.
const (
	maxListed  = 20_000
	maxTurns   = 400
	maxTable   = 1 << 20
	maxSingles = 3
)

// A choice is a lattice of which some cosets, in number, make up the size.
type choice struct {
	lattice family.Lattice
	cosets  int
	turns   [][]int // images of nodes under the symmetries that keep the lattice
}

// choices lists the lattices to look at for placements of n nodes, those with the
// fewest cosets first; the error may be that of the context.
func choices(ctx context.Context, r routing.Routing, n int) ([]choice, error) {
	t := r.Torus()
	group, err := symmetry.OfContext(ctx, r)
	if err != nil {
		return nil, err
	}
	var turns [][]int
	for i := range min(group.Points(), maxTurns) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		turns = append(turns, group.Images(i, 0))
	}
	var list []choice
	for order := n; order > 0; order-- {
		index := t.N() / order
		if n%order != 0 || t.N()%order != 0 || index > maxTable/index/t.Degree() {
			continue
		}
		if order == 1 && n > maxSingles {
			continue
		}
		listed := 0
		for l := range family.Lattices(t, order) {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if kept, smallest := keepers(l, turns); smallest {
				list = append(list, choice{lattice: l, cosets: n / order, turns: kept})
			}
			if listed++; listed == maxListed {
				break
			}
		}
	}
	return list, nil
}

// keepers returns the symmetries that take a lattice to itself, and whether none
// takes it to one that comes earlier.
func keepers(l family.Lattice, turns [][]int) (kept [][]int, smallest bool) {
	for _, images := range turns {
		switch c := image(l, images).Compare(l); {
		case c < 0:
			return nil, false
		case c == 0:
			kept = append(kept, images)
		}
	}
	return kept, true
}

// image returns what an automorphism with the given images of nodes makes of a
// lattice.
func image(l family.Lattice, images []int) family.Lattice {
	gens := l.Generators()
	for i, v := range gens {
		gens[i] = images[v]
	}
	return family.Span(l.Torus(), gens...)
}
