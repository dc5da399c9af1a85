package slabs

import (
	"context"
	"errors"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"leeway/core/coretest"
	"leeway/search"
	"leeway/search/census"
	"leeway/search/census/censustest"
	"leeway/search/orderly"
	"leeway/search/searchtest"
)

func TestLevelsConform(t *testing.T) {
	searchtest.Conform(t, census.Method{Engines: []census.Engine{Levels{}}})
}

// TestOptimaByFullCount goes on from TestLevelsTwin to tori that the full count can do.
func TestOptimaByFullCount(t *testing.T) {
	tori := []string{"2x2x4", "2x3x3", "3x3x2", "2x2x2x2"}
	if testing.Short() {
		tori = []string{"2x2x3"}
	}
	for _, torus := range tori {
		for _, r := range levelsRoutings[:5] {
			if torus == "2x2x2x2" && r == "odr:order=2,0,1" {
				r = "orders:0123+3210:tie=both"
			}
			for n := 2; n <= searchtest.Problem(torus, r, 1).Torus().N(); n++ {
				p := searchtest.Problem(torus, r, n)
				censustest.IsOptimum(t, Levels{}, p, censustest.Optimum(t, p))
			}
		}
	}
}

// TestOptimaByOrderly compares with another engine on tori that the full count cannot do.
func TestOptimaByOrderly(t *testing.T) {
	if testing.Short() {
		t.Skip("walks some ten trees to their optimum")
	}
	for _, c := range []struct {
		torus string
		sizes []int
	}{{"3x3x3", []int{5, 9, 20, 24}}, {"2x4x4", []int{6, 9, 29}}} {
		for _, r := range []string{"odr", "odr:tie=both", "udr:tie=both"} {
			for _, n := range c.sizes {
				p := searchtest.Problem(c.torus, r, n)
				out, err := census.Method{Engines: []census.Engine{orderly.Engine{}}}.Run(context.Background(),
					search.Params{Problem: p, Workers: 1})
				if err != nil || out.Refutation == nil {
					t.Fatalf("%s: %v, %v", p, out, err)
				}
				censustest.IsOptimum(t, Levels{}, p, out.Value)
			}
		}
	}
}

// TestBeyondOrderly closes cells from both sides. A separate orderly generation proved 8/3 at 4x4x4 n=15; the others
// are the linear placement's loads, found by listing paths.
func TestBeyondOrderly(t *testing.T) {
	for _, c := range []struct {
		torus, routing string
		n              int
		below          *big.Rat
	}{
		{"4x4x4", "udr:tie=both", 15, big.NewRat(8, 3)}, {"4x4x4", "udr:tie=both", 16, big.NewRat(8, 3)},
		{"4x4x4", "odr", 16, big.NewRat(8, 1)}, {"4x4x4", "odr:tie=both", 16, big.NewRat(6, 1)},
		{"3x3x3x3", "odr", 27, big.NewRat(9, 1)},
	} {
		p := searchtest.Problem(c.torus, c.routing, c.n)
		if found := censustest.Answer(t, levelsPlanned(t, p, c.below)); found.Size() > 0 {
			t.Errorf("%s: %v found below %s", p, found.Nodes(), c.below.RatString())
		}
	}
}

// TestLevelsPlanStopsWithTheContext: listing ends early with the error of the context.
func TestLevelsPlanStopsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	q, err := Levels{}.Plan(ctx, searchtest.Problem("4x4x4", "odr", 24), big.NewRat(18, 1), 1)
	if !errors.Is(err, context.Canceled) || q != nil {
		t.Errorf("%v, %v", q, err)
	}
}

// TestLevelsHighLimitIsRefusedByName: classes far above the optimum are not worth listing. Exactly as many as are kept
// are.
func TestLevelsHighLimitIsRefusedByName(t *testing.T) {
	p, below := searchtest.Problem("3x3x3", "udr", 11), big.NewRat(4, 1)
	count := len(levelsPlanned(t, p, below).prefixes)
	for _, c := range []struct {
		most    int
		refused bool
	}{{count, false}, {count - 1, true}, {1, true}} {
		q, err := Levels{Kept: c.most}.Plan(context.Background(), p, below, 1)
		var large *census.TooLargeError
		if errors.As(err, &large) != c.refused || (q == nil) != c.refused || c.refused && large.Engine != "levels" {
			t.Errorf("%d kept of %d: %v", c.most, count, err)
		}
	}
}

// TestLongPlanIsRefusedByName: a plan takes so many steps. As many as it takes are enough, one less is not.
func TestLongPlanIsRefusedByName(t *testing.T) {
	p, below := searchtest.Problem("3x3x3", "udr", 11), big.NewRat(4, 1)
	b := newBudget(context.Background(), 0, 0)
	if _, err := newNodePlan(p, below, b, 1); err != nil || b.taken.Load() < 10 {
		t.Fatal(b.taken.Load(), err)
	}
	taken := b.taken.Load()
	for _, c := range []struct {
		steps   int64
		refused bool
	}{{taken, false}, {taken - 1, true}, {1, true}} {
		q, err := Levels{Steps: c.steps}.Plan(context.Background(), p, below, 1)
		var large *census.TooLargeError
		if errors.As(err, &large) != c.refused || (q == nil) != c.refused {
			t.Errorf("%d steps of %d: %v", c.steps, taken, err)
		}
	}
}

// TestTuplesAreThoseWithRoom counts by kinds what leaves each other room, which is no more than the classes and their
// images under points, and counts it one by one.
func TestTuplesAreThoseWithRoom(t *testing.T) {
	coretest.Alone(t)
	rng := rand.New(rand.NewPCG(7, 3))
	for range 150 {
		tori := []string{"2x3x4", "3x3x3", "2x2x5", "4x4x2", "2x2x2x3", "3x3x3:open=0", "2x4x4:open=1,2", "3x4x4"}
		p := searchtest.Problem(tori[rng.IntN(len(tori))], []string{"odr", "udr", "udr:tie=both"}[rng.IntN(3)], 4+rng.IntN(9))
		below := big.NewRat(1+rng.Int64N(24), 3)
		b := newBudget(context.Background(), 0, 0)
		q, err := newNodePlan(p, below, b, 1)
		if err != nil {
			t.Fatal(err)
		}
		dims := p.Torus().D()
		c := &chooser{nodePlan: q, torus: p.Torus(), budget: b, picks: make([]int, dims), picked: make([]int, dims)}
		c.sort()
		c.rank()
		var count func(picks []counted) int64
		count = func(picks []counted) (sum int64) {
			if len(picks) == dims {
				return 1
			}
			for _, a := range q.sides[len(picks)] {
				room := true
				for s, o := range picks {
					lines := p.Torus().N() / (p.Torus().Side(s) * p.Torus().Side(len(picks)))
					for x := range a.counts {
						room = room && int(a.counts[x]) <= o.width*lines && int(o.counts[x]) <= a.width*lines
					}
				}
				if room {
					sum += count(append(slices.Clone(picks), a))
				}
			}
			return sum
		}
		want := count(nil)
		if got := c.tuples(0, 1, 1<<60); got != want || !c.closed() || want > int64(len(q.points)*len(q.classes)) {
			t.Fatalf("%s below %s: %d, want %d, of %d classes under %d points, closed: %v", p, below.RatString(), got, want,
				len(q.classes), len(q.points), c.closed())
		}
		if most := want / 2; want > 1 && c.tuples(0, 1, most) <= most {
			t.Fatalf("%s below %s: %d and more are asked for, not found", p, below.RatString(), most)
		}
	}
}

func TestLevelsRefuses(t *testing.T) {
	for _, c := range []struct{ torus, routing string }{
		{"3x3x3", "minimal"}, {"8x8", "minimal"}, {"3x3x3", "avoid"}, {"8x8", "udr"},
		{"2x2x17", "odr"}, {"7x7x7", "odr"}, {"3x3x3x3x3", "udr"},
	} {
		p := searchtest.Problem(c.torus, c.routing, 4)
		var refused *search.UnsupportedError
		if err := (Levels{}).Supports(p); !errors.As(err, &refused) || refused.Method != "levels" {
			t.Errorf("%s: %v", p, err)
		}
		if q, err := (Levels{}).Plan(context.Background(), p, big.NewRat(3, 1), 1); !errors.As(err, &refused) || q != nil {
			t.Errorf("%s: plan %T, %v", p, q, err)
		}
	}
}

// TestNothingBelowZero: no load is below 0, and none below the least step.
func TestNothingBelowZero(t *testing.T) {
	for _, below := range []*big.Rat{big.NewRat(-1, 1), new(big.Rat), big.NewRat(1, 1000)} {
		q := levelsPlanned(t, searchtest.Problem("2x3x3", "udr", 2), below)
		if len(q.Prefixes()) > 0 && below.Sign() <= 0 || censustest.Answer(t, q).Size() > 0 {
			t.Errorf("below %s: %d prefixes", below.RatString(), len(q.Prefixes()))
		}
	}
}
