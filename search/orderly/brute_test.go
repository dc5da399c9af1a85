package orderly

import (
	"context"
	"math/big"
	"math/bits"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/objective"
	"leeway/search/census"
	"leeway/search/searchtest"
)

// naive returns the smallest E_max of every size of a routing, and how many placements have it, by evaluating all
// placements from the definition.
func naive(p objective.Problem) (optimum []*big.Rat, labelled []int64) {
	n := p.Torus().N()
	optimum, labelled = make([]*big.Rat, n+1), make([]int64, n+1)
	for mask := uint64(1); mask < 1<<n; mask++ {
		size := bits.OnesCount64(mask)
		v, _ := objective.Naive(p.Routing, core.MustPlacement(p.Torus(), core.Set{mask}.Nodes())).Max()
		c := -1
		if optimum[size] != nil {
			c = v.Cmp(optimum[size])
		}
		switch {
		case c < 0:
			optimum[size], labelled[size] = v, 1
		case c == 0:
			labelled[size]++
		}
	}
	return optimum, labelled
}

// meet holds every size of a routing against brute force: nothing below the optimum, and all placements at it.
func meet(t *testing.T, p objective.Problem) {
	t.Helper()
	optimum, labelled := naive(p)
	for p.Size = 1; p.Size <= p.Torus().N(); p.Size++ {
		want := optimum[p.Size]
		if a := walk(t, p, want, census.Options{Workers: 2}); !a.Complete {
			t.Errorf("%s: found %v below %s, the optimum by brute force", p, a.Found.Nodes(), want.RatString())
		}
		all, err := Enumerate(context.Background(), p, want, Options{})
		if err != nil {
			t.Fatalf("%s: %v", p, err)
		}
		if !all.Complete || all.Labelled.Cmp(big.NewInt(labelled[p.Size])) != 0 {
			t.Errorf("%s: %s optimal placements, by brute force %d", p, all.Labelled, labelled[p.Size])
		}
		consistent(t, p, all, want)
	}
}

// walk plans a question and walks it.
func walk(t *testing.T, p objective.Problem, below *big.Rat, o census.Options) census.Answer {
	t.Helper()
	plan, err := Engine{}.Plan(context.Background(), p, below, 1)
	if err != nil {
		t.Fatalf("%s: %v", p, err)
	}
	cut := census.Cut(plan)
	return census.Run(context.Background(), plan, cut, make([]bool, len(cut)), o)
}

// consistent checks that representatives are within the limit and that the sizes of their orbits add up.
func consistent(t *testing.T, p objective.Problem, all *Enumeration, limit *big.Rat) {
	t.Helper()
	sum := new(big.Int)
	for i, nodes := range all.Representatives {
		sum.Add(sum, big.NewInt(all.OrbitSizes[i]))
		if v, _ := objective.Naive(p.Routing, core.MustPlacement(p.Torus(), nodes)).Max(); v.Cmp(limit) > 0 {
			t.Errorf("%s: %v has E_max %s, above %s", p, nodes, v.RatString(), limit.RatString())
		}
	}
	if sum.Cmp(all.Labelled) != 0 {
		t.Errorf("%s: orbits of %s placements, %s counted", p, sum, all.Labelled)
	}
}

// small lists all tori with N <= 12, up to the order of the sides.
var small = []string{"2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "2x2", "2x3", "2x4", "2x5", "2x6", "3x3",
	"3x4", "2x2x2", "2x2x3"}

func TestMeetsBruteForce(t *testing.T) {
	for i, torus := range append(small, "4x2", "3x2", "4x3", "3x2x2", "2x3x2") {
		for j, r := range []string{"odr", "odr:tie=both", "udr", "udr:tie=both", "minimal", "minimal:tie=plus", "avoid",
			"avoid:tie=plus"} {
			p := searchtest.Problem(torus, r, 1)
			if n := p.Torus().N(); n > 9 && i%8 != j || n == 9 && (i+j)%2 != 0 || testing.Short() && (n > 8 || (i+j)%2 != 0) {
				continue
			}
			meet(t, p)
		}
	}
}

// TestMeetsBruteForceOnTwistedTori draws twisted tori and routings of every family.
func TestMeetsBruteForceOnTwistedTori(t *testing.T) {
	for i := range coretest.Cases(120, 25) {
		rng := coretest.Rng(43, i)
		meet(t, objective.Problem{Routing: coretest.Routing(rng, coretest.Twisted(rng, 9)), Size: 1})
	}
}

func TestMeetsBruteForceUnderOrdersAndTables(t *testing.T) {
	for _, torus := range []string{"2x2x2", "2x2x3"} {
		for _, r := range []string{"orders:012+120", "orders:012+210:tie=both", "orders:012+120+201"} {
			if p := searchtest.Problem(torus, r, 1); p.Torus().N() <= 8 || !testing.Short() {
				meet(t, p)
			}
		}
	}
	for i, dims := range [][]int{{3, 3}, {2, 4}, {2, 2, 2}} {
		table := coretest.Table(coretest.Rng(41, i), core.MustTorus(dims...), false)
		meet(t, objective.Problem{Routing: table, Size: 1})
	}
}
