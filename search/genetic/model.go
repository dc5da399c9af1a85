package genetic

import (
	"github.com/MaxHalford/eaopt"
)

// The models that were compared; see the comment of the package.
type modelKind int

const (
	ownElite modelKind = iota
	downToSize
	generational
)

// The rates of the models.
const (
	crossRate   = 0.6
	contestants = 2
)

// model returns the eaopt model of the options.
func (is *island) model() eaopt.Model {
	choose := eaopt.SelTournament{NContestants: contestants}
	switch is.options.model {
	case downToSize:
		return mended{is, eaopt.ModDownToSize{NOffsprings: uint(is.options.Population / 2), SelectorA: choose,
			SelectorB: eaopt.SelElitism{}, MutRate: 1 - crossRate, CrossRate: crossRate}}
	case generational:
		return mended{is, eaopt.ModGenerational{Selector: choose, MutRate: 1 - crossRate, CrossRate: crossRate}}
	default:
		return elite{is}
	}
}

// elite is the model of this package: of the better half those stay that lie in
// different orbits, the others are children of these, by parents chosen in
// tournaments, crossed over or mutated. A child comes for every one of the worse
// half, a fresh placement for every double.
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

// tournament returns the best of some random places among so many, best first.
func (elite) tournament(places int, pop *eaopt.Population) int {
	best := pop.RNG.Intn(places)
	for range contestants - 1 {
		best = min(best, pop.RNG.Intn(places))
	}
	return best
}

// distinct returns the first individuals of different orbits, at most so many.
func distinct(list eaopt.Individuals, most int) eaopt.Individuals {
	seen := map[uint64]bool{}
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

// mended is a model of eaopt with two of its defects made good: the best is never
// lost, and doubles up to symmetry are replaced by fresh placements.
type mended struct {
	island *island
	eaopt.Model
}

// Apply replaces a population, sorted by fitness, by the next generation.
func (m mended) Apply(pop *eaopt.Population) error {
	best := pop.Individuals[0].Clone(pop.RNG)
	if err := m.Model.Apply(pop); err != nil {
		return err
	}
	seen := map[uint64]bool{best.Genome.(*genome).individual.key: true}
	for i := range pop.Individuals {
		x := &pop.Individuals[i]
		individual := x.Genome.(*genome).individual
		switch {
		case individual == nil:
		case seen[individual.key]:
			m.island.renew(x, pop)
		default:
			seen[individual.key] = true
		}
	}
	pop.Individuals[len(pop.Individuals)-1] = best
	return nil
}
