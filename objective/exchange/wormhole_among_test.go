package exchange

import (
	"errors"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"leeway/core"
)

// TestAmong plays plans for whole tori with the blocks of random processors only: all must
// arrive, and no phase is without a send.
func TestAmong(t *testing.T) {
	random := rand.New(rand.NewPCG(21, 0))
	for _, c := range [][2]string{{"t4", "8x8"}, {"t1", "5x6"}, {"c1", "3x4x2"}, {"c64", "4x4x4"}, {"t4", "4x12"}} {
		for _, v := range []Variant{Published, Balanced} {
			plan := planOf(t, c[0], c[1], v).Schedule()
			tor := core.MustTorus(plan.Sides...)
			for range 4 {
				nodes := core.MustPlacement(tor, random.Perm(tor.N())[:2+random.IntN(9)]).Nodes()
				got, err := simulate(Among(plan, nodes))
				if err != nil || slices.Contains(got.sizes, 0) {
					t.Errorf("%v among %v: sizes %v, %v", c, nodes, got.sizes, err)
				}
			}
		}
	}
}

// TestRankAmong: each scheme costs what a run of it shows; without turns the packing is the
// fastest where startups cost nothing, a plan where they cost much, with turns the direct
// packing where they cost nothing.
func TestRankAmong(t *testing.T) {
	_, _, k := packed(t, "8x8", "spaced:t=2", "udr")
	relayed := k.Relayed()
	for _, c := range []struct {
		startup int64
		turning bool
		want    string
	}{{0, false, "pack"}, {1000, false, "t1"}, {0, true, "direct"}, {1000, true, "t1"}} {
		r, err := k.RankAmong(relayed, machine(c.startup, 1, 1), c.turning)
		if err != nil {
			t.Fatal(err)
		}
		first := slices.IndexFunc(r.Schemes, func(s Ranked) bool { return c.turning || s.Name != RankedDirect })
		if best := r.Schemes[first]; best.Name != c.want || r.Crossovers[0].From.Sign() != 0 || r.Crossovers[len(r.Crossovers)-1].Best.Name != "t1" {
			t.Errorf("%+v: the best is %s; crossovers %v", c, best.Label(), r.Crossovers)
		}
		for _, s := range r.Schemes {
			if s.Plan == nil {
				continue
			}
			got, err := simulate(Among(s.Plan.Schedule(), k.Processors))
			if err != nil || s.Startups.Cmp(big.NewInt(int64(len(got.sizes)))) != 0 || s.Transmission.Cmp(big.NewInt(int64(total(got.sizes)))) != 0 {
				t.Errorf("%s: %v startups, %v blocks, a run has %v: %v", s.Label(), s.Startups, s.Transmission, got.sizes, err)
			}
		}
	}
	var e *core.InputError
	if _, err := k.RankAmong(relayed, Machine{}, false); !errors.As(err, &e) {
		t.Errorf("without costs: %v", err)
	}
}

// TestAmongOfLarge: tori of more than 1024 nodes have no plans in the ranking, and say why.
func TestAmongOfLarge(t *testing.T) {
	_, _, k := packed(t, "36x36", "nodes:0,0+3,4", "odr")
	r, err := k.RankAmong(k.Relayed(), machine(1, 1, 1), false)
	if err != nil || len(r.Schemes) != 2 || !slices.ContainsFunc(r.Refused, func(f Refusal) bool { return f.Name == "plans" }) {
		t.Errorf("%+v, %v", r, err)
	}
}
