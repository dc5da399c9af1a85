package orbit

import (
	"cmp"
	"context"
	"math/big"
	"sync/atomic"

	"leeway/core"
	"leeway/core/parallel"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/search"
)

// How the budget is shared out: subgroups are searched in batches that know the same best value, each for firstVisit
// choices of orbits, and for growth times as many in every round after.
const (
	batch      = 8
	firstVisit = 2000
	growth     = 4
	lastVisit  = 1 << 40 // rounds after it do not grow: what is left of a budget may take many
)

// A run is one call of a method.
type run struct {
	name      string
	params    search.Params
	evaluator *fast.Evaluator
	stop      atomic.Bool // the context ended
	out       search.Outcome
}

func newRun(name string, p search.Params) *run {
	return &run{name: name, params: p, evaluator: fast.NewEvaluator(objective.Problem{Routing: p.Problem.Routing})}
}

// A visit is the search of one subgroup, in one round after the other.
type visit interface {
	// search looks for what is better than the best so far.
	search()
	// learn takes in what was found and reports whether the subgroup may hold more. It fails if the tables give a wrong
	// value, which means a bug.
	learn() (open bool, err error)
}

// rounds searches the open subgroups round after round, until none is open or the run is over. Plan prepares the next
// batch of them, from number first on, for at most a given number of choices each. Those of a batch are searched side
// by side: the result does not depend on their order.
func rounds[V visit](h *run, open []V, plan func(round uint64, choices int64, first int, open []V) []V) error {
	choices := int64(firstVisit)
	if h.out.Value != nil && h.out.Value.Sign() == 0 { // of a start: nothing is better
		open = nil
	}
	for round := uint64(0); len(open) > 0 && !h.ended(); round++ {
		var still []V
		next := 0
		for next < len(open) && !h.ended() {
			visits := plan(round, choices, next, open)
			parallel.Each(context.Background(), h.params.Workers, len(visits), func(i int) { visits[i].search() })
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
		choices = min(choices*growth, lastVisit)
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

// left returns how many evaluations are left, and false if any number is.
func (h *run) left() (evaluations int64, limited bool) {
	return h.params.Evaluations - h.out.Evaluations, h.params.Evaluations > 0
}

// enough reports whether the goal is reached or the budget spent.
func (h *run) enough() bool {
	left, limited := h.left()
	return limited && left <= 0 || h.params.Done(h.out.Value)
}

// ended reports whether the goal, the budget or the context ends the run.
func (h *run) ended() bool { return h.enough() || h.stop.Load() }

// improve takes a placement to which the tables give a value, if that is the best so far, and evaluates it again.
func (h *run) improve(p core.Placement, value *big.Rat, note string) error {
	if h.out.Value != nil && value.Cmp(h.out.Value) >= 0 {
		return nil
	}
	if err := confirm(h.evaluator, h.name, p, value); err != nil {
		return err
	}
	h.out.Best, h.out.Value = p, value
	h.report(search.Event{Improved: true, Note: note})
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

// supports returns nil for routings whose loads are sums over pairs, but for tables by pair, on tori of up to this many
// nodes, with loads of n processors, in units of their denominator, of up to a given number of bits. Otherwise it
// returns a *search.UnsupportedError.
func supports(name string, p objective.Problem, n, nodes, bits int) error {
	den, most := objective.Denominator(p.Routing), big.NewInt(int64(n))
	switch {
	case !p.Torus().HasDimensions():
		return search.Unsupported(name, p, "automorphisms of a network without dimensions have no text")
	case p.Routing.DependsOnPlacement():
		return search.Unsupported(name, p, "what two processors send each other depends on the others")
	case routing.ByPair(p.Routing):
		return search.Unsupported(name, p, "translations change the paths of a table by pair")
	case p.Torus().N() > nodes:
		return search.Unsupported(name, p, "the torus has %d nodes, the tables stop at %d", p.Torus().N(), nodes)
	case den == nil || most.Mul(most, most).Mul(most, den).BitLen() > bits:
		return search.Unsupported(name, p, "its loads over their denominator pass %d bits", bits)
	}
	return cmp.Or(search.AllToAll(name, p), search.Anywhere(name, p))
}
