package exchange

import (
	"errors"
	"math/big"
	"slices"
	"testing"

	"leeway/core"
)

func machine(startup, transmit, block int64) Machine {
	return Machine{big.NewRat(startup, 1), big.NewRat(transmit, 1), big.NewRat(block, 1)}
}

// TestCrossoversAgainstTrial tries ratios one by one: at each, the scheme of the last
// crossover at or below it must be as fast as any.
func TestCrossoversAgainstTrial(t *testing.T) {
	for _, sides := range [][]int{{16, 16}, {8, 8}, {32, 32}, {12, 20}, {6, 6}, {16, 16, 16}, {8, 8, 8}, {30}, {3, 4, 5, 2}} {
		tor := core.MustTorus(sides...)
		for ratio := int64(0); ratio < 3000; ratio += 1 + ratio/7 {
			r, err := Rank(tor, machine(ratio*3, 1, 3))
			if err != nil {
				t.Fatal(err)
			}
			at := big.NewRat(ratio, 1)
			var now Crossover
			for i, c := range r.Crossovers {
				if i > 0 && c.From.Cmp(r.Crossovers[i-1].From) <= 0 {
					t.Fatalf("%v: crossovers %d and %d do not ascend", sides, i-1, i)
				}
				if c.From.Cmp(at) <= 0 {
					now = c
				}
			}
			if now.Best.Latency.Cmp(r.Best().Latency) != 0 {
				t.Errorf("%v, ratio %d: %s at %v, but the best is %s at %v", sides, ratio, now.Best.Label(), now.Best.Latency, r.Best().Label(), r.Best().Latency)
			}
			if !slices.IsSortedFunc(r.Schemes, func(a, b Ranked) int { return a.Latency.Cmp(b.Latency) }) {
				t.Errorf("%v, ratio %d: not ranked", sides, ratio)
			}
		}
	}
}

// TestRankOnSquare checks one latency by hand: T4 on 16x16 has 10 startups and 1152
// blocks, so 10*100 + 1152*2*5.
func TestRankOnSquare(t *testing.T) {
	r, err := Rank(core.MustTorus(16, 16), machine(100, 2, 5))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]*big.Rat{}
	for _, s := range r.Schemes {
		found[s.Label()] = s.Latency
		if (s.Plan == nil) != slices.Contains([]string{"t-2d1", "t-2d2", "dp-2d"}, s.Name) {
			t.Errorf("%s: plan %v", s.Name, s.Plan)
		}
	}
	if len(found) != 7 || found["t4"] == nil || found["t4"].Cmp(big.NewRat(12520, 1)) != 0 {
		t.Errorf("latencies %v", found)
	}
	if r.Best().Label() != "t4 balanced" {
		t.Errorf("the best is %s", r.Best().Label())
	}
	if len(r.Refused) != 1 || r.Refused[0].Name != "c64" {
		t.Errorf("refused: %v", r.Refused)
	}
}

func TestRankErrors(t *testing.T) {
	for _, m := range []Machine{{}, machine(-1, 1, 1), machine(1, -1, 1), machine(1, 1, -1)} {
		var e *core.InputError
		if _, err := Rank(core.MustTorus(4, 4), m); !errors.As(err, &e) {
			t.Errorf("%v: error %v", m, err)
		}
	}
	var e *core.InputError
	if _, err := Rank(core.MustTorus(4099), machine(1, 1, 1)); !errors.As(err, &e) {
		t.Errorf("a ring of 4099: error %v", err)
	}
}
