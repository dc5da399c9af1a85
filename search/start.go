package search

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"

	"leeway/core"
	"leeway/core/family"
	"leeway/objective"
	"leeway/objective/fast"
)

// Part returns the i-th of n parts of a total, all equal but for the remainder, which the first parts take.
func Part(total int64, i, n int) int64 {
	if int64(i) < total%int64(n) {
		return total/int64(n) + 1
	}
	return total / int64(n)
}

// Spread returns the placement whose processors, but for those on fixed nodes, are spread evenly over the numbers of
// the candidates.
func Spread(p objective.Problem) core.Placement {
	nodes, candidates := p.Fixed.Nodes(), p.Candidates()
	left := p.Size - len(nodes)
	for i := range left {
		nodes = append(nodes, candidates[i*len(candidates)/left])
	}
	return core.MustPlacement(p.Torus(), nodes)
}

// Draw returns a random placement of the problem, of tasks where there is a matrix, all equally likely. There must be
// one.
func Draw(p objective.Problem, rng *rand.Rand) core.Placement {
	if m := p.Traffic.Matrix; m != nil {
		at, on := make([]int, m.Tasks), map[int]int{}
		pinned := map[int]bool{}
		for _, f := range p.Pinned {
			at[f.Task], pinned[f.Task] = f.Node, true
			on[f.Node]++
		}
		var places []int
		for _, v := range p.Candidates() {
			for range min(p.Traffic.Room(), m.Tasks) - on[v] {
				places = append(places, v)
			}
		}
		rng.Shuffle(len(places), func(i, j int) { places[i], places[j] = places[j], places[i] })
		for task := range at {
			if !pinned[task] {
				at[task], places = places[0], places[1:]
			}
		}
		s, err := core.PlaceTasks(p.Torus(), at)
		if err != nil {
			panic(err) // of nodes of the network
		}
		return s
	}
	if !p.Conditioned() {
		return family.Draw(p.Torus(), p.Size, rng)
	}
	nodes, candidates := p.Fixed.Nodes(), p.Candidates()
	rng.Shuffle(len(candidates), func(i, j int) { candidates[i], candidates[j] = candidates[j], candidates[i] })
	return core.MustPlacement(p.Torus(), append(nodes, candidates[:p.Size-len(nodes)]...))
}

// UpperValue returns a value above every load of every placement of a problem: more than all messages.
func UpperValue(p objective.Problem) *big.Rat {
	n := big.NewInt(int64(p.Size))
	if p.Traffic.Matrix != nil { // no link carries more than all demands times the longest path
		sum := new(big.Rat)
		for _, d := range p.Traffic.Matrix.Demands {
			sum.Add(sum, big.NewRat(d.Amount, p.Traffic.Matrix.Den))
		}
		return sum.Mul(sum, big.NewRat(int64(p.Torus().N()), 1)).Add(sum, big.NewRat(1, 1))
	}
	if p.Traffic.Clients() {
		each := big.NewInt(int64(p.Torus().N()))
		return new(big.Rat).SetInt(n.Mul(n, each.Mul(each, big.NewInt(int64(p.Traffic.Request+p.Traffic.Reply)))))
	}
	return new(big.Rat).SetInt(n.Mul(n, n))
}

// BestStart returns the best of the starts with its E_max, or the placement of Spread without starts. If a node is
// farther from the processors of Spread than the problem allows, it returns no placement and a value above all loads.
// It fails with an *core.InputError when a start is not a placement of the problem.
func (p Params) BestStart() (best core.Placement, value *big.Rat, err error) {
	if err := p.CheckStarts(); err != nil {
		return best, nil, err
	}
	starts := p.Starts
	if len(starts) == 0 && p.Problem.Traffic.Matrix != nil {
		starts = []core.Placement{Draw(p.Problem, rand.New(rand.NewPCG(p.Seed, 0)))}
	} else if len(starts) == 0 {
		starts = []core.Placement{Spread(p.Problem)}
		if p.Problem.Near.Asked() && !p.Problem.Admits(starts[0]) {
			return best, UpperValue(p.Problem), nil
		}
	}
	for _, s := range starts {
		if v, _ := fast.Evaluate(p.Problem, s).Max(); value == nil || v.Cmp(value) < 0 {
			best, value = s, v
		}
	}
	return best, value, nil
}

// Ended reports whether a method that looks until it is told otherwise is over, and sets the reason: the goal is
// reached, nothing is left to look at (complete), the context has ended, or the evaluations are spent.
func (p Params) Ended(ctx context.Context, out *Outcome, complete bool) bool {
	switch {
	case p.Done(out.Value):
		out.Reason = Reached
	case complete:
		out.Reason = Complete
	case ctx.Err() != nil:
		out.Reason = Stopped
	case p.Evaluations > 0 && out.Evaluations >= p.Evaluations:
		out.Reason = Spent
	default:
		return false
	}
	return true
}

// NextAbove returns the least load above a goal where loads are multiples of 1/den, nil if it is not known.
func NextAbove(goal *big.Rat, den *big.Int) *big.Rat {
	if goal == nil || den == nil {
		return nil
	}
	units := objective.Numerator(goal, den)
	return new(big.Rat).SetFrac(units.Add(units, big.NewInt(1)), den)
}

// CheckStarts returns an *core.InputError for a start that is not a placement of the problem.
func (p Params) CheckStarts() error {
	for _, s := range p.Starts {
		if s.Size() != p.Problem.Size || !s.Torus().Equal(p.Problem.Torus()) || !p.Problem.Admits(s) {
			return core.Invalid(fmt.Sprint(s.Nodes()), "a start is not a placement of %s", p.Problem.String())
		}
	}
	return nil
}

// Descend runs a method that asks for a placement below the best so far until there is none: from the best start to the
// goal, the end of the evaluations or of the context. Ask looks once, brings the outcome up to date, and reports
// whether to go on; if not it has set the reason. As long as there is no placement the outcome has a value above all,
// which is taken back at the end.
func Descend(ctx context.Context, p Params, method string,
	ask func(out *Outcome) (more bool, err error)) (Outcome, error) {
	var out Outcome
	var err error
	if out.Best, out.Value, err = p.BestStart(); err != nil {
		return Outcome{}, err
	}
	p.Report(Event{Method: method, Value: out.Value, Improved: true, Note: "start"})
	for more := true; more && err == nil && !p.Ended(ctx, &out, false); {
		more, err = ask(&out)
	}
	if out.Best.Size() == 0 {
		out.Value = nil
	}
	return out, err
}
