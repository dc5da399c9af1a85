package margin

import (
	"context"

	"leeway/core/routing"
	"leeway/objective"
	"leeway/search/census"
)

// A plan is one question prepared: the margins of both dimensions that fit the
// limit, and which of them go together.
type plan struct {
	problem  objective.Problem
	columns  *side     // dimension 1: the links of a row
	rows     *side     // dimension 0: the links of a column; the same if it asks for the same
	matches  [][]int32 // by group of column margins: the groups of row margins that go with it
	classes  *reducer
	flip     bool // the order of the columns may be turned around
	prefixes [][]int
}

// prepare lists the margins of both dimensions. It fails with errTooMany, errTooLong or
// the error of the context.
func prepare(ctx context.Context, p objective.Problem, limit int64, most bounds, workers int) (*plan, error) {
	r := p.Routing.(*routing.Orders)
	along, across := newRing(r, 1, p.Size), newRing(r, 0, p.Size)
	q := &plan{problem: p, columns: newSide(along, limit)}
	if err := q.columns.find(ctx, most, workers); err != nil {
		return nil, err
	}
	if q.rows = q.columns; !along.alike(across) {
		q.rows = newSide(across, limit)
		if err := q.rows.find(ctx, most, workers); err != nil {
			return nil, err
		}
	}
	turns, err := turnsOf(r)
	if err != nil {
		return nil, err
	}
	q.match(turns)
	return q, nil
}

// match finds the groups of margins that go together and the images of their
// margins.
func (q *plan) match(turns []turn) {
	q.matches = q.columns.matches(q.rows)
	inColumns, inRows := make([]bool, len(q.columns.frames)), make([]bool, len(q.rows.frames))
	for g, others := range q.matches {
		if len(others) > 0 {
			mark(inColumns, q.columns.groups[g])
		}
		for _, h := range others {
			mark(inRows, q.rows.groups[h])
		}
	}
	q.classes, q.flip = newReducer(turns, q.columns, q.rows, inColumns, inRows), flipsColumns(turns)
	q.prefixes = q.columns.lists()
}

func mark(set []bool, members []int32) {
	for _, i := range members {
		set[i] = true
	}
}

// lists returns the margins as lists of numbers.
func (s *side) lists() [][]int {
	list, all := make([][]int, len(s.frames)), make([]int, s.k*len(s.frames))
	for i, f := range s.frames {
		list[i] = all[i*s.k : (i+1)*s.k : (i+1)*s.k]
		for x := range list[i] {
			list[i][x] = int(f.counts[x])
		}
	}
	return list
}

// Split returns 0: prefixes are margins.
func (q *plan) Split() int { return 0 }

// Prefixes returns the column margins.
func (q *plan) Prefixes() [][]int { return q.prefixes }

// Walker returns a walker with memory of its own.
func (q *plan) Walker() census.Walker { return newWalker(q) }
