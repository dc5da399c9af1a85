package genetic

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"testing"

	"leeway/objective"
	"leeway/search"
	"leeway/search/searchtest"
)

// BenchmarkModels reports for each eaopt model the median evaluations to a value
// over nine seeds, no starts, and how many seeds missed it within a million. Walks
// are kept short: with those of the defaults the first population reaches every
// one of these values, and the models do not differ.
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
		for kind, name := range []string{"elite", "downToSize", "generational"} {
			b.Run(fmt.Sprintf("%s_n=%d_%s/%s", c.torus, c.n, c.routing, name), func(b *testing.B) {
				for b.Loop() {
					median, missed := toTarget(b, p, c.value, Options{Trials: 2, model: modelKind(kind)})
					b.ReportMetric(float64(median), "evaluations")
					b.ReportMetric(float64(missed), "missed")
				}
			})
		}
	}
}

func toTarget(b *testing.B, p objective.Problem, value *big.Rat, o Options) (median int64, missed int) {
	var spent []int64
	for seed := range uint64(9) {
		out, err := Method{o}.Run(context.Background(), search.Params{Problem: p, Goal: value, Seed: seed, Evaluations: 1_000_000, Workers: 1})
		if err != nil {
			b.Fatal(err)
		}
		if out.Reason != search.Reached {
			missed++
		}
		spent = append(spent, out.Evaluations)
	}
	slices.Sort(spent)
	return spent[len(spent)/2], missed
}
