package cuts_test

import (
	"bytes"
	"context"
	"errors"
	"math/big"
	"testing"

	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/encode/steps"
	"leeway/objective"
	"leeway/results/check"
	"leeway/results/check/kernel"
	"leeway/search/cuts"
	"leeway/search/searchtest"
)

func free(int64) error { return nil }

// shown reports whether a proof is written, which the kernel accepts.
func shown(t *testing.T, p objective.Problem, below *big.Rat) bool {
	t.Helper()
	var out bytes.Buffer
	err := cuts.Refute(context.Background(), p, below, steps.NewWriter(&out, steps.Sets(p)))
	if errors.Is(err, cuts.ErrOpen) {
		return false
	}
	if err != nil {
		t.Fatalf("%s below %s: %v", p, below, err)
	}
	if _, err := kernel.Check(check.StepsQuestion(p, below, false), &out, false, free); err != nil {
		t.Fatalf("%s below %s: %v", p, below, err)
	}
	return true
}

// TestAgainstOptima holds what is shown against the best of all placements, and has the kernel follow it.
func TestAgainstOptima(t *testing.T) {
	kinds := map[string]int{}
	for i := range coretest.Cases(3000, 300) {
		rng := coretest.Rng(3302, i)
		p := searchtest.Conditioned(rng, 9)
		kind := "conditions"
		switch i % 4 {
		case 0:
			p, kind = searchtest.Clients(rng, 9), "clients"
		case 1:
			p = coretest.Must(objective.NewProblem(coretest.Routing(rng, coretest.Network(rng, 9)), 2))
			if p = p.WithSize(2 + rng.IntN(p.Torus().N()-1)); rng.IntN(4) == 0 {
				p.Routing = coretest.Must(routing.Parse(p.Torus(), "avoid"))
			}
			kind = "plain"
		}
		optimum := searchtest.Optimum(p)
		if optimum == nil {
			continue
		}
		for k := int64(8); k > 0; k-- {
			if shown(t, p, new(big.Rat).Mul(optimum, big.NewRat(k, 8))) {
				kinds[kind]++
				break
			}
		}
		if shown(t, p, new(big.Rat).Add(optimum, big.NewRat(1, 1000))) {
			t.Fatalf("case %d: %s: a placement has %s", i, p, optimum)
		}
	}
	if len(kinds) < 3 {
		t.Error(kinds)
	}
	t.Log(kinds)
}

// TestCuts shows values that follow from the size by hand.
func TestCuts(t *testing.T) {
	for _, c := range []struct {
		network, routing string
		size             int
		below            *big.Rat
		shown            bool
	}{
		{"20x20", "udr", 20, big.NewRat(5, 1), true},           // 19/4, in halves
		{"20x20", "udr", 20, big.NewRat(51, 10), false},        // 5 is a half
		{"8x8", "avoid", 20, big.NewRat(19, 4), true},          // any value
		{"8x8", "avoid", 20, big.NewRat(57, 10), false},        //
		{"4x4", "free", 9, big.NewRat(2, 1), true},             // 8/4
		{"4x4", "free:single-path", 8, big.NewRat(2, 1), true}, // 7/4, whole
		{"4x4", "free", 8, big.NewRat(2, 1), false},            //
		{"8x8:open=0,1", "odr", 64, big.NewRat(31, 1), true},   // 63/2 at a corner
		{"9x9x9", "odr", 32, big.NewRat(6, 1), true},           // 31/6, whole
	} {
		p := searchtest.Problem(c.network, c.routing, c.size)
		if got := shown(t, p, c.below); got != c.shown {
			t.Errorf("%s below %s: shown is %v", p, c.below, got)
		}
	}
}
