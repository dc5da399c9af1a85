package objective_test

import (
	"math/big"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/objective"
)

// Pair by pair the table gives what the naive evaluator finds for the two alone.
func TestPairLoadsEqualNaive(t *testing.T) {
	for i := range 60 {
		rng := coretest.Rng(71, i)
		torus := coretest.Torus(rng, 24)
		r := coretest.Routing(rng, torus)
		if i%5 == 0 {
			r = coretest.Table(rng, torus, false)
		}
		if r.DependsOnPlacement() || !routing.Invariant(r) {
			continue
		}
		table := objective.NewPairLoads(r)
		for p := range torus.N() {
			for q := range torus.N() {
				checkPair(t, table, r, p, q)
			}
		}
	}
}

func checkPair(t *testing.T, table *objective.PairLoads, r routing.Routing, p, q int) {
	t.Helper()
	torus := r.Torus()
	if p == q {
		if shares, _ := table.Between(p, q); len(shares) > 0 {
			t.Fatalf("%s on %s: node %d sends itself %v", r, torus, p, shares)
		}
		return
	}
	if d := torus.Displacement(p, q); table.Displaced(p, d) != q {
		t.Fatalf("%s: %d + %d is %d, want %d", torus, p, d, table.Displaced(p, d), q)
	}
	want := objective.Naive(r, core.MustPlacement(torus, []int{p, q}))
	added, listed := make([]int32, table.Links()), make([]int32, table.Links())
	table.Add(added, p, q, 1)
	shares, at := table.Between(p, q)
	for _, s := range shares {
		listed[s.Base+at[s.From]] += s.Load
	}
	exchanged := make([]int64, table.Links())
	for _, l := range objective.Exchanged(r, p, q, 3*table.Den()) {
		exchanged[l.Link(torus)] += l.Load
	}
	for l := range added {
		load := want.At(core.Link(l))
		if big.NewRat(int64(added[l]), table.Den()).Cmp(load) != 0 || listed[l] != added[l] ||
			big.NewRat(exchanged[l], 3*table.Den()).Cmp(load) != 0 {
			t.Fatalf("%s on %s: link %d carries %d, %d and %d/3 of 1/%d for %d and %d, want %s", r, torus, l,
				added[l], listed[l], exchanged[l], table.Den(), p, q, load.RatString())
		}
	}
}
