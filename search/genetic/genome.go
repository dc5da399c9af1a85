package genetic

import (
	"math"
	"math/big"
	"math/rand"

	"github.com/MaxHalford/eaopt"

	"leeway/core"
	"leeway/search/local"
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

// A score orders placements: the peak load first, in units of the polishers, then how many links have it.
type score struct {
	most  int64
	links int
}

func (s score) less(t score) bool {
	return s.most < t.most || s.most == t.most && s.links < t.links
}

// An individual is an immutable evaluated placement.
type individual struct {
	placement core.Placement
	score     score
	value     *big.Rat // E_max, exact
	key       string   // the same for placements of one orbit; see kinship
}

// improve starts a chain of the tabu search of package local, aimed below the
// best of the island, and returns its best placement.
func (is *island) improve(plan []int) *individual {
	known := int64(local.Unknown)
	if is.best != nil {
		known = is.best.score.most
	}
	is.chains++
	end := is.polisher.Run(local.Params{
		Start: core.MustPlacement(is.params.Problem.Torus(), plan), Known: known,
		Seed:     uint64(mix(is.params.Seed, is.round, uint64(is.number), is.chains)),
		Patience: is.options.patience, Evaluations: is.allowance, Quit: is.shut,
	})
	is.allowance -= end.Evaluations
	is.spent += end.Evaluations
	is.reached = is.reached || end.Reached
	return &individual{end.Best, score{end.Most, end.Links}, end.Value, is.kin.Key(end.Best)}
}
