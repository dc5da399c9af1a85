package orderly

import (
	"context"
	"errors"
	"math/big"
	"reflect"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/objective"
	"leeway/search"
	"leeway/search/census"
	"leeway/search/exhaustive"
	"leeway/search/searchtest"
)

// refutable is a question without a placement and with some thousand nodes below some hundred prefixes.
func refutable() (objective.Problem, *big.Rat) {
	return searchtest.Problem("6x6", "udr", 10), big.NewRat(7, 2)
}

// TestSlicesAddUp: the counts of slices do not depend on workers, on the order in which they are walked, or on a stop,
// and add up to those of a single walk of the whole tree.
func TestSlicesAddUp(t *testing.T) {
	p, below := refutable()
	want := walk(t, p, below, census.Options{Workers: 1})
	if !want.Complete || len(want.Slices) < 100 {
		t.Fatalf("complete %t, %d slices", want.Complete, len(want.Slices))
	}
	if got := walk(t, p, below, census.Options{Workers: 3}); !reflect.DeepEqual(got, want) {
		t.Errorf("3 workers: %d nodes, one: %d", got.Nodes, want.Nodes)
	}
	if got := inTwoGoes(t, p, below); !reflect.DeepEqual(got, want) {
		t.Errorf("in two goes %d nodes, at once %d", got.Nodes, want.Nodes)
	}
	tables, err := newTables(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := tables.plan(context.Background(), tables.below(below), 1, false)
	if err != nil || len(whole.prefixes) != 1 {
		t.Fatalf("%d prefixes, %v", len(whole.prefixes), err)
	}
	tour := func(depth int) (nodes int64, sum uint64) {
		w := newWalker(whole.model)
		w.visit = func(at *level) bool { nodes++; sum += at.hash; return true }
		w.visit(w.root())
		w.extend(w.root(), depth)
		return nodes, sum
	}
	nodes, sum := tour(p.Size)
	shortNodes, shortSum := tour(len(want.Slices[0].First) - 1)
	for _, s := range want.Slices {
		shortNodes += s.Nodes
		shortSum += s.Sum
	}
	if shortNodes != nodes || shortSum != sum {
		t.Errorf("slices and what is above: %d nodes with sum %x, the tree %d with %x", shortNodes, shortSum, nodes, sum)
	}
}

// inTwoGoes walks the slices with odd numbers, and then goes on.
func inTwoGoes(t *testing.T, p objective.Problem, below *big.Rat) census.Answer {
	t.Helper()
	plan, err := Engine{}.Plan(context.Background(), p, below, 2)
	if err != nil {
		t.Fatal(err)
	}
	cut := census.Cut(plan)
	done := make([]bool, len(cut))
	if a := census.Run(context.Background(), plan, cut, done,
		census.Options{Wanted: func(i int) bool { return i%2 != 0 }}); a.Complete {
		t.Error("complete after half of the slices")
	}
	return census.Run(context.Background(), plan, cut, done, census.Options{})
}

// TestWalkEndsWhenPolled: a walk that is told to end does, soon, and says so.
func TestWalkEndsWhenPolled(t *testing.T) {
	tables, err := newTables(t.Context(), searchtest.Problem("8x8", "udr", 20))
	if err != nil {
		t.Fatal(err)
	}
	plan, err := tables.plan(context.Background(), tables.most(), 1, false)
	if err != nil {
		t.Fatal(err)
	}
	polls, told := 0, int64(0)
	tally := plan.Walker().Walk(0, func(nodes int64) bool {
		polls++
		told += nodes
		return polls < 3
	})
	if !tally.Ended && tally.Found.Size() == 0 || told != tally.Nodes || tally.Nodes > 4*census.PollEvery {
		t.Errorf("ended %t after %d nodes, told %d", tally.Ended, tally.Nodes, told)
	}
}

func TestPlanEndsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p, below := refutable()
	if _, err := (Engine{}).Plan(ctx, p, below, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("Plan: %v", err)
	}
	if r, err := Enumerate(ctx, p, below, Options{}); err != nil || r.Complete {
		t.Errorf("Enumerate: %v, %v", r, err)
	}
}

func TestEnumerationStopsWithTheContext(t *testing.T) {
	p := searchtest.Problem("8x8", "udr", 16)
	tables, err := newTables(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := tables.plan(context.Background(), tables.within(big.NewRat(5, 1)), prefixesWanted, false)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if plan.collect(ctx, 2).Complete {
		t.Error("complete without a walk")
	}
}

// TestWorkersChangeNothing: neither what is enumerated nor the first placement.
func TestWorkersChangeNothing(t *testing.T) {
	p, limit := searchtest.Problem("5x5", "udr", 7), big.NewRat(5, 2)
	one, err := Enumerate(context.Background(), p, limit, Options{Workers: 1})
	if err != nil || len(one.Representatives) == 0 {
		t.Fatal(one, err)
	}
	for _, workers := range []int{2, 5} {
		if many, err := Enumerate(context.Background(), p, limit, Options{Workers: workers}); err != nil ||
			!reflect.DeepEqual(one, many) {
			t.Errorf("%d workers: %d orbits, levels %v; one: %d, %v; %v",
				workers, len(many.Representatives), many.Levels, len(one.Representatives), one.Levels, err)
		}
		if a := walk(t, p, big.NewRat(8, 3), census.Options{Workers: workers}); !slices.Equal(a.Found.Nodes(),
			one.Representatives[0]) {
			t.Errorf("%d workers: found %v first, the first in order is %v", workers, a.Found.Nodes(), one.Representatives[0])
		}
	}
}

func TestAgreesWithTheFullCount(t *testing.T) {
	for i, r := range []string{"odr", "odr:tie=both", "udr", "udr:tie=both", "minimal"} {
		for n := 2 + i%2; n <= 14 && !(testing.Short() && n > 6); n += 2 {
			p := searchtest.Problem("4x4", r, n)
			full, err := exhaustive.Method{}.Run(context.Background(), search.Params{Problem: p, Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			all, err := Enumerate(context.Background(), p, full.Value, Options{Workers: 2})
			if a := walk(t, p, full.Value, census.Options{}); err != nil || !a.Complete || len(all.Representatives) == 0 {
				t.Errorf("%s: found %v below %s, at it %v, %v", p, a.Found.Nodes(), full.Value.RatString(), all, err)
			}
		}
	}
}

// TestKnownCounts: 8x8 n=16 has 24 placements with E_max 4 under udr, ties both (counted by a separate orderly
// generation with plain integer vectors).
func TestKnownCounts(t *testing.T) {
	if testing.Short() {
		t.Skip("a second")
	}
	r, err := Enumerate(context.Background(), searchtest.Problem("8x8", "udr:tie=both", 16), big.NewRat(4, 1),
		Options{Workers: 2})
	if err != nil || r.Labelled.Cmp(big.NewInt(24)) != 0 {
		t.Errorf("%v, %v", r, err)
	}
	// k x k, n=k: the degree bound (k-1)/4 is met by k! placements.
	for k, want := range map[int]int64{3: 6, 4: 24, 5: 120, 6: 720, 7: 5040} {
		p := objective.Problem{Routing: searchtest.Problem(core.MustTorus(k, k).String(), "udr:tie=both", k).Routing, Size: k}
		r, err := Enumerate(context.Background(), p, big.NewRat(int64(k-1), 4), Options{Workers: 2})
		if err != nil || r.Labelled.Cmp(big.NewInt(want)) != 0 {
			t.Errorf("%s: %v, %v, want %d", p, r, err, want)
		}
	}
}

func TestRefuses(t *testing.T) {
	for _, p := range []objective.Problem{
		searchtest.Problem("5x13", "avoid", 4), searchtest.Problem("17x16", "odr", 4),
		{Routing: coretest.Table(coretest.Rng(92, 0), core.MustTorus(3, 3), true), Size: 3}} {
		var unsupported *search.UnsupportedError
		if err := (Engine{}).Supports(p); !errors.As(err, &unsupported) {
			t.Errorf("%s: Supports: %v", p, err)
		}
		if _, err := (Engine{}).Plan(context.Background(), p, big.NewRat(1, 1), 1); !errors.As(err, &unsupported) {
			t.Errorf("%s: Plan: %v", p, err)
		}
		if _, err := Enumerate(context.Background(), p, nil, Options{}); !errors.As(err, &unsupported) {
			t.Errorf("%s: Enumerate: %v", p, err)
		}
	}
	large := searchtest.Problem("2^7", "udr", 4)
	var tooLarge *census.TooLargeError
	if _, err := (Engine{}).Plan(context.Background(), large, big.NewRat(1, 1), 1); !errors.As(err, &tooLarge) {
		t.Errorf("%s: Plan: %v", large, err)
	}
	if _, err := Enumerate(context.Background(), large, nil, Options{}); !errors.As(err, &tooLarge) {
		t.Errorf("%s: Enumerate: %v", large, err)
	}
}

// TestPlansEndWithTheContext: a plan takes the loads of all pairs on a mesh, and the symmetry before.
func TestPlansEndWithTheContext(t *testing.T) {
	p := searchtest.Problem("6x6:open=0,1", "minimal", 4)
	for _, looks := range []int{0, 3, 100} {
		if _, err := (Engine{}).Plan(coretest.EndsAfter(looks), p, big.NewRat(5, 1), 1); err != context.Canceled {
			t.Errorf("%d looks: Plan: %v", looks, err)
		}
		if r, err := Enumerate(coretest.EndsAfter(looks), p, nil, Options{}); err != nil || r.Complete {
			t.Errorf("%d looks: Enumerate: %+v, %v", looks, r, err)
		}
	}
}

func TestLimitBelowZeroAndZero(t *testing.T) {
	p := searchtest.Problem("3x3", "udr", 1)
	if r, err := Enumerate(context.Background(), p, big.NewRat(-1, 100), Options{}); err != nil ||
		len(r.Representatives) != 0 || !r.Complete {
		t.Errorf("at most a number below 0: %+v, %v", r, err)
	}
	if r, err := Enumerate(context.Background(), p, new(big.Rat), Options{}); err != nil || r.Labelled.Int64() != 9 {
		t.Errorf("at most 0: %+v, %v", r, err)
	}
	if a := walk(t, p, new(big.Rat), census.Options{Workers: 2}); len(a.Slices) != 0 || !a.Complete {
		t.Errorf("below 0: %+v", a)
	}
	if a := walk(t, p, big.NewRat(1, 100), census.Options{}); !slices.Equal(a.Found.Nodes(), []int{0}) {
		t.Errorf("below 1/100: %+v", a)
	}
}
