package counts_test

import (
	"bytes"
	"context"
	"errors"
	"math/big"
	"math/bits"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/encode/steps"
	"leeway/objective"
	"leeway/results/check"
	"leeway/results/check/kernel"
	"leeway/search/counts"
	"leeway/search/searchtest"
)

func free(int64) error { return nil }

// TestAgainstAllPlacements holds refutations of random small problems against the best of all placements: the kernel
// accepts that none is below it, and what is refuted ends there. All ways to go by cases have their turn.
func TestAgainstAllPlacements(t *testing.T) {
	for i := range coretest.Cases(4000, 400) {
		rng := coretest.Rng(3301, i)
		torus := coretest.Network(rng, 12)
		if i%16 == 0 { // all nodes in one slab
			torus = coretest.Must(core.ParseNetwork([]string{"1x5:twist=2", "1x7:twist=3", "3x1x4:twist=0,0,0+0,0,3+0,0,0",
				"1x9:twist=4", "2x1x3:twist=0,0,0+1,0,1+0,0,0"}[rng.IntN(5)]))
		}
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
			with, err := p.WithNear(objective.Near{Radius: rng.IntN(3), Distance: rng.IntN(2) * rng.IntN(3*torus.N())})
			if err != nil {
				continue
			}
			p = with
		}
		if counts.Refutes(p) != nil {
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
			err := counts.RefuteBy(context.Background(), i%counts.Plans, p, below, steps.NewWriter(&b, steps.Sets(p)))
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
		var there *counts.PlacementError
		if _, err := refute(above); !errors.As(err, &there) {
			t.Fatalf("case %d, %s below %s: %v", i, p, above.RatString(), err)
		} else if most, _ := p.Naive(there.Placement).Max(); most.Cmp(best) != 0 || !p.Admits(there.Placement) {
			t.Fatalf("case %d: %v has %s", i, there.Placement.Nodes(), most.RatString())
		}
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
		torus := coretest.Must(core.ParseTorus(c.torus))
		p := coretest.Must(objective.NewProblem(coretest.Must(routing.Parse(torus, c.routing)), c.size))
		below := big.NewRat(c.below, 1)
		var b bytes.Buffer
		w := steps.NewWriter(&b, steps.Sets(p))
		if err := counts.Refute(context.Background(), p, below, w); err != nil || w.Steps > c.steps {
			t.Errorf("%s below %d: %d steps, %v", p, c.below, w.Steps, err)
			continue
		}
		if _, err := kernel.Check(check.StepsQuestion(p, below, false), &b, false, free); err != nil {
			t.Errorf("%s below %d: %v", p, c.below, err)
		}
	}
}

// TestTwistedClients has the kernel follow refutations about clients and given nodes on small twisted tori, where a
// processor may put less on a link of its own line than others of its slab do.
func TestTwistedClients(t *testing.T) {
	for i := range coretest.Cases(6000, 700) {
		rng := coretest.Rng(777, i)
		torus := coretest.AnyNetwork(rng, 14)
		if !torus.Twisted() {
			continue
		}
		n := 1 + rng.IntN(torus.N())
		p := coretest.Must(objective.NewProblem(coretest.Routing(rng, torus), n))
		traffic := objective.Traffic{Request: 1 + rng.IntN(2), Reply: 1 + rng.IntN(3)}
		if rng.IntN(2) == 0 {
			traffic.Replies = coretest.Routing(rng, torus)
		}
		p, err := p.WithTraffic(traffic)
		if err != nil {
			continue
		}
		var fixed, forbidden []int
		for v := range torus.N() {
			switch rng.IntN(5) {
			case 0:
				fixed = append(fixed, v)
			case 1:
				forbidden = append(forbidden, v)
			}
		}
		if len(fixed) > n || torus.N()-len(forbidden) < n {
			continue
		}
		if p = coretest.Must(p.WithNodes(fixed, forbidden)); counts.Refutes(p) != nil {
			continue
		}
		best := searchtest.Optimum(p)
		var b bytes.Buffer
		err = counts.RefuteBy(context.Background(), i%counts.Plans, p, best, steps.NewWriter(&b, steps.Sets(p)))
		if err == nil {
			_, err = kernel.Check(check.StepsQuestion(p, best, false), &b, false, free)
		}
		if err != nil {
			t.Errorf("case %d: %s below %s: %v", i, p, best.RatString(), err)
		}
	}
}
