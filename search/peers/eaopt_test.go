package peers_test

import (
	"context"
	"math"
	"math/big"
	"math/rand"
	"slices"

	"github.com/MaxHalford/eaopt"

	"leeway/core"
	"leeway/objective"
)

// A plain genome is a list of nodes; its fitness is E_max by the naive evaluator.
type plain struct {
	ctx     context.Context
	problem objective.Problem
	nodes   []int
}

// Evaluate returns E_max, or infinity once the context has ended.
func (g *plain) Evaluate() (float64, error) {
	if g.ctx.Err() != nil {
		return math.Inf(1), nil
	}
	value, _ := objective.Naive(g.problem.Routing, core.MustPlacement(g.problem.Torus(), g.nodes)).Max()
	f, _ := value.Float64()
	return f, nil
}

// Clone returns a deep copy.
func (g *plain) Clone() eaopt.Genome {
	return &plain{g.ctx, g.problem, slices.Clone(g.nodes)}
}

// Mutate moves one processor to a free node.
func (g *plain) Mutate(rng *rand.Rand) {
	if len(g.nodes) == g.problem.Torus().N() {
		return
	}
	to := rng.Intn(g.problem.Torus().N())
	for slices.Contains(g.nodes, to) {
		to = rng.Intn(g.problem.Torus().N())
	}
	g.nodes[rng.Intn(len(g.nodes))] = to
	slices.Sort(g.nodes)
}

// Crossover makes g a random choice of as many nodes from both parents, those in
// both for certain. The mate is not changed.
func (g *plain) Crossover(other eaopt.Genome, rng *rand.Rand) {
	var both, either []int
	mate := other.(*plain).nodes
	for _, v := range g.nodes {
		if slices.Contains(mate, v) {
			both = append(both, v)
		} else {
			either = append(either, v)
		}
	}
	for _, v := range mate {
		if !slices.Contains(g.nodes, v) {
			either = append(either, v)
		}
	}
	rng.Shuffle(len(either), func(i, j int) { either[i], either[j] = either[j], either[i] })
	g.nodes = append(both, either[:len(g.nodes)-len(both)]...)
	slices.Sort(g.nodes)
}

// runPlain evolves 100 placements by a model of eaopt that keeps the best, until
// the goal or the end of the context, and returns the best.
func runPlain(ctx context.Context, p objective.Problem, goal *big.Rat, seed uint64) (core.Placement, error) {
	limit, _ := goal.Float64()
	ga, err := eaopt.GAConfig{
		NPops: 1, PopSize: 100, HofSize: 1, NGenerations: math.MaxInt32,
		Model: eaopt.ModDownToSize{NOffsprings: 100, SelectorA: eaopt.SelTournament{NContestants: 3},
			SelectorB: eaopt.SelElitism{}, MutRate: 0.5, CrossRate: 0.7},
		EarlyStop: func(ga *eaopt.GA) bool { return ctx.Err() != nil || ga.HallOfFame[0].Fitness <= limit },
		RNG:       rand.New(rand.NewSource(int64(seed))),
	}.NewGA()
	if err != nil {
		return core.Placement{}, err
	}
	err = ga.Minimize(func(rng *rand.Rand) eaopt.Genome {
		nodes := rng.Perm(p.Torus().N())[:p.Size]
		slices.Sort(nodes)
		return &plain{ctx, p, nodes}
	})
	if err != nil {
		return core.Placement{}, err
	}
	return core.NewPlacement(p.Torus(), ga.HallOfFame[0].Genome.(*plain).nodes)
}
