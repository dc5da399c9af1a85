package worst

import (
	"context"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/objective/worst"
)

// Least returns the placement of a problem without conditions with the least worst case, in units of 1/e.Den(), of
// those below a limit, and of those with E_max at most most unless that is nil; no nodes if there is none. It goes
// through all placements, one of each orbit, smaller ones first, since neither value falls where a processor is added;
// all is false if the context ends it, or if it has looked at the given number of them. Errors are those of fast.Group.
//
// Of every orbit the lexicographically smallest placement is taken: without its last node that is the smallest of its
// orbit, too (Read, "Every one a winner", 1978).
func Least(ctx context.Context, p objective.Problem, e *worst.Evaluator, limit int64, most *big.Rat, looks int) (
	load int64, nodes []int, all bool, err error) {
	group, err := fast.Group(ctx, p)
	if err != nil {
		return limit, nil, false, err
	}
	loads := fast.NewEvaluator(p)
	all = true
	var add func(nodes []int, from int)
	var best []int
	add = func(nodes []int, from int) {
		for v := from; v <= p.Torus().N()-p.Size+len(nodes) && all; v++ {
			if looks--; looks < 0 || ctx.Err() != nil {
				all = false
				return
			}
			next := append(nodes[:len(nodes):len(nodes)], v)
			value := e.Load(next, limit)
			if value >= limit {
				continue
			}
			if first, _ := group.Canonical(next); !slices.Equal(first, next) {
				continue
			}
			if most != nil {
				if m, _ := loads.Loads(core.MustPlacement(p.Torus(), next)).Max(); m.Cmp(most) > 0 {
					continue
				}
			}
			if len(next) < p.Size {
				add(next, v+1)
			} else {
				limit, best = value, next
			}
		}
	}
	if limit > 0 {
		add(nil, 0)
	}
	return limit, best, all, nil
}
