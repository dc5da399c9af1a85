package learn_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/encode/steps"
	"leeway/objective"
	"leeway/results/check"
	"leeway/results/check/kernel"
	"leeway/search/learn"
)

func free(int64) error { return nil }

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

// TestAgainstAllPlacements holds refutations of random small problems against the best of all placements: the kernel
// accepts that none is below it, and what is refuted ends there.
func TestAgainstAllPlacements(t *testing.T) {
	for i := range coretest.Cases(4000, 400) {
		rng := coretest.Rng(3302, i)
		torus := plane(rng)
		r := coretest.Routing(rng, torus)
		n := 1 + rng.IntN(torus.N())
		p := coretest.Must(objective.NewProblem(r, n))
		if rng.IntN(4) == 0 {
			traffic := objective.Traffic{Request: 1 + rng.IntN(2), Reply: 1 + rng.IntN(3)}
			if rng.IntN(2) == 0 {
				traffic.Replies = coretest.Routing(rng, torus)
			}
			with, err := p.WithTraffic(traffic)
			if err != nil {
				continue
			}
			p = with
		}
		if rng.IntN(6) == 0 {
			with, err := p.WithNear(objective.Near{Radius: rng.IntN(3), Distance: 0})
			if err != nil {
				continue
			}
			p = with
		}
		if learn.Refutes(p) != nil {
			continue
		}
		var fixed, forbidden []int
		if rng.IntN(3) == 0 {
			for v := range torus.N() {
				switch rng.IntN(6) {
				case 0:
					fixed = append(fixed, v)
				case 1:
					forbidden = append(forbidden, v)
				}
			}
			if len(fixed) > n || torus.N()-len(forbidden) < n {
				continue
			}
			p = coretest.Must(p.WithNodes(fixed, forbidden))
		}
		var best *big.Rat
		for set := range uint64(1) << torus.N() {
			if bits.OnesCount64(set) != n {
				continue
			}
			s := core.MustPlacement(torus, core.Set{set}.Nodes())
			if !p.Admits(s) {
				continue
			}
			if most, _ := p.Naive(s).Max(); best == nil || most.Cmp(best) < 0 {
				best = most
			}
		}
		if best == nil { // no placement is near enough to all nodes
			continue
		}
		refute := func(below *big.Rat) (bytes.Buffer, error) {
			var b bytes.Buffer
			err := learn.Refute(context.Background(), p, below, steps.NewWriter(&b, steps.Sets(p)))
			return b, err
		}
		stream, err := refute(best)
		if err != nil {
			t.Fatalf("case %d, %s fixed %v forbidden %v below %s: %v", i, p, fixed, forbidden, best.RatString(), err)
		}
		q := check.StepsQuestion(p, best, false)
		if _, err := kernel.Check(q, &stream, false, free); err != nil {
			t.Fatalf("case %d, %s fixed %v forbidden %v below %s: %v", i, p, fixed, forbidden, best.RatString(), err)
		}
		above := new(big.Rat).Add(best, big.NewRat(1, 1000000))
		var there *learn.PlacementError
		if _, err := refute(above); !errors.As(err, &there) {
			t.Fatalf("case %d, %s below %s: %v", i, p, above.RatString(), err)
		} else if most, _ := p.Naive(there.Placement).Max(); most.Cmp(best) != 0 || !p.Admits(there.Placement) {
			t.Fatalf("case %d: %v has %s", i, there.Placement.Nodes(), most.RatString())
		}
	}
}
