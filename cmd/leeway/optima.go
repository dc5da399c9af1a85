package main

import (
	"context"

	"leeway/core"
	"leeway/objective"
	"leeway/results"
	"leeway/search/orderly"
)

// addOptima adds all optimal placements to an optimal record.
func (a *app) addOptima(ctx context.Context, record *results.Record, p objective.Problem, b budget) error {
	value, err := results.ParseFraction(record.MaxLoad)
	if err != nil {
		return err
	}
	if record.Status != results.StatusOptimal {
		a.remark("no optimal placements are listed: %s is not proved", record.MaxLoad)
		return nil
	}
	found, err := orderly.Enumerate(ctx, p, value, orderly.Options{Workers: b.workers})
	if err != nil {
		return err
	}
	if !found.Complete() || !found.Labelled.IsInt64() {
		a.remark("no optimal placements are listed: their enumeration did not end")
		return nil
	}
	var optima []core.Placement
	for _, nodes := range found.Representatives {
		placement, err := core.NewPlacement(p.Torus(), nodes)
		if err != nil {
			return err
		}
		optima = append(optima, placement)
	}
	record.AddOptima(optima, found.Labelled.Int64())
	return nil
}
