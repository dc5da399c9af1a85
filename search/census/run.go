package census

import (
	"context"
	"sync/atomic"

	"leeway/core"
	"leeway/core/parallel"
)

// Options say how to walk. The zero value walks all slices on one worker.
type Options struct {
	Workers int
	// Wanted picks slices by number; nil: all. Others are left out.
	Wanted func(i int) bool
	// Observe is called now and then with the nodes visited since the last call, from any worker.
	Observe func(nodes int64)
	// Walked is called with every slice that came to its end, from any worker.
	Walked func(i int, s Slice)
	// Dropped is called by a Cluster with a slice that turned out to be wrong after Walked had it. It is walked again.
	Dropped func(i int, s Slice)
}

// An Answer is the outcome of a walk.
type Answer struct {
	Slices   []Slice        // as cut; those walked have their counts
	Found    core.Placement // the first below the value in the order of the tree; zero if none
	Complete bool           // all slices were walked and none holds a placement
	Nodes    int64          // of the slices walked
}

// Run walks the slices of a plan, except those that are done already. It ends early with the first placement, in the
// order of the tree whatever the workers, or when the context ends.
func Run(ctx context.Context, p Plan, slices []Slice, done []bool, o Options) Answer {
	r := &run{ctx: ctx, options: o, slices: slices, done: done, found: make([]core.Placement, len(slices))}
	r.last.Store(int64(len(slices)))
	parallel.With(ctx, o.Workers, len(slices), func(int) Walker { return p.Walker() }, r.work)
	return r.answer()
}

// A run is shared by its workers.
type run struct {
	ctx     context.Context
	options Options
	slices  []Slice
	done    []bool
	found   []core.Placement
	last    atomic.Int64 // slices after this one do not count: it holds a placement
}

// work walks one slice, if it is wanted and counts.
func (r *run) work(w Walker, i int) {
	if int64(i) > r.last.Load() || r.done[i] || r.options.Wanted != nil && !r.options.Wanted(i) {
		return
	}
	s := r.slices[i]
	stopped := false
	t := s.walk(w, func(nodes int64) bool {
		if r.options.Observe != nil {
			r.options.Observe(nodes)
		}
		stopped = stopped || r.ctx.Err() != nil || int64(i) > r.last.Load()
		return !stopped
	})
	switch {
	case stopped:
	case t.Found.Size() > 0:
		r.found[i] = t.Found
		lower(&r.last, int64(i))
	case !t.Ended:
		r.slices[i], r.done[i] = s, true
		if r.options.Walked != nil {
			r.options.Walked(i, s)
		}
	}
}

// lower brings v down to i.
func lower(v *atomic.Int64, i int64) {
	for {
		have := v.Load()
		if i >= have || v.CompareAndSwap(have, i) {
			return
		}
	}
}

func (r *run) answer() Answer {
	a := Answer{Slices: r.slices, Complete: true}
	for i, s := range r.slices {
		if r.found[i].Size() > 0 && a.Found.Size() == 0 {
			a.Found = r.found[i]
		}
		a.Complete = a.Complete && r.done[i]
		if r.done[i] {
			a.Nodes += s.Nodes
		}
	}
	return a
}
