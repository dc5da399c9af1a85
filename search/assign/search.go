package assign

import (
	"cmp"
	"context"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"leeway/core"
	"leeway/core/parallel"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/search"
)

// Method looks for placements of the tasks of a matrix by simulated annealing over swaps and moves.
type Method struct{}

// Name is the word by which records and flags call the method.
const Name = "annealing"

// Name returns "annealing".
func (Method) Name() string { return Name }

// PlacesTasks is true; see search.Supports.
func (Method) PlacesTasks() bool { return true }

// PlansAhead is true, since how fast it cools depends on the budget; see package portfolio.
func (Method) PlansAhead() bool { return true }

// Supports returns nil for problems with a matrix that have a table of flows, otherwise an *search.UnsupportedError.
func (m Method) Supports(p objective.Problem) error { return supports(m.Name(), p) }

func supports(name string, p objective.Problem) error {
	if p.Traffic.Matrix == nil {
		return search.Unsupported(name, p, "it places the tasks of a traffic matrix only")
	}
	err := p.CheckRoom()
	if err == nil {
		err = fast.Assignable(p)
	}
	if err != nil {
		return search.Unsupported(name, p, "%v", err)
	}
	return nil
}

// chains is how many searches share the evaluations, whatever the number of workers.
const chains = 4

// How a chain cools: a link with the greatest load so far costs 1.
const (
	hot    = 1
	warm   = 0.05 // from a start
	cold   = 0.002
	step   = 1 << 10 // changes at one temperature
	length = 1 << 20 // changes of a run without budget
)

// Run cools chains, half of them from the best start where there is one, as long as the budget lasts. Evaluations are
// changes that are tried. Errors are those of fast.NewAssigned.
func (m Method) Run(ctx context.Context, p search.Params) (search.Outcome, error) {
	if err := m.Supports(p.Problem); err != nil {
		return search.Outcome{}, err
	}
	table, err := fast.NewAssigned(p.Problem)
	if err != nil {
		return search.Outcome{}, err
	}
	s := &run{Params: p, table: table, partners: partners(p.Problem.Traffic.Matrix), began: time.Now(), goal: -1}
	s.trees = treesOf(p.Problem, table)
	for v := range p.Problem.Torus().N() {
		list, _ := p.Problem.Torus().Nearest([]int{v})
		s.distance = append(s.distance, list)
	}
	if p.Goal != nil {
		s.goal = new(big.Int).Div(new(big.Int).Mul(p.Goal.Num(), table.Den()), p.Goal.Denom()).Int64()
	}
	s.ends, s.end = context.WithCancel(ctx)
	defer s.end()
	list := make([]chain, max(1, p.Workers))
	if p.Evaluations > 0 {
		list = make([]chain, chains)
	}
	parallel.Each(context.WithoutCancel(ctx), p.Workers, len(list), func(i int) { list[i] = s.chain(i) })
	best := slices.MinFunc(list, func(a, b chain) int { return cmp.Compare(a.value, b.value) })
	var out search.Outcome
	for _, c := range list {
		out.Evaluations += c.tried
	}
	if out.Best, out.Value, err = s.exact(best); err != nil {
		return out, err
	}
	if !p.Ended(ctx, &out, best.done) {
		out.Reason = search.Stopped
	}
	return out, nil
}

type run struct {
	search.Params
	table    *fast.Assigned
	trees    *trees
	partners [][]partner
	distance [][]int32 // of nodes
	goal     int64     // in units; -1: none
	began    time.Time
	ends     context.Context
	end      func()

	mu   sync.Mutex
	told int64 // the least value that was told, 0: none
}

// exact returns the placement of a chain with its E_max.
func (s *run) exact(c chain) (core.Placement, *big.Rat, error) {
	at, err := core.PlaceTasks(s.Problem.Torus(), c.at)
	if err != nil {
		return at, nil, err
	}
	if s.table.Exact() {
		return at, new(big.Rat).SetFrac(big.NewInt(slices.Max(s.table.Units(c.at))), s.table.Den()), nil
	}
	most, _ := fast.Evaluate(s.Problem, at).Max()
	return at, most, nil
}

// A chain is what one of the searches found.
type chain struct {
	at     []int // the node of every task
	value  int64
	tried  int64
	budget int64 // 0: none
	done   bool  // no task can be moved
}

// chain runs one of the searches.
func (s *run) chain(number int) (best chain) {
	rng := rand.New(rand.NewPCG(s.Seed, uint64(number)))
	best.value = math.MaxInt64
	if s.Evaluations > 0 {
		if best.budget = search.Part(s.Evaluations, number, chains); best.budget == 0 && number > 0 {
			return best
		}
	}
	for round := 0; best.at == nil || !s.ended(&best); round++ {
		at, heat := []int(nil), warm
		if round == 0 && number == 0 {
			if at, best.tried = s.lines(best.budget / 2); at != nil {
				s.improve(newState(s.Problem, s.table, s.partners, s.trees, at), &best)
				if s.ended(&best) {
					s.endAt()
					return best
				}
				if s.Evaluations == 0 && s.Workers <= 1 { // no other chain begins elsewhere
					at = nil
				}
			}
		}
		switch {
		case at != nil:
		case round > 0 && (number+round)%2 == 0:
			at = slices.Clone(best.at)
		case round == 0 && number%2 == 1 && len(s.Starts) > 0:
			at = slices.Clone(s.Starts[0].Tasks())
		default:
			at, heat = start(s.Problem, s.distance, s.partners, rng, rng.IntN(2) == 0), hot
		}
		st := newState(s.Problem, s.table, s.partners, s.trees, at)
		if s.improve(st, &best); len(st.free) == 0 {
			best.done = true
			return best
		}
		s.cool(rng, st, &best, heat)
	}
	return best
}

// ended reports whether a chain is to end.
func (s *run) ended(c *chain) bool {
	return c.value <= s.goal || s.ends.Err() != nil || c.budget > 0 && c.tried >= c.budget
}

// improve takes a placement that is better than the best of the chain.
func (s *run) improve(st *state, best *chain) {
	value := int64(slices.Max(st.loads))
	if value >= best.value {
		return
	}
	best.at, best.value = slices.Clone(st.at), value
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.told != 0 && value >= s.told || !s.table.Exact() {
		return
	}
	s.told = value
	if at, most, err := s.exact(*best); err == nil {
		s.Report(search.Event{Method: Name, Value: most, Best: at, Improved: true, Evaluations: best.tried})
	}
}

// spent returns what part of a chain's budget is over, of its evaluations or of the time, from a number of changes on.
func (s *run) spent(c *chain, from int64) float64 {
	if c.budget > 0 {
		return float64(c.tried-from) / float64(c.budget-from)
	}
	if end, timed := s.ends.Deadline(); timed {
		return float64(time.Since(s.began)) / float64(end.Sub(s.began))
	}
	return float64(c.tried-from) / length
}

// cool tries changes at temperatures that fall from a given one until the budget is spent.
func (s *run) cool(rng *rand.Rand, st *state, best *chain, heat float64) {
	from := best.tried
	for part := 0.0; part < 1 && !s.ended(best); part = s.spent(best, from) {
		now := heat * math.Pow(cold/heat, part)
		changes := int64(step)
		if best.budget > 0 {
			changes = min(changes, best.budget-best.tried)
		}
		for range changes {
			best.tried++
			task, other, to, ok := st.draw(rng)
			if !ok {
				continue
			}
			grows := st.try(task, other, to)
			if grows > 0 && rng.Float64() >= math.Exp(-grows/now) {
				st.drop()
				continue
			}
			if st.keep(task, other, to) {
				st.aim()
				if s.improve(st, best); best.value <= s.goal {
					s.endAt()
					return
				}
			}
		}
	}
}

// endAt ends all chains where the result need not be repeatable: without a number of evaluations.
func (s *run) endAt() {
	if s.Evaluations == 0 {
		s.end()
	}
}

// start returns where tasks are to begin with: in a random order or, where near, those with the greatest demands
// first, each on the node where what it exchanges with the tasks before has the shortest way.
func start(p objective.Problem, distance [][]int32, list [][]partner, rng *rand.Rand, near bool) []int {
	if !near {
		return slices.Clone(search.Draw(p, rng).Tasks())
	}
	t := p.Torus()
	at, on := make([]int, p.Traffic.Matrix.Tasks), make([]int, t.N())
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
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(weight[b], weight[a]) })
	costs := make([]int64, t.N())
	for _, task := range order {
		if at[task] >= 0 {
			continue
		}
		clear(costs)
		for _, e := range list[task][:len(list[task])-1] {
			if x := at[e.task]; x >= 0 {
				for v, d := range distance[x] {
					costs[v] += (e.out + e.in) * int64(d)
				}
			}
		}
		best, least := -1, int64(math.MaxInt64)
		for _, v := range rng.Perm(t.N()) {
			if on[v] < p.Traffic.Room() && p.MayHave(v) && costs[v] < least {
				best, least = v, costs[v]
			}
		}
		at[task] = best
		on[best]++
	}
	return at
}
