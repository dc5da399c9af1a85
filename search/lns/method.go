package lns

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"sync"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/search"
)

// The measures of a run.
const (
	lanes      = 4
	callCost   = 100  // evaluations that a call of the solver counts as
	maxCalls   = 200  // of the solver for one question
	firstSwaps = 2000 // evaluations of a lane before its first question
)

// The largest torus, and the bits of the largest load over its denominator.
const (
	maxNodes    = 1024
	maxLoadBits = 30
)

// Method is the search by neighbourhoods.
type Method struct{}

// Name returns "lns".
func (Method) Name() string { return "lns" }

// Supports returns nil for routings whose loads grow with processors and follow from
// displacements, on tori of at most 1024 nodes with loads over their denominator of at
// most 30 bits, otherwise an *search.UnsupportedError.
func (m Method) Supports(p objective.Problem) error {
	den, size := p.Routing.Denominator(), big.NewInt(int64(p.Size))
	why := ""
	switch {
	case p.Routing.DependsOnPlacement():
		why = "the paths of a pair depend on the other processors"
	case !routing.Invariant(p.Routing):
		why = "the paths of a pair depend on more than its displacement"
	case p.Torus().N() > maxNodes:
		why = fmt.Sprintf("the torus has more than %d nodes", maxNodes)
	case size.Mul(size, size).Mul(size, den).BitLen() > maxLoadBits:
		why = fmt.Sprintf("its loads over their denominator pass %d bits", maxLoadBits)
	default:
		return nil
	}
	return &search.UnsupportedError{Method: m.Name(), Problem: p.String(), Why: why}
}

// A session is one run of the method.
type session struct {
	params search.Params
	flows  flows
	all    []int
	lanes  []*lane
	most   int32 // the largest load of the best placement
	closed bool  // nothing is below it
	out    search.Outcome
}

// Run searches until the goal, the budget or the context ends it, or a question that
// freed all processors and offered all nodes was refuted: then nothing is better, which
// is the claim of a solver. A placement looked at and a swap tried are one evaluation, a
// call of the solver, of which a question takes up to 200, is 100: on small tori it takes
// a third to half of a millisecond. The first four starts begin a lane each.
func (m Method) Run(ctx context.Context, p search.Params) (search.Outcome, error) {
	if err := m.Supports(p.Problem); err != nil {
		return search.Outcome{}, err
	}
	if _, _, err := p.BestStart(); err != nil {
		return search.Outcome{}, err
	}
	s := newSession(p)
	err := s.each(1+firstSwaps, func(l *lane, share int64) error { return l.start(s.startOf(l.number), share) })
	for err == nil && !s.ended(ctx) {
		best := s.out.Best.Nodes()
		err = s.each(maxCalls*callCost, func(l *lane, share int64) error { return l.turn(ctx, best, s.most, share) })
	}
	return s.out, err
}

// newSession returns a session whose lanes are yet to start; they are no more than there
// are evaluations.
func newSession(p search.Params) *session {
	s := &session{params: p, flows: flows{objective.NewPairLoads(p.Problem.Routing)}, lanes: make([]*lane, lanes)}
	if p.Evaluations > 0 {
		s.lanes = s.lanes[:min(lanes, p.Evaluations)]
	}
	for v := range p.Problem.Torus().N() {
		s.all = append(s.all, v)
	}
	for i := range s.lanes {
		s.lanes[i] = &lane{number: i, problem: p.Problem, flows: s.flows, all: s.all, rng: rand.New(rand.NewPCG(p.Seed, uint64(i)))}
	}
	return s
}

// startOf returns the start of a lane, nil if it begins at random.
func (s *session) startOf(number int) *core.Placement {
	if number < len(s.params.Starts) {
		return &s.params.Starts[number]
	}
	return nil
}

// each lets the lanes work, as many at a time as there are workers, and takes in what
// they come to, in their order. A share is the given number of evaluations, or what is
// left of the budget by even parts, the first lanes taking the remainder.
func (s *session) each(share int64, work func(l *lane, share int64) error) error {
	left, n := s.params.Evaluations-s.out.Evaluations, int64(len(s.lanes))
	errs := make([]error, n)
	turn := make(chan struct{}, max(1, s.params.Workers))
	var wg sync.WaitGroup
	for i, l := range s.lanes {
		part := share
		if s.params.Evaluations > 0 {
			part = min(share, (left+n-1-int64(i))/n)
		}
		if part == 0 {
			continue
		}
		turn <- struct{}{}
		wg.Go(func() {
			defer func() { <-turn }()
			errs[i] = work(l, part)
		})
	}
	wg.Wait()
	for i, l := range s.lanes {
		if errs[i] != nil {
			return errs[i]
		}
		s.learn(l)
	}
	return nil
}

// learn takes in what a lane came to.
func (s *session) learn(l *lane) {
	s.out.Evaluations += l.spent
	l.spent = 0
	improved := false
	if placement := core.MustPlacement(s.params.Problem.Torus(), l.nodes); s.out.Value == nil || l.most < s.most {
		s.out.Best, s.most, improved = placement, l.most, true
		s.out.Value, _ = objective.Evaluate(s.params.Problem.Routing, placement).Max()
	}
	s.closed = s.closed || l.closed && l.most == s.most
	s.params.Report(search.Event{Method: Method{}.Name(), Value: s.out.Value, Best: s.out.Best, Evaluations: s.out.Evaluations, Improved: improved})
}

// ended reports whether the run is over, and sets the reason.
func (s *session) ended(ctx context.Context) bool {
	switch {
	case s.params.Done(s.out.Value):
		s.out.Reason = search.Reached
	case s.closed:
		s.out.Reason = search.Complete
		s.out.Refutation = &search.Refutation{Below: s.out.Value, Kind: search.SolverClaim, Engine: "gini"}
	case s.most == 0 || len(s.out.Best.Nodes()) == len(s.all):
		s.out.Reason = search.Complete
	case ctx.Err() != nil:
		s.out.Reason = search.Stopped
	case s.params.Evaluations > 0 && s.out.Evaluations >= s.params.Evaluations:
		s.out.Reason = search.Spent
	default:
		return false
	}
	return true
}
