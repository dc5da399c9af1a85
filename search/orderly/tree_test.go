package orderly

import (
	"context"
	"math/big"
	"slices"
	"strings"
	"testing"

	"leeway/core/coretest"
	"leeway/objective"
	"leeway/search/searchtest"
)

// TestTreeIsTheOneInTheText holds plans, counts and sums against the twin, on all small tori, at limits from below
// every load to above the optimum.
func TestTreeIsTheOneInTheText(t *testing.T) {
	coretest.Alone(t)
	for i, torus := range append(small, "3x2x2", "4x3", "2x4:twist=1", "3x3:twist=1", "1x10:twist=3", "4x3:twist=0,0+2,0",
		"2x2x2:twist=0,1,0+0,0,1+0,0,0") {
		for j, r := range []string{"odr", "odr:tie=both", "udr", "udr:tie=both", "minimal", "minimal:tie=plus"} {
			p := searchtest.Problem(torus, r, 1)
			if n := p.Torus().N(); n > 10 && (i+j)%2 != 0 || testing.Short() && (n > 8 || (i+j)%3 != 0) {
				continue
			}
			twin := newTwin(t, p)
			for p.Size = 1; p.Size <= p.Torus().N(); p.Size++ {
				meetTwin(t, p, twin)
			}
		}
	}
}

// TestTreeOfLargerTori tries some with more nodes, or more points, than a word has bits, and some with many
// automorphisms.
func TestTreeOfLargerTori(t *testing.T) {
	if testing.Short() {
		t.Skip("two seconds")
	}
	for _, p := range []objective.Problem{searchtest.Problem("4x4", "odr", 9),
		searchtest.Problem("4x4", "udr:tie=both", 7),
		searchtest.Problem("3x5", "minimal", 6), searchtest.Problem("2x2x2x2", "udr", 6),
		searchtest.Problem("5x13", "odr", 4), searchtest.Problem("2^5", "udr", 3),
		searchtest.Problem("2x2x4", "orders:012+120:tie=both", 5)} {
		meetTwin(t, p, newTwin(t, p))
	}
}

// TestTreeOfNeeds does so for the tree needs, and wants it to be smaller than the tree orderly.
func TestTreeOfNeeds(t *testing.T) {
	coretest.Alone(t)
	needs, without := 0, 0
	for i, torus := range []string{"3x3:twist=1", "2x4:twist=1", "2x2x2:twist=0,1,0+0,0,1+0,0,0", "2x4:twist=2",
		"2x5:twist=2", "3x3:twist=2", "2x2x2:twist=0,0,1+0,0,1+0,0,0", "1x10:twist=3"} {
		for j, r := range []string{"odr", "odr:tie=both", "udr", "udr:tie=both", "minimal", "orders:01+10"} {
			if testing.Short() && (i > 3 || (i+j)%3 != 0) || r == "orders:01+10" && strings.Count(torus, "x") > 1 {
				continue
			}
			p := searchtest.Problem(torus, r, 1)
			twin, plain := newTwin(t, p), newTwin(t, p)
			twin.needs = true
			for p.Size = 1; p.Size <= p.Torus().N(); p.Size++ {
				meetTwin(t, p, twin)
				below := big.NewRat(twin.limit, twin.unit)
				twin.walk(p.Size, below)
				plain.walk(p.Size, below)
				needs, without = needs+len(twin.seen), without+len(plain.seen)
			}
		}
	}
	if 10*needs > 9*without {
		t.Errorf("%d lists, %d without needs", needs, without)
	}
}

// meetTwin tries one limit after the other until there are placements.
func meetTwin(t *testing.T, p objective.Problem, w *twin) {
	t.Helper()
	tables, err := newTables(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	tables.needs = w.needs
	for twice, open := int64(-1), true; open; twice += 1 + twice/6 {
		below := big.NewRat(twice, 2*w.unit)
		w.walk(p.Size, below)
		open = len(w.ofSize(p.Size)) == 0
		if tables.flows.unit != w.unit || tables.below(below) != min(w.limit, tables.most()) {
			t.Fatalf("%s below %s: limit %d/%d, want %d/%d",
				p, below.RatString(), tables.below(below), tables.flows.unit, w.limit, w.unit)
		}
		for _, wanted := range []int{1, 5, 20} {
			plan, err := tables.plan(context.Background(), tables.below(below), wanted, false)
			if err != nil {
				t.Fatal(err)
			}
			meetPlan(t, p, w, plan, wanted)
		}
	}
}

// meetPlan compares a plan and every walk of a prefix, the last prefix first.
func meetPlan(t *testing.T, p objective.Problem, w *twin, plan *plan, wanted int) {
	t.Helper()
	prefixes := w.ofSize(w.split(wanted))
	if plan.Split() != w.split(wanted) || !slices.EqualFunc(plan.Prefixes(), prefixes, slices.Equal) {
		t.Fatalf("%s, limit %d/%d, %d wanted: prefixes %v, want %v", p, w.limit, w.unit, wanted, plan.Prefixes(), prefixes)
	}
	walker := plan.Walker()
	for i := len(prefixes) - 1; i >= 0; i-- {
		nodes, sum, found := w.under(prefixes[i])
		polled := int64(0)
		got := walker.Walk(i, func(n int64) bool { polled += n; return true })
		if !slices.Equal(got.Found.Nodes(), found) || got.Ended || polled != got.Nodes {
			t.Fatalf("%s, limit %d/%d, prefix %v: found %v, ended %t, polled %d; want %v",
				p, w.limit, w.unit, prefixes[i], got.Found.Nodes(), got.Ended, polled, found)
		}
		if found == nil && (got.Nodes != nodes || got.Sum != sum) {
			t.Fatalf("%s, limit %d/%d, prefix %v: %d nodes with sum %x, want %d with %x",
				p, w.limit, w.unit, prefixes[i], got.Nodes, got.Sum, nodes, sum)
		}
	}
}
