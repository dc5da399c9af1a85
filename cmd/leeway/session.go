package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"
	"sync"
	"time"

	"leeway/cmd/cli"
	"leeway/cmd/work"
	"leeway/cmd/work/coordinator"
	"leeway/core"
	"leeway/objective"
	"leeway/results"
	"leeway/results/compose"
	"leeway/results/disk"
	"leeway/results/layout"
	"leeway/search"
)

// session returns a session of this program, which shows how it goes in the terminal.
func (a *app) session(workers int) *work.Session {
	s := &work.Session{Version: version, Command: append([]string{"leeway"}, a.Args...), Workers: max(1, workers)}
	var show *shownLine
	var place string // of the task among several: "2/5"
	var sizes func(search.Event)
	s.Observer = work.Observer{
		Next: func(i, of int) { place = fmt.Sprintf("%d/%d", i, of) },
		Begin: func(t work.Task, lower *big.Rat) {
			if t.Limit != nil {
				sizes = a.tellSizes(t.Problem)
				return
			}
			name := fmt.Sprintf("%s n=%d %s", t.Torus().Title(), t.Size, work.RoutingAndTraffic(t.Problem))
			show = newLine(a.Stderr, place, name, lower, t.Budget)
			show.view.Start()
		},
		Bound: func(lower, checking *big.Rat) { show.setBound(lower, checking) },
		Event: func(e search.Event) {
			if show != nil {
				show.observe(e)
			} else {
				sizes(e)
			}
		},
		End: func() {
			if show != nil {
				show.view.Stop()
			}
			show = nil
		},
		Remark: func(format string, args ...any) {
			if show != nil {
				show.view.Clear()
			}
			a.Remark(format, args...)
		},
	}
	return s
}

// tellSizes returns an observer that remarks every larger size that is found within
// the limit.
func (a *app) tellSizes(p objective.Problem) func(search.Event) {
	var mu sync.Mutex
	started, largest := time.Now(), 1
	return func(e search.Event) {
		mu.Lock()
		defer mu.Unlock()
		if n := e.Best.Size(); n > largest && e.Value != nil && e.Value.Cmp(p.Limit.ValueAt(n)) <= 0 {
			largest = n
			a.Remark("%s  %s with E_max %s (%s)", time.Since(started).Round(time.Second), core.Count(n, "processor"),
				decimal(e.Value.RatString()), e.Method)
		}
	}
}

// workOn works on tasks and publishes what comes of each. Of several tasks one that fails is reported and the others
// are done, unless it is a store that cannot be written.
func (a *app) workOn(ctx context.Context, s *work.Session, q *question, tasks []work.Task) error {
	list, several := []any{}, len(tasks) != 1 // a list is never null
	status := 0
	var failed error
	err := s.All(ctx, tasks, func(t work.Task, answer work.Answer, err error) error {
		switch {
		case answer.Record != nil:
			list = append(list, *answer.Record)
			if !answer.Before {
				err = cmp.Or(a.publish(q, t, answer), err)
			}
		case answer.Below != nil && err == nil:
			list = append(list, *answer.Below)
			err = a.publishBelow(q, answer)
		}
		if err == nil && ctx.Err() == nil && undecided(t, answer) {
			status = statusUndecided
		}
		if t.Proof != nil && t.Proof.Log != nil {
			err = cmp.Or(err, t.Proof.Log.Err())
		}
		var full *disk.WriteError
		if err == nil || !several || s.Store != nil && errors.As(err, &full) {
			return err
		}
		a.Remark("%s: %v", t.Problem, err)
		_, calls := diagnose(err)
		failed = cli.Status(calls) // it was reported
		return nil
	})
	failed = cmp.Or(err, failed)
	// What was found is not lost with its file.
	if a.asJSON() && failed == nil || len(list) > 0 && (a.asJSON() || failed != nil) {
		if err := printList(a, compose.ListSchema, list, several); err != nil {
			return err
		}
	}
	return cmp.Or(failed, exit(status))
}

// undecided reports whether an answer leaves open what a task is to prove: the smallest E_max, of all placements or of
// those with a symmetry, or whether one is below a value.
func undecided(t work.Task, answer work.Answer) bool {
	switch {
	case t.Proof == nil:
		return false
	case answer.Record != nil:
		return answer.Record.Status != results.StatusOptimal && answer.Record.SymmetryClaim == nil
	}
	return answer.Below != nil && answer.Below.Status == results.StatusUnknown
}

// storeUsage is that of the store of searches.
const storeUsage = "file that keeps records, bounds, null results and the state of searches (with --plan: named " +
	"after the plan); leeway serve --store shows them while they run"

// searchTasks works on the tasks of a function, in a store if one is named, from which they may come.
func (a *app) searchTasks(ctx context.Context, q *question, storeFile string, head *coordinator.Coordinator,
	tasks func(*work.Session) ([]work.Task, error)) error {
	s := a.session(q.workers)
	if err := q.readKnown(ctx, s); err != nil {
		return err
	}
	if head != nil {
		s.Head = head
	}
	do := func() error {
		list, err := tasks(s)
		if err != nil {
			return err
		}
		return a.workOn(ctx, s, q, list)
	}
	if storeFile == "" {
		return do()
	}
	return storeHint(s.WithStore(storeFile, do))
}

// storeHint names the flag of a store that cannot be opened.
func storeHint(err error) error {
	var open *work.OpenError
	if errors.As(err, &open) {
		return cli.InFlag("store", open.Err)
	}
	return err
}

// publish writes the record of an answer to its file and, without --json, shows it.
func (a *app) publish(q *question, t work.Task, answer work.Answer) error {
	r := *answer.Record
	failed := a.saveRecord(q, work.RecordBase(t.Problem, r.Size, t.Seed), r)
	if !a.asJSON() {
		a.printRecord(r, answer.Proof) // what could not be written still goes to stdout
	}
	return failed
}

// publishBelow shows the answer to a question about a value, and writes it to the file of --out.
func (a *app) publishBelow(q *question, answer work.Answer) error {
	d := *answer.Below
	if !a.asJSON() {
		a.tell("below", d)
	}
	return a.keepIn(q.out, d)
}

// saveRecord writes a record to the file of --out, or to a new one.
func (a *app) saveRecord(q *question, base string, r results.Record) error {
	if q.out == "" && (a.asJSON() || q.inStore) {
		return nil
	}
	if q.out != "" {
		return a.keep(q.out, r)
	}
	data, err := layout.Encode(r)
	if err != nil {
		return err
	}
	name, err := disk.WriteNumbered(base, ".json", data)
	if err == nil {
		a.Remark("wrote %s", name)
	}
	return err
}

// proofEnding ends the name of a solver's proof.
const proofEnding = ".lrat"

// printRecord writes a record for a person; proof is how much of its time went to the proof, 0 where that is not known.
func (a *app) printRecord(r results.Record, proof time.Duration) {
	a.tell("record", struct {
		results.Record
		Looked, Proved float64 // seconds
	}{r, r.FoundBy.Seconds - proof.Seconds(), proof.Seconds()})
}
