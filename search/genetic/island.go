package genetic

import (
	"math/rand"

	"github.com/MaxHalford/eaopt"

	"leeway/search"
	"leeway/search/local"
)

// An island is one population.
type island struct {
	number    int
	kin       kinship
	params    search.Params
	options   *options
	gate      *local.Gate
	polisher  *local.Polisher // lent for the round
	round     uint64
	chains    uint64 // in this round
	allowance int64  // evaluations left in this round
	spent     int64  // evaluations since the last collection
	reached   bool   // the goal
	best      *individual
	reported  *individual
	saved     []*individual // the population between rounds, best first
}

// shut reports whether the island may stop wherever it is.
func (is *island) shut() bool { return is.gate.Shut(uint64(is.number)) }

// finished reports whether the island should do no more in this round.
func (is *island) finished() bool { return is.allowance <= 0 || is.reached || is.shut() }

// note remembers an individual that beats the best.
func (is *island) note(x *individual) {
	if is.best == nil || x.score.less(is.best.score) {
		is.best = x
	}
}

// evolve runs one round as an eaopt run of its own and saves its population.
func (is *island) evolve(round uint64, polisher *local.Polisher) error {
	if is.finished() {
		return nil
	}
	is.polisher, is.round, is.chains = polisher, round, 0
	next := 0
	ga, err := eaopt.GAConfig{
		NPops: 1, PopSize: uint(is.options.population), HofSize: 1,
		NGenerations: uint(is.options.generations),
		Model:        is.options.model(is),
		EarlyStop:    func(*eaopt.GA) bool { return is.finished() },
		RNG:          rand.New(rand.NewSource(mix(is.params.Seed, round, uint64(is.number)))),
	}.NewGA()
	if err != nil {
		return err
	}
	err = ga.Minimize(func(rng *rand.Rand) eaopt.Genome {
		g := &genome{island: is}
		if next < len(is.saved) {
			g.individual = is.saved[next]
		} else {
			g.plan = is.firstNodes(next, rng)
		}
		next++
		return g
	})
	if err != nil {
		return err
	}
	is.saved = is.saved[:0]
	for _, indi := range ga.Populations[0].Individuals {
		if x := indi.Genome.(*genome).individual; x != nil {
			is.saved = append(is.saved, x)
		}
	}
	if is.reached {
		is.gate.Reach(uint64(is.number))
	}
	return nil
}

// mix hashes seed, round and island into one generator seed (the finalizer of splitmix64 after each).
func mix(values ...uint64) int64 {
	var h uint64
	for _, v := range values {
		h += v + 0x9e3779b97f4a7c15
		h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
		h = (h ^ h>>27) * 0x94d049bb133111eb
		h ^= h >> 31
	}
	return int64(h)
}
