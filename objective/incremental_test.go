package objective_test

import (
	"math/big"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/objective"
)

// TestIncrementalEqualsNaive makes random moves, undoing some, and compares the
// peak with the naive evaluation of the nodes now occupied.
func TestIncrementalEqualsNaive(t *testing.T) {
	cases := 400
	if testing.Short() {
		cases = 60
	}
	for i := range cases {
		rng := coretest.Rng(5, i)
		in := coretest.Random(rng, 32)
		inc, err := objective.NewIncremental(in.Routing, in.Torus.N())
		if err != nil {
			t.Fatalf("%s: %v", in, err)
		}
		inc.Reset(in.Placement.Nodes())
		set := in.Placement.Set()
		flip := func(v int) {
			if set.Has(v) {
				set.Remove(v)
				inc.Remove(v)
			} else {
				set.Add(v)
				inc.Add(v)
			}
		}
		for range 12 {
			v := rng.IntN(in.Torus.N())
			flip(v)
			if rng.IntN(3) == 0 {
				flip(v) // undo
			}
		}
		now := core.MustPlacement(in.Torus, set.Nodes())
		most, links := inc.Peak()
		want, wantLinks := objective.Naive(in.Routing, now).Max()
		got := big.NewRat(most, inc.Den())
		if !inc.Exact() {
			diff, _ := new(big.Rat).Sub(got, want).Float64()
			if diff > 1e-5 || diff < -1e-5 {
				t.Fatalf("%s, now %v: peak about %s, naive %s", in, now.Nodes(), got.FloatString(6), want.RatString())
			}
			continue
		}
		if got.Cmp(want) != 0 || want.Sign() > 0 && links != wantLinks {
			t.Fatalf("%s, now %v: peak %s on %d links, naive %s on %d", in, now.Nodes(), got.RatString(), links, want.RatString(), wantLinks)
		}
	}
}
