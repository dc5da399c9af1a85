package portfolio

import (
	"context"
	"errors"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/search"
)

// How many placements are kept, and where canonical forms would cost too much: on tori of more nodes, or where points
// of the group times the square of the size are more. There only equal placements count as the same.
const (
	maxArchive   = 16
	maxNodes     = 4096
	maxCanonical = 1 << 24
)

// An archive keeps good placements that differ, best first.
type archive struct {
	kinship search.Kinship
	list    []search.Found
	keys    []string
}

// newArchive returns an empty archive, a plain one if placements are told apart by their
// nodes in any case, the group needs loads that pass an int64, or the context ends. An error is a
// *symmetry.WrongSymmetryError.
func newArchive(ctx context.Context, p objective.Problem, plain bool) (*archive, error) {
	a := &archive{}
	if plain || p.Traffic.Matrix != nil || routing.ByPair(p.Routing) || p.Torus().N() > maxNodes {
		return a, nil
	}
	group, err := fast.Group(ctx, p)
	if overflow := (*fast.OverflowError)(nil); errors.As(err, &overflow) || err != nil && ctx.Err() != nil {
		return a, nil
	}
	a.kinship = search.KinshipOf(group, p.Size, maxCanonical)
	return a, err
}

// add puts a placement before all that are no better, so that among equals the latest come first; only the very first
// of the best value keeps its place. What is there already, or too bad, is not added; with a free routing a better
// table takes the place of that of the same placement.
func (a *archive) add(f search.Found) {
	key := a.kinship.Key(f.Placement)
	if i := slices.Index(a.keys, key); i >= 0 {
		if !f.IsBelow(a.list[i].Value) {
			return
		}
		a.list, a.keys = slices.Delete(a.list, i, i+1), slices.Delete(a.keys, i, i+1)
	}
	at := 0
	for at < len(a.list) && a.list[at].IsBelow(f.Value) {
		at++
	}
	if at == 0 && len(a.list) > 0 && a.list[0].Value.Cmp(f.Value) == 0 {
		at = 1
	}
	a.list = slices.Insert(a.list, at, f)
	a.keys = slices.Insert(a.keys, at, key)
	if len(a.list) > maxArchive {
		a.list, a.keys = a.list[:maxArchive], a.keys[:maxArchive]
	}
}

// best returns the best placement, the first found of several.
func (a *archive) best() search.Found {
	if len(a.list) == 0 {
		return search.Found{}
	}
	return a.list[0]
}

// starts returns the placements, best first.
func (a *archive) starts() []core.Placement {
	list := make([]core.Placement, len(a.list))
	for i, f := range a.list {
		list[i] = f.Placement
	}
	return list
}
