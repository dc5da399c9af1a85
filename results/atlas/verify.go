package atlas

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync/atomic"

	"leeway/core/parallel"
	"leeway/results/check"
	"leeway/results/check/documents"
	"leeway/results/check/meter"
	"leeway/results/layout"
	"leeway/results/store"
)

// A Finding is the verdict about a cell: what the package check says about its full
// record, or about the bound of a cell without a placement, in whose words.
type Finding struct {
	Cell
	check.Verdict
	Implied []string `json:"implied,omitempty"` // better values that other cells imply; set by the caller of Verify
}

// Verify repeats everything that cells claim, by the naive evaluator and the checkers of proofs, and returns a verdict
// for each, in their order. A store is looked through as well: a cell with any record that is not what the store says
// of it is wrong. Every cell is checked by one worker. When the context ends it
// returns what was found until then, and the context's error; others are those of Detail, and a *store.CorruptError
// where the store itself is damaged. The options give the limits of a check and what writes the steps that prove cells.
// Observe, if not nil, is called from any goroutine with the number of cells done.
func (a *Atlas) Verify(ctx context.Context, cells []Cell, workers int, options check.Options,
	observe func(done int)) ([]Finding, error) {
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // little of what is made lives longer than the check of a cell
	list := make([]Finding, len(cells))
	errs := make([]error, len(cells))
	var done atomic.Int64
	options.Workers, options.Kept = 1, new(meter.Kept)
	parallel.Each(ctx, workers, len(cells), func(i int) {
		list[i], errs[i] = a.verify(ctx, cells[i], options)
		if n := done.Add(1); observe != nil {
			observe(int(n))
		}
	})
	a.contradict(list)
	list = slices.DeleteFunc(list, func(f Finding) bool { return f.Verdict.Verdict == "" })
	faults, damage := a.source.faults()
	for i, f := range list {
		if fault, ok := faults[f.Key()]; ok && f.Fault == "" {
			list[i].Verdict.Verdict, list[i].Reasons = check.Wrong, append(f.Reasons, fault)
		}
	}
	return list, cmp.Or(cmp.Or(errs...), ctx.Err(), damage)
}

// contradict marks cells whose lower bound is above the load of a placement of the same torus and
// routing with as many processors or more: taking some away raises no load, unless the paths depend on
// them. A load that refutes is computed again.
func (a *Atlas) contradict(list []Finding) {
	byWay := map[string][]*Cell{}
	for _, r := range a.now.Load().rows {
		if c := r.cell(); c.Fault == "" && c.MaxLoad != "" {
			byWay[r.key.Torus+" "+c.Routing] = append(byWay[r.key.Torus+" "+c.Routing], c)
		}
	}
	for i := range list {
		f := &list[i]
		p, err := f.Key().Problem()
		if err != nil || f.Fault != "" || f.Verdict.Verdict == "" {
			continue
		}
		lower := mustFraction(f.LowerBound)
		for _, r := range byWay[f.Key().Torus+" "+f.Routing] {
			below := r.Size == f.Size || r.Size > f.Size && !p.Routing.DependsOnPlacement() && !p.Near.Asked()
			if !below || mustFraction(r.MaxLoad).Cmp(lower) >= 0 {
				continue
			}
			if d, _, err := a.Detail(r.Key()); err == nil && d.Fault == "" {
				f.Verdict.Verdict = check.Wrong
				f.Reasons = append(f.Reasons, fmt.Sprintf("the lower bound %s (%s) is refuted by the placement of "+
					"%d processors with E_max %s", f.LowerBound, f.BoundReason, r.Size, r.MaxLoad))
				break
			}
		}
	}
}

// verify checks one cell. A verdict that the end of the context cut short is left out.
func (a *Atlas) verify(ctx context.Context, c Cell, options check.Options) (Finding, error) {
	wrong := check.Verdict{Verdict: check.Wrong, ProofVerdict: check.Absent, Reasons: []string{c.Fault}}
	f := Finding{Cell: c, Verdict: wrong}
	if c.Fault != "" {
		return f, nil
	}
	d, _, err := a.Detail(c.Key())
	var corrupt *store.CorruptError
	if errors.As(err, &corrupt) {
		f.Reasons = []string{corrupt.Problem}
		return f, nil
	}
	if err != nil {
		return Finding{}, err
	}
	if d.Fault != "" { // which nobody has seen before
		f.Cell, f.Reasons = d.Cell, []string{d.Fault}
		return f, nil
	}
	var document any = d.Record
	if d.Record == nil {
		document = d.Below
	}
	data, err := layout.Encode(document)
	if err != nil {
		return Finding{}, err
	}
	f.Verdict = documents.Document(ctx, data, a.source.folder(), options)
	if ctx.Err() != nil {
		return Finding{}, ctx.Err()
	}
	return f, nil
}
