package slabs

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/search/census/censustest"
	"leeway/search/searchtest"
)

var levelsRoutings = []string{"odr", "odr:tie=both", "udr", "udr:tie=both", "odr:order=2,0,1",
	"orders:012+120+201:tie=both", "orders:012+021"}

// levelsPlanned returns the plan of a question.
func levelsPlanned(t *testing.T, p objective.Problem, below *big.Rat) *nodePlan {
	t.Helper()
	return censustest.Plan(t, Levels{}, p, below).(*nodePlan)
}

// levelsCompare compares the tree of a question with its twin.
func levelsCompare(t *testing.T, p objective.Problem, below *big.Rat) {
	t.Helper()
	censustest.Compare(t, p, below, levelsPlanned(t, p, below), newLevelsTwin(p, below))
}

// TestLevelsTwin compares with the slow twin on the smallest tori, for every size and for values around the optimum by
// brute force: nothing is found below it, something one step above.
func TestLevelsTwin(t *testing.T) {
	tori := []string{"2x2x2", "2x2x3", "2x3x2", "3x2x2"}
	if testing.Short() {
		tori = tori[:1]
	}
	nodes := int64(0)
	for i, torus := range tori {
		for j, r := range levelsRoutings {
			if i > 0 && (i+j)%3 == 0 { // each routing on two of the three
				continue
			}
			for n := 1; n <= searchtest.Problem(torus, r, 1).Torus().N(); n++ {
				p := searchtest.Problem(torus, r, n)
				nodes += censustest.AroundOptimum(t, Levels{}, p, 1,
					func(below *big.Rat) censustest.Twin { return newLevelsTwin(p, below) })
			}
		}
	}
	if nodes == 0 {
		t.Error("no nodes at all")
	}
}

// TestLevelsTwinOnNetworks compares with the slow twin on random networks, two of three with fixed and forbidden nodes,
// below the optimum and one step above it.
func TestLevelsTwinOnNetworks(t *testing.T) {
	coretest.Alone(t)
	nodes := int64(0)
	for i := range coretest.Cases(200, 25) {
		rng := coretest.Rng(50, i)
		sides := [][]int{{2, 2, 2}, {2, 2, 3}, {2, 3, 2}, {3, 2, 2}, {2, 2, 2}, {2, 2, 4}, {4, 2, 2}, {2, 3, 3}}
		if testing.Short() {
			sides = sides[:4]
		}
		var p objective.Problem
		if i%3 == 0 {
			r := levelsRouting(rng, network(rng, sides[i/3%len(sides)]))
			p = objective.Problem{Routing: r, Size: 2 + rng.IntN(r.Torus().N()-1)}
		} else {
			p = conditioned(rng, sides[i%len(sides)], levelsRouting)
		}
		if (Levels{}).Supports(p) != nil {
			continue // all its processors are fixed
		}
		value := censustest.Optimum(t, p)
		for above := range 2 {
			if value.Sign() == 0 && above == 0 {
				continue
			}
			below := new(big.Rat).Add(value, big.NewRat(int64(above), objective.Denominator(p.Routing).Int64()))
			count, found := censustest.Compare(t, p, below, levelsPlanned(t, p, below), newLevelsTwin(p, below))
			if nodes += count; found != (above > 0) {
				t.Errorf("case %d: %s below %s: found %v, the optimum is %s", i, p, below.RatString(), found, value.RatString())
			}
		}
	}
	if nodes < 200 {
		t.Errorf("only %d nodes", nodes)
	}
}

// levelsRouting returns a random one of levelsRoutings.
func levelsRouting(rng *rand.Rand, t *core.Torus) routing.Routing {
	return coretest.Must(routing.Parse(t, levelsRoutings[rng.IntN(len(levelsRoutings))]))
}

// TestLevelsTwinUnderMinimal compares with the slow twin on the smallest tori of two dimensions, like TestLevelsTwin.
func TestLevelsTwinUnderMinimal(t *testing.T) {
	tori := []string{"2x3", "3x3", "3x4", "4x4", "2x5"}
	if testing.Short() {
		tori = tori[:3]
	}
	nodes := int64(0)
	for _, torus := range tori {
		for _, r := range []string{"minimal", "minimal:tie=plus"} {
			for n := 1; n <= searchtest.Problem(torus, r, 1).Torus().N(); n++ {
				if p := searchtest.Problem(torus, r, n); (Levels{}).Supports(p) == nil {
					nodes += censustest.AroundOptimum(t, Levels{}, p, 1,
						func(below *big.Rat) censustest.Twin { return newLevelsTwin(p, below) })
				}
			}
		}
	}
	if nodes < 300 {
		t.Errorf("only %d nodes", nodes)
	}
}

// TestLevelsTwinOnLargerTori goes on where the slow twin takes a while.
func TestLevelsTwinOnLargerTori(t *testing.T) {
	if testing.Short() {
		t.Skip("the slow twin lists paths")
	}
	for _, c := range []struct {
		torus, routing string
		n              int
		below          string
	}{
		{"3x3x2", "odr", 4, "7/2"}, {"3x3x2", "udr", 7, "7/3"}, {"2x4x2", "udr:tie=both", 7, "5/2"},
		{"3x3x3", "udr", 7, "4/3"},
		{"4x2x2", "odr:tie=both", 6, "4"}, {"2x2x2x2", "udr", 6, "2"}, {"3x3x3", "odr", 5, "3"},
		{"2x3x3", "orders:012+120+201", 5, "3/2"},
		{"2x2x4", "odr", 7, "5"}, {"2x2x2x2", "orders:0123+3210:tie=both", 5, "3"}, {"2x4x3", "udr", 6, "2"},
		{"3x3x3", "orders:012+210", 6, "2"}, {"4x6", "minimal", 10, "31/12"}, {"5x5", "minimal:tie=plus", 9, "5/2"},
	} {
		below, _ := new(big.Rat).SetString(c.below)
		levelsCompare(t, searchtest.Problem(c.torus, c.routing, c.n), below)
	}
}
