package witnesses

import (
	"context"
	"math/big"
	"testing"

	"leeway/core/coretest"
	"leeway/objective/bound"
	"leeway/objective/lowerbound"
	"leeway/results/check/meter"
)

// each is all-to-all traffic.
func each(int, int) int64 { return 1 }

// TestWeightsOfCongestion accepts what the bound finds, and refuses it with the value a little higher.
func TestWeightsOfCongestion(t *testing.T) {
	for i := range 400 {
		rng := coretest.Rng(52, i)
		in := coretest.Random(rng, 30)
		if i%2 == 1 {
			in = coretest.RandomOn(rng, coretest.AnyNetwork(rng, 30))
		}
		bounds := coretest.Must(bound.PlacementBounds(context.Background(), in.Routing, in.Placement))
		b := named(bounds, lowerbound.Congestion)
		if problem := weightsProblem(meter.Unlimited(t.Context()), in.Torus, b, in.Placement.Nodes(), each); problem != "" {
			t.Fatalf("case %d, %s: %s", i, in, problem)
		}
		b.Value = new(big.Rat).Add(b.Value, big.NewRat(1, 1_000_000))
		if problem := weightsProblem(meter.Unlimited(t.Context()), in.Torus, b, in.Placement.Nodes(), each); problem == "" {
			t.Fatalf("case %d, %s: accepted with a value too high", i, in)
		}
	}
}
