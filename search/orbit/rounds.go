package orbit

import (
	"context"
	"math"
	"math/big"
	"math/rand/v2"
	"sync/atomic"

	"leeway/core"
	"leeway/core/parallel"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/search"
)

// How the budget is shared out: subgroups are searched in batches that know the same best value, each for firstVisit
// unions, and for growth times as many in every round after.
const (
	batch      = 8
	firstVisit = 2000
	growth     = 4
	lastVisit  = 1 << 40 // rounds after it do not grow: what is left of a budget may take many
	maxBudget  = math.MaxInt64
)

// A run is one call of a method.
type run struct {
	name      string
	params    search.Params
	evaluator *fast.Evaluator
	den       int64
	tables    []*fast.Table // by worker: what pairs exchange, in units of 1/den
	stop      atomic.Bool   // the context ended
	out       search.Outcome
}

func newRun(name string, p search.Params) *run {
	r := p.Problem.Routing
	h := &run{name: name, params: p, evaluator: fast.NewEvaluator(objective.Problem{Routing: r})}
	if den := objective.Denominator(r); den != nil && den.IsInt64() {
		h.den = den.Int64()
	}
	return h
}

// A visit is the search of one subgroup, in one round after the other.
type visit struct {
	*run
	from   choice
	unions int64  // that it may see in this round, and as many again by exchanges
	stream uint64 // of random numbers
	*orbits
	*tally
	all bool // no union can be better
}

// rounds searches the open subgroups round after round, until none is open or the run is over. Those of a batch are
// searched side by side: the result does not depend on their order.
func (h *run) rounds(open []*visit) error {
	unions := int64(firstVisit)
	if h.out.Value != nil && h.out.Value.Sign() == 0 { // of a start: nothing is better
		open = nil
	}
	for round := uint64(0); len(open) > 0 && !h.ended(); round++ {
		var still []*visit
		next := 0
		for next < len(open) && !h.ended() {
			visits := open[next:min(next+batch, len(open))]
			for i, v := range visits {
				v.plan(unions, round<<32+uint64(next+i))
			}
			parallel.EachWithState(context.Background(), h.params.Workers, len(visits), h.table,
				func(f *fast.Table, i int) { visits[i].search(f) })
			for _, v := range visits {
				stays, err := v.learn()
				if err != nil {
					return err
				}
				if stays {
					still = append(still, v)
				}
			}
			next += len(visits)
			h.report(search.Event{Done: next, Total: len(open)})
		}
		open = append(still, open[next:]...)
		unions = min(unions*growth, lastVisit)
	}
	switch {
	case h.params.Done(h.out.Value):
		h.out.Reason = search.Reached
	case len(open) == 0:
		h.out.Reason = search.Complete
	case h.stop.Load():
		h.out.Reason = search.Stopped
	default:
		h.out.Reason = search.Spent
	}
	return nil
}

// table returns the table of a worker.
func (h *run) table(worker int) *fast.Table {
	for worker >= len(h.tables) {
		h.tables = append(h.tables, fast.NewTable(h.params.Problem.Routing, h.den))
	}
	return h.tables[worker]
}

// plan lets a visit spend all that is left of the evaluations: learn counts what those before it in the batch left.
func (v *visit) plan(unions int64, stream uint64) {
	v.unions, v.stream = unions, stream
	v.tally = &tally{limit: unitsBelow(v.out.Value, v.den), budget: v.room(), stop: &v.run.stop}
	if v.params.Goal != nil {
		v.tally.enough = max(0, objective.Numerator(v.params.Goal, big.NewInt(v.den)).Int64())
	}
}

// search walks through the unions, and where there are more than it may see it exchanges orbits for as many.
func (v *visit) search(f *fast.Table) {
	v.orbits = newOrbits(f, v.from)
	left := v.budget
	v.budget = min(left, v.unions)
	if v.all = walkUnions(v.orbits, v.tally); !v.all {
		v.budget = min(left, 2*v.unions)
		exchangeOrbits(v.orbits, v.tally, rand.New(rand.NewPCG(v.params.Seed, v.stream)))
	}
}

// learn takes in a visit as if those before it in its batch had been made first, and no more than the evaluations
// allow, and reports whether the subgroup may hold more. It fails if the tables give a wrong value, which means a bug.
func (v *visit) learn() (open bool, err error) {
	tables := v.orbits
	v.orbits = nil // they are made anew, not kept
	if v.run.enough() {
		return true, nil
	}
	before, room := v.out.Evaluations, v.room()
	for _, f := range v.found {
		if f.at > room {
			break
		}
		v.out.Evaluations = before + f.at
		if err := v.improve(tables.placement(f.union), big.NewRat(f.load, v.den), v.from.String()); err != nil {
			return false, err
		}
		if v.params.Done(v.out.Value) {
			return true, nil
		}
	}
	v.out.Evaluations = before + min(room, v.spent)
	return !v.all || v.spent > room, nil
}

// start takes the first start of the right size, which is the best, and reports whether there is one.
func (h *run) start() bool {
	for _, s := range h.params.Starts {
		if p := h.params.Problem; s.Size() == p.Size && s.Torus().Equal(p.Torus()) && p.Admits(s) {
			h.out.Best = s
			h.out.Value, _ = h.evaluator.Loads(s).Max()
			return true
		}
	}
	return false
}

// room returns how many evaluations may be spent.
func (h *run) room() int64 {
	if h.params.Evaluations > 0 {
		return h.params.Evaluations - h.out.Evaluations
	}
	return maxBudget
}

// enough reports whether the goal is reached or the budget spent.
func (h *run) enough() bool { return h.room() <= 0 || h.params.Done(h.out.Value) }

// ended reports whether the goal, the budget or the context ends the run.
func (h *run) ended() bool { return h.enough() || h.stop.Load() }

// improve takes a placement to which the tables give a value, if that is the best so far, and evaluates it again.
func (h *run) improve(p core.Placement, value *big.Rat, symmetry string) error {
	if h.out.Value != nil && value.Cmp(h.out.Value) >= 0 {
		return nil
	}
	if err := confirm(h.evaluator, h.name, p, value); err != nil {
		return err
	}
	h.out.Best, h.out.Value = p, value
	h.report(search.Event{Improved: true, Note: "symmetry " + symmetry})
	return nil
}

// report reports an event with what is known.
func (h *run) report(e search.Event) {
	e.Method, e.Value, e.Best, e.Evaluations = h.name, h.out.Value, h.out.Best, h.out.Evaluations
	h.params.Report(e)
}

// confirm fails with a *search.WrongValueError if a placement does not have the value that the tables give it.
func confirm(e *fast.Evaluator, name string, p core.Placement, value *big.Rat) error {
	if exact, _ := e.Loads(p).Max(); exact.Cmp(value) != 0 {
		return &search.WrongValueError{Method: name, Nodes: p.Nodes(), Claimed: value, True: exact}
	}
	return nil
}
