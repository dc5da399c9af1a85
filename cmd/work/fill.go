//go:build !js

package work

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"leeway/core"
	"leeway/core/parallel"
	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/compose"
	"leeway/results/disk"
	"leeway/results/plan"
	"leeway/results/store"
)

const (
	proofMethod = "prove" // names what a proof does in null results
	fillGoal    = "fill"  // marks the runs of Fill in a store
)

// Fill works on a cell of an atlas within the budget of a search for it: a proof, the search if
// that does not come to an end, and a second proof if the search has found something better. All goes
// into the store. It returns the record that counts; none, where the cell is passed over, since it
// is proved, or was tried before with the same seed and budget. All optimal placements are listed
// where that takes up to a few times as long as given; 0: nowhere. An error that comes with a record
// says why the store does not take it; it is ErrNoPlacement where nothing was found.
func (s *Session) Fill(ctx context.Context, t Task, optima time.Duration) (*results.Record, error) {
	key := t.storeKey()
	key.Goal = fillGoal
	best, known, err := s.Store.Best(key.Problem)
	if err != nil || known && best.Status == results.StatusOptimal {
		return nil, err
	}
	if done, err := s.Store.Finished(key); err != nil || done && known {
		return nil, err // what was finished and is not there any more is begun again
	}
	proof := t
	proof.Proof = &Proof{Engine: EngineAuto, ListWithin: optima, Only: true}
	if known {
		if proof.Starts, err = startOf(t, best); err != nil {
			return nil, err
		}
	}
	answer, err := s.Solve(ctx, proof)
	tried := answer.Record
	if err != nil && !errors.Is(err, ErrNoPlacement) {
		return tried, err
	}
	record := tried
	if (tried == nil || tried.Status != results.StatusOptimal) && ctx.Err() == nil {
		if _, err := s.Solve(ctx, t); err != nil && !errors.Is(err, ErrNoPlacement) {
			return tried, err
		}
		if record, err = s.tryAgain(ctx, proof, tried); err != nil {
			return record, err
		}
	}
	switch {
	case record == nil:
		err = ErrNoPlacement
	case ctx.Err() != nil:
		return record, nil // not finished: the next time tries again
	}
	if tried == nil || record.Status == results.StatusOptimal {
		return record, errors.Join(err, s.Store.Finish(key))
	}
	return record, s.Store.Finish(key, store.Null{Goal: proofMethod, Method: proofMethod, Seed: key.Seed,
		Budget: key.Budget, Evaluations: tried.FoundBy.Evaluations, Best: tried.MaxLoad})
}

// FillAll fills cells in turn until the context ends, using the proofs that the session knows, and shows each record to
// tell. What goes wrong with one cell is remarked, and reported at the end; a store that cannot be written ends the
// work with its *disk.WriteError.
func (s *Session) FillAll(ctx context.Context, tasks []Task, optima time.Duration,
	tell func(results.Record)) (failed bool, err error) {
	quiet := s.Quiet()
	for i, t := range tasks {
		if ctx.Err() != nil {
			s.remark("stopped after %d of %d cells; the same command continues", i, len(tasks))
			break
		}
		record, err := quiet.Fill(ctx, t, optima)
		if record != nil {
			tell(*record)
		}
		var full *disk.WriteError
		switch {
		case errors.As(err, &full): // so it would be with all others
			return true, fmt.Errorf("%s: %w", t.Problem, err)
		case errors.Is(err, ErrNoPlacement):
			s.remark("%s: %v", t.Problem, ErrNoPlacement)
		case err != nil:
			s.remark("%s: %v", t.Problem, err)
			failed = true
		}
	}
	return failed, nil
}

// FillStore fills the cells of tasks, in the store of a file that is open, as FillAll does. What the store proves is
// used, and before and after what its cells imply is taken in, until nothing more follows.
func (s *Session) FillStore(ctx context.Context, file string, tasks []Task, optima time.Duration,
	tell func(results.Record)) (failed bool, err error) {
	s.Known = &Known{Folder: s.Store.Folder()}
	view, err := openView(ctx, file)
	if view == nil {
		return false, err
	}
	if err = s.imply(ctx, view, tasks, false, tell); err == nil {
		failed, err = s.FillAll(ctx, tasks, optima, tell)
	}
	if err == nil {
		err = cmp.Or(view.Refresh(), s.imply(ctx, view, tasks, false, tell))
	}
	return failed, cmp.Or(err, view.Close())
}

// openView opens the atlas of a store; when the context ends first it returns nil without an error.
func openView(ctx context.Context, file string) (*atlas.Atlas, error) {
	view, err := parallel.Await(ctx, 0, func() (*atlas.Atlas, error) { return atlas.OpenStore(file) })
	if err != nil {
		return nil, untilEnd(ctx, &OpenError{err})
	}
	return view, nil
}

// untilEnd returns an error unless the context has ended.
func untilEnd(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// FillTasks is Plan for searches that are cells of an atlas. Others are *results.ReadError.
func FillTasks(file string, searches []plan.Search) ([]Task, error) {
	for _, j := range searches {
		problem := ""
		switch {
		case j.Limit != nil:
			problem = "a cell has a size; max-load is for leeway search"
		case j.Free != nil:
			problem = "there is no proof of a free routing; leeway search looks for one"
		case j.Routing.String() == results.TableRouting:
			problem = "the routing of a cell has a name; a table is for leeway search"
		default:
			continue
		}
		return nil, &results.ReadError{File: file, Line: j.Line, Column: j.Column, Problem: problem}
	}
	return Plan(file, searches)
}

// tryAgain proves a cell once more if the search has found something better, and
// returns the record that counts.
func (s *Session) tryAgain(ctx context.Context, t Task, before *results.Record) (*results.Record, error) {
	best, known, err := s.Store.Best(compose.KeyOf(t.Problem))
	if err != nil || !known {
		return before, err
	}
	if best.Status == results.StatusOptimal || before != nil && best.MaxLoad == before.MaxLoad || ctx.Err() != nil {
		return &best, s.Known.Learn(t.Routing, best, false)
	}
	if t.Starts, err = startOf(t, best); err != nil {
		return before, err
	}
	answer, err := s.Solve(ctx, t)
	if err != nil || answer.Record.Status == results.StatusOptimal {
		return answer.Record, err
	}
	best, _, err = s.Store.Best(compose.KeyOf(t.Problem))
	return &best, err
}

// startOf returns the placement of a record, to start from.
func startOf(t Task, r results.Record) ([]core.Placement, error) {
	start, err := core.PlacementFromCoords(t.Torus(), r.Nodes)
	return []core.Placement{start}, err
}
