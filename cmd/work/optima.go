package work

import (
	"context"

	"leeway/core"
	"leeway/results"
	"leeway/search/orderly"
)

// addOptima adds all optimal placements to an optimal record.
func (r *run) addOptima(ctx context.Context, record *results.Record) error {
	value, err := results.ParseFraction(record.MaxLoad)
	if err != nil {
		return err
	}
	if record.Status != results.StatusOptimal {
		r.remark("no optimal placements are listed: %s is not proved", record.MaxLoad)
		return nil
	}
	found, err := orderly.Enumerate(ctx, r.Problem, value, orderly.Options{Workers: r.Workers})
	if err != nil {
		return err
	}
	if !found.Complete() || !found.Labelled.IsInt64() {
		r.remark("no optimal placements are listed: their enumeration did not end")
		return nil
	}
	var optima []core.Placement
	for _, nodes := range found.Representatives {
		placement, err := core.NewPlacement(r.Torus(), nodes)
		if err != nil {
			return err
		}
		optima = append(optima, placement)
	}
	record.AddOptima(optima, found.Labelled.Int64())
	return nil
}
