package work

import (
	"context"
	"time"

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
	open := r.Problem
	open.Fixed = nil
	if r.Fixed.Count() == r.Size && (orderly.Engine{}).Supports(open) == nil { // nothing is left to choose
		only := []core.Placement{core.MustPlacement(r.Torus(), r.Fixed.Nodes())}
		record.AddOptima(only, 1)
		record.OptimaOrbits, err = results.OrbitsOf(r.Problem, only)
		return err
	}
	found, err := orderly.Enumerate(ctx, r.Problem, value, orderly.Options{Workers: r.Workers})
	if err != nil {
		return err
	}
	if !found.Complete || !found.Labelled.IsInt64() {
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
	record.OptimaOrbits, err = results.OrbitsOf(r.Problem, optima)
	return err
}

// maxListedOptima is how many optimal placements Proof.ListWithin lists at most: with all of them
// a record would grow to megabytes.
const maxListedOptima = 4096

// listWithin returns the record with all optimal placements, where that is asked for and they are
// quick to list and few; else as it is.
func (r *run) listWithin(ctx context.Context, record results.Record) (results.Record, error) {
	if record.Status != results.StatusOptimal || time.Since(r.started) >= r.Proof.ListWithin ||
		(orderly.Engine{}).Supports(r.Problem) != nil {
		return record, nil
	}
	limited, cancel := context.WithTimeout(ctx, 5*r.Proof.ListWithin)
	defer cancel()
	full := record
	if err := r.addOptima(limited, &full); err != nil {
		return record, err
	}
	if full.Orbits == nil || *full.Orbits > maxListedOptima {
		return record, nil
	}
	return full, nil
}
