package counts_test

import (
	"bytes"
	"context"
	"math/big"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/encode/steps"
	"leeway/objective"
	"leeway/results/check"
	"leeway/results/check/judgetest"
	"leeway/results/check/kernel"
	"leeway/search/counts"
	"leeway/search/searchtest"
	"leeway/search/searchtest/refutetest"
)

// TestAgainstAllPlacements holds refutations of random small problems against the best of all placements. All ways to
// go by cases have their turn. On twisted tori a processor may put less on a link of its own line than others of its
// slab do.
func TestAgainstAllPlacements(t *testing.T) {
	for i := range coretest.Cases(6000, 600) {
		rng := coretest.Rng(3301, i)
		torus := coretest.Network(rng, 12)
		switch {
		case i%16 == 0: // all nodes in one slab
			torus = coretest.Must(core.ParseNetwork([]string{"1x5:twist=2", "1x7:twist=3", "3x1x4:twist=0,0,0+0,0,3+0,0,0",
				"1x9:twist=4", "2x1x3:twist=0,0,0+1,0,1+0,0,0"}[rng.IntN(5)]))
		case i%3 == 0:
			torus = coretest.Twisted(rng, 12)
		}
		refute := func(p objective.Problem, below *big.Rat, w *steps.Writer) error {
			return counts.RefuteBy(t.Context(), i%counts.Plans, p, below, w)
		}
		refutetest.HoldRandom(t, judgetest.Steps, rng, torus, counts.Refutes, refute)
	}
}

// TestLargeTori proves values where what a line holds leaves the links of the line too little, each with a weight.
func TestLargeTori(t *testing.T) {
	for _, c := range []struct {
		torus, routing string
		size           int
		below          int64
		steps          int64
	}{
		{"12x12", "odr", 24, 12, 5000},
		{"12x12", "udr:tie=both", 36, 14, 5000},
		{"13x13", "udr", 26, 7, 5000},
		{"12x12", "odr:tie=both", 24, 11, 5000},
		{"14x14", "odr", 28, 14, 20000},
		{"16x16", "odr", 32, 16, 5000},
	}[:coretest.Cases(6, 2)] {
		p := searchtest.Problem(c.torus, c.routing, c.size)
		below := big.NewRat(c.below, 1)
		var b bytes.Buffer
		w := steps.NewWriter(&b, steps.Sets(p))
		if err := counts.Refute(context.Background(), p, below, w); err != nil || w.Steps > c.steps {
			t.Errorf("%s below %d: %d steps, %v", p, c.below, w.Steps, err)
			continue
		}
		question := check.StepsQuestion(p, below, false)
		if _, err := kernel.Check(question, &b, false, func(int64) error { return nil }); err != nil {
			t.Errorf("%s below %d: %v", p, c.below, err)
		}
	}
}
