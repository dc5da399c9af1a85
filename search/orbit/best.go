package orbit

import (
	"context"
	"math"
	"math/big"
	"sync/atomic"

	"leeway/core"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/search"
)

// An Answer is what is known about the placements of a problem with one symmetry.
type Answer struct {
	Placement core.Placement // the best found; its zero value if there is none
	Value     *big.Rat       // its E_max, nil if there is none
	// Complete says that all placements with the symmetry were covered: none of them is better, and without a value
	// there is none. It says nothing about others.
	Complete bool
	Nodes    int64 // choices visited
	Orbits   int   // orbits that the symmetry leaves to choose from, of at most n nodes
}

// Best looks for the best placement of a problem among the unions of orbits of s, only below a value if that is not
// nil. It visits at most budget choices of orbits, any number if budget is 0, and ends early with the context. The
// answer is the same for every run without a deadline. Errors are *search.UnsupportedError, also for subgroups with too
// many orbits, and those of Parse for this problem.
func Best(ctx context.Context, p objective.Problem, s *Subgroup, below *big.Rat, budget int64) (Answer, error) {
	t, err := newTables(p)
	if err != nil {
		return Answer{}, err
	}
	if s, err = t.group.parse(s.String()); err != nil {
		return Answer{}, err
	}
	m, ok := newModel(t.flows, t.group, s, p)
	if !ok {
		return Answer{}, search.Unsupported(Name, p, "the orbits of %s have more than %d loads of pairs", s, maxEntries)
	}
	var stop atomic.Bool
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	q := &descent{model: m, value: m.unitsBelow(below) + 1, enough: -1, allowed: budget, stopped: stop.Load}
	q.run()
	a := Answer{Complete: q.closed, Nodes: q.nodes, Orbits: len(m.orbits)}
	if q.best != nil {
		a.Placement, a.Value = q.found()
		err = confirm(fast.NewEvaluator(objective.Problem{Routing: p.Routing}), Name, a.Placement, a.Value)
	}
	return a, err
}

// tables are those of one problem, for any number of subgroups.
type tables struct {
	problem objective.Problem
	group   *group
	flows   *fast.PairLoads
}

func newTables(p objective.Problem) (*tables, error) {
	if err := Supports(p); err != nil {
		return nil, err
	}
	g, err := groupOf(p)
	if err != nil {
		return nil, err
	}
	return &tables{problem: p, group: g, flows: fast.NewPairLoads(p.Routing)}, nil
}

// unitsBelow returns the largest load in units of a model that lies below a value, any load if it is nil.
func (m *model) unitsBelow(value *big.Rat) int64 {
	if value == nil {
		return m.most
	}
	return m.clamp(objective.NumeratorBelow(value, big.NewInt(m.unit)))
}

// unitsUpTo returns the largest load in units of a model that is at most a value, -1 if it is nil or negative.
func (m *model) unitsUpTo(value *big.Rat) int64 {
	if value == nil {
		return -1
	}
	return m.clamp(objective.Numerator(value, big.NewInt(m.unit)))
}

// clamp brings a number of units into -1..most.
func (m *model) clamp(x *big.Int) int64 {
	switch {
	case x.Sign() < 0:
		return -1
	case x.Cmp(big.NewInt(m.most)) > 0:
		return m.most
	default:
		return x.Int64()
	}
}

// A descent looks for the best choice of a model by one walk, which lowers its limit with every choice found. It starts
// the walk again where the values have fallen so far that narrower lanes may do.
type descent struct {
	model   *model
	value   int64 // choices must be below; that of best once there is one
	enough  int64 // a value at which to end, -1 for none
	allowed int64 // nodes that may be visited, 0 for any number
	shuffle uint64
	stopped func() bool

	best   []int
	nodes  int64
	closed bool // nothing below the value is left
}

// fall is how far, as a factor, values fall until the walk starts again.
const fall = 4

// run looks until nothing better is left, or until the nodes, the stop or a value that is enough ends it.
func (q *descent) run() {
	for again := true; again; {
		if q.closed = q.value == 0 || q.model.none; q.closed {
			return
		}
		w := newWalk(q.model, q.value-1, q.left(), q.stopped)
		low := w.limit / fall
		w.enough = max(q.enough, low)
		w.run(q.shuffle)
		q.nodes += w.nodes
		if w.best != nil {
			q.best, q.value = w.best, w.value
		}
		q.closed = !w.ended
		again = w.ended && w.best != nil && w.value <= low && w.value > q.enough && q.left() > 0
	}
}

// found returns the best choice as a placement, and the value that the tables give it.
func (q *descent) found() (core.Placement, *big.Rat) {
	return core.MustPlacement(q.model.torus, q.model.nodes(q.best)), big.NewRat(q.value, q.model.unit)
}

// left returns how many nodes may still be visited.
func (q *descent) left() int64 {
	if q.allowed == 0 {
		return math.MaxInt64
	}
	return q.allowed - q.nodes
}
