package census

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"sync"
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
	return fmt.Sprintf("census: %s: %s found no placement below %s, but nodes %v are one", e.Problem, e.Engine, e.Below.RatString(), e.Nodes)
}

// Decide puts a question to the first engine that can plan it: which engine answers depends on the question only, not on
// the speed of engines. It fails with an error of a plan that is not about its size, or one of the log or the cluster.
func Decide(ctx context.Context, q Question) (Reply, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	d := &decision{Question: q, ctx: ctx, cancel: cancel}
	d.left.Store(q.Nodes)
	for _, e := range q.Engines {
		if d.ask(e); d.planned {
			break
		}
	}
	return d.conclude()
}

// A decision gathers what the engines say.
type decision struct {
	Question
	ctx    context.Context
	cancel context.CancelFunc
	nodes  atomic.Int64
	left   atomic.Int64 // with a limit

	mu      sync.Mutex
	reply   Reply
	planned bool
	err     error
}

// ask lets one engine answer.
func (d *decision) ask(e Engine) {
	if d.ctx.Err() != nil {
		return
	}
	workers := max(1, d.Workers)
	if d.Nodes > 0 {
		workers = 1 // what is visited before the nodes are spent depends on nothing else
	}
	plan, err := e.Plan(d.ctx, d.Problem, d.Below, workers)
	if err != nil {
		d.refuse(err)
		return
	}
	split := plan.Split()
	slices := Cut(plan)
	done := make([]bool, len(slices))
	var finished atomic.Int64
	if d.Log != nil {
		finished.Store(recall(slices, done, d.Log.Walked(e.Name(), d.Below, split)))
	}
	tell := func() {
		if d.Observe != nil {
			d.Observe(Progress{Engine: e.Name(), Below: d.Below, Nodes: d.nodes.Load(), Done: int(finished.Load()), Total: len(slices)})
		}
	}
	tell()
	ctx, stop := context.WithCancel(d.ctx)
	defer stop()
	a, err := d.walk(ctx, e, plan, slices, done, Options{Workers: workers, Wanted: d.Wanted,
		Observe: func(nodes int64) {
			d.nodes.Add(nodes)
			if d.Nodes > 0 && d.left.Add(-nodes) < 0 {
				stop()
			}
			tell()
		},
		Walked: func(_ int, s Slice) {
			finished.Add(1)
			if d.Log != nil {
				d.fail(d.Log.Keep(e.Name(), d.Below, split, s.Slice))
			}
			tell()
		},
		Dropped: func(_ int, s Slice) {
			finished.Add(-1)
			if d.Log != nil {
				d.fail(d.Log.Drop(e.Name(), d.Below, split, s.Slice))
			}
		}})
	d.fail(err)
	d.take(e, split, a)
}

// walk lets the cluster walk, or the workers of this process.
func (d *decision) walk(ctx context.Context, e Engine, p Plan, slices []Slice, done []bool, o Options) (Answer, error) {
	if d.Cluster == nil {
		return Run(ctx, p, slices, done, o), nil
	}
	return d.Cluster.Walk(ctx, Tree{Problem: d.Problem, Below: d.Below, Engine: e, Plan: p}, slices, done, o)
}

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

// refuse notes why an engine did not plan.
func (d *decision) refuse(err error) {
	var large *TooLargeError
	switch {
	case d.ctx.Err() != nil:
	case errors.As(err, &large):
		d.mu.Lock()
		d.reply.TooLarge = err
		d.mu.Unlock()
	default:
		d.fail(err)
	}
}

// fail ends the decision with an error.
func (d *decision) fail(err error) {
	if err == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.err == nil {
		d.err = err
	}
	d.cancel()
}

// take takes in what an engine has come to.
func (d *decision) take(e Engine, split int, a Answer) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.planned = true
	switch {
	case a.Found.Size() > 0:
		d.reply.Found, d.reply.Finder = a.Found, e.Name()
	case a.Complete:
		d.reply.Refutation = refutation(e.Name(), d.Below, split, a.Slices)
	}
}

func (d *decision) conclude() (Reply, error) {
	r := d.reply
	if r.Nodes = d.nodes.Load(); d.Nodes > 0 {
		r.Nodes = min(r.Nodes, d.Nodes) // the last few, which did not count, pass it
	}
	if d.planned {
		r.TooLarge = nil
	}
	return r, d.err
}

func refutation(engine string, below *big.Rat, split int, slices []Slice) *search.Refutation {
	r := &search.Refutation{Below: below, Kind: search.Census, Engine: engine, Split: split, Slices: []search.Slice{}}
	for _, s := range slices {
		r.Count += s.Nodes
		r.Slices = append(r.Slices, s.Slice)
	}
	return r
}
