// Package opb writes the question as pseudo-Boolean rows in the OPB format.
package opb

import (
	"context"
	"errors"
	"math/big"

	"leeway/core"
	"leeway/core/symmetry"
	"leeway/encode"
	"leeway/encode/cnf"
	"leeway/encode/symbreak"
	"leeway/objective"
	"leeway/objective/fast"
)

// maxTerms is the most terms that the rows of the links may have together: a few
// gigabytes of text.
const maxTerms = 50_000_000

// Options says how a question is written.
type Options struct {
	Strengthen    bool // add the rows over the products with each node
	BreakSymmetry bool // keep few placements of every orbit, at least one
}

// A Term is a coefficient times a variable.
type Term struct {
	Coef int64
	Var  int
}

// A Row is a linear constraint: the sum of the terms is at least Bound, or equal
// to it.
type Row struct {
	Terms []Term
	Equal bool
	Bound int64
}

// A Model is one question as linear constraints. It is immutable.
type Model struct {
	problem objective.Problem
	options Options
	limit   int64    // in units of 1/D
	links   [][]Term // by link: what the pairs put on it
	group   *symmetry.Group
	vars    int
	rows    int64
}

// New returns the question "is there a placement of the problem with E_max below
// this value?" It fails with an *encode.UnsupportedError for a routing that
// depends on the placement or loads beyond 62 bits, with a *cnf.SizeError beyond
// maxTerms, as symmetry.GroupOf does when symmetry is to be broken, and with the error of the context. Cost O(N^2)
// flows.
func New(ctx context.Context, p objective.Problem, below *big.Rat, o Options) (*Model, error) {
	if _, err := objective.NewProblem(p.Routing, p.Size); err != nil {
		return nil, err
	}
	den := p.Denominator()
	switch {
	case p.Traffic.Clients() && o.Strengthen:
		return nil, unsupported(p, "rows over pairs strengthen nothing: the load of client traffic has a term for each node")
	case p.Routing.DependsOnPlacement():
		return nil, unsupported(p, "the paths of a pair depend on the other processors")
	case p.Near != objective.Near{Radius: p.Radius}:
		return nil, unsupported(p, "of the conditions on how processors lie rows know the radius only")
	case den == nil:
		return nil, unsupported(p, "the loads have no common unit of reasonable size")
	}
	units := objective.NumeratorBelow(below, den)
	if units.BitLen() > 62 {
		return nil, unsupported(p, "the limit passes 62 bits")
	}
	m := &Model{problem: p, options: o, limit: units.Int64()}
	if err := m.addLinks(core.NewWatch(ctx)); err != nil {
		return nil, err
	}
	if o.BreakSymmetry {
		group, err := fast.Group(ctx, p)
		if err != nil {
			return nil, err
		}
		m.group = group
	}
	m.vars = m.named()
	m.Rows(func(r Row) bool {
		m.rows++
		for _, t := range r.Terms {
			m.vars = max(m.vars, t.Var)
		}
		return true
	})
	return m, nil
}

func unsupported(p objective.Problem, why string) error {
	return &encode.UnsupportedError{Problem: p.String(), Why: why}
}

// named returns how many variables stand for nodes and pairs. Under client traffic there are none for pairs: the load
// of a link is linear in the nodes.
func (m *Model) named() int {
	n := m.problem.Torus().N()
	if m.problem.Traffic.Clients() {
		return n
	}
	return n + n*(n-1)/2
}

// addNodes gathers what a processor on every node puts on every link by the messages of clients, in units of 1/D.
func (m *Model) addNodes() error {
	t := m.problem.Torus()
	if t.M() > maxTerms/t.N() {
		return &cnf.SizeError{What: m.problem.String(), Limit: maxTerms}
	}
	loads, err := fast.NewNodeLoads(m.problem, nil)
	if err != nil {
		return unsupported(m.problem, err.Error())
	}
	m.links = make([][]Term, t.M())
	scratch := make([]int64, t.M())
	for v := range t.N() {
		for l, load := range loads.Row(v, scratch) {
			if load > 0 {
				m.links[l] = append(m.links[l], Term{Coef: load, Var: m.nodeVar(v)})
			}
		}
	}
	return nil
}

// addLinks gathers what every pair puts on every link, in units of 1/D: of a link with bandwidth b a message is 1/b of
// a unit of load.
func (m *Model) addLinks(w *core.Watch) error {
	if m.problem.Traffic.Clients() {
		return m.addNodes()
	}
	t, den, terms := m.problem.Torus(), m.problem.Denominator(), 0
	if n := t.N(); n*(n-1)/2 > maxTerms { // every pair is on a link, and lists of links take memory too
		return &cnf.SizeError{What: m.problem.String(), Limit: maxTerms}
	}
	m.links = make([][]Term, t.M())
	sums := make([]int64, t.M())
	for q := range t.N() {
		for p := range q {
			if den.BitLen() > 60 {
				return unsupported(m.problem, "the loads of a link in common units pass 62 bits")
			}
			list := fast.Exchanged(m.problem.Routing, p, q, den.Int64())
			for _, l := range list {
				link := l.Link(t)
				if sums[link] += l.Load; sums[link] >= 1<<62 {
					return unsupported(m.problem, "the loads of a link in common units pass 62 bits")
				}
				m.links[link] = append(m.links[link], Term{Coef: l.Load, Var: m.pairVar(p, q)})
			}
			if terms += len(list); terms > maxTerms {
				return &cnf.SizeError{What: m.problem.String(), Limit: maxTerms}
			}
			if err := w.Err(len(list) * watchedShare); err != nil {
				return err
			}
		}
	}
	return nil
}

// watchedShare is what a watch counts the load of a pair on a link as.
const watchedShare = 64

// Problem returns the problem that is written.
func (m *Model) Problem() objective.Problem { return m.problem }

// Vars returns the number of variables.
func (m *Model) Vars() int { return m.vars }

// Limit returns the most that a link may carry, in units of 1/D.
func (m *Model) Limit() int64 { return m.limit }

// Load returns what the pairs put on a link, or under client traffic the nodes, in units of 1/D. The caller must not
// change it.
func (m *Model) Load(l core.Link) []Term { return m.links[l] }

// NodeVar returns the variable that says that a node carries a processor.
func (m *Model) NodeVar(node int) int { return m.nodeVar(node) }

// nodeVar returns the variable that says that a node carries a processor.
func (m *Model) nodeVar(node int) int { return node + 1 }

// pairVar returns the variable that is the product of those of two nodes, p < q.
func (m *Model) pairVar(p, q int) int { return m.problem.Torus().N() + q*(q-1)/2 + p + 1 }

// Decode returns the placement that an assignment of the variables describes, as
// that of package encode does.
func (m *Model) Decode(value func(variable int) bool) (core.Placement, error) {
	return encode.Decode(m.problem, m.nodeVar, value)
}

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
	return yield(row) && m.conditionRows(yield)
}

// conditionRows writes that fixed nodes carry a processor and forbidden ones do not, and that with a radius some node
// within it of each does.
func (m *Model) conditionRows(yield func(Row) bool) bool {
	for _, v := range m.problem.Fixed.Nodes() {
		if !yield(Row{Terms: []Term{{1, m.nodeVar(v)}}, Equal: true, Bound: 1}) {
			return false
		}
	}
	for _, v := range m.problem.Forbidden.Nodes() {
		if !yield(Row{Terms: []Term{{1, m.nodeVar(v)}}, Equal: true}) {
			return false
		}
	}
	if m.problem.Radius == 0 {
		return true
	}
	for _, nodes := range m.problem.Balls(m.problem.Radius) {
		row := Row{Bound: 1}
		for _, v := range nodes {
			row.Terms = append(row.Terms, Term{1, m.nodeVar(v)})
		}
		if !yield(row) {
			return false
		}
	}
	return true
}

// productRows writes y = x_p x_q for every pair that has a variable.
func (m *Model) productRows(yield func(Row) bool) bool {
	if m.problem.Traffic.Clients() {
		return true
	}
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
	b := cnf.NewBuilder(clauseRows{yield}, m.problem.String(), m.named(), maxTerms)
	nodes := make([]int, n)
	for v := range nodes {
		nodes[v] = m.nodeVar(v)
	}
	symbreak.Orbit(b, m.group, nodes)
	return b.Err() == nil
}
