package genetic

import (
	"context"
	"math/rand"

	"leeway/core"
	"leeway/core/routing"
	"leeway/core/symmetry"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/search"
)

// Where canonical forms would cost too much beside a chain: on tori of more nodes,
// or where the points of the group times the square of the size are more.
const (
	maxNodes     = 1024
	maxCanonical = 1 << 18
)

// A kinship says which placements are the same up to symmetry, and moves them by
// symmetries. Many may use one at a time.
type kinship struct {
	search.Kinship
	torus  *core.Torus
	group  *symmetry.Group // nil: nothing is known, and placements are moved around all sides
	shifts []int           // of its translations
}

// newKinship returns the kinship under the group that preserves E_max and the conditions, one of nothing if the context
// ends. An error is a *symmetry.WrongSymmetryError.
func newKinship(ctx context.Context, p objective.Problem) (kinship, error) {
	k := kinship{torus: p.Torus()}
	if routing.ByPair(p.Routing) || k.torus.N() > maxNodes {
		return k, nil
	}
	var err error
	if k.group, err = fast.Group(ctx, p); err != nil {
		k.group = nil
		if ctx.Err() != nil {
			err = nil
		}
		return k, err
	}
	k.shifts = k.group.Shifts()
	k.Kinship = search.KinshipOf(k.group, p.Size, maxCanonical)
	return k, nil
}

// move returns the nodes moved by a random symmetry.
func (k kinship) move(nodes []int, rng *rand.Rand) []int {
	moved := make([]int, len(nodes))
	if k.group == nil {
		shift := rng.Intn(k.torus.N())
		for i, v := range nodes {
			moved[i] = k.torus.Displacement(shift, v)
		}
		return moved
	}
	shift := k.shifts[rng.Intn(len(k.shifts))]
	images := k.group.Images(rng.Intn(k.group.Points()), shift)
	for i, v := range nodes {
		moved[i] = images[v]
	}
	return moved
}
