package work

import (
	"errors"

	"leeway/core"
	"leeway/objective/texts"
	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/store"
	"leeway/search/transfer"
)

// tableOf returns the cells of an atlas as a table from which placements are transferred.
func tableOf(view *atlas.Atlas) *transfer.Table {
	cells, _ := view.Cells(atlas.Filter{})
	return transfer.NewTable(cellsOf(cells), func(k texts.Key) (*core.Placement, error) {
		d, ok, err := view.Detail(k)
		if corrupt := (*store.CorruptError)(nil); errors.As(err, &corrupt) || err == nil && (!ok || d.Record == nil) {
			return nil, nil // the others can be read
		} else if err != nil {
			return nil, err
		}
		p, err := PlacementOf(*d.Record)
		return &p, err
	})
}

// cellsOf returns what is known of cells that are not wrong.
func cellsOf(cells []atlas.Cell) []transfer.Cell {
	var list []transfer.Cell
	for _, c := range cells {
		if c.Fault != "" {
			continue
		}
		known := transfer.Cell{Key: c.Key(), Proved: c.Status == atlas.Optimal}
		if v, err := results.ParseFraction(c.MaxLoad); err == nil {
			known.Value = v
		}
		list = append(list, known)
	}
	return list
}
