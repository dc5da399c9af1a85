package genetic

import (
	"math"
	"math/rand"

	"github.com/MaxHalford/eaopt"
)

// A genome is what eaopt moves around: an evaluated individual, or the plan of one that Evaluate improves and scores.
// Individuals are immutable and may be shared.
type genome struct {
	island     *island
	individual *individual
	plan       []int
}

// nodes returns the nodes of the individual or of the plan.
func (g *genome) nodes() []int {
	if g.individual != nil {
		return g.individual.placement.Nodes()
	}
	return g.plan
}

// Evaluate returns the peak load with the share of links that have it as the fraction. It only guides; scores are
// compared exactly. An unevaluated plan is first improved. When the island has nothing left to spend the placement
// counts as infinitely bad.
func (g *genome) Evaluate() (float64, error) {
	is := g.island
	if g.individual == nil {
		if is.finished() {
			return math.Inf(1), nil
		}
		g.individual = is.improve(g.plan)
		g.plan = nil
		is.note(g.individual)
	}
	s := g.individual.score
	return float64(s.most) + float64(s.links)/float64(is.params.Problem.Torus().M()+1), nil
}

// Clone returns another handle on the same placement.
func (g *genome) Clone() eaopt.Genome {
	c := *g
	return &c
}

// Mutate plans the placement anew, changed by one random operator.
func (g *genome) Mutate(rng *rand.Rand) {
	g.replace(g.island.mutated(g.nodes(), rng))
}

// Crossover plans the placement anew by slabs of g and of the mate. The mate is not changed.
func (g *genome) Crossover(mate eaopt.Genome, rng *rand.Rand) {
	g.replace(g.island.crossed(g.nodes(), mate.(*genome).nodes(), rng))
}

func (g *genome) replace(plan []int) {
	g.individual, g.plan = nil, plan
}
