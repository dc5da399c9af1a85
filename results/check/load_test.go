package check

import (
	"context"
	"math/big"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results/check/meter"
)

// TestLargeMinimal needs flows: 32x32 has more shortest paths than can be listed. Two processors at distance 8+8 meet
// on the first link of each with half of each way's traffic.
func TestLargeMinimal(t *testing.T) {
	torus := core.MustTorus(64, 64)
	r := routing.NewMinimal(torus, routing.TieBoth)
	p := coretest.Must(core.PlacementFromCoords(torus, [][]int{{0, 0}, {16, 16}}))
	most, note, err := MaxLoad(meter.Unlimited(context.Background()), objective.Problem{Routing: r}, p)
	if err != nil || note == "" || most.Cmp(big.NewRat(1, 2)) != 0 {
		t.Errorf("load %v, note %q, error %v", most, note, err)
	}
}
