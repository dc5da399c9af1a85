package trees

import (
	"context"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results/check/census"
	"leeway/results/check/meter"
)

// marginRoutings lists the dimension-ordered routings of two dimensions.
func marginRoutings(t *testing.T, torus *core.Torus) (list []*routing.Orders) {
	t.Helper()
	for _, text := range []string{"odr", "odr:order=1,0", "orders:01+10"} {
		for _, tie := range []string{":tie=plus", ":tie=both"} {
			r, err := routing.Parse(torus, text+tie)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, r.(*routing.Orders))
		}
	}
	return list
}

func marginWalkOf(t *testing.T, r routing.Routing, n int, below *big.Rat) *marginWalk {
	t.Helper()
	return marginWalkUnder(t, r, n, census.Conditions{}, below)
}

func marginWalkUnder(t *testing.T, r routing.Routing, n int, c census.Conditions, below *big.Rat) *marginWalk {
	t.Helper()
	w, err := New(meter.Unlimited(context.Background()), r, n, c, below, treeMargin, 0)
	if err != nil {
		t.Fatalf("%s %s n=%d below %s: %v", r.Torus(), r, n, below.RatString(), err)
	}
	return w.(*marginWalk)
}

func runAll(w census.Walk) census.Tally {
	return w.Run(meter.Unlimited(context.Background()), 0, len(w.Prefixes()), math.MaxInt64)
}

// smallTori2 lists the tori of two dimensions with at most most nodes.
func smallTori2(most int) (list []*core.Torus) {
	for a := 2; 2*a <= most; a++ {
		for b := 2; a*b <= most; b++ {
			list = append(list, core.MustTorus(a, b))
		}
	}
	return list
}

// sameAsTwin compares a walk with the twin, prefix by prefix. It returns how many nodes they have visited.
func sameAsTwin(t *testing.T, r *routing.Orders, n int, c census.Conditions, below *big.Rat) int64 {
	t.Helper()
	w, twin := marginWalkUnder(t, r, n, c, below), newMarginTwin(r, n, c, below)
	if !slices.EqualFunc(w.Prefixes(), twin.lists[1], slices.Equal) {
		t.Errorf("%s %s n=%d below %s: prefixes %v, twin %v", r.Torus(), r, n, below.RatString(), w.Prefixes(), twin.lists[1])
		return 0
	}
	total := int64(0)
	for i, head := range twin.lists[1] {
		nodes, sum, placements := twin.run(head)
		got := w.Run(meter.Unlimited(context.Background()), i, i+1, math.MaxInt64)
		total += nodes
		if got.Ended || (got.Found != nil) != (placements > 0) || got.Found == nil && (got.Nodes != nodes || got.Sum != sum) {
			t.Errorf("%s %s n=%d %v below %s, prefix %v: %+v, twin %d nodes, sum %x, %d placements",
				r.Torus(), r, n, c, below.RatString(), head, got, nodes, sum, placements)
		}
		checkFound(t, r, n, below, got.Found)
		if got.Found != nil && c.Problem(core.MustPlacement(r.Torus(), got.Found)) != "" {
			t.Errorf("%s %s n=%d %v: %v does not keep to the conditions", r.Torus(), r, n, c, got.Found)
		}
	}
	return total
}

// checkFound evaluates a found placement from the definition.
func checkFound(t *testing.T, r routing.Routing, n int, below *big.Rat, found []int) {
	t.Helper()
	if found == nil {
		return
	}
	if most, _ := objective.Naive(r, core.MustPlacement(r.Torus(), found)).Max(); len(found) != n || most.Cmp(below) >= 0 {
		t.Errorf("%s %s: %v has %d processors and E_max %s, not %d below %s",
			r.Torus(), r, found, len(found), most.RatString(), n, below.RatString())
	}
}

// marginValues returns, by size, the values of E_max that placements have, ascending, from the flows of pairs; on rings
// those with node 0 have them all.
func marginValues(r *routing.Orders) [][]*big.Rat {
	t := r.Torus()
	flows := make([][]int64, t.N()*t.N()) // in quarters of the common bandwidth
	for p := range t.N() {
		for q := range t.N() {
			flows[p*t.N()+q] = make([]int64, t.M())
			if p == q {
				continue
			}
			flow := r.Flow(p, q, nil)
			for _, s := range flow.Shares {
				_, port := t.LinkFrom(s.Link)
				flows[p*t.N()+q][s.Link] = 4 * s.Num.Int64() / flow.Den.Int64() * int64(t.Scale(port.Dim))
			}
		}
	}
	values := make([]map[int64]bool, t.N()+1)
	for n := range values {
		values[n] = map[int64]bool{}
	}
	for set := range uint64(1) << t.N() {
		if set == 0 || t.Closed() && set&1 == 0 {
			continue
		}
		nodes := core.Set{set}.Nodes()
		loads := make([]int64, t.M())
		for _, p := range nodes {
			for _, q := range nodes {
				for l, v := range flows[p*t.N()+q] {
					loads[l] += v
				}
			}
		}
		values[len(nodes)][slices.Max(loads)] = true
	}
	list := make([][]*big.Rat, t.N()+1)
	for n := range values {
		for v := range values[n] {
			list[n] = append(list[n], big.NewRat(v, 4*int64(t.CommonBandwidth())))
		}
		slices.SortFunc(list[n], (*big.Rat).Cmp)
	}
	return list
}

// TestMarginAnswers holds the answer for every size and every value that occurs on small tori against all placements,
// and the tree at the optimum and at the next value against the twin.
func TestMarginAnswers(t *testing.T) {
	most := 12
	if testing.Short() {
		most = 8
	}
	visited := int64(0)
	for _, torus := range smallTori2(most) {
		for _, r := range marginRoutings(t, torus) {
			visited += marginAnswers(t, r)
		}
	}
	if visited < 200 {
		t.Errorf("only %d nodes were compared", visited)
	}
}

// TestMarginAnswersOnNetworks does the same on random networks with open dimensions and bandwidths.
func TestMarginAnswersOnNetworks(t *testing.T) {
	visited := int64(0)
	for i := range coretest.Cases(150, 16) {
		rng := coretest.Rng(62, i)
		sides := [][]int{{3, 3}, {2, 4}, {4, 2}, {5, 2}, {3, 4}, {4, 3}}
		if testing.Short() {
			sides = sides[:4]
		}
		torus := marginNetwork(rng, sides[i%len(sides)])
		list := marginRoutings(t, torus)
		visited += marginAnswers(t, list[rng.IntN(len(list))])
	}
	if visited < 100 {
		t.Errorf("only %d nodes were compared", visited)
	}
}

// marginNetwork returns a network of some sides, mostly with open dimensions, some with bandwidths.
func marginNetwork(rng *rand.Rand, sides []int) *core.Torus {
	open := [][]int{{0, 1}, {0}, {1}, nil}[rng.IntN(4)]
	var bandwidth []int
	if open == nil || rng.IntN(3) == 0 {
		bandwidth = []int{1 + rng.IntN(4), 1 + rng.IntN(4)}
	}
	return coretest.Must(core.MustTorus(sides...).With(open, bandwidth))
}

// marginAnswers holds all answers of one routing against all placements, two values of each size against the twin, and
// returns how many nodes were compared.
func marginAnswers(t *testing.T, r *routing.Orders) (visited int64) {
	t.Helper()
	for n, values := range marginValues(r) {
		for i, v := range values {
			got := runAll(marginWalkOf(t, r, n, v))
			if got.Ended || (got.Found != nil) != (i > 0) {
				t.Errorf("%s %s n=%d below %s: %+v, the optimum is %s", r.Torus(), r, n, v.RatString(), got, values[0].RatString())
			}
			checkFound(t, r, n, v, got.Found)
			if i < 2 {
				visited += sameAsTwin(t, r, n, census.Conditions{}, v)
			}
		}
	}
	return visited
}

// TestMarginTwin compares with the twin on larger tori, at values up to a little above where the first nodes are
// visited.
func TestMarginTwin(t *testing.T) {
	coretest.Alone(t)
	cases := 120
	if testing.Short() {
		cases = 6
	}
	visited := int64(0)
	for i := range cases {
		rng := coretest.Rng(61, i)
		sides := [][]int{{4, 4}, {3, 5}, {5, 3}, {4, 5}, {5, 4}, {2, 7}, {7, 2}, {3, 6}, {5, 5}}[rng.IntN(9)]
		torus := core.MustTorus(sides...)
		list := marginRoutings(t, torus)
		r := list[rng.IntN(len(list))]
		n := 2 + rng.IntN(torus.N()-1)
		for q := int64(1); ; q++ {
			below := big.NewRat(q, 4)
			if got := runAll(marginWalkOf(t, r, n, below)); got.Nodes > 0 || got.Found != nil {
				visited += sameAsTwin(t, r, n, census.Conditions{}, below)
				if got.Found != nil {
					break
				}
			}
		}
	}
	if visited < 200 {
		t.Errorf("only %d nodes were compared", visited)
	}
}
