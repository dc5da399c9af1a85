package slabs_test

import (
	"bytes"
	"context"
	"errors"
	"math/big"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/encode/steps"
	"leeway/objective"
	"leeway/results/check"
	"leeway/results/check/kernel"
	"leeway/search/searchtest"
	"leeway/search/slabs"
)

func free(int64) error { return nil }

// accepted has the kernel follow a proof.
func accepted(t *testing.T, p objective.Problem, below *big.Rat, stream *bytes.Buffer) {
	t.Helper()
	if _, err := kernel.Check(check.StepsQuestion(p, below, false), stream, false, free); err != nil {
		t.Fatalf("%s below %s: %v", p, below, err)
	}
}

// TestAgainstOptima holds what each way refutes against the best of all placements, and has the kernel follow it.
func TestAgainstOptima(t *testing.T) {
	proved := map[int]int{}
	for i := range coretest.Cases(1600, 100) {
		rng := coretest.Rng(3303, i)
		p := searchtest.Conditioned(rng, 9)
		if i%2 == 0 {
			network := coretest.AnyNetwork(rng, 12)
			if i%4 == 0 {
				network = coretest.Must(core.ParseTorus([]string{"2x2x2", "2x2x3", "3x4", "2x6", "3x3"}[rng.IntN(5)]))
			}
			p = coretest.Must(objective.NewProblem(coretest.Routing(rng, network), 1+rng.IntN(network.N())))
		}
		if slabs.Refutes(p) != nil {
			continue
		}
		optimum := searchtest.Optimum(p)
		if optimum == nil {
			continue
		}
		ways, err := slabs.Ways(p)
		if err != nil {
			continue // an optimum that is no fraction of small numbers, where paths depend on the processors
		}
		for way := range ways {
			for k := int64(8); k >= 0; k-- {
				below := new(big.Rat).Mul(optimum, big.NewRat(k, 8))
				if k == 0 {
					below = new(big.Rat).Add(optimum, big.NewRat(1, 1000))
				}
				var stream bytes.Buffer
				dims, err := slabs.RefuteBy(way, p, below, steps.NewWriter(&stream, steps.Sets(p)))
				if errors.Is(err, slabs.ErrOpen) {
					continue
				}
				if err != nil || k == 0 {
					t.Fatalf("case %d: %s below %s: %v, a placement has %s", i, p, below, err, optimum)
				}
				accepted(t, p, below, &stream)
				proved[dims]++
			}
		}
	}
	for dims := range 3 {
		if proved[dims+1] == 0 {
			t.Errorf("no case is proved by %d dimensions", dims+1)
		}
	}
	t.Log(proved)
}

// TestLargeTori proves values of which no other engine comes to an end, and free and adaptive routings.
func TestLargeTori(t *testing.T) {
	for _, c := range []struct {
		network, routing string
		size             int
		below            *big.Rat
	}{
		{"6x6x6", "udr:tie=both", 72, big.NewRat(18, 1)},
		{"6x6x6", "udr", 36, big.NewRat(6, 1)},
		{"4x4x4x4", "odr", 64, big.NewRat(32, 1)},
		{"4x4x4x4", "odr:tie=both", 64, big.NewRat(24, 1)},
		{"6x4", "free", 13, big.NewRat(5, 1)},            // 42/8: six of thirteen in three of the six slabs
		{"4x4", "free:single-path", 9, big.NewRat(3, 1)}, // 3 (9-3)/8, whole: three in two rows, or six
		{"8x8", "avoid:tie=both", 23, big.NewRat(15, 2)},
		{"8x8", "minimal", 22, big.NewRat(7, 1)},
		{"7x7:open=0,1", "minimal", 18, big.NewRat(72, 7)},
	} {
		p := searchtest.Problem(c.network, c.routing, c.size)
		var stream bytes.Buffer
		if err := slabs.Refute(context.Background(), p, c.below, steps.NewWriter(&stream, steps.Sets(p))); err != nil {
			t.Errorf("%s below %s: %v", p, c.below, err)
			continue
		}
		size := stream.Len()
		accepted(t, p, c.below, &stream)
		t.Log(p, size)
	}
}
