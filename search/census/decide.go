package census

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"sync"
	"sync/atomic"

	"leeway/core/parallel"
	"leeway/search"
)

// Decide puts a question to the engines, side by side, and returns the first
// answer; with a limit of nodes to one after the other, so that the reply depends
// on nothing else; with a cluster to the first that can plan it. It fails with a
// *DisagreementError, an error of a plan that is not about its size, or one of the
// log or the cluster.
func Decide(ctx context.Context, q Question) (Reply, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	d := &decision{Question: q, ctx: ctx, cancel: cancel}
	d.left.Store(q.Nodes)
	switch {
	case q.Cluster != nil:
		for _, e := range q.Engines {
			if d.ask(e, q.Workers); d.planned {
				break
			}
		}
	case q.Nodes > 0:
		for _, e := range q.Engines {
			d.ask(e, 1)
		}
	default:
		parallel.Each(ctx, len(q.Engines), len(q.Engines), func(i int) {
			d.ask(q.Engines[i], max(1, (q.Workers+i)/len(q.Engines))) // they add up to all
		})
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

// ask lets one engine answer, unless there is an answer.
func (d *decision) ask(e Engine, workers int) {
	if d.ctx.Err() != nil || d.Nodes > 0 && d.left.Load() <= 0 {
		return
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

// recall takes over the counts of slices walked before, the last of each, and
// returns how many these are.
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

// take takes in the answer of an engine; the first ends the decision.
func (d *decision) take(e Engine, split int, a Answer) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.planned = true
	switch {
	case a.Found.Size() > 0 && d.reply.Found.Size() == 0:
		d.reply.Found, d.reply.Finder = a.Found, e.Name()
		d.cancel()
	case a.Complete && d.reply.Refutation == nil:
		d.reply.Refutation = refutation(e.Name(), d.Below, split, a.Slices)
		d.cancel()
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
	if d.err == nil && r.Found.Size() > 0 && r.Refutation != nil {
		d.err = &DisagreementError{Problem: d.Problem.String(), Below: d.Below, Engine: r.Refutation.Engine, Nodes: r.Found.Nodes()}
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
