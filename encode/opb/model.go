package opb

import (
	"math/big"

	"leeway/core"
	"leeway/core/symmetry"
	"leeway/encode"
	"leeway/encode/cnf"
	"leeway/encode/dimacs"
	"leeway/objective"
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
// maxTerms, and as symmetry.Of does when symmetry is to be broken. Cost O(N^2)
// flows.
func New(p objective.Problem, below *big.Rat, o Options) (*Model, error) {
	if _, err := objective.NewProblem(p.Routing, p.Size); err != nil {
		return nil, err
	}
	den := p.Routing.Denominator()
	switch {
	case p.Routing.DependsOnPlacement():
		return nil, unsupported(p, "the paths of a pair depend on the other processors")
	case den == nil:
		return nil, unsupported(p, "the loads have no common unit of reasonable size")
	}
	units := new(big.Rat).Mul(dimacs.Limit(p.Routing, below), new(big.Rat).SetInt(den)).Num()
	if units.BitLen() > 62 {
		return nil, unsupported(p, "the limit passes 62 bits")
	}
	m := &Model{problem: p, options: o, limit: units.Int64()}
	if err := m.addLinks(den); err != nil {
		return nil, err
	}
	if o.BreakSymmetry {
		group, err := symmetry.Of(p.Routing)
		if err != nil {
			return nil, err
		}
		m.group = group
	}
	n := p.Torus().N()
	m.vars = n + n*(n-1)/2
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

// addLinks gathers what every pair puts on every link, in units of 1/den.
func (m *Model) addLinks(den *big.Int) error {
	t := m.problem.Torus()
	if n := t.N(); n*(n-1)/2 > maxTerms { // every pair is on a link, and lists of links take memory too
		return &cnf.SizeError{What: m.problem.String(), Limit: maxTerms}
	}
	m.links = make([][]Term, t.M())
	most, terms := new(big.Int).Lsh(big.NewInt(1), 62), 0
	sums := make([]*big.Int, t.M())
	for q := range t.N() {
		for p := range q {
			for _, ends := range [2][2]int{{p, q}, {q, p}} {
				f := m.problem.Routing.Flow(ends[0], ends[1], nil)
				unit, rest := new(big.Int).DivMod(den, f.Den, new(big.Int))
				if rest.Sign() != 0 {
					return unsupported(m.problem, "the loads are no multiples of 1/D")
				}
				for _, s := range f.Shares {
					w := new(big.Int).Mul(s.Num, unit)
					if sums[s.Link] == nil {
						sums[s.Link] = new(big.Int)
					}
					if sums[s.Link].Add(sums[s.Link], w).Cmp(most) >= 0 {
						return unsupported(m.problem, "the loads of a link in common units pass 62 bits")
					}
					terms += m.add(s.Link, Term{Coef: w.Int64(), Var: m.pairVar(p, q)})
				}
			}
			if terms > maxTerms {
				return &cnf.SizeError{What: m.problem.String(), Limit: maxTerms}
			}
		}
	}
	return nil
}

// add adds a term to a link, into the last one if it is of the same variable,
// and returns by how much the list grew.
func (m *Model) add(l core.Link, t Term) int {
	list := m.links[l]
	if n := len(list); n > 0 && list[n-1].Var == t.Var {
		list[n-1].Coef += t.Coef
		return 0
	}
	m.links[l] = append(list, t)
	return 1
}

// Problem returns the problem that is written.
func (m *Model) Problem() objective.Problem { return m.problem }

// Vars returns the number of variables.
func (m *Model) Vars() int { return m.vars }

// nodeVar returns the variable that says that a node carries a processor.
func (m *Model) nodeVar(node int) int { return node + 1 }

// pairVar returns the variable that is the product of those of two nodes, p < q.
func (m *Model) pairVar(p, q int) int { return m.problem.Torus().N() + q*(q-1)/2 + p + 1 }

// Decode returns the placement that an assignment of the variables describes, as
// that of package encode does.
func (m *Model) Decode(value func(variable int) bool) (core.Placement, error) {
	return encode.Decode(m.problem, m.nodeVar, value)
}
