package fast

import (
	"math"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/lanes"
	"leeway/objective/orders"
)

// recount is an Incremental that evaluates anew after changes, by a kernel: that of dimension orders on large tori,
// where this is cheaper than the flows of all pairs of one processor, or of routings whose loads depend on the
// placement.
type recount struct {
	in    core.Set
	stale bool
	count kernel
	nodes []int
	load  []int64
	changes
}

func newRecount(t *core.Torus, den int64, exact bool, count kernel) *recount {
	e := &recount{in: core.NewSet(t.N()), count: count, changes: changes{den: den, exact: exact}}
	e.empty = func() {
		clear(e.in)
		e.stale = true
	}
	e.put = func(v int, sign int64) {
		if e.stale = true; sign > 0 {
			e.in.Add(v)
		} else {
			e.in.Remove(v)
		}
	}
	e.empty()
	return e
}

// newCounted returns the evaluator of dimension orders on large tori, whose counter keeps the processors.
func newCounted(c *orders.Counter, t *core.Torus, den int64) *recount {
	e := newRecount(t, den, true, func(_ []int, w *core.Watch) ([]int64, error) { return c.Count(w) })
	e.empty = func() {
		_, _ = c.Loads(nil, nil) // no watch, no error
		e.stale = true
	}
	e.put = func(v int, sign int64) {
		c.Put(v, (sign+1)/2)
		e.stale = true
	}
	e.empty()
	return e
}

func (e *recount) TrySwap(out, in int) (int64, int) { return trySwap(e, out, in) }

func (e *recount) Peak() (int64, int) {
	if e.stale {
		e.nodes = e.in.AppendNodes(e.nodes[:0])
		e.load, _ = e.count(e.nodes, nil) // no watch, no error
		e.stale = false
	}
	return lanes.Most(e.load)
}

// guideDen is the denominator of guiding values: with it and shares rounded per
// pair, errors stay below one part in 2^20 for loads of at least one path.
const guideDen = 1 << 40

// guideUnits returns the denominator of guiding values of up to n processors.
func guideUnits(n int) int64 { return min(guideDen, math.MaxInt64/4/int64(max(1, n*n))) }

// newAvoidance evaluates avoid for up to n processors, by guiding values where exact ones do not fit.
func newAvoidance(r *routing.Avoid, n int) *recount {
	units, den := guideUnits(n), objective.Denominator(r)
	exact := fits(den, n, 1)
	if exact {
		units = den.Int64()
	}
	if s := newSegmented(r, den, units); s != nil {
		return newRecount(r.Torus(), units, exact, s.loads)
	}
	return newRecount(r.Torus(), units, exact, listed(r, units))
}
