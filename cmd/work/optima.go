package work

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"time"

	"leeway/core"
	"leeway/objective"
	"leeway/results"
	"leeway/search/orderly"
)

// unlisted is remarked where the context ends before all optimal placements are listed.
const unlisted = "no optimal placements are listed: their enumeration did not end; more --time comes further"

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
	proof, optima, err := r.listInSteps(ctx, value)
	labelled := int64(0)
	if proof == nil && err == nil {
		optima, labelled, err = OptimaOf(ctx, r.Problem, value, r.Workers)
	}
	switch {
	case err != nil:
		return err
	case proof == nil && labelled == 0:
		r.remark(unlisted)
		return nil
	}
	orbits, err := core.Await(ctx, Grace, func() ([]results.Orbit, error) { return results.OrbitsOf(r.Problem, optima) })
	if err != nil && err == ctx.Err() {
		r.remark(unlisted)
		return nil
	}
	if err != nil {
		return err
	}
	if proof != nil {
		labelled = 0
		for _, o := range orbits {
			labelled += o.Size
		}
		record.BoundReason = reasonInSteps(record.Proof, record.BoundReason)
		record.Proof = proof
	}
	record.AddOptima(optima, labelled)
	record.OptimaOrbits = orbits
	return nil
}

// listInSteps returns the proof in steps that places all placements with at most a value, and one of each orbit of
// those that have it; nil without such steps, which is an error only where they are to go to a file.
func (r *run) listInSteps(ctx context.Context, value *big.Rat) (*results.Proof, []core.Placement, error) {
	w := wanted{Problem: r.Problem, value: value, listing: true, engine: r.prover()}
	if r.streamed() {
		w.file = r.Proof.Stream
	}
	proof, placed, err := w.steps(ctx)
	if err != nil {
		r.refused(w, err)
		if r.streamed() {
			return nil, nil, fmt.Errorf("the list is not written as steps: %w", err)
		}
		return nil, nil, nil
	}
	group, err := r.Group(ctx)
	if err != nil {
		return nil, nil, err
	}
	var forms [][]int
	for _, nodes := range placed {
		if most, _ := r.Evaluate(core.MustPlacement(r.Torus(), nodes)).Max(); most.Cmp(value) == 0 {
			form, _ := group.Canonical(nodes)
			forms = append(forms, form)
		}
	}
	slices.SortFunc(forms, slices.Compare)
	var optima []core.Placement
	for _, form := range slices.CompactFunc(forms, slices.Equal) {
		optima = append(optima, core.MustPlacement(r.Torus(), form))
	}
	if r.streamed() {
		r.wrote(proof)
	}
	return proof, optima, nil
}

// listable returns nil if OptimaOf can list the optimal placements of a problem, otherwise a *core.InputError or an
// *search.UnsupportedError.
func listable(p objective.Problem) error {
	if p.Traffic.Clients() {
		return &core.InputError{Text: p.String(), Problem: "--all lists optimal placements for all-to-all traffic only",
			Hint: "leave --all away"}
	}
	if p.Fixed.Count() == p.Size { // nothing is left to choose
		p.Fixed = nil
	}
	return orderly.Engine{}.Supports(p)
}

// OptimaOf lists the placements of a problem that attain its smallest E_max, one of each orbit, and says how many they
// are with all images: 0 where the context ended before the enumeration did. Errors are those of orderly.Enumerate.
func OptimaOf(ctx context.Context, p objective.Problem, value *big.Rat,
	workers int) (optima []core.Placement, labelled int64, err error) {
	if p.Fixed.Count() == p.Size && listable(p) == nil {
		return []core.Placement{core.MustPlacement(p.Torus(), p.Fixed.Nodes())}, 1, nil
	}
	found, err := orderly.Enumerate(ctx, p, value, orderly.Options{Workers: workers})
	if err != nil || !found.Complete || !found.Labelled.IsInt64() {
		return nil, 0, err
	}
	for _, nodes := range found.Representatives {
		placement, err := core.NewPlacement(p.Torus(), nodes)
		if err != nil {
			return nil, 0, err
		}
		optima = append(optima, placement)
	}
	return optima, found.Labelled.Int64(), nil
}

// maxListedOptima is how many optimal placements Proof.ListWithin lists at most: with all of them
// a record would grow to megabytes.
const maxListedOptima = 4096

// listWithin returns the record with all optimal placements, where that is asked for and they are
// quick to list and few; else as it is.
func (r *run) listWithin(ctx context.Context, record results.Record) (results.Record, error) {
	if record.Status != results.StatusOptimal || time.Since(r.started) >= r.Proof.ListWithin ||
		listable(r.Problem) != nil {
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
