package opb

import (
	"errors"

	"leeway/encode/cnf"
	"leeway/encode/symbreak"
)

// Rows yields every row, always the same in the same sequence, until yield
// returns false. The terms of a row are only valid during the call. Cost
// O(terms).
func (m *Model) Rows(yield func(Row) bool) {
	_ = m.sizeRow(yield) && m.productRows(yield) && m.linkRows(yield) &&
		(!m.options.Strengthen || m.strengthenRows(yield)) && (m.group == nil || m.symmetryRows(yield))
}

func (m *Model) sizeRow(yield func(Row) bool) bool {
	row := Row{Equal: true, Bound: int64(m.problem.Size)}
	for v := range m.problem.Torus().N() {
		row.Terms = append(row.Terms, Term{1, m.nodeVar(v)})
	}
	return yield(row)
}

// productRows writes y = x_p x_q for every pair.
func (m *Model) productRows(yield func(Row) bool) bool {
	for q := range m.problem.Torus().N() {
		for p := range q {
			x, z, y := m.nodeVar(p), m.nodeVar(q), m.pairVar(p, q)
			if !yield(Row{Terms: []Term{{1, y}, {-1, x}, {-1, z}}, Bound: -1}) ||
				!yield(Row{Terms: []Term{{1, x}, {-1, y}}}) || !yield(Row{Terms: []Term{{1, z}, {-1, y}}}) {
				return false
			}
		}
	}
	return true
}

// linkRows writes, for every link that some pair uses, that its load stays
// within the limit.
func (m *Model) linkRows(yield func(Row) bool) bool {
	if m.limit < 0 { // no load is below 0, also where there is no pair
		return yield(Row{Terms: []Term{{-1, m.nodeVar(0)}}, Bound: 1})
	}
	var terms []Term
	for _, list := range m.links {
		terms = terms[:0]
		for _, t := range list {
			terms = append(terms, Term{-t.Coef, t.Var})
		}
		if len(terms) > 0 && !yield(Row{Terms: terms, Bound: -m.limit}) {
			return false
		}
	}
	return true
}

func (m *Model) strengthenRows(yield func(Row) bool) bool {
	n := m.problem.Torus().N()
	for p := range n {
		row := Row{Equal: true}
		for q := range n {
			if q != p {
				row.Terms = append(row.Terms, Term{1, m.pairVar(min(p, q), max(p, q))})
			}
		}
		if factor := int64(m.problem.Size - 1); factor > 0 {
			row.Terms = append(row.Terms, Term{-factor, m.nodeVar(p)})
		}
		if len(row.Terms) > 0 && !yield(row) {
			return false
		}
	}
	return true
}

// errStopped ends the writing of clauses whose reader wants no more.
var errStopped = errors.New("stopped")

// clauseRows turns clauses into rows: a clause holds if its literals add up to
// at least 1, a negative one counting 1 - x.
type clauseRows struct{ yield func(Row) bool }

// Add implements cnf.Sink.
func (c clauseRows) Add(clause []int) error {
	row := Row{Bound: 1}
	for _, l := range clause {
		if l > 0 {
			row.Terms = append(row.Terms, Term{1, l})
		} else {
			row.Terms = append(row.Terms, Term{-1, -l})
			row.Bound--
		}
	}
	if !c.yield(row) {
		return errStopped
	}
	return nil
}

func (m *Model) symmetryRows(yield func(Row) bool) bool {
	n := m.problem.Torus().N()
	b := cnf.NewBuilder(clauseRows{yield}, m.problem.String(), n+n*(n-1)/2, maxTerms)
	nodes := make([]int, n)
	for v := range nodes {
		nodes[v] = m.nodeVar(v)
	}
	symbreak.Orbit(b, m.group, nodes)
	return b.Err() == nil
}
