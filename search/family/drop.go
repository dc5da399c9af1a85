package family

import (
	"context"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/search"
)

// maxDrops is how many processors are dropped from a larger placement at most.
const maxDrops = 16

// drop takes the best residue-class placement of the least larger size that has
// one, and drops the processor without which E_max is least, again and again.
// That cannot raise E_max unless paths depend on the processors, and often beats
// what there is of the very size. Under conditions it does so with mended placements
// of all sizes about that of the problem.
func (r *run) drop(ctx context.Context) {
	problem := r.params.Problem
	t, n := problem.Torus(), problem.Size
	from := n + 1
	if problem.Conditioned() { // mending makes other sizes of a class
		from = max(1, n-problem.Fixed.Count())
	}
	for size := from; size <= min(t.N(), n+maxDrops) && !r.stopped(ctx); size++ {
		larger := &run{params: search.Params{Problem: problem.WithSize(size)}, evaluator: r.evaluator, quiet: true,
			least: from, most: n + maxDrops, left: r.left}
		if problem.Conditioned() {
			larger.least = n
		}
		larger.classes(ctx)
		r.spend(larger.out.Evaluations)
		if larger.out.Value == nil {
			continue
		}
		if nodes := r.shrink(ctx, larger.out.Best.Nodes(), larger.out.Best.Size()-n); len(nodes) == n {
			r.take(core.MustPlacement(t, nodes), "dropped from "+larger.note)
		}
		if !problem.Conditioned() {
			return
		}
	}
}

// shrink drops processors, as long as evaluations are left.
func (r *run) shrink(ctx context.Context, nodes []int, drops int) []int {
	t := r.params.Problem.Torus()
	for range drops {
		var least *big.Rat
		at := -1
		for i := range nodes {
			if r.stopped(ctx) {
				return nodes
			}
			if r.params.Problem.MustHave(nodes[i]) {
				continue
			}
			rest := slices.Delete(slices.Clone(nodes), i, i+1)
			r.spend(1)
			if v, _ := r.evaluator.Loads(core.MustPlacement(t, rest)).Max(); least == nil || v.Cmp(least) < 0 {
				least, at = v, i
			}
		}
		nodes = slices.Delete(nodes, at, at+1)
	}
	return nodes
}
