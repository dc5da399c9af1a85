package genetic

import (
	"math/rand"
	"slices"

	"github.com/MaxHalford/eaopt"

	"leeway/core"
)

// elite is the eaopt model of this package: the best individuals stay, the
// others are children of parents chosen by tournaments of three, crossed over
// and mutated. Copies of one placement are replaced by fresh ones.
type elite struct{ island *island }

// The rates of the model.
const (
	keep      = 2
	crossRate = 0.6
)

// Validate returns nil: the model has nothing to set wrongly.
func (elite) Validate() error { return nil }

// Apply replaces a population, sorted by fitness, by the next generation.
func (m elite) Apply(pop *eaopt.Population) error {
	next := make(eaopt.Individuals, 0, len(pop.Individuals))
	seen := map[uint64]bool{}
	for _, x := range pop.Individuals[:min(keep, len(pop.Individuals))] {
		seen[hashNodes(x.Genome.(*genome).nodes())] = true
		next = append(next, x)
	}
	for len(next) < len(pop.Individuals) {
		child := m.tournament(pop).Clone(pop.RNG)
		if pop.RNG.Float64() < crossRate {
			child.Crossover(m.tournament(pop), pop.RNG)
		} else {
			child.Mutate(pop.RNG)
		}
		g := child.Genome.(*genome)
		if h := hashNodes(g.nodes()); seen[h] {
			g.replace(m.island.randomNodes(pop.RNG))
		} else {
			seen[h] = true
		}
		next = append(next, child)
	}
	copy(pop.Individuals, next)
	return nil
}

// tournament returns the fittest of three random individuals.
func (elite) tournament(pop *eaopt.Population) eaopt.Individual {
	best := pop.RNG.Intn(len(pop.Individuals))
	for range 2 {
		if i := pop.RNG.Intn(len(pop.Individuals)); pop.Individuals[i].Fitness < pop.Individuals[best].Fitness {
			best = i
		}
	}
	return pop.Individuals[best]
}

// firstNodes plans individual number i of the first population: the starts, then
// random and periodic placements in turn.
func (is *island) firstNodes(i int, rng *rand.Rand) []int {
	switch starts := is.params.Starts; {
	case i < len(starts) && i < is.options.Population/2:
		return starts[i].Nodes()
	case i%2 == 0:
		return is.randomNodes(rng)
	default:
		return is.periodicNodes(rng)
	}
}

func (is *island) randomNodes(rng *rand.Rand) []int {
	t := is.params.Problem.Torus()
	return resize(t, core.NewSet(t.N()), is.params.Problem.Size, rng)
}

// periodicNodes plans a union of random orbits of a random translation, filled
// up at random where the orbits do not fit the size.
func (is *island) periodicNodes(rng *rand.Rand) []int {
	t, size := is.params.Problem.Torus(), is.params.Problem.Size
	step := 1 + rng.Intn(t.N()-1)
	set := core.NewSet(t.N())
	count := 0
	for range 2 * t.N() {
		orbit := []int{rng.Intn(t.N())}
		for v := t.Displacement(step, orbit[0]); v != orbit[0]; v = t.Displacement(step, v) {
			orbit = append(orbit, v)
		}
		if set.Has(orbit[0]) || count+len(orbit) > size {
			continue
		}
		for _, v := range orbit {
			set.Add(v)
		}
		if count += len(orbit); count == size {
			break
		}
	}
	nodes := resize(t, set, size, rng)
	slices.Sort(nodes)
	return nodes
}
