package genetic

import (
	"math/rand"
	"sync/atomic"

	"github.com/MaxHalford/eaopt"

	"leeway/objective"
	"leeway/search"
)

// A score orders placements: the peak load first, then how many links have it.
type score struct {
	most  int64
	links int
}

func (s score) less(t score) bool {
	return s.most < t.most || s.most == t.most && s.links < t.links
}

// An individual is an immutable evaluated placement.
type individual struct {
	nodes []int
	score score
}

// An island is one population with an evaluator of its own.
type island struct {
	number    int
	inc       objective.Incremental
	params    search.Params
	options   Options
	stop      *atomic.Bool
	goal      int64 // peak at which to stop, -1 for none
	allowance int64 // evaluations left in this epoch
	spent     int64 // evaluations since the last collection
	best      *individual
	reported  *individual
	saved     []*individual // the population between epochs, best first
}

func newIsland(number int, inc objective.Incremental, p search.Params, o Options, stop *atomic.Bool) *island {
	is := &island{number: number, inc: inc, params: p, options: o, stop: stop, goal: -1}
	if p.Goal != nil && inc.Exact() {
		is.goal = floorMul(p.Goal, inc.Den())
	}
	return is
}

// finished reports whether the island should do no more in this epoch.
func (is *island) finished() bool {
	return is.allowance <= 0 || is.stop.Load() || is.best != nil && is.best.score.most <= is.goal
}

// peak returns the score of the nodes that the evaluator holds and counts one
// evaluation.
func (is *island) peak() score {
	is.allowance--
	is.spent++
	most, links := is.inc.Peak()
	return score{most, links}
}

// trySwap returns the score after a swap and counts one evaluation.
func (is *island) trySwap(out, in int) score {
	is.allowance--
	is.spent++
	most, links := is.inc.TrySwap(out, in)
	return score{most, links}
}

// note remembers an individual that beats the best.
func (is *island) note(x *individual) {
	if is.best == nil || x.score.less(is.best.score) {
		is.best = x
	}
}

// evolve runs one epoch as an eaopt run of its own and saves its population.
func (is *island) evolve(epoch uint64) error {
	if is.finished() {
		return nil
	}
	next := 0
	ga, err := eaopt.GAConfig{
		NPops: 1, PopSize: uint(is.options.Population), HofSize: 1,
		NGenerations: 1 << 30,
		Model:        elite{island: is},
		EarlyStop:    func(*eaopt.GA) bool { return is.finished() },
		RNG:          rand.New(rand.NewSource(mix(is.params.Seed, epoch, uint64(is.number)))),
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
	return nil
}

// mix hashes seed, epoch and island into one generator seed (the finalizer of
// splitmix64 after each).
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
