package restrict

import (
	"context"
	"math/big"
	"time"

	"leeway/objective"
	"leeway/search"
)

// A run is one call of Run, over all grains.
type run struct {
	Params
	*space
	rules  []rule
	guide  guide
	grains []grain
	seen   map[shape]bool // models searched in this pass

	best        solution
	value       *big.Rat
	by          By
	method      string
	solutions   map[int]solution // the best of every grain and rule, by their place
	evaluations int64
}

// A shape tells models apart. Grains with equally many motions have the same ones,
// and differ then in whether displacements are tied too.
type shape struct {
	motions, items, blocks, classes int
	den                             int64
}

func newRun(ctx context.Context, p Params) (*run, error) {
	s, err := newSpace(ctx, p.Placement)
	if err != nil {
		return nil, err
	}
	h := &run{Params: p, space: s, solutions: map[int]solution{}, by: p.By, value: new(big.Rat), best: solution{}, method: Name}
	if len(s.pairs) == 0 {
		if h.by == ByAny {
			h.by = ByDisplacement
		}
		h.Goal, h.guide.lower = h.value, h.value
		return h, nil
	}
	if p.Start != nil {
		h.solutions[-1] = s.solutionOf(p.Start) // before those of the grains
	}
	if h.grains, err = grains(ctx, p.Placement, p.By, p.Group); err != nil {
		return nil, err
	}
	if h.guide, err = newGuide(ctx, s, h.grains[0], p.Quick); err != nil {
		return nil, err
	}
	h.best, h.value, h.Goal = nil, nil, goal(p, h.guide.lower)
	h.rules, err = newRules(s, h.Params)
	return h, err
}

// reached reports whether the goal is met.
func (h *run) reached() bool { return h.value.Cmp(h.Goal) <= 0 }

// open reports whether to go on looking.
func (h *run) open(ctx context.Context) bool {
	return ctx.Err() == nil && !h.spent() && (h.best == nil || !h.reached())
}

func (h *run) spent() bool {
	return h.Evaluations > 0 && h.evaluations >= h.Evaluations
}

// look goes once through all grains and rules.
func (h *run) look(ctx context.Context, pass int) {
	h.seen = map[shape]bool{}
	parts := len(h.grains) * len(h.rules)
	for i := range parts {
		if h.open(ctx) {
			h.search(ctx, i, pass, parts-i)
		}
	}
}

// search looks under the i-th grain and rule with its share of what is left for so
// many.
func (h *run) search(ctx context.Context, i, pass, left int) {
	g, r := h.grains[i/len(h.rules)], h.rules[i%len(h.rules)]
	m, err := newModel(ctx, h.space, g, r)
	if err != nil {
		return // the context has ended
	}
	s := shape{len(g.motions), len(m.items), m.blocks(), m.classes, r.den}
	starts := m.starts(h.space, h.guide, h.solutions)
	if starts == nil || h.seen[s] {
		return
	}
	h.seen[s] = true
	budget := int64(0)
	if h.Evaluations > 0 {
		budget = max(1, (h.Evaluations-h.evaluations)/int64(left))
	}
	if deadline, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Until(deadline)/time.Duration(left))
		defer cancel()
	}
	t := newTeam(m, starts, h.Seed+uint64(pass)<<32, objective.UnitsUp(h.Goal, big.NewInt(r.den)).Int64())
	known := h.value
	improved := func() {
		value := big.NewRat(t.value, r.den)
		better := known == nil || value.Cmp(known) < 0
		if better {
			known = value
		}
		h.observe(known, h.evaluations+t.evaluations, better, g.name)
	}
	t.run(ctx, budget, h.Workers, patience<<min(pass, 30), improved)
	h.evaluations += t.evaluations
	sol := m.solution(t.best)
	h.solutions[i] = sol
	if value := big.NewRat(t.value, r.den); h.best == nil || value.Cmp(h.value) < 0 {
		h.best, h.value, h.by = sol, value, g.by
		h.method = Name + ": " + g.name
	}
}

// plain takes, where the context ended before anything was searched, the table to
// start from, or else all paths of every pair, of single ones the first.
func (h *run) plain() error {
	if h.Start != nil && h.By != ByDisplacement {
		h.best, h.by, h.method = h.solutions[-1], ByPair, Name+": as given"
	} else {
		h.best, h.method = make(solution, h.elements), Name+": without a search"
		for _, p := range h.pairs {
			for e := range p.list.paths {
				h.best[p.first+e] = e == 0 || !h.Single
			}
		}
		if h.by == ByAny {
			h.by = ByDisplacement
		}
	}
	table, err := h.table(h.best, h.by, h.least)
	if err == nil {
		loads := objective.Evaluate(table, h.Placement)
		h.value, _ = loads.Max()
	}
	return err
}

// result turns the best solution into a table and evaluates it again.
func (h *run) result(ctx context.Context) (Result, error) {
	if h.best == nil {
		if err := h.plain(); err != nil {
			return Result{}, err
		}
	}
	table, err := h.table(h.best, h.by, h.least)
	if err != nil {
		return Result{}, err
	}
	r := Result{Table: table, Value: h.value, MinPaths: h.fewest(h.best), Lower: h.guide.lower, Method: h.method, Evaluations: h.evaluations, Reason: search.Complete}
	if h.guide.narrow {
		r.Weights = h.guide.weights
	}
	switch {
	case h.reached():
		r.Reason = search.Reached
	case h.spent():
		r.Reason = search.Spent
	case ctx.Err() != nil:
		r.Reason = search.Stopped
	}
	return r, confirm(h.Placement, r)
}
