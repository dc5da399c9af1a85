package restrict

import (
	"context"
	"math/big"
	"time"

	"leeway/objective"
	"leeway/search"
)

// A run is one call of Run: it goes through all coarsenings, each under every rule, and keeps the best solution.
type run struct {
	Params
	*candidates
	rules       []rule
	guide       guide
	coarsenings []coarsening
	model       *model // of the coarsening modelled, under some rule; nil before the first
	modelled    int

	best        solution
	value       *big.Rat
	by          By
	method      string
	solutions   map[int]solution // the best of every coarsening and rule, by their place
	evaluations int64
}

// A shape tells models apart. Coarsenings with equally many automorphisms have the same ones,
// and differ then in whether displacements are tied too.
type shape struct {
	automorphisms, items, blocks, classes int
	den                                   int64
}

func newRun(ctx context.Context, p Params) (*run, error) {
	c, err := newCandidates(ctx, p.Placement, p.Traffic)
	if err != nil {
		return nil, err
	}
	s := &run{Params: p, candidates: c, solutions: map[int]solution{}, by: p.By, value: new(big.Rat),
		best: solution{}, method: Name}
	if len(c.pairs) == 0 {
		s.by = s.plain()
		s.Goal, s.guide.lower = s.value, s.value
		return s, nil
	}
	if p.Start != nil {
		s.solutions[-1] = c.solutionOf(p.Start) // before those of the coarsenings
	}
	if s.coarsenings, err = coarsenings(ctx, p.Placement, p.Traffic, p.By, p.Group); err != nil {
		return nil, err
	}
	if s.guide, err = newGuide(ctx, c, s.coarsenings[0], p.Quick); err != nil {
		return nil, err
	}
	s.best, s.value, s.Goal = nil, nil, goal(p, s.guide.lower)
	s.rules, err = newRules(c, s.Params)
	return s, err
}

func (s *run) reached() bool { return s.value.Cmp(s.Goal) <= 0 }
func (s *run) spent() bool   { return s.Evaluations > 0 && s.evaluations >= s.Evaluations }

// open reports whether to go on looking.
func (s *run) open(ctx context.Context) bool {
	return ctx.Err() == nil && !s.spent() && (s.best == nil || !s.reached())
}

// everywhere goes through all coarsenings and rules, again and again with more patience, as long as there is something
// to choose.
func (s *run) everywhere(ctx context.Context) {
	for pass := 0; s.open(ctx); pass++ {
		before, seen := s.evaluations, map[shape]bool{}
		parts := len(s.coarsenings) * len(s.rules)
		for i := 0; i < parts && s.open(ctx); i++ {
			s.search(ctx, i, pass, parts-i, seen)
		}
		if s.evaluations == before {
			return
		}
	}
}

// search looks under the i-th coarsening and rule, unless a model of their shape was seen in this pass, with its share
// of what is left for this many.
func (s *run) search(ctx context.Context, i, pass, left int, seen map[shape]bool) {
	g, r := s.coarsenings[i/len(s.rules)], s.rules[i%len(s.rules)]
	m, err := s.modelOf(ctx, i/len(s.rules), r)
	if err != nil {
		return // the context has ended
	}
	alike := shape{len(g.automorphisms), len(m.items), m.blocks(), m.classes, r.den}
	starts := m.starts(s.candidates, s.guide, s.solutions)
	if starts == nil || seen[alike] {
		return
	}
	seen[alike] = true
	budget := int64(0)
	if s.Evaluations > 0 {
		budget = max(1, (s.Evaluations-s.evaluations)/int64(left))
	}
	if deadline, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Until(deadline)/time.Duration(left))
		defer cancel()
	}
	w := newChains(m, starts, s.Seed+uint64(pass)<<32, objective.NumeratorUp(s.Goal, big.NewInt(r.unit)).Int64())
	known := s.value
	w.run(ctx, budget, s.Workers, patience<<min(pass, 30), func() {
		value := big.NewRat(w.value, r.unit)
		better := known == nil || value.Cmp(known) < 0
		if better {
			known = value
		}
		s.observe(known, s.evaluations+w.evaluations, better, g.name)
	})
	s.evaluations += w.evaluations
	sol := m.solution(w.best)
	s.solutions[i] = sol
	if value := big.NewRat(w.value, r.unit); s.best == nil || value.Cmp(s.value) < 0 {
		s.best, s.value, s.by = sol, value, g.by
		s.method = Name + ": " + g.name
	}
}

// modelOf returns the model of a coarsening under a rule. That of the last coarsening is kept.
func (s *run) modelOf(ctx context.Context, coarsening int, r rule) (*model, error) {
	if s.model == nil || s.modelled != coarsening {
		m, err := newModel(ctx, s.candidates, s.coarsenings[coarsening], r)
		if err != nil {
			return nil, err
		}
		s.model, s.modelled = m, coarsening
	}
	m := *s.model
	m.rule = r
	return &m, nil
}

// plain returns what the table is by where nothing was searched.
func (s *run) plain() By {
	switch {
	case s.By != ByAny:
		return s.By
	case s.torus.Closed():
		return ByDisplacement
	}
	return ByPair
}

// reason says why the search ends.
func (s *run) reason(ctx context.Context) search.Reason {
	switch {
	case s.reached():
		return search.Reached
	case s.spent():
		return search.Spent
	case ctx.Err() != nil:
		return search.Stopped
	}
	return search.Complete
}

// result turns the best solution into a table and evaluates it again. Where the context ended before anything was
// searched it takes the table to start from, or else all paths of every pair, of single ones the first.
func (s *run) result(ctx context.Context) (Restriction, error) {
	searched := s.best != nil
	switch {
	case searched:
	case s.Start != nil && s.By != ByDisplacement:
		s.best, s.by, s.method = s.solutions[-1], ByPair, Name+": as given"
	default:
		s.best, s.method = make(solution, s.elements), Name+": without a search"
		for _, p := range s.pairs {
			for e := range p.paths {
				s.best[p.first+e] = e == 0 || !s.Single
			}
		}
		s.by = s.plain()
	}
	table, err := s.table(s.best, s.by, s.free())
	if err != nil {
		return Restriction{}, err
	}
	if !searched {
		s.value = s.valueOf(table)
	}
	r := Restriction{Table: table, Value: s.value, MinPaths: s.fewest(s.best), Lower: s.guide.lower, Method: s.method,
		Evaluations: s.evaluations, Reason: s.reason(ctx)}
	if s.guide.narrow {
		r.Weights = s.guide.weights
	}
	return r, s.confirm(r)
}
