package joint

import (
	"context"
	"math/big"
	"math/rand/v2"
	"slices"

	"leeway/core"
	"leeway/core/family"
	"leeway/search"
	"leeway/search/portfolio"
	"leeway/search/restrict"
)

// found returns the placement and the table of a state.
func (s *state) found(method string) search.Found {
	chosen := restrict.Choices{}
	for i := range s.pairs {
		p := &s.pairs[i]
		from, to := s.nodes[p.from], s.plus(s.nodes[p.to], s.shifts[p.shift])
		for _, shift := range s.shifts {
			chosen[[2]int{s.plus(from, shift), s.plus(to, shift)}] = p.options.sets[p.set].paths
		}
	}
	var nodes []int
	for _, v := range s.nodes {
		for _, shift := range s.shifts {
			nodes = append(nodes, s.plus(v, shift))
		}
	}
	slices.Sort(nodes)
	placement := core.MustPlacement(s.torus, nodes)
	return search.Found{Placement: placement, Table: s.lists.Table(placement, s.free, chosen),
		Value: big.NewRat(s.most(), s.unit), Method: method}
}

// greedy returns a placement with paths chosen in turn where loads are low, as far as the evaluations left allow.
func (r *run) greedy(p core.Placement, method string) search.Found {
	left := r.left()
	s := r.stateOf(p, periodOf(p), left, rand.New(rand.NewPCG(r.Seed, 0)))
	r.evaluations += left - s.left
	return s.found(method)
}

// stateOf returns a state of a placement that a lattice keeps.
func (r *run) stateOf(p core.Placement, l family.Lattice, left int64, random *rand.Rand) *state {
	t := newTiling(r.instance, l)
	nodes := slices.Clone(t.fixed)
	for _, v := range p.Nodes() {
		if int(t.reps[v]) == v && !slices.Contains(t.fixed, v) {
			nodes = append(nodes, v)
		}
	}
	s := newState(t, nodes, left)
	s.routeAll(random)
	return s
}

// saved is the state of a run between its turns, as JSON. Values are fractions in lowest terms.
type saved struct {
	Rounds      int              `json:"epochs"` // that are over
	Pool        []savedEntry     `json:"pool"`   // best first
	FinderState *portfolio.State `json:"feeders"`
	Finding     bool             `json:"hungry"` // the feeders have something to look at
}

// A savedEntry is a placement of the pool.
type savedEntry struct {
	portfolio.Entry
	Looks int      `json:"looks"`
	Lower *big.Rat `json:"lower"` // null: not known
}

// save returns the state for the next turn. The best is always in the pool.
func (r *run) save() saved {
	s := saved{Rounds: r.rounds, FinderState: r.finderState, Finding: r.finding}
	for _, e := range r.pool.list {
		s.Pool = append(s.Pool, savedEntry{portfolio.NewEntry(e.Found, r.lists), e.looks, e.lower})
	}
	return s
}

// resume goes on from a state, whose values are evaluated again: an *core.InputError if it is of another problem.
func (r *run) resume(ctx context.Context, s saved) error {
	for i, e := range s.Pool {
		f, err := e.Entry.Found(r.Problem, r.lists)
		if err == nil {
			err = search.Confirm(ctx, r.Problem, f)
		}
		if err != nil {
			return core.Invalid(r.Problem.String(), "the state is of another run: entry %d of the pool of joint: %v", i+1, err)
		}
		r.pool.list = append(r.pool.list, &entry{Found: f, key: r.pool.Key(f.Placement), looks: e.Looks, lower: e.Lower})
		if f.IsBelow(r.best.Value) {
			r.best = f
		}
	}
	r.rounds, r.finderState, r.finding = s.Rounds, s.FinderState, s.Finding
	return nil
}
