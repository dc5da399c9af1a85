package portfolio

import (
	"context"
	"fmt"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/core/symmetry"
	"leeway/objective"
	"leeway/search/restrict"
)

// How many placements are kept, and where canonical forms would cost too much: on
// tori of more nodes, or where points of the group times the square of the size
// are more. There only equal placements count as the same.
const (
	maxArchive   = 16
	maxNodes     = 4096
	maxCanonical = 1 << 24
)

// A found placement has been evaluated exactly. The zero value is none.
type found struct {
	placement core.Placement
	table     *routing.Table // with a free routing
	value     *big.Rat
	method    string // that found it
}

// below reports whether f is a placement of smaller value.
func (f found) below(than *big.Rat) bool {
	return f.value != nil && (than == nil || f.value.Cmp(than) < 0)
}

// An archive keeps good placements that differ, best first.
type archive struct {
	group *symmetry.Group // nil: placements are told apart by their nodes
	list  []found
	keys  []string
}

// newArchive returns an empty archive, a plain one if placements are told apart by their
// nodes in any case, or the context ends. An error is a *symmetry.WrongSymmetryError.
func newArchive(ctx context.Context, p objective.Problem, plain bool) (*archive, error) {
	a := &archive{}
	if plain || !routing.Invariant(p.Routing) || p.Torus().N() > maxNodes {
		return a, nil
	}
	group, err := symmetry.OfContext(ctx, p.Routing)
	if err != nil && ctx.Err() != nil {
		return a, nil
	}
	if err == nil && group.Points()*p.Size*p.Size <= maxCanonical {
		a.group = group
	}
	return a, err
}

// key returns the same text for placements that count as the same.
func (a *archive) key(p core.Placement) string {
	nodes := p.Nodes()
	if a.group != nil {
		nodes, _ = a.group.Canonical(nodes)
	}
	return fmt.Sprint(nodes)
}

// add puts a placement before all that are no better, so that among equals the
// latest come first; only the very first of the best value keeps its place. What
// is there already, or too bad, is not added.
func (a *archive) add(f found) {
	key := a.key(f.placement)
	if slices.Contains(a.keys, key) {
		return
	}
	at := 0
	for at < len(a.list) && a.list[at].below(f.value) {
		at++
	}
	if at == 0 && len(a.list) > 0 && a.list[0].value.Cmp(f.value) == 0 {
		at = 1
	}
	a.list = slices.Insert(a.list, at, f)
	a.keys = slices.Insert(a.keys, at, key)
	if len(a.list) > maxArchive {
		a.list, a.keys = a.list[:maxArchive], a.keys[:maxArchive]
	}
}

// best returns the best placement, the first found of several.
func (a *archive) best() found {
	if len(a.list) == 0 {
		return found{}
	}
	return a.list[0]
}

// starts returns the placements, best first.
func (a *archive) starts() []core.Placement {
	list := make([]core.Placement, len(a.list))
	for i, f := range a.list {
		list[i] = f.placement
	}
	return list
}

// entries returns the archive in the form of a state, with the lists of a free routing.
func (a *archive) entries(lists *restrict.Lists) []Entry {
	list := make([]Entry, len(a.list))
	for i, f := range a.list {
		list[i] = Entry{Nodes: f.placement.Nodes(), Value: f.value, Method: f.method}
		if f.table != nil {
			list[i].Paths = lists.ChoicesOf(f.placement, f.table).List(f.placement)
		}
	}
	return list
}
