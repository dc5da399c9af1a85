package slabs

import (
	"context"
	"math/big"
	"testing"

	"leeway/core/coretest"
	"leeway/objective"
	"leeway/search/census"
)

// BenchmarkProve shows that no placement is below the optimum, on tori and on networks of the same sides, with one
// worker.
func BenchmarkProve(b *testing.B) {
	for _, c := range []struct {
		engine         census.Engine
		where, routing string
		n              int
		optimum        string
	}{
		{Margin{}, "8x8", "odr", 16, "8"}, {Margin{}, "8x8:open=0,1", "odr", 16, "14"},
		{Margin{}, "8x8:open=0", "odr", 16, "12"}, {Margin{}, "8x8:open=0,1:bandwidth=2,1", "odr", 16, "12"},
		{Margin{}, "8x8:bandwidth=1000,1", "odr", 16, "6"},
		{Margin{}, "8x8:fixed=0,0:forbidden=3,3+4,4", "odr", 16, "10"},
		{Levels{}, "3x3x3", "udr", 9, "4/3"}, {Levels{}, "3x3x3:open=0,1,2", "udr", 9, "8/3"},
		{Levels{}, "4x4x4:open=0,1,2", "odr", 8, "4"},
	} {
		p := coretest.Must(objective.ParseProblem(c.where, c.routing, c.n))
		below, _ := new(big.Rat).SetString(c.optimum)
		b.Run(c.engine.Name()+"/"+c.where+"/"+c.routing, func(b *testing.B) {
			for b.Loop() {
				plan := coretest.Must(c.engine.Plan(context.Background(), p, below, 1))
				cut := census.Cut(plan)
				answer := census.Run(context.Background(), plan, cut, make([]bool, len(cut)), census.Options{Workers: 1})
				if !answer.Complete {
					b.Fatalf("%v is below %s", answer.Found.Nodes(), c.optimum)
				}
				b.ReportMetric(float64(len(plan.Prefixes())), "prefixes")
			}
		})
	}
}
