package assign

import (
	"cmp"
	"context"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"sync"

	"leeway/core/parallel"
	"leeway/objective"
	"leeway/objective/fast"
)

// Params say how an assignment is looked for.
type Params struct {
	objective.Problem // its traffic is a matrix
	Seed              uint64
	Evaluations       int64    // changes that are tried; 0: until the context ends
	Goal              *big.Rat // a value at which the search ends, such as a lower bound; nil: none
	Workers           int
	Better            func(value *big.Rat, a objective.Assignment) // told of every improvement, in turn; may be nil
}

// A Result is the best assignment that was found, with its E_max.
type Result struct {
	Best        objective.Assignment
	Value       *big.Rat
	Evaluations int64
}

// chains is how many searches share the evaluations, whatever the number of workers.
const chains = 8

// What a chain does: epochs of cooling, each from the best assignment so far, every few from a new start.
const (
	epoch    = 1 << 17 // changes that are tried
	restarts = 6       // epochs
	hot      = 0.3     // temperature at first, in squares of the distance from the goal
	cold     = 0.0005  // at last
)

// Search looks for an assignment with a small E_max by simulated annealing over swaps and moves. With Evaluations the
// result depends on the seed only. Errors are *core.InputError: there is no assignment, or no table for it.
func Search(ctx context.Context, p Params) (Result, error) {
	if err := p.CheckRoom(); err != nil {
		return Result{}, err
	}
	table, err := fast.NewAssigned(p.Problem)
	if err != nil {
		return Result{}, err
	}
	s := &search{Params: p, table: table, partners: partners(p.Traffic.Matrix), goal: -1}
	if p.Goal != nil {
		s.goal = objective.Numerator(p.Goal, table.Den()).Int64()
	}
	s.ends, s.end = context.WithCancel(ctx)
	defer s.end()
	list := make([]chain, max(1, p.Workers))
	if p.Evaluations > 0 {
		list = make([]chain, chains)
	}
	parallel.Each(context.WithoutCancel(ctx), p.Workers, len(list), func(i int) { list[i] = s.chain(i) })
	best := slices.MinFunc(list, func(a, b chain) int { return cmp.Compare(a.value, b.value) })
	r := Result{Best: best.at, Value: new(big.Rat).SetFrac(big.NewInt(best.value), table.Den())}
	for _, c := range list {
		r.Evaluations += c.tried
	}
	return r, nil
}

type search struct {
	Params
	table    *fast.Assigned
	partners [][]partner
	goal     int64 // in units; -1: none
	ends     context.Context
	end      func()

	mu   sync.Mutex
	told int64 // the least value that was told, 0: none
}

// A chain is what one of the searches found.
type chain struct {
	at    objective.Assignment
	value int64
	tried int64
}

// chain runs one of the searches.
func (s *search) chain(number int) (best chain) {
	rng := rand.New(rand.NewPCG(s.Seed, uint64(number)))
	budget := int64(math.MaxInt64)
	if s.Evaluations > 0 {
		budget = s.Evaluations / chains
		if int64(number) < s.Evaluations%chains {
			budget++
		}
	}
	best.value = math.MaxInt64
	for round := 0; best.at == nil || best.tried < budget && best.value > s.goal && s.ends.Err() == nil; round++ {
		at := slices.Clone(best.at)
		if round%restarts == 0 {
			at = start(s.Problem, s.partners, rng, (number+round)%2 == 0)
		}
		st := newState(s.Problem, s.table, s.partners, at)
		if s.improve(st, &best); len(st.free) == 0 {
			return best
		}
		s.cool(rng, st, &best, min(epoch, budget-best.tried))
	}
	return best
}

// improve takes an assignment that is better than the best of the chain.
func (s *search) improve(st *state, best *chain) {
	if value := st.most(); value < best.value {
		best.at, best.value = slices.Clone(st.at), value
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.Better != nil && (s.told == 0 || value < s.told) {
			s.told = value
			s.Better(new(big.Rat).SetFrac(big.NewInt(value), s.table.Den()), best.at)
		}
	}
}

// aim sets what the state is to reach: a 16th below the best, but not below the goal of the search.
func (s *search) aim(st *state) {
	st.best = st.most()
	st.count()
	st.goal = max(s.goal, st.best-max(1, st.best/16), 0)
	st.unit = 1 / float64(max(1, st.best-st.goal))
}

// cool tries a number of changes at falling temperatures.
func (s *search) cool(rng *rand.Rand, st *state, best *chain, changes int64) {
	s.aim(st)
	const step = 1 << 10 // changes at one temperature
	heat, falls := hot, math.Pow(cold/hot, step/float64(max(step, changes)))
	for i := int64(0); i < changes; i++ {
		if i%step == step-1 {
			if heat *= falls; s.ends.Err() != nil {
				return
			}
		}
		best.tried++
		task, other, to, ok := st.draw(rng)
		if !ok {
			continue
		}
		grows := st.try(task, other, to)
		if grows > 0 && rng.Float64() >= math.Exp(-grows/heat) {
			st.drop()
			continue
		}
		if st.keep(task, other, to) {
			s.improve(st, best)
			if best.value <= s.goal {
				s.endAt()
				return
			}
			s.aim(st)
		}
	}
}

// endAt ends all chains where the result need not be repeatable: without a number of evaluations.
func (s *search) endAt() {
	if s.Evaluations == 0 {
		s.end()
	}
}

// start returns an assignment to begin with: tasks in a random order or, where near, those with the greatest demands
// first, each on the node where what it exchanges with the tasks before has the shortest way.
func start(p objective.Problem, list [][]partner, rng *rand.Rand, near bool) objective.Assignment {
	t := p.Torus()
	at := make(objective.Assignment, p.Traffic.Matrix.Tasks)
	on := make([]int, t.N())
	for i := range at {
		at[i] = -1
	}
	for _, f := range p.Pinned {
		at[f.Task] = f.Node
		on[f.Node]++
	}
	weight := make([]int64, len(at))
	for i, all := range list {
		for _, e := range all {
			weight[i] += e.out + e.in
		}
	}
	order := rng.Perm(len(at))
	if near {
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(weight[b], weight[a]) })
	}
	for _, task := range order {
		if at[task] >= 0 {
			continue
		}
		best, least := -1, int64(math.MaxInt64)
		for _, v := range rng.Perm(t.N()) {
			if on[v] >= p.Traffic.Room() || !p.MayHave(v) {
				continue
			}
			cost := int64(0)
			for _, e := range list[task] {
				if x := at[e.task]; near && x >= 0 {
					cost += (e.out + e.in) * int64(t.LeeDistance(v, x))
				}
			}
			if cost < least {
				best, least = v, cost
			}
		}
		at[task] = best
		on[best]++
	}
	return at
}
