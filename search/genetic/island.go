package genetic

import (
	"math"
	"math/rand"
	"sync/atomic"

	"github.com/MaxHalford/eaopt"

	"leeway/search"
	"leeway/search/local"
)

// An island is one population.
type island struct {
	number    int
	kin       kinship
	params    search.Params
	options   Options
	gate      *gate
	polisher  *local.Polisher // lent for the epoch
	epoch     uint64
	walks     uint64 // in this epoch
	allowance int64  // evaluations left in this epoch
	spent     int64  // evaluations since the last collection
	reached   bool   // the goal
	best      *individual
	reported  *individual
	saved     []*individual // the population between epochs, best first
}

// A gate lets islands stop that can no longer matter: all when the context has
// ended, and those with higher numbers once one has reached the goal.
type gate struct {
	stop  atomic.Bool
	first atomic.Int64 // the lowest number that reached the goal
}

func newGate() *gate {
	g := &gate{}
	g.first.Store(math.MaxInt64)
	return g
}

// reach notes that an island reached the goal.
func (g *gate) reach(number int) {
	for {
		first := g.first.Load()
		if first <= int64(number) || g.first.CompareAndSwap(first, int64(number)) {
			return
		}
	}
}

// shut reports whether the island may stop wherever it is.
func (is *island) shut() bool {
	return is.gate.stop.Load() || is.gate.first.Load() < int64(is.number)
}

// finished reports whether the island should do no more in this epoch.
func (is *island) finished() bool { return is.allowance <= 0 || is.reached || is.shut() }

// note remembers an individual that beats the best.
func (is *island) note(x *individual) {
	if is.best == nil || x.score.less(is.best.score) {
		is.best = x
	}
}

// evolve runs one epoch as an eaopt run of its own and saves its population.
func (is *island) evolve(epoch uint64, polisher *local.Polisher) error {
	if is.finished() {
		return nil
	}
	is.polisher, is.epoch, is.walks = polisher, epoch, 0
	next := 0
	ga, err := eaopt.GAConfig{
		NPops: 1, PopSize: uint(is.options.Population), HofSize: 1,
		NGenerations: uint(is.options.Generations),
		Model:        is.model(),
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
	if is.reached {
		is.gate.reach(is.number)
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
