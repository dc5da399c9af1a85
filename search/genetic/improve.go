package genetic

import (
	"math/big"

	"leeway/core"
	"leeway/objective"
	"leeway/search/local"
)

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
	value, links := objective.Evaluate(is.params.Problem.Routing, end.Best).Max()
	return &individual{end.Best, score{end.Most, links}, value, is.kin.Key(end.Best)}
}
