package slabs

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/search"
	"leeway/search/census"
	"leeway/search/census/censustest"
	"leeway/search/searchtest"
)

func TestMarginConform(t *testing.T) {
	searchtest.Conform(t, census.Method{Engines: []census.Engine{Margin{}}})
}

// TestOptimaByExhaustiveSearch goes on from TestMarginTwin to tori that the full count can do.
func TestOptimaByExhaustiveSearch(t *testing.T) {
	tori := []string{"4x4", "3x5", "6x3"}
	if testing.Short() {
		tori = tori[1:2]
	}
	for _, torus := range tori {
		for _, r := range marginRoutings[:6] {
			for n := 2; n <= searchtest.Problem(torus, r, 1).Torus().N(); n++ {
				p := searchtest.Problem(torus, r, n)
				censustest.IsOptimum(t, Margin{}, p, censustest.Optimum(t, p))
			}
		}
	}
}

// TestMarginOnNetworks goes through all sizes of random networks, with open dimensions and bandwidths, and holds the
// optimum against that of all placements.
func TestMarginOnNetworks(t *testing.T) {
	coretest.Alone(t)
	for i := range coretest.Cases(100, 12) {
		rng := coretest.Rng(47, i)
		sides := [][]int{{3, 3}, {3, 4}, {4, 3}, {2, 5}, {4, 4}, {3, 5}, {5, 3}, {6, 3}, {4, 5}, {5, 4}}
		if testing.Short() {
			sides = sides[:7]
		}
		r := marginRouting(rng, network(rng, sides[i%len(sides)]))
		for n, value := range searchtest.Optima(r) {
			if n > 0 {
				censustest.IsOptimum(t, Margin{}, objective.Problem{Routing: r, Size: n}, value)
			}
		}
	}
}

// network returns a network of the given sides that is no plain torus: some dimension open, or a bandwidth above 1.
func network(rng *rand.Rand, sides []int) *core.Torus {
	for {
		var open []int
		for j := range sides {
			if rng.IntN(3) > 0 {
				open = append(open, j)
			}
		}
		var bandwidth []int
		if rng.IntN(3) == 0 {
			for range sides {
				bandwidth = append(bandwidth, 1+rng.IntN(4))
			}
		}
		if t := coretest.Must(core.MustTorus(sides...).With(open, bandwidth)); !t.Plain() {
			return t
		}
	}
}

// marginRouting returns a random one of marginRoutings.
func marginRouting(rng *rand.Rand, t *core.Torus) routing.Routing {
	return coretest.Must(routing.Parse(t, marginRoutings[rng.IntN(len(marginRoutings))]))
}

// TestKnownOptima holds values that other engines found: 8x8 n=16 and 10x10 n=20 by bound and placement, 6x6 n=12 by
// exhaustive generation, 6x6 n=6 odr by exhaustive generation.
func TestKnownOptima(t *testing.T) {
	for _, c := range []struct {
		torus, routing string
		n              int
		want           int64
	}{
		{"8x8", "udr:tie=both", 16, 4},
		{"7x7", "udr:tie=both", 14, 4},
		{"10x10", "udr:tie=both", 20, 5},
		{"6x6", "udr:tie=both", 12, 3},
		{"6x6", "odr", 6, 2},
		{"4x4", "odr:tie=both", 4, 1},
	} {
		censustest.IsOptimum(t, Margin{}, searchtest.Problem(c.torus, c.routing, c.n), big.NewRat(c.want, 1))
	}
}

// TestMarginPlanStopsWithTheContext: listing ends early with the error of the context.
func TestMarginPlanStopsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, workers := range []int{1, 2} {
		q, err := Margin{}.Plan(ctx, searchtest.Problem("8x8", "odr", 24), big.NewRat(18, 1), workers)
		if !errors.Is(err, context.Canceled) || q != nil {
			t.Errorf("%d workers: %v, %v", workers, q, err)
		}
	}
}

// TestMarginHighLimitIsRefusedByName: margins far above the optimum are not worth listing. Exactly as many as are kept
// are.
func TestMarginHighLimitIsRefusedByName(t *testing.T) {
	p, below := searchtest.Problem("8x8", "odr", 11), big.NewRat(6, 1)
	count := len(marginPlanned(t, p, below).prefixes)
	for _, c := range []struct {
		most    int
		refused bool
	}{{count, false}, {count - 1, true}, {1, true}} {
		for _, workers := range []int{1, 2} {
			q, err := Margin{Kept: c.most}.Plan(context.Background(), p, below, workers)
			var large *census.TooLargeError
			if errors.As(err, &large) != c.refused || (q == nil) != c.refused || c.refused && large.Engine != "margin" {
				t.Errorf("%d margins kept of %d: %v", c.most, count, err)
			}
		}
	}
}

func TestMarginRefuses(t *testing.T) {
	for _, p := range [][2]string{{"4x4", "minimal"}, {"4x4", "avoid"}, {"2x2x2", "udr"}, {"8", "odr"}, {"17x4", "odr"}} {
		var unsupported *search.UnsupportedError
		problem := searchtest.Problem(p[0], p[1], 3)
		if err := (Margin{}).Supports(problem); !errors.As(err, &unsupported) {
			t.Errorf("%v: Supports: %v", p, err)
		}
		if _, err := (census.Method{Engines: []census.Engine{Margin{}}}).Run(context.Background(),
			search.Params{Problem: problem, Workers: 1}); !errors.As(err, &unsupported) {
			t.Errorf("%v: Run: %v", p, err)
		}
		if _, err := (Margin{}).Plan(context.Background(), problem, big.NewRat(1, 1), 1); !errors.As(err, &unsupported) {
			t.Errorf("%v: Plan: %v", p, err)
		}
	}
}

// TestUnitsBelow: loads are whole numbers of 1/D, those below a value end before it, and all pairs together bring no
// more than one unit of 1 each.
func TestUnitsBelow(t *testing.T) {
	for _, c := range []struct {
		below, routing string
		want           int64
	}{{"1", "odr", 0}, {"1", "udr:tie=both", 3}, {"7/3", "udr:tie=both", 9}, {"5/2", "udr:tie=both", 9}, {"1/9", "odr", 0},
		{"100000000", "odr", 49}} {
		p := searchtest.Problem("4x4", c.routing, 7)
		below, _ := new(big.Rat).SetString(c.below)
		if got := unitsBelow(below, p, 0); got != c.want {
			t.Errorf("%s below %s: %d, want %d", p, c.below, got, c.want)
		}
	}
}

// tiny lists the tori of two dimensions with at most most nodes.
func tiny(most int) (list []string) {
	for a := 2; a <= most/2; a++ {
		for b := 2; a*b <= most; b++ {
			list = append(list, fmt.Sprintf("%dx%d", a, b))
		}
	}
	return list
}

// marginRoutings are all that the engine supports in two dimensions.
var marginRoutings = []string{"odr", "odr:tie=both", "odr:order=1,0", "odr:order=1,0:tie=both", "udr", "udr:tie=both",
	"orders:01+10", "orders:10"}
