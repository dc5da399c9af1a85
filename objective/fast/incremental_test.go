package fast_test

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/fast"
)

// TestIncrementalEqualsNaive makes random moves, undoing some, and compares the
// peak with the naive evaluation of the nodes now occupied.
func TestIncrementalEqualsNaive(t *testing.T) {
	for i := range coretest.Cases(400, 60) {
		rng := coretest.Rng(5, i)
		in := coretest.Random(rng, 32)
		if i%3 == 0 {
			in = coretest.RandomOn(rng, coretest.Any(rng, 32))
		}
		inc, err := fast.NewIncremental(objective.Problem{Routing: in.Routing}, in.Torus.N())
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
func tryRandomSwap(t *testing.T, in coretest.Instance, inc fast.Incremental, set core.Set, rng *rand.Rand) {
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
		inc := coretest.Must(fast.NewIncremental(objective.Problem{Routing: r}, 12))
		inc.Reset(p.Nodes())
		set := p.Set()
		for range 3000 {
			tryRandomSwap(t, in, inc, set, rng)
		}
	}
}

// TestIncrementalInManyDimensions: where no kernel counts in words, loads are those of pairs.
func TestIncrementalInManyDimensions(t *testing.T) {
	if !coretest.Long() {
		t.Skip("two million links take ten seconds")
	}
	torus := core.MustTorus(slices.Repeat([]int{2}, 17)...)
	r := routing.NewUDR(torus, routing.TiePlus)
	inc := coretest.Must(fast.NewIncremental(objective.Problem{Routing: r}, 3))
	nodes := []int{0, 5, torus.N() - 1}
	inc.Reset(nodes)
	want, _ := fast.Evaluate(objective.Problem{Routing: r}, core.MustPlacement(torus, nodes)).Max()
	if most, _ := inc.Peak(); big.NewRat(most, inc.Den()).Cmp(want) != 0 {
		t.Errorf("E_max %d/%d, want %s", most, inc.Den(), want)
	}
}

// Pair by pair the table gives what the naive evaluator finds for the two alone.
func TestPairLoadsEqualNaive(t *testing.T) {
	for i := range 60 {
		rng := coretest.Rng(71, i)
		torus := coretest.Torus(rng, 24)
		r := coretest.Routing(rng, torus)
		switch i % 5 {
		case 0:
			r = coretest.Table(rng, torus, false)
		case 1:
			r = coretest.Table(rng, torus, true)
		case 2:
			torus = coretest.Any(rng, 24)
			r = coretest.Routing(rng, torus)
		}
		if r.DependsOnPlacement() {
			continue
		}
		den := objective.Denominator(r).Int64()
		table := fast.NewTable(r, den)
		for p := range torus.N() {
			for q := range torus.N() {
				checkPair(t, table, r, den, p, q)
			}
		}
	}
}

func checkPair(t *testing.T, table *fast.Table, r routing.Routing, den int64, p, q int) {
	t.Helper()
	torus := r.Torus()
	if p == q {
		if j, _ := table.Pair(p, q); len(j.Shares) > 0 || j.Total != 0 {
			t.Fatalf("%s on %s: node %d sends itself %v", r, torus, p, j)
		}
		return
	}
	want := objective.Naive(r, core.MustPlacement(torus, []int{p, q}))
	added, listed, exchanged := make([]int32, torus.M()), make([]int32, torus.M()), make([]int64, torus.M())
	fast.Add(table, added, p, q, 1)
	j, at := table.Pair(p, q)
	for _, s := range j.Shares {
		listed[s.Base+at[s.From]] += int32(s.Load)
	}
	for _, l := range fast.Exchanged(r, p, q, 3*den) {
		exchanged[l.Link(torus)] += l.Load
	}
	for l := range added {
		load := want.Load(core.Link(l))
		if big.NewRat(int64(added[l]), den).Cmp(load) != 0 || listed[l] != added[l] ||
			big.NewRat(exchanged[l], 3*den).Cmp(load) != 0 {
			t.Fatalf("%s on %s: link %d carries %d, %d and %d/3 of 1/%d for %d and %d, want %s", r, torus, l,
				added[l], listed[l], exchanged[l], den, p, q, load.RatString())
		}
	}
}

// TestUnits compares with the definition, by counting.
func TestUnits(t *testing.T) {
	for num := int64(-12); num <= 12; num++ {
		for denom := int64(1); denom <= 6; denom++ {
			for den := int64(1); den <= 6; den++ {
				value := big.NewRat(num, denom)
				most, below := int64(-100), int64(-100)
				for u := int64(-100); u <= 100; u++ {
					switch big.NewRat(u, den).Cmp(value) {
					case -1:
						most, below = u, u
					case 0:
						most = u
					}
				}
				d := big.NewInt(den)
				if a, b, c := objective.Numerator(value, d), objective.NumeratorBelow(value, d), objective.NumeratorUp(value,
					d); a.Int64() != most || b.Int64() != below || c.Int64() != below+1 {
					t.Errorf("%s in 1/%d: at most %s, below %s, up %s; want %d, %d, %d", value.RatString(), den, a, b,
						c, most, below, below+1)
				}
			}
		}
	}
}

// TestGuided: rounded loads of pairs are those by the definition but for less than one part in 2^20.
func TestGuided(t *testing.T) {
	for i := range coretest.Cases(200, 60) {
		rng := coretest.Rng(3530, i)
		in := coretest.RandomOn(rng, coretest.AnyNetwork(rng, 16))
		if in.Routing.DependsOnPlacement() || routing.Complete(in.Routing) != nil {
			continue
		}
		nodes := rng.Perm(in.Torus.N())[:1+rng.IntN(in.Torus.N())]
		inc := fast.Guided(objective.Problem{Routing: in.Routing, Size: len(nodes)}, len(nodes))
		inc.Reset(nodes)
		for range 5 {
			inc.Remove(nodes[0])
			inc.Add(nodes[0])
		}
		most, _ := inc.Peak()
		want, _ := objective.Naive(in.Routing, core.MustPlacement(in.Torus, nodes)).Max()
		off := new(big.Rat).Sub(want, big.NewRat(most, inc.Den()))
		if inc.Exact() || off.Sign() < 0 || off.Cmp(new(big.Rat).Mul(want, big.NewRat(1, 1<<20))) > 0 {
			t.Fatalf("case %d, %s at %v: about %s, naive %s", i, in, nodes, big.NewRat(most, inc.Den()).FloatString(9),
				want.RatString())
		}
	}
}
