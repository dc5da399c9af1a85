package orderly

import (
	"context"
	"math/big"
	"slices"
	"sync"
	"sync/atomic"

	"leeway/search"
)

// A run is one walk against one limit. The lists of one size are its branches;
// each is walked on its own, and the results are joined in canonical order up to
// the first branch that ends the run, so that workers do not matter.
type run struct {
	ctx      context.Context
	model    *model
	options  Options
	first    bool // stop at the first placement
	branches [][]int
	results  []*branch
	last     atomic.Int64 // no branch after this one counts
}

// A branch is what was found below one list.
type branch struct {
	found  []found
	counts []int64
	orbits int64
	sum    *big.Int // placements
	most   int64    // the largest load of the last one found, in units
	reason search.Reason
}

type found struct {
	nodes []int
	orbit int64
}

// branchesWanted is how many branches a run is cut into, if it has as many lists.
const branchesWanted = 400

// run visits all lists within a limit in units, or those up to the first
// placement.
func (e *engine) run(ctx context.Context, limit int64, first bool, o Options) (*Result, error) {
	out := &Result{Labelled: new(big.Int), Levels: make([]int64, e.problem.Size+1), Reason: search.Complete}
	if limit < 0 {
		return out, nil
	}
	m, ok := newModel(e.problem, e.flows, e.images, limit, o.Whole)
	if !ok {
		return nil, unsupported(e.problem, "its loads fit no 63 bits")
	}
	r := &run{ctx: ctx, model: m, options: o, first: first}
	top := r.split()
	if top.reason == search.Complete {
		r.results = make([]*branch, len(r.branches))
		r.last.Store(int64(len(r.branches)))
		r.walkAll(top)
	}
	r.join(top, out)
	return out, nil
}

// split lists the branches: the lists of the smallest size that has enough. The
// branch that it returns holds the counts up to that size.
func (r *run) split() *branch {
	for size := 1; ; size++ {
		w := newWalker(r.model)
		b := r.newBranch(w)
		w.split = size
		r.branches = r.branches[:0]
		w.visit = func(at *level) bool {
			r.branches = append(r.branches, slices.Clone(at.canon.nodes))
			return true
		}
		w.poll = r.poller(b, w, r.options.Evaluations, -1)
		if !w.begin() || size == r.model.size || len(r.branches) >= branchesWanted || len(r.branches) == 0 {
			return b
		}
	}
}

func (r *run) newBranch(w *walker) *branch {
	return &branch{counts: w.counts, sum: new(big.Int), reason: search.Complete}
}

// begin counts the empty list and that of node 0, and visits all that follow.
func (w *walker) begin() bool {
	if !w.poll() {
		return false
	}
	w.counts[0]++
	if !w.poll() {
		return false
	}
	at := w.root()
	w.counts[1]++
	if w.size == 1 || w.split == 1 {
		return w.visit(at)
	}
	return w.extend(at)
}

// poller returns the check before every list: budget lists may be visited (0: no
// limit), while the context lasts and branch number i counts.
func (r *run) poller(b *branch, w *walker, budget int64, i int) func() bool {
	visited := int64(0)
	return func() bool {
		if budget > 0 && visited == budget {
			b.reason = search.Spent
			return false
		}
		if visited%1024 == 0 && (r.ctx.Err() != nil || int64(i) > r.last.Load() && i >= 0) {
			b.reason = search.Stopped
			return false
		}
		visited++
		return true
	}
}

// walkAll walks the branches, next to each other unless a budget counts lists in
// canonical order.
func (r *run) walkAll(top *branch) {
	if r.options.Evaluations > 0 {
		r.walkBudgeted(r.options.Evaluations - top.visited())
		return
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	for range max(1, min(r.options.Workers, len(r.branches))) {
		wg.Go(func() {
			w := newWalker(r.model)
			for i := next.Add(1) - 1; i < int64(len(r.branches)) && i <= r.last.Load(); i = next.Add(1) - 1 {
				r.walk(w, int(i), 0)
			}
		})
	}
	wg.Wait()
}

func (r *run) walkBudgeted(budget int64) {
	w := newWalker(r.model)
	for i := 0; i < len(r.branches) && int64(i) <= r.last.Load(); i++ {
		if budget == 0 && len(r.branches[i]) < r.model.size {
			r.results[i] = &branch{sum: new(big.Int), reason: search.Spent}
			return
		}
		r.walk(w, i, budget)
		budget -= r.results[i].visited()
	}
}

func (b *branch) visited() int64 {
	sum := int64(0)
	for _, c := range b.counts {
		sum += c
	}
	return sum
}

// walk walks branch number i and ends the run there if the branch ended early.
func (r *run) walk(w *walker, i int, budget int64) {
	clear(w.counts)
	b := r.newBranch(w)
	w.visit = func(at *level) bool { return r.take(w, b, at) }
	w.poll = r.poller(b, w, budget, i)
	at := w.root()
	for _, v := range r.branches[i][1:] {
		at = w.step(at, slices.Index(at.next, v))
	}
	if len(at.canon.nodes) == w.size {
		w.visit(at)
	} else {
		w.extend(at)
	}
	b.counts = slices.Clone(b.counts)
	r.results[i] = b
	if b.reason != search.Complete {
		r.endAt(int64(i))
	}
}

// endAt lowers the last branch that counts.
func (r *run) endAt(i int64) {
	for {
		last := r.last.Load()
		if i >= last || r.last.CompareAndSwap(last, i) {
			return
		}
	}
}

// take keeps a placement and reports whether to go on.
func (r *run) take(w *walker, b *branch, at *level) bool {
	orbit := at.canon.orbit(w.images)
	b.orbits++
	b.sum.Add(b.sum, big.NewInt(orbit))
	b.most = w.lanes.largest(at.load, w.flows.columns)
	if !r.options.CountOnly || r.first {
		b.found = append(b.found, found{slices.Clone(at.canon.nodes), orbit})
	}
	if r.first {
		b.reason = search.Reached
	}
	return !r.first
}

// join adds the branches up in canonical order, up to the first that ended early.
func (r *run) join(top *branch, out *Result) {
	for _, b := range append([]*branch{top}, r.results...) {
		if b == nil { // after the one that ended the run, or the context ended before it
			out.Reason = search.Stopped
			return
		}
		for size, c := range b.counts {
			out.Levels[size] += c
		}
		for _, f := range b.found {
			out.Representatives, out.OrbitSizes = append(out.Representatives, f.nodes), append(out.OrbitSizes, f.orbit)
		}
		out.Orbits += b.orbits
		out.Labelled.Add(out.Labelled, b.sum)
		out.most = b.most
		if out.Reason = b.reason; b.reason != search.Complete {
			return
		}
	}
}
