package census

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"sync/atomic"

	"leeway/core"
	"leeway/objective"
	"leeway/search"
)

// A Log keeps the slices that were walked, so that a stopped proof can go on. Its methods may be called from any
// goroutine.
type Log interface {
	// Walked returns the slices kept for a question of an engine, in any order.
	Walked(engine string, below *big.Rat, split int) []search.Slice
	// Keep keeps one more, Drop takes one back that is wrong.
	Keep(engine string, below *big.Rat, split int, s search.Slice) error
	Drop(engine string, below *big.Rat, split int, s search.Slice) error
}

// A Question asks whether a placement with E_max below a value exists.
type Question struct {
	Problem objective.Problem
	Below   *big.Rat
	Engines []Engine // that support the problem
	Workers int
	Nodes   int64   // that may be visited; 0: no limit
	Log     Log     // nil: none
	Cluster Cluster // walks the slices; nil: Workers do
	// Wanted picks slices by number; nil: all.
	Wanted  func(i int) bool
	Observe func(Progress)
}

// A Progress is a sign of life of an engine.
type Progress struct {
	Engine      string
	Below       *big.Rat
	Nodes       int64 // of all engines, for this question
	Done, Total int   // slices of this engine
}

// A Reply is the answer to a question: a placement, a refutation, or neither.
type Reply struct {
	Found      core.Placement     // below the value; zero if none was found
	Finder     string             // the engine that found it
	Refutation *search.Refutation // nil unless an engine walked everything
	Nodes      int64
	// TooLarge is why engines could not plan, nil if one could.
	TooLarge error
}

// A TooLargeError says that a tree has too many prefixes to be planned.
type TooLargeError struct {
	Engine, Problem, Why string
}

// Error names engine, problem and reason.
func (e *TooLargeError) Error() string {
	return fmt.Sprintf("%s: %s is too large: %s", e.Engine, e.Problem, e.Why)
}

// A DisagreementError says that one engine walked everything without a placement and another has one. It means a bug in
// one of the two.
type DisagreementError struct {
	Problem string
	Below   *big.Rat
	Engine  string // that found none
	Nodes   []int
}

// Error names the engine and the placement.
func (e *DisagreementError) Error() string {
	return fmt.Sprintf("census: %s: %s found no placement below %s, but nodes %v are one",
		e.Problem, e.Engine, e.Below.RatString(), e.Nodes)
}

// Decide puts a question to the first engine that can plan it: which engine answers depends on the question only, not
// on the speed of engines. It fails with an error of a plan that is not about its size, or one of the log or the
// cluster.
func Decide(ctx context.Context, q Question) (Reply, error) {
	var r Reply
	workers := max(1, q.Workers)
	if q.Nodes > 0 {
		workers = 1 // what is visited before the nodes are spent depends on nothing else
	}
	for _, e := range q.Engines {
		plan, err := e.Plan(ctx, q.Problem, q.Below, workers)
		var large *TooLargeError
		switch {
		case err == nil:
			return q.ask(ctx, e, plan, workers)
		case ctx.Err() != nil:
			return r, nil
		case !errors.As(err, &large):
			return r, err
		}
		r.TooLarge = err
	}
	return r, nil
}

// errSpent ends a walk that has visited the nodes it may.
var errSpent = errors.New("census: the nodes are spent")

// ask lets an engine answer that has a plan.
func (q Question) ask(ctx context.Context, e Engine, plan Plan, workers int) (Reply, error) {
	walking, end := context.WithCancelCause(ctx)
	defer end(nil)
	fail := func(err error) {
		if err != nil {
			end(err)
		}
	}
	log := q.Log
	if log == nil {
		log = noLog{}
	}
	split, slices := plan.Split(), Cut(plan)
	done := make([]bool, len(slices))
	var nodes, finished atomic.Int64
	finished.Store(recall(slices, done, log.Walked(e.Name(), q.Below, split)))
	tell := func() {
		if q.Observe != nil {
			q.Observe(Progress{Engine: e.Name(), Below: q.Below, Nodes: nodes.Load(), Done: int(finished.Load()),
				Total: len(slices)})
		}
	}
	tell()
	o := Options{Workers: workers, Wanted: q.Wanted,
		Observe: func(visited int64) {
			if nodes.Add(visited) > q.Nodes && q.Nodes > 0 {
				end(errSpent)
			}
			tell()
		},
		Walked: func(_ int, s Slice) {
			finished.Add(1)
			fail(log.Keep(e.Name(), q.Below, split, s.Slice))
			tell()
		},
		Dropped: func(_ int, s Slice) {
			finished.Add(-1)
			fail(log.Drop(e.Name(), q.Below, split, s.Slice))
		}}
	var a Answer
	var err error
	if q.Cluster != nil {
		a, err = q.Cluster.Walk(walking, Tree{Problem: q.Problem, Below: q.Below, Engine: e, Plan: plan}, slices, done, o)
	} else {
		a = Run(walking, plan, slices, done, o)
	}
	if cause := context.Cause(walking); err == nil && cause != errSpent && cause != context.Cause(ctx) {
		err = cause // of the log
	}
	r := Reply{Nodes: nodes.Load()}
	if q.Nodes > 0 {
		r.Nodes = min(r.Nodes, q.Nodes) // the last few, which did not count, pass it
	}
	switch {
	case a.Found.Size() > 0:
		r.Found, r.Finder = a.Found, e.Name()
	case a.Complete:
		r.Refutation = refutation(e.Name(), q.Below, split, a.Slices)
	}
	return r, err
}

// noLog keeps nothing.
type noLog struct{}

func (noLog) Walked(string, *big.Rat, int) []search.Slice    { return nil }
func (noLog) Keep(string, *big.Rat, int, search.Slice) error { return nil }
func (noLog) Drop(string, *big.Rat, int, search.Slice) error { return nil }

// recall takes over the counts of slices walked before, the last of each, and returns how many these are.
func recall(slices []Slice, done []bool, walked []search.Slice) (known int64) {
	type key struct {
		first    string
		prefixes int
	}
	at := map[key]int{}
	for i, s := range slices {
		at[key{fmt.Sprint(s.First), s.Prefixes}] = i
	}
	for _, s := range walked {
		i, ok := at[key{fmt.Sprint(s.First), s.Prefixes}]
		if !ok {
			continue
		}
		if slices[i].Nodes, slices[i].Sum, slices[i].OnWord = s.Nodes, s.Sum, s.OnWord; !done[i] {
			done[i] = true
			known++
		}
	}
	return known
}

func refutation(engine string, below *big.Rat, split int, slices []Slice) *search.Refutation {
	r := &search.Refutation{Below: below, Kind: search.Census, Engine: engine, Split: split, Slices: []search.Slice{}}
	for _, s := range slices {
		r.Count += s.Nodes
		r.Slices = append(r.Slices, s.Slice)
	}
	return r
}
