package census

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"sync"
	"sync/atomic"

	"leeway/search"
)

// Decide puts a question to the first engine that can plan it: which engine answers depends on the
// question only, not on the speed of engines. It fails with an error of a plan that is not about its
// size, or one of the log or the cluster.
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
