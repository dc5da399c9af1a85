package genetic

import "github.com/MaxHalford/eaopt"

// The rates of the model.
const (
	crossRate   = 0.6
	contestants = 2
)

// elite is the model of this package; tests compare it with those of eaopt: of the better half those stay that lie in
// different orbits, the others are children of these, by parents chosen in tournaments, crossed over or mutated. A
// child comes for every one of the worse half, a fresh placement for every double.
type elite struct{ island *island }

// Validate returns nil: the model has nothing to set wrongly.
func (elite) Validate() error { return nil }

// Apply replaces a population, sorted by fitness, by the next generation.
func (m elite) Apply(pop *eaopt.Population) error {
	half := (len(pop.Individuals) + 1) / 2
	kept := distinct(pop.Individuals, half)
	next := kept
	for len(next) < len(pop.Individuals) {
		child := kept[m.tournament(len(kept), pop)].Clone(pop.RNG)
		switch {
		case len(next) < half:
			m.island.renew(&child, pop)
		case pop.RNG.Float64() < crossRate:
			child.Crossover(kept[m.tournament(len(kept), pop)], pop.RNG)
		default:
			child.Mutate(pop.RNG)
		}
		next = append(next, child)
	}
	copy(pop.Individuals, next)
	return nil
}

// tournament returns the best of some random places among this many, best first.
func (elite) tournament(places int, pop *eaopt.Population) int {
	best := pop.RNG.Intn(places)
	for range contestants - 1 {
		best = min(best, pop.RNG.Intn(places))
	}
	return best
}

// distinct returns the first individuals of different orbits, at most this many.
func distinct(list eaopt.Individuals, most int) eaopt.Individuals {
	seen := map[string]bool{}
	var kept eaopt.Individuals
	for _, x := range list {
		individual := x.Genome.(*genome).individual
		if len(kept) == most {
			break
		}
		if individual != nil && !seen[individual.key] {
			seen[individual.key] = true
			kept = append(kept, x)
		}
	}
	return kept
}

// renew plans an individual anew from nothing.
func (is *island) renew(x *eaopt.Individual, pop *eaopt.Population) {
	x.Genome.(*genome).replace(is.randomNodes(pop.RNG))
	x.Evaluated = false
}
