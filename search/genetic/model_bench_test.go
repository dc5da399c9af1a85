package genetic

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"testing"

	"github.com/MaxHalford/eaopt"

	"leeway/core/coretest"
	"leeway/objective"
	"leeway/search"
	"leeway/search/searchtest"
)

// models are the models that were compared; see the comment of the package.
var models = []struct {
	name string
	of   func(*island) eaopt.Model
}{
	{"elite", standard.model},
	{"downToSize", func(is *island) eaopt.Model {
		return mended{is, eaopt.ModDownToSize{NOffsprings: uint(is.options.population / 2), SelectorA: choose,
			SelectorB: eaopt.SelElitism{}, MutRate: 1 - crossRate, CrossRate: crossRate}}
	}},
	{"generational", func(is *island) eaopt.Model {
		return mended{is, eaopt.ModGenerational{Selector: choose, MutRate: 1 - crossRate, CrossRate: crossRate}}
	}},
}

var choose = eaopt.SelTournament{NContestants: contestants}

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
	seen := map[string]bool{best.Genome.(*genome).individual.key: true}
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

// BenchmarkModels reports for each eaopt model the median evaluations to a value over nine seeds, no starts, and how
// many seeds missed it within a million. Chains are kept short: with those of the defaults the first population reaches
// every one of these values, and the models do not differ.
func BenchmarkModels(b *testing.B) {
	for _, c := range []struct {
		torus, routing string
		n              int
		value          *big.Rat
	}{
		{"7x7", "udr:tie=both", 14, big.NewRat(4, 1)},
		{"10x10", "odr", 20, big.NewRat(10, 1)},
		{"8x8", "udr:tie=both", 16, big.NewRat(4, 1)},
		{"10x10", "udr:tie=both", 20, big.NewRat(5, 1)},
		{"8x8", "udr:tie=both", 24, big.NewRat(39, 4)},
		{"10x10", "udr:tie=both", 30, big.NewRat(51, 4)},
	} {
		p := searchtest.Problem(c.torus, c.routing, c.n)
		for _, m := range models {
			b.Run(fmt.Sprintf("%s_n=%d_%s/%s", c.torus, c.n, c.routing, m.name), func(b *testing.B) {
				for b.Loop() {
					median, missed := toTarget(b, p, c.value, &options{4, 12, 4, 2, m.of})
					b.ReportMetric(float64(median), "evaluations")
					b.ReportMetric(float64(missed), "missed")
				}
			})
		}
	}
}

func toTarget(b *testing.B, p objective.Problem, value *big.Rat, o *options) (median int64, missed int) {
	var spent []int64
	for seed := range uint64(9) {
		out := coretest.Must(Method{o}.Run(context.Background(),
			search.Params{Problem: p, Goal: value, Seed: seed, Evaluations: 1_000_000, Workers: 1}))
		if out.Reason != search.Reached {
			missed++
		}
		spent = append(spent, out.Evaluations)
	}
	slices.Sort(spent)
	return spent[len(spent)/2], missed
}
