package work

import (
	"leeway/core"
	"leeway/core/family"
	"leeway/results"
)

// maxFormNodes is the largest torus on which placements are recognised.
const maxFormNodes = 4096

// FormOf returns the pattern that a placement follows, false on large tori and without dimensions.
func FormOf(p core.Placement) (family.Form, bool) {
	if t := p.Torus(); t.N() > maxFormNodes || !t.HasDimensions() {
		return family.Form{}, false
	}
	return family.Recognise(p), true
}

// PlacementOf returns the placement of a record.
func PlacementOf(r results.Record) (core.Placement, error) {
	t, err := r.ReadGrid()
	if err != nil {
		return core.Placement{}, err
	}
	return core.PlacementFromCoords(t, r.Nodes)
}
