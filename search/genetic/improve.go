package genetic

import (
	"math/big"

	"leeway/core"
	"leeway/objective"
	"leeway/search/local"
)

// A score orders placements: the peak load first, in units of the polishers, then
// how many links have it.
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

// improve walks from a plan by the tabu search of package local, aimed below the
// best of the island, and returns the best placement of the walk.
func (is *island) improve(plan []int) *individual {
	known := int64(local.Unknown)
	if is.best != nil {
		known = is.best.score.most
	}
	is.walks++
	walk := is.polisher.Walk(local.Walk{
		Start: core.MustPlacement(is.params.Problem.Torus(), plan), Known: known,
		Seed:     uint64(mix(is.params.Seed, is.epoch, uint64(is.number), is.walks)),
		Patience: is.options.patience, Evaluations: is.allowance, Quit: is.shut,
	})
	is.allowance -= walk.Evaluations
	is.spent += walk.Evaluations
	is.reached = is.reached || walk.Reached
	value, links := objective.Evaluate(is.params.Problem.Routing, walk.Best).Max()
	return &individual{walk.Best, score{walk.Most, links}, value, is.kin.Key(walk.Best)}
}
