package orbit

import (
	"context"
	"fmt"
	"math/big"
	"sync/atomic"

	"leeway/core"
	"leeway/objective"
)

// A Result is what is known about the placements of a problem with one symmetry.
type Result struct {
	Placement core.Placement // the best found; its zero value if there is none
	Value     *big.Rat       // its E_max, nil if there is none
	// Complete says that all placements with the symmetry were covered: none of them
	// is better, and without a value there is none. It says nothing about others.
	Complete bool
	Nodes    int64 // choices visited
	Orbits   int   // orbits that the symmetry leaves to choose from, of at most n nodes
}

// Best looks for the best placement of a problem among the unions of orbits of s,
// only below a value if that is not nil. It visits at most budget choices of orbits,
// any number if budget is 0, and ends early with the context. The result is
// the same for every run without a deadline. Errors are *search.UnsupportedError, also
// for subgroups with too many orbits, and those of Parse for this problem.
func Best(ctx context.Context, p objective.Problem, s *Subgroup, below *big.Rat, budget int64) (Result, error) {
	e, err := newEngine(p)
	if err != nil {
		return Result{}, err
	}
	if s, err = e.group.parse(s.String()); err != nil {
		return Result{}, err
	}
	m, ok := newModel(e.flows, e.group, s, p.Size)
	if !ok {
		return Result{}, unsupported(p, "the orbits of %s have more than %d loads of pairs", s, maxEntries)
	}
	var stop atomic.Bool
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	q := &descent{model: m, value: m.below(below) + 1, enough: -1, allowed: budget, stopped: stop.Load}
	q.run()
	r := Result{Complete: q.closed, Nodes: q.nodes, Orbits: len(m.orbits)}
	if q.best != nil {
		r.Placement, r.Value, err = e.exact(q)
	}
	return r, err
}

// An engine holds the tables of one problem, for any number of subgroups.
type engine struct {
	problem objective.Problem
	group   *group
	flows   *objective.PairLoads
}

func newEngine(p objective.Problem) (*engine, error) {
	if err := Supports(p); err != nil {
		return nil, err
	}
	g, err := groupOf(p.Routing)
	if err != nil {
		return nil, err
	}
	return &engine{problem: p, group: g, flows: objective.NewPairLoads(p.Routing)}, nil
}

// exact evaluates the best choice of a descent. A value that the tables do not give is
// an error: it means a bug.
func (e *engine) exact(q *descent) (core.Placement, *big.Rat, error) {
	placement := core.MustPlacement(e.problem.Torus(), q.model.nodes(q.best))
	value, _ := objective.Evaluate(e.problem.Routing, placement).Max()
	if claimed := big.NewRat(q.value, q.model.unit); claimed.Cmp(value) != 0 {
		return placement, value, fmt.Errorf("orbit: nodes %v have E_max %s, the tables say %s", placement.Nodes(), value.RatString(), claimed.RatString())
	}
	return placement, value, nil
}

// below returns the largest load in units of a model that lies below a value, any
// load if it is nil.
func (m *model) below(value *big.Rat) int64 {
	if value == nil {
		return m.most
	}
	return m.within(objective.UnitsBelow(value, big.NewInt(m.unit)))
}

// upTo returns the largest load in units of a model that is at most a value, -1 if
// it is nil or negative.
func (m *model) upTo(value *big.Rat) int64 {
	if value == nil {
		return -1
	}
	return m.within(objective.Units(value, big.NewInt(m.unit)))
}

// within brings a number of units into -1..most.
func (m *model) within(x *big.Int) int64 {
	switch {
	case x.Sign() < 0:
		return -1
	case x.Cmp(big.NewInt(m.most)) > 0:
		return m.most
	default:
		return x.Int64()
	}
}
