package web

import "leeway/results/atlas"

// nothing is the source of a site that has a live page only.
type nothing struct{}

func (nothing) Tori() []atlas.Summary                        { return nil }
func (nothing) Cells(atlas.Filter) ([]atlas.Cell, int)       { return nil, 0 }
func (nothing) Cell(atlas.Key) (atlas.Cell, bool)            { return atlas.Cell{}, false }
func (nothing) Detail(atlas.Key) (atlas.Detail, bool, error) { return atlas.Detail{}, false, nil }
