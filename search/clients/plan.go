package clients

import (
	"math/big"

	"leeway/core/parallel"
	"leeway/objective"
	"leeway/search/census"
)

// A plan is one question prepared: for each largest row and column the counts that fit the limit.
type plan struct {
	problem  objective.Problem
	sides    [2]*side // 0: columns, whose places the row counts are of; 1: rows
	pairs    []*pair
	prefixes [][]int
	at       []place // by prefix
}

// A place says where a prefix comes from: a pair, and which of its column counts.
type place struct{ pair, column int }

// A pair are the counts under which the largest row and the largest column have given sizes.
type pair struct {
	rows, columns []counts
	kinds         []histogram // of the columns
	kind          []int       // by column counts: which
	groups        []group
}

// A group are row counts of one histogram.
type group struct {
	histogram
	members []member
}

// A member are row counts with the kinds of column counts that they go with.
type member struct {
	counts
	fits []bool // by kind
}

// newPlan lists the counts. It fails with errTooMany, with an error of the budget or of objective.NewNodeLoads.
func newPlan(p objective.Problem, below *big.Rat, b *budget, workers int) (*plan, error) {
	loads, err := objective.NewNodeLoads(p)
	if err != nil {
		return nil, err
	}
	units := objective.NumeratorBelow(below, big.NewInt(loads.Den()))
	limit := mostLoad(p, loads)
	if units.Cmp(big.NewInt(limit)) < 0 {
		limit = units.Int64()
	}
	q := &plan{problem: p}
	for s := range q.sides {
		q.sides[s] = newSide(p, loads, s, limit)
	}
	columns, rows := q.sides[0], q.sides[1] // lines along dimension 0, and along 1
	for row := range rows.most() + 1 {
		for column := range columns.most() + 1 {
			if column*rows.k < p.Size || row*columns.k < p.Size {
				continue
			}
			m := &pair{}
			list := func(s *side, top, size int, to *[]counts) {
				if err == nil {
					*to, err = s.margins(top, size, b)
				}
			}
			// The smaller counts first: they are fewer, and mostly there are none.
			if row <= column {
				list(columns, row, column, &m.rows)
			} else {
				list(rows, column, row, &m.columns)
			}
			if row <= column && len(m.rows) > 0 {
				list(rows, column, row, &m.columns)
			} else if len(m.columns) > 0 {
				list(columns, row, column, &m.rows)
			}
			if err == nil && len(m.rows) > 0 && len(m.columns) > 0 {
				err = q.take(m, row, b, workers)
			}
			if err != nil {
				return nil, err
			}
		}
	}
	return q, nil
}

// mostLoad returns the most that a link can carry when all nodes have processors.
func mostLoad(p objective.Problem, loads *objective.NodeLoads) (most int64) {
	sum, scratch := make([]int64, p.Torus().M()), make([]int64, p.Torus().M())
	for v := range p.Torus().N() {
		for l, load := range loads.Row(v, scratch) {
			sum[l] += load
			most = max(most, sum[l])
		}
	}
	return most
}

// take groups the row counts of a pair and appends its prefixes.
func (q *plan) take(m *pair, row int, b *budget, workers int) error {
	at := map[histogram]int{}
	for i := range m.columns {
		h := m.columns[i].histogram(q.sides[1].k)
		kind, seen := at[h]
		if !seen {
			kind = len(m.kinds)
			at[h] = kind
			m.kinds = append(m.kinds, h)
		}
		m.kind = append(m.kind, kind)
		prefix := []int{row}
		for _, v := range m.columns[i][:q.sides[1].k] {
			prefix = append(prefix, int(v))
		}
		q.prefixes, q.at = append(q.prefixes, prefix), append(q.at, place{len(q.pairs), i})
	}
	if int64(len(q.prefixes)) > b.kept {
		return errTooMany
	}
	wanted := uint32(0)
	for _, h := range m.kinds {
		wanted |= h.sizes()
	}
	fits := make([][]bool, len(m.rows))
	parallel.With(b.ctx, workers, len(m.rows), func(int) *contents { return newContents(q.sides[0], false) },
		func(c *contents, i int) {
			c.under(m.rows[i], wanted)
			fits[i] = make([]bool, len(m.kinds))
			for kind := range m.kinds {
				fits[i][kind] = c.holds(&m.kinds[kind])
			}
		})
	if err := b.ctx.Err(); err != nil {
		return err // not all of them are known
	}
	groups := map[histogram]int{}
	for i := range m.rows {
		h := m.rows[i].histogram(q.sides[0].k)
		g, seen := groups[h]
		if !seen {
			g = len(m.groups)
			groups[h] = g
			m.groups = append(m.groups, group{histogram: h})
		}
		m.groups[g].members = append(m.groups[g].members, member{m.rows[i], fits[i]})
	}
	m.rows = nil
	q.pairs = append(q.pairs, m)
	return nil
}

// Split returns 0: prefixes are counts.
func (q *plan) Split() int { return 0 }

// Prefixes returns the number of processors in the largest row, followed by the column counts.
func (q *plan) Prefixes() [][]int { return q.prefixes }

// Walker returns a walker with memory of its own.
func (q *plan) Walker() census.Walker { return newWalker(q) }
