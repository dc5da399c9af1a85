package work

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"time"

	"leeway/core"
	"leeway/core/parallel"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/results"
	"leeway/results/compose"
	"leeway/results/export"
	"leeway/search/orderly"
)

// unlisted is remarked where the context ends before all optimal placements are listed.
const unlisted = "no optimal placements are listed: listing them did not end; a longer --time may be enough"

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
	switch {
	case ctx.Err() != nil && proof == nil:
		r.remark(unlisted)
		return nil
	case err != nil:
		return err
	}
	orbits, err := parallel.Await(ctx, Grace, func() ([]results.Orbit, error) {
		return export.OrbitsOf(r.Problem, optima)
	})
	if err != nil && err == ctx.Err() {
		r.remark(unlisted)
		return nil
	}
	if err != nil {
		return err
	}
	labelled := int64(0)
	for _, o := range orbits {
		labelled += o.Size
	}
	record.BoundReason = reasonInSteps(record.Proof, record.BoundReason)
	record.Proof = proof
	compose.AddOptima(record, optima, labelled)
	record.OptimaOrbits = orbits
	return nil
}

// listInSteps returns the proof in steps that places all placements with at most a value, and one of each orbit of
// those that have it.
func (r *run) listInSteps(ctx context.Context, value *big.Rat) (*results.Proof, []core.Placement, error) {
	w := wanted{Problem: r.Problem, value: value, listing: true, most: whatever}
	if r.wantsStream() {
		w.file = r.Proof.Stream
	}
	proof, optima, err := w.list(ctx)
	if err != nil {
		r.tellRefused(w, err)
		return nil, nil, fmt.Errorf("the optimal placements are not listed: %w", err)
	}
	if r.wantsStream() {
		r.tellWritten(proof)
	}
	return proof, optima, nil
}

// list returns the proof that lists all placements with at most the value, and one of each orbit of those that have it.
func (w wanted) list(ctx context.Context) (*results.Proof, []core.Placement, error) {
	proof, placed, err := w.write(ctx)
	if err != nil {
		return nil, nil, err
	}
	group, err := fast.Group(ctx, w.Problem)
	if err != nil {
		return nil, nil, err
	}
	var forms [][]int
	for _, nodes := range placed {
		if most, _ := fast.Evaluate(w.Problem, core.MustPlacement(w.Torus(), nodes)).Max(); most.Cmp(w.value) == 0 {
			form, _ := group.Canonical(nodes)
			forms = append(forms, form)
		}
	}
	slices.SortFunc(forms, slices.Compare)
	var optima []core.Placement
	for _, form := range slices.CompactFunc(forms, slices.Equal) {
		optima = append(optima, core.MustPlacement(w.Torus(), form))
	}
	return proof, optima, nil
}

// listable returns nil if OptimaOf can list the optimal placements of a problem, otherwise a *core.InputError or an
// *search.UnsupportedError.
func listable(p objective.Problem) error {
	if !p.Traffic.ToAll() {
		return core.Invalid(p.String(), "--all lists optimal placements for all-to-all traffic only").Hinted("omit --all")
	}
	if p.Near != p.InSteps() {
		return core.Invalid(p.String(), "--all knows no conditions on how processors lie but radius and distance").
			Hinted("omit --all")
	}
	return orderly.Refutes(p)
}

// OptimaOf lists the placements of a problem that attain its smallest E_max, one of each orbit: nil where the context
// ended before that was done. Errors are those of the engine that lists them as steps.
func OptimaOf(ctx context.Context, p objective.Problem, value *big.Rat) ([]core.Placement, error) {
	_, optima, err := wanted{Problem: p, value: value, listing: true, most: whatever}.list(ctx)
	if ctx.Err() != nil {
		return nil, nil
	}
	return optima, err
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
