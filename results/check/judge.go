package check

import (
	"context"
	"errors"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/results"
	"leeway/results/check/meter"
)

// A Judge tells which of two records that contradict each other is wrong, for results/store. Its verdicts are those of
// Document.
type Judge struct {
	Folder string // of the files that proofs name
}

// Load reports whether the placement of a record has the load that the record says, by the naive evaluator; known is
// false where that is too large to be recomputed.
func (j Judge) Load(r results.Record) (right, known bool) {
	t, err := core.NewTorus(r.Torus...)
	if err != nil {
		return false, true
	}
	way, err := r.ReadRouting(t)
	if err != nil {
		return false, true
	}
	p, err := core.PlacementFromCoords(t, r.Nodes)
	load, unreadable := results.ParseFraction(r.MaxLoad)
	if err != nil || unreadable != nil || p.Size() != r.Size || !slices.EqualFunc(p.Coords(), r.Nodes, slices.Equal) {
		return false, true
	}
	data, err := r.Encode()
	if err != nil {
		return false, false
	}
	var most *big.Rat
	m := meter.New(context.Background(), int64(len(data)), 0)
	if ended := m.Run(func() { most, _, err = maxLoad(m, way, p) }); ended != nil {
		return false, false
	}
	if err != nil {
		var large *results.ReadError
		return false, !errors.As(err, &large)
	}
	return most.Cmp(load) == 0, true
}

// Record reports whether a record is valid, its proof too.
func (j Judge) Record(r results.Record) (right, known bool) {
	data, err := r.Encode()
	if err != nil {
		return false, false
	}
	v := Document(context.Background(), data, j.Folder, Options{})
	return v.Verdict == Valid, v.Verdict != Unreadable
}
