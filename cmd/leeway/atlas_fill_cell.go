package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"leeway/core"
	"leeway/objective"
	"leeway/results"
	"leeway/results/plan"
	"leeway/results/store"
	"leeway/search/orderly"
)

// proofMethod names what prove does in null results.
const proofMethod = "prove"

// goalFill marks the runs of fill in a store.
const goalFill = "fill"

// maxListedOptima is how many optimal placements fill lists at most: with all of them
// a record would grow to megabytes.
const maxListedOptima = 4096

// cell works on one cell: a proof, a search if it does not come to an end, and a
// second proof if the search has found something better.
func (f *filling) cell(ctx context.Context, j plan.Job) error {
	p := j.Problem
	run := runOf(j)
	run.Goal = goalFill
	if err := f.store.Mend(run.Problem); err != nil {
		return err
	}
	best, ok, err := f.store.Best(run.Problem)
	if err != nil || ok && best.Status == results.StatusOptimal {
		return err
	}
	if done, err := f.store.Finished(run); err != nil || done {
		return err
	}
	var starts []core.Placement
	if ok {
		start, err := core.PlacementFromCoords(p.Torus(), best.Nodes)
		if err != nil {
			return err
		}
		starts = append(starts, start)
	}
	record, err := f.prove(ctx, p, j, starts)
	if err != nil && !errors.Is(err, errNoPlacement) {
		if record.Schema != "" { // the store does not take it
			f.tell(j, record)
		}
		return err
	}
	tried := record
	if record.Status != results.StatusOptimal && ctx.Err() == nil {
		if err := f.search(ctx, j); err != nil && !errors.Is(err, errNoPlacement) {
			return err
		}
		if record, err = f.again(ctx, p, j, record); err != nil {
			return err
		}
	}
	f.tell(j, record)
	switch {
	case ctx.Err() != nil:
		return nil // not finished: the same command tries again
	case record.Status == results.StatusOptimal || tried.MaxLoad == "":
		return f.store.Finish(run)
	}
	return f.store.Finish(run, f.null(run, tried))
}

// quiet returns the program without its messages: how thousands of cells go is told
// by one line each.
func (f *filling) quiet() *app {
	quiet := *f.app
	quiet.stderr = io.Discard
	return &quiet
}

// null says that a proof did not come to an end.
func (f *filling) null(run store.Run, record results.Record) store.Null {
	return store.Null{Goal: "prove", Method: proofMethod, Seed: run.Seed, Budget: run.Budget, Evaluations: record.FoundBy.Evaluations, Best: record.MaxLoad}
}

// prove tries to prove a cell and puts what comes out into the store.
func (f *filling) prove(ctx context.Context, p objective.Problem, j plan.Job, starts []core.Placement) (results.Record, error) {
	known := f.neighbours(p)
	if !known.trust(ctx, p, f.store.Folder(), f.workers) {
		known = &neighbours{} // stopped: nothing that is in doubt is used
	}
	h := &proving{engine: "auto", list: *known}
	t, err := f.proofTask(ctx, h, p, 1)
	if err != nil {
		return results.Record{}, err
	}
	t.known, t.starts = known, starts
	b := budget{seed: j.Seed, time: j.Time, evaluations: j.Evaluations, workers: f.workers}
	began := time.Now()
	record, err := f.quiet().solve(ctx, p, b, t)
	if err != nil {
		return record, err
	}
	before := len(*known)
	if err := known.learn(p.Routing, record); err != nil {
		return record, err
	}
	for i := range (*known)[before:] {
		(*known)[before+i].sure = true
	}
	if record.Status == results.StatusOptimal && time.Since(began) < f.optima {
		if err := f.listOptima(ctx, p, &record); err != nil {
			return record, err
		}
	}
	_, err = f.store.AddRecord(record)
	return record, err
}

// listOptima adds all optimal placements to a record, unless they are too many, or
// too hard to list.
func (f *filling) listOptima(ctx context.Context, p objective.Problem, record *results.Record) error {
	if (orderly.Engine{}).Supports(p) != nil {
		return nil
	}
	limited, cancel := context.WithTimeout(ctx, 5*f.optima)
	defer cancel()
	full := *record
	if err := f.quiet().addOptima(limited, &full, p, budget{workers: f.workers}); err != nil {
		return err
	}
	if full.Orbits != nil && *full.Orbits <= maxListedOptima {
		*record = full
	}
	return nil
}

// search looks for something better with the methods of the job.
func (f *filling) search(ctx context.Context, j plan.Job) error {
	return f.quiet().do(ctx, &f.night, j)
}

// again proves a cell once more if the search has found something better, and
// returns the record that counts.
func (f *filling) again(ctx context.Context, p objective.Problem, j plan.Job, before results.Record) (results.Record, error) {
	best, ok, err := f.store.Best(store.ProblemOf(p))
	if err != nil || !ok {
		return before, err
	}
	if best.Status == results.StatusOptimal || best.MaxLoad == before.MaxLoad || ctx.Err() != nil {
		return best, f.neighbours(p).learn(p.Routing, best)
	}
	start, err := core.PlacementFromCoords(p.Torus(), best.Nodes)
	if err != nil {
		return before, err
	}
	record, err := f.prove(ctx, p, j, []core.Placement{start})
	if err != nil || record.Status == results.StatusOptimal {
		return record, err
	}
	best, _, err = f.store.Best(store.ProblemOf(p))
	return best, err
}

// tell prints a line about a cell.
func (f *filling) tell(j plan.Job, r results.Record) {
	if f.list {
		return
	}
	if r.MaxLoad == "" {
		f.remark("%s: %v", j, errNoPlacement)
		return
	}
	text := fmt.Sprintf("%s %s n=%d  E_max %s  %s", joinSides(r.Torus), r.Routing, r.Size, r.MaxLoad, r.Status)
	if r.Proof != nil {
		text += ", " + describeProof(r.Proof)
	} else {
		text += fmt.Sprintf(", bound %s (%s)", r.LowerBound, r.BoundReason)
	}
	if r.Orbits != nil {
		text += fmt.Sprintf(", %d optima up to symmetry", *r.Orbits)
	}
	f.printf("%s\n", text)
}
