package margin

import (
	"context"
	"math/big"
	"sync"
	"sync/atomic"

	"leeway/core/routing"
	"leeway/objective"
)

// A question is a decision prepared: the margins of both dimensions that fit the
// limit.
type question struct {
	problem objective.Problem
	along   *ring   // dimension 1: the links of a row
	limit   int64   // on the load of a link, in 1/D
	columns [][]int // margins of dimension 1, one for each slice
	across  *ring   // dimension 0: the links of a column
	rows    []frame
	groups  [][]int // numbers of rows that ask for and offer the same line counts
	classes *reducer
	flip    bool // the order of the columns may be turned around
}

// mostLoad is above the load, in 1/D, of any link of a torus with sides up to
// MaxSide: 4 for every pair of processors of which one is in the row.
const mostLoad = 4 * MaxSide * MaxSide * MaxSide

// A frame is a row margin with what decides at once whether a column margin goes
// with it.
type frame struct {
	counts []int
	has    uint32 // bit v: some row holds v processors
	fits   uint32 // bit v: some column of v processors fits under the margin
}

// prepare lists the margins. It fails with a *TooManyError or the error of the
// context.
func prepare(ctx context.Context, p objective.Problem, limit *big.Rat, e Effort) (*question, error) {
	r := p.Routing.(*routing.Orders)
	along, across := newRing(r, 1, p.Size), newRing(r, 0, p.Size)
	q := &question{problem: p, along: along, across: across, limit: units(limit, along.unit)}
	var err error
	if q.columns, err = along.margins(ctx, q.limit, e.margins()); err != nil {
		return nil, err
	}
	rows := q.columns
	if !along.alike(across) {
		if rows, err = across.margins(ctx, q.limit, e.margins()); err != nil {
			return nil, err
		}
	}
	turns, err := turnsOf(r)
	if err != nil {
		return nil, err
	}
	q.classes, q.flip = newReducer(turns, q.columns, rows), flipsColumns(turns)
	q.rows = make([]frame, len(rows))
	each(len(rows), e.Workers, func(i int) bool {
		q.rows[i] = frame{counts: rows[i], has: countsOf(rows[i]), fits: across.fits(rows[i], q.limit)}
		return ctx.Err() == nil
	})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	q.group()
	return q, nil
}

// group puts row margins together that go with the same column margins.
func (q *question) group() {
	at := map[[2]uint32]int{}
	for j, f := range q.rows {
		key := [2]uint32{f.has, f.fits}
		i, seen := at[key]
		if !seen {
			i = len(q.groups)
			at[key] = i
			q.groups = append(q.groups, nil)
		}
		q.groups[i] = append(q.groups[i], j)
	}
}

// units returns the greatest whole number of 1/den within the limit, at most
// mostLoad.
func units(limit *big.Rat, den int64) int64 {
	v := new(big.Int).Mul(limit.Num(), big.NewInt(den))
	if v.Div(v, limit.Denom()); v.Cmp(big.NewInt(mostLoad)) > 0 {
		return mostLoad
	}
	return v.Int64()
}

// countsOf returns the counts that occur in c as bits.
func countsOf(c []int) (has uint32) {
	for _, v := range c {
		has |= 1 << v
	}
	return has
}

// each calls do for 0..n-1, in this order but side by side on workers, until one
// call returns false.
func each(n, workers int, do func(i int) bool) {
	var next atomic.Int64
	var all sync.WaitGroup
	for range max(1, min(workers, n)) {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				if !do(i) {
					next.Store(int64(n))
				}
			}
		})
	}
	all.Wait()
}
