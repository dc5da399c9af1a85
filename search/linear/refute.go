package linear

import (
	"context"
	"errors"
	"math/big"

	"leeway/core"
	"leeway/encode"
	"leeway/encode/opb"
	"leeway/encode/veripb"
	"leeway/objective"
)

// maxNodes is the most nodes that a network may have, maxSteps the most steps that are taken before some are left out:
// both keep memory within a few gigabytes.
const (
	maxNodes = 256
	maxSteps = 1 << 23
)

// Errors of Refute.
var (
	// ErrSatisfiable says that a placement has E_max below the value.
	ErrSatisfiable = errors.New("a placement has E_max below the value")
	// ErrTooLong says that a proof has more steps than are kept.
	ErrTooLong = errors.New("the proof has more than 2^23 steps")
)

// Supports returns nil if Refute takes the problem, unless its loads need too many rows; otherwise the
// *encode.UnsupportedError that Refute fails with. Networks may be open or twisted: all that is taken from them is what
// pairs load.
func Supports(p objective.Problem) error {
	why := ""
	switch {
	case p.Traffic.Clients():
		why = "proofs by linear reasoning are about messages between processors"
	case p.Distance > 0:
		why = "the distance of all nodes is no row"
	case p.Torus().N() > maxNodes:
		why = "proofs by linear reasoning are for at most 256 nodes"
	case p.Routing.DependsOnPlacement():
		why = "the paths of a pair depend on the other processors"
	default:
		return nil
	}
	return &encode.UnsupportedError{Problem: p.String(), Why: why}
}

// Refute returns the rows of the question whether a placement of the problem has E_max below a value, without symmetry
// broken, and a proof that none has. It fails with an *encode.UnsupportedError for client traffic and networks of more
// than 256 nodes, as opb.New does, with ErrSatisfiable, ErrTooLong or veripb.ErrTooLarge, or with the error of the
// context. No result depends on anything but problem and value. Cost: exponential in the worst case.
func Refute(ctx context.Context, p objective.Problem, below *big.Rat) (*opb.Model, *veripb.Proof, error) {
	if err := Supports(p); err != nil {
		return nil, nil, err
	}
	m, err := opb.New(ctx, p, below, opb.Options{})
	if err != nil {
		return nil, nil, err
	}
	r := newReasoner(m)
	s := newSolver(r.proof, r.vars)
	c := &cuts{reasoner: r, solver: s, known: map[string]bool{}}
	c.setBorders()
	s.order = r.decisions()
	failed := s.addAll(r.all())
	if failed == noRow {
		var found bool
		if found, err = s.solve(ctx, c.cut); found {
			err = ErrSatisfiable
		}
	} else {
		s.learn(failed)
		err = r.proof.Err()
	}
	if err != nil {
		return nil, nil, err
	}
	return m, r.proof, nil
}

// newReasoner reads the rows of a model and introduces the counts.
func newReasoner(m *opb.Model) *reasoner {
	t := m.Problem().Torus()
	r := &reasoner{model: m, torus: t, size: m.Problem().Size, vars: m.Vars(), limit: m.Limit(),
		met: map[meetsKey]veripb.ID{}, products: map[productKey]veripb.ID{},
		pairs: make([]veripb.ID, t.N()*(t.N()-1)/2), scratch: make([]int64, t.N()*(t.N()-1)/2)}
	var rows []veripb.Row
	m.Rows(func(row opb.Row) bool {
		rows = append(rows, normal(row.Bound, row.Terms))
		if !row.Equal {
			r.read(row, veripb.ID(len(rows)))
			return true
		}
		terms := make([]opb.Term, len(row.Terms))
		for i, term := range row.Terms {
			terms[i] = opb.Term{Coef: -term.Coef, Var: term.Var}
		}
		rows = append(rows, normal(-row.Bound, terms))
		return true
	})
	r.given = len(rows)
	r.sizeID = [2]veripb.ID{1, 2} // the first row says how many processors there are
	if r.limit >= 0 {             // the last rows are those of the links that pairs use
		for l := range t.M() {
			if load := m.Load(core.Link(l)); len(load) > 0 {
				from, port := t.LinkFrom(core.Link(l))
				r.links = append(r.links, link{dim: port.Dim, minus: port.Dir == core.Minus, from: from, load: load})
			}
		}
		for i := range r.links {
			r.links[i].id = veripb.ID(len(rows) - len(r.links) + i + 1)
		}
	}
	r.proof = veripb.New(rows)
	r.sum = r.proof.Sum()
	r.define()
	return r
}

// read notes a row y - x_p - x_q >= -1.
func (r *reasoner) read(row opb.Row, id veripb.ID) {
	if len(row.Terms) != 3 || row.Bound != -1 {
		return
	}
	if pair := row.Terms[0].Var - r.torus.N() - 1; pair >= 0 && r.pairs[pair] == 0 {
		r.pairs[pair] = id
	}
}

func normal(bound int64, terms []opb.Term) veripb.Row {
	list := make([]veripb.Term, len(terms))
	for i, t := range terms {
		list[i] = veripb.Term{Coef: t.Coef, Literal: veripb.Literal(t.Var)}
	}
	return veripb.Normal(bound, list)
}

// all returns the rows of the formula, of the definitions and about counts.
func (r *reasoner) all() (ids []veripb.ID) {
	for i := range r.given {
		ids = append(ids, veripb.ID(i+1))
	}
	for _, slabs := range r.slabs {
		for _, s := range slabs {
			ids = append(ids, s.atLeast[1:]...)
			ids = append(ids, s.atMost[1:]...)
		}
	}
	return append(ids, r.counted...)
}

// decisions returns the variables that are decided: the counts, dimension by dimension, and then the nodes.
func (r *reasoner) decisions() (groups [][]int32) {
	for _, slabs := range r.slabs {
		var group []int32
		for _, s := range slabs {
			for _, z := range s.counts[1:] {
				group = append(group, int32(z))
			}
		}
		groups = append(groups, group)
	}
	var nodes []int32
	for v := range r.torus.N() {
		nodes = append(nodes, int32(r.node(v)))
	}
	return append(groups, nodes)
}
