package lattice

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"sync/atomic"

	"leeway/core/parallel"
	"leeway/objective"
	"leeway/search"
)

// How looks are shared out: batch lattices side by side that know the same best
// value; firstUnions unions of each in the first round, and growth times as many in
// every round after, of those that are still open.
const (
	batch       = 8
	firstUnions = 2_000
	growth      = 4
)

// Method is the search among unions of cosets.
type Method struct{}

// Name returns "lattice".
func (Method) Name() string { return Name }

// Supports returns nil for routings whose loads are sums over pairs that depend on
// displacements only, on tori of up to 2^14 nodes.
func (Method) Supports(p objective.Problem) error { return supports(p) }

// Run returns the best union of cosets found. An evaluation is a union, or a part
// of one, whose loads are computed; each that is returned or reported was evaluated
// again by an Evaluator. It is Complete when no union of any lattice listed can be
// better. The seed decides only where exchanges of cosets start.
func (Method) Run(ctx context.Context, p search.Params) (search.Outcome, error) {
	h := &run{params: p, evaluator: objective.NewEvaluator(p.Problem.Routing)}
	defer context.AfterFunc(ctx, func() { h.stop.Store(true) })()
	if err := supports(p.Problem); err != nil {
		return h.out, err
	}
	list, err := choices(ctx, p.Problem.Routing, p.Problem.Size)
	switch {
	case err != nil && ctx.Err() != nil:
		return h.out, nil // stopped
	case err != nil:
		return h.out, err
	}
	h.flows = newFlows(p.Problem.Routing)
	h.start()
	for unions := int64(firstUnions); err == nil && len(list) > 0 && !h.left; unions *= growth {
		list, err = h.look(list, unions)
		h.round++
	}
	h.conclude()
	return h.out, err
}

// A run is one call of the method.
type run struct {
	params    search.Params
	flows     *flows
	evaluator *objective.Evaluator
	stop      atomic.Bool
	round     uint64
	left      bool // something was not looked at
	out       search.Outcome
}

// start takes the first start of the right size.
func (h *run) start() {
	for _, s := range h.params.Starts {
		if s.Size() == h.params.Problem.Size && s.Torus().Equal(h.params.Problem.Torus()) && !h.ended() {
			h.out.Best = s
			h.out.Value, _ = h.evaluator.Loads(s).Max()
			h.out.Evaluations++
			return
		}
	}
}

// A look is what one round does with one lattice.
type look struct {
	from choice
	*model
	*tally
	all bool // no union can be better
}

// look looks at some lattices, batch by batch, and returns those still open.
func (h *run) look(list []choice, unions int64) ([]choice, error) {
	var open []choice
	for first := 0; first < len(list); first += batch {
		if h.left = h.left || h.ended(); h.left {
			return nil, nil
		}
		var looks []*look
		for _, c := range list[first:min(first+batch, len(list))] {
			looks = append(looks, &look{from: c, tally: h.tally()})
		}
		parallel.Each(context.Background(), h.params.Workers, len(looks), func(i int) {
			stream := h.round<<32 + uint64(first+i)
			looks[i].make(h.flows, unions, rand.New(rand.NewPCG(h.params.Seed, stream)))
		})
		for _, l := range looks {
			if err := h.learn(l); err != nil || h.left {
				return nil, err
			}
			if !l.all {
				open = append(open, l.from)
			}
		}
		h.params.Report(search.Event{Method: Name, Value: h.out.Value, Evaluations: h.out.Evaluations, Done: first + len(looks), Total: len(list)})
	}
	return open, nil
}

// make walks through the unions, and where there are more than it may see it
// exchanges cosets for as many.
func (l *look) make(f *flows, unions int64, rng *rand.Rand) {
	l.model = newModel(f, l.from.lattice, l.from.cosets, l.from.turns)
	left := l.budget
	l.budget = min(left, unions)
	if l.all = walkAll(l.model, l.tally); !l.all {
		l.budget = min(left, 2*unions)
		exchangeCosets(l.model, l.tally, rng)
	}
}

// tally opens the account of a look that may spend all that is left.
func (h *run) tally() *tally {
	c := &tally{limit: math.MaxInt64, budget: math.MaxInt64, stop: &h.stop}
	if h.out.Value != nil {
		c.limit = h.flows.under(h.out.Value)
	}
	if h.params.Goal != nil {
		c.enough = max(0, h.flows.upTo(h.params.Goal))
	}
	if h.params.Evaluations > 0 {
		c.budget = h.params.Evaluations - h.out.Evaluations
	}
	return c
}

// learn takes in a look as if those before it in its batch had been made first, and
// no more than the evaluations allow.
func (h *run) learn(l *look) error {
	room := int64(math.MaxInt64)
	if h.params.Evaluations > 0 {
		room = h.params.Evaluations - h.out.Evaluations
	}
	before := h.out.Evaluations
	h.out.Evaluations += min(room, l.spent)
	for _, f := range l.found {
		value := big.NewRat(f.load, h.flows.den)
		if f.at > room || h.out.Value != nil && value.Cmp(h.out.Value) >= 0 {
			continue
		}
		placement := l.placement(f.union)
		if exact, _ := h.evaluator.Loads(placement).Max(); exact.Cmp(value) != 0 {
			return &search.WrongValueError{Method: Name, Nodes: placement.Nodes(), Claimed: value, True: exact}
		}
		h.out.Best, h.out.Value = placement, value
		note := fmt.Sprintf("%d cosets of %s", l.from.cosets, l.from.lattice)
		h.params.Report(search.Event{Method: Name, Value: value, Best: placement, Evaluations: before + f.at, Improved: true, Note: note})
		if h.params.Done(value) {
			h.out.Evaluations = before + f.at
			break
		}
	}
	h.left = h.params.Done(h.out.Value) || l.spent >= room
	return nil
}

// ended reports whether the goal, the budget or the context ends the run.
func (h *run) ended() bool {
	spent := h.params.Evaluations > 0 && h.out.Evaluations >= h.params.Evaluations
	return spent || h.params.Done(h.out.Value) || h.stop.Load()
}

// conclude says why the run ended.
func (h *run) conclude() {
	switch {
	case h.params.Done(h.out.Value):
		h.out.Reason = search.Reached
	case h.stop.Load():
		h.out.Reason = search.Stopped
	case h.left:
		h.out.Reason = search.Spent
	default:
		h.out.Reason = search.Complete
	}
}
