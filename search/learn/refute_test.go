package learn_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/encode/steps"
	"leeway/objective"
	"leeway/results/check/judgetest"
	"leeway/search/learn"
	"leeway/search/searchtest/refutetest"
)

// plane returns a torus or mesh of two dimensions of at most 12 nodes.
func plane(rng *rand.Rand) *core.Torus {
	for {
		k, l := 2+rng.IntN(6), 2+rng.IntN(6)
		if k*l > 12 {
			continue
		}
		return coretest.Must(core.ParseNetwork(fmt.Sprintf("%dx%d%s", k, l,
			[]string{"", "", ":open=0", ":open=1", ":open=0,1", ":bandwidth=2,1"}[rng.IntN(6)])))
	}
}

// TestAgainstAllPlacements holds refutations of random small problems against the best of all placements.
func TestAgainstAllPlacements(t *testing.T) {
	for i := range coretest.Cases(4000, 400) {
		rng := coretest.Rng(3302, i)
		refute := func(p objective.Problem, below *big.Rat, w *steps.Writer) error {
			return learn.Refute(t.Context(), p, below, w)
		}
		refutetest.HoldRandom(t, judgetest.Steps, rng, plane(rng), learn.Refutes, refute)
	}
}
