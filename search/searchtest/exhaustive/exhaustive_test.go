package exhaustive

import (
	"context"
	"testing"

	"leeway/core/coretest"
	"leeway/search"
	"leeway/search/searchtest"
)

func TestConformance(t *testing.T) { searchtest.Conform(t, Method{}) }

// TestFindsTheOptimum: that of all placements by the naive evaluator, which nothing is below.
func TestFindsTheOptimum(t *testing.T) {
	for _, p := range searchtest.Small() {
		out := coretest.Must(Method{}.Run(context.Background(), search.Params{Problem: p, Workers: 1}))
		if want := searchtest.Optimum(p); out.Value.Cmp(want) != 0 || out.Reason != search.Complete ||
			out.Refutation.Below.Cmp(want) != 0 {
			t.Errorf("%s: %s, %s, refutation %+v; the optimum is %s", p, out.Value.RatString(), out.Reason, out.Refutation,
				want.RatString())
		}
	}
}
