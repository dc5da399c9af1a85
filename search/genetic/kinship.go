package genetic

import (
	"math/rand"

	"leeway/core"
	"leeway/core/routing"
	"leeway/core/symmetry"
	"leeway/objective"
)

// Where canonical forms would cost too much beside a walk: on tori of more nodes,
// or where the points of the group times the square of the size are more.
const (
	maxNodes     = 1024
	maxCanonical = 1 << 18
)

// A kinship says which placements are the same up to symmetry, and moves them by
// symmetries. Many may use one at a time.
type kinship struct {
	torus *core.Torus
	group *symmetry.Group // nil: translations are all that is known
	keyed bool            // forms are canonical
}

// newKinship returns the kinship under the group that preserves E_max. An error is
// a *symmetry.WrongSymmetryError.
func newKinship(p objective.Problem) (kinship, error) {
	k := kinship{torus: p.Torus()}
	if !routing.Invariant(p.Routing) || k.torus.N() > maxNodes {
		return k, nil
	}
	var err error
	if k.group, err = symmetry.Of(p.Routing); err != nil {
		return k, err
	}
	k.keyed = k.group.Points()*p.Size*p.Size <= maxCanonical
	return k, nil
}

// key returns a number that is the same for placements of one orbit, or, where
// canonical forms cost too much, for equal placements. Nodes are ascending.
func (k kinship) key(nodes []int) uint64 {
	if k.keyed {
		nodes, _ = k.group.Canonical(nodes)
	}
	h := uint64(len(nodes))
	for _, v := range nodes {
		h = uint64(mix(h, uint64(v)))
	}
	return h
}

// move returns the nodes moved by a random symmetry.
func (k kinship) move(nodes []int, rng *rand.Rand) []int {
	shift := rng.Intn(k.torus.N())
	moved := make([]int, len(nodes))
	if k.group == nil {
		for i, v := range nodes {
			moved[i] = k.torus.Displacement(shift, v)
		}
		return moved
	}
	images := k.group.Images(rng.Intn(k.group.Points()), shift)
	for i, v := range nodes {
		moved[i] = images[v]
	}
	return moved
}
