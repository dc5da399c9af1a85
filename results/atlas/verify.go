package atlas

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"

	"leeway/results/check"
)

// A Finding is the verdict about a cell: what the package check says about its full
// record, in whose words.
type Finding struct {
	Cell
	check.Verdict
}

// Unverified is the verdict about a cell without a placement: there is no record.
const Unverified = "unverified"

// Verify repeats everything that cells claim, by the naive evaluator and the checkers of
// proofs, and returns a verdict for each, in their order. Every cell is checked
// by one worker. When the context ends it returns what was found until then, and its error.
// Observe, if not nil, is called from any goroutine with the number of cells done.
func (a *Atlas) Verify(ctx context.Context, cells []Cell, workers int, observe func(done int)) ([]Finding, error) {
	list := make([]Finding, len(cells))
	errs := make([]error, len(cells))
	var next, done atomic.Int64
	var all sync.WaitGroup
	for range max(1, workers) {
		all.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(cells)) && ctx.Err() == nil; i = next.Add(1) - 1 {
				list[i], errs[i] = a.verify(ctx, cells[i])
				if n := done.Add(1); observe != nil {
					observe(int(n))
				}
			}
		})
	}
	all.Wait()
	for i, f := range list {
		if errs[i] != nil || f.Verdict.Verdict == "" {
			return list[:i], cmp.Or(errs[i], ctx.Err())
		}
	}
	return list, nil
}

// verify checks one cell. A verdict that the end of the context cut short is left
// out.
func (a *Atlas) verify(ctx context.Context, c Cell) (Finding, error) {
	f := Finding{Cell: c, Verdict: check.Verdict{Verdict: check.Wrong, ProofVerdict: check.Absent, Reasons: []string{c.Fault}}}
	if c.Fault != "" {
		return f, nil
	}
	d, _, err := a.Detail(c.Key())
	if err != nil {
		return Finding{}, err
	}
	if d.Record == nil {
		f.Verdict = check.Verdict{Verdict: Unverified, ProofVerdict: check.Absent, Reasons: []string{"note: there is no placement, only a bound"}}
		return f, nil
	}
	data, err := d.Record.Encode()
	if err != nil {
		return Finding{}, err
	}
	f.Verdict = check.Document(ctx, data, a.source.folder(), check.Options{Workers: 1})
	if ctx.Err() != nil {
		return Finding{}, ctx.Err()
	}
	return f, nil
}

// Sample picks so many of some cells, the same for the same seed, and returns them in
// their order.
func Sample(cells []Cell, count int, seed uint64) []Cell {
	rng := rand.New(rand.NewPCG(seed, 0))
	picked := rng.Perm(len(cells))[:min(count, len(cells))]
	slices.Sort(picked)
	out := make([]Cell, len(picked))
	for i, j := range picked {
		out[i] = cells[j]
	}
	return out
}
