package local

import (
	"context"
	"math"
	"math/big"

	"leeway/core/parallel"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/search"
)

// The measures of a round.
const (
	chainsPerRound = 8
	firstSteps     = 25 // of a chain in the shortest rounds
	doublings      = 6  // until rounds are short again
)

// Method is the tabu search.
type Method struct{}

// Name returns "local".
func (Method) Name() string { return "local" }

// Supports refuses problems whose loads overflow the incremental evaluator.
func (m Method) Supports(p objective.Problem) error {
	if err := fast.Incrementable(p, p.Size); err != nil {
		return search.Unsupported(m.Name(), p, "%v", err)
	}
	return nil
}

// A run is one call of the method.
type run struct {
	params search.Params
	size   int     // chains of a round
	models []model // one per worker
	gate   *Gate
	goal   int64 // as in chain
	known  int64 // the best load of all rounds, in units of the models
	exact  *fast.Evaluator
	out    search.Outcome
}

// Run searches until the goal, the budget or the context ends it. An evaluation is
// one placement, complete or short of one processor, whose cost was computed.
func (Method) Run(ctx context.Context, p search.Params) (search.Outcome, error) {
	gate, release := NewGate(ctx)
	defer release()
	if err := p.CheckStarts(); err != nil {
		return search.Outcome{}, err
	}
	s, err := open(ctx, p, gate)
	switch {
	case err != nil && ctx.Err() != nil:
		return search.Outcome{Reason: search.Stopped}, nil
	case err != nil:
		return search.Outcome{}, err
	}
	for round := uint64(0); ; round++ {
		s.collect(s.round(round))
		if p.Ended(ctx, &s.out, p.Problem.Alone() || s.out.Value != nil && s.out.Value.Sign() == 0) {
			return s.out, nil
		}
	}
}

// open makes a model for every worker.
func open(ctx context.Context, p search.Params, gate *Gate) (*run, error) {
	size := chainsPerRound
	if p.Problem.Alone() {
		size = 1
	}
	workers := max(1, min(p.Workers, size))
	s := &run{params: p, size: size, gate: gate, known: Unknown, exact: fast.NewEvaluator(p.Problem)}
	for range workers {
		m, err := newModel(ctx, p.Problem)
		if err != nil {
			return nil, err
		}
		s.models = append(s.models, m)
		s.goal = goalOf(m, p.Goal)
	}
	return s, nil
}

// goalOf returns the largest load, in units of the model, that reaches the goal; 0
// without one, or where loads only guide.
func goalOf(m model, goal *big.Rat) int64 {
	most := int64(math.MaxInt64)
	if w, ok := m.(*nearby); ok {
		most = w.over - 1 // else it is reached where nodes are too far
	}
	den, exact := m.unit()
	if !exact || goal == nil || goal.Sign() <= 0 {
		return 0
	}
	if n := objective.Numerator(goal, big.NewInt(den)); n.IsInt64() {
		return min(n.Int64(), most)
	}
	return most
}

// round runs one round, as many chains at a time as there are models.
func (s *run) round(number uint64) []*chain {
	chains := s.chains(number)
	own := func(worker int) model { return s.models[worker] }
	parallel.EachWithState(context.Background(), len(s.models), len(chains), own, func(m model, i int) {
		c := chains[i]
		if c.allowance <= 0 || c.number > 0 && c.quit() {
			return
		}
		if c.run(s.params.Seed, m); c.reached {
			s.gate.Reach(c.number)
		}
	})
	return chains
}

// chains returns the chains of a round. Rounds double in length six times, then begin anew: short ones tell later ones
// what to aim at. What is left of the evaluations is shared out evenly, the first chains taking the remainder.
func (s *run) chains(round uint64) []*chain {
	p, n := s.params.Problem, s.size
	length := firstSteps << (round % (doublings + 1)) * stepLength(p.Size, p.Torus().N())
	left := s.params.Evaluations - s.out.Evaluations
	chains := make([]*chain, n)
	for i := range chains {
		c := &chain{problem: p, number: round*uint64(n) + uint64(i), known: s.known, goal: s.goal, allowance: length}
		c.halted = func() bool { return s.gate.Shut(c.number) }
		c.quit = c.halted
		if s.params.Evaluations > 0 {
			c.allowance = min(length, search.Part(left, i, n))
		}
		if round == 0 && i < len(s.params.Starts) {
			c.start = &s.params.Starts[i]
		}
		chains[i] = c
	}
	return chains
}

// collect folds what the chains found into the outcome, in their order, up to
// the first that reached the goal, and reports.
func (s *run) collect(chains []*chain) {
	improved := false
	for _, c := range chains {
		s.out.Evaluations += c.spent
		if c.best == nil {
			continue
		}
		s.known = min(s.known, c.most)
		placement := c.placement()
		if s.params.Problem.Near.Asked() && !s.params.Problem.Admits(placement) {
			continue
		}
		value, _ := s.exact.Loads(placement).Max()
		if s.out.Value == nil || value.Cmp(s.out.Value) < 0 {
			s.out.Best, s.out.Value, improved = placement, value, true
		}
		if c.reached {
			break
		}
	}
	s.params.Report(search.Event{Value: s.out.Value, Best: s.out.Best, Evaluations: s.out.Evaluations, Improved: improved})
}
