package objective_test

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/core/routing"
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
		toggle := func(v int) {
			if set.Has(v) {
				set.Remove(v)
			} else {
				set.Add(v)
			}
		}
		for range 12 {
			v, w := rng.IntN(in.Torus.N()), rng.IntN(in.Torus.N())
			moved := []int{v}
			switch {
			case set.Has(v) && !set.Has(w) && rng.IntN(2) == 0:
				inc.Swap(v, w)
				moved = append(moved, w)
			case set.Has(v):
				inc.Remove(v)
			default:
				inc.Add(v)
			}
			if rng.IntN(4) == 0 {
				inc.Undo()
				moved = nil
			}
			for _, u := range moved {
				toggle(u)
			}
			if rng.IntN(4) == 0 {
				tryRandomSwap(t, in, inc, set, rng)
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
			t.Fatalf("%s, now %v: peak %s on %d links, naive %s on %d", in, now.Nodes(), got.RatString(), links,
				want.RatString(), wantLinks)
		}
	}
}

// tryRandomSwap compares TrySwap, which must leave everything as it is, with the
// naive evaluation of the placement after the swap.
func tryRandomSwap(t *testing.T, in coretest.Instance, inc objective.Incremental, set core.Set, rng *rand.Rand) {
	t.Helper()
	out, to := rng.IntN(in.Torus.N()), rng.IntN(in.Torus.N())
	if !set.Has(out) || set.Has(to) || !inc.Exact() {
		return
	}
	most, links := inc.TrySwap(out, to)
	after := core.NewSet(in.Torus.N())
	copy(after, set)
	after.Remove(out)
	after.Add(to)
	want, wantLinks := objective.Naive(in.Routing, core.MustPlacement(in.Torus, after.Nodes())).Max()
	if got := big.NewRat(most, inc.Den()); got.Cmp(want) != 0 || want.Sign() > 0 && links != wantLinks {
		t.Fatalf("%s, now %v, swap %d for %d: peak %s on %d links, naive %s on %d", in, set.Nodes(), out, to,
			got.RatString(), links, want.RatString(), wantLinks)
	}
}

// TestIncrementalOnALargeTorus holds the evaluator of large tori against the
// naive one.
func TestIncrementalOnALargeTorus(t *testing.T) {
	torus := core.MustTorus(9, 16, 15)
	for i, r := range []routing.Routing{routing.NewUDR(torus, routing.TieBoth),
		coretest.Orders(coretest.Rng(8, 1), torus)} {
		rng := coretest.Rng(8, i)
		p := family.Draw(torus, 12, rng)
		in := coretest.Instance{Torus: torus, Routing: r, Placement: p}
		inc := coretest.Must(objective.NewIncremental(r, 12))
		inc.Reset(p.Nodes())
		set := p.Set()
		for range 3000 {
			tryRandomSwap(t, in, inc, set, rng)
		}
	}
}
