package check

import (
	"context"
	"math"
	"math/big"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
)

// levelRoutings lists routings of three dimensions.
var levelRoutings = []string{"odr", "odr:order=1,2,0", "udr", "orders:012+120", "orders:012+201+210", "orders:012+210"}

func levelRouting(t *testing.T, torus *core.Torus, text string, tie int) *routing.Orders {
	t.Helper()
	return parsed(t, torus, text+[]string{":tie=plus", ":tie=both"}[tie]).(*routing.Orders)
}

func levelWalkOf(t *testing.T, r routing.Routing, n int, below *big.Rat) *levelWalk {
	t.Helper()
	w, err := newLevelWalk(unmetered(context.Background()), r, n, below)
	if err != nil {
		t.Fatalf("%s %s n=%d below %s: %v", r.Torus(), r, n, below.RatString(), err)
	}
	return w.(*levelWalk)
}

// sameAsLevelTwin compares a walk with the twin, prefix by prefix. It returns how
// many nodes they have visited.
func sameAsLevelTwin(t *testing.T, twin *levelTwin, n int, below *big.Rat) (total int64) {
	t.Helper()
	w := levelWalkOf(t, twin.r, n, below)
	twin.prepare(n, below)
	classes := twin.classList()
	if !slices.EqualFunc(w.prefixes(), classes, func(a []int, b [][]int) bool { return slices.Equal(a, slices.Concat(b...)) }) {
		t.Fatalf("%s %s n=%d below %s: prefixes %v, twin %v", twin.t, twin.r, n, below.RatString(), w.prefixes(), classes)
	}
	for i, class := range classes {
		want := twin.run(class)
		got := w.run(unmetered(context.Background()), i, i+1, math.MaxInt64)
		total += want.nodes
		switch {
		case len(want.placements) > 0:
			if got.ended || !slices.Equal(got.found, want.placements[0]) {
				t.Fatalf("%s %s n=%d below %s, %v: %+v, twin found %v", twin.t, twin.r, n, below.RatString(), class, got, want.placements)
			}
			checkFound(t, twin.r, n, below, got.found)
		case got.ended || got.found != nil || got.nodes != want.nodes || got.sum != want.sum:
			t.Fatalf("%s %s n=%d below %s, %v: %+v, twin %d nodes, sum %x", twin.t, twin.r, n, below.RatString(), class, got, want.nodes, want.sum)
		}
	}
	return total
}

// values returns, by size, the values of E_max that placements with node 0 have,
// ascending, from what pairs send each other.
func (w *levelTwin) values() [][]*big.Rat {
	values := make([]map[int64]bool, w.t.N()+1)
	for n := range values {
		values[n] = map[int64]bool{}
	}
	loads := make([]int64, w.t.M())
	for rest := range uint64(1) << (w.t.N() - 1) {
		nodes := core.Set{rest<<1 | 1}.Nodes()
		clear(loads)
		for i, p := range nodes {
			for _, q := range nodes[:i] {
				for l, v := range w.joint[p][q] {
					loads[l] += v
				}
			}
		}
		values[len(nodes)][slices.Max(loads)] = true
	}
	list := make([][]*big.Rat, w.t.N()+1)
	for n := range values {
		for v := range values[n] {
			list[n] = append(list[n], big.NewRat(v, w.u))
		}
		slices.SortFunc(list[n], (*big.Rat).Cmp)
	}
	return list
}

// TestLevelAnswers holds the answer for every size and every value that occurs on
// small tori against all placements, and the tree at the optimum and at the next
// value against the twin.
func TestLevelAnswers(t *testing.T) {
	visited := int64(0)
	for i, sides := range [][]int{{2, 2, 2}, {2, 2, 3}, {2, 3, 2}, {3, 2, 2}} {
		for j, text := range levelRoutings {
			if testing.Short() && (i > 0 && j != i) {
				continue
			}
			r := levelRouting(t, core.MustTorus(sides...), text, (i+j)%2) // no ties here
			twin := newLevelTwin(r)
			for n, values := range twin.values() {
				for k, v := range values {
					got := runAll(levelWalkOf(t, r, n, v))
					if got.ended || (got.found != nil) != (k > 0) {
						t.Fatalf("%s %s n=%d below %s: %+v, the optimum is %s", r.Torus(), r, n, v.RatString(), got, values[0].RatString())
					}
					checkFound(t, r, n, v, got.found)
					if k < 2 && (n+j)%4 == 0 {
						visited += sameAsLevelTwin(t, twin, n, v)
					}
				}
			}
		}
	}
	if visited < 500 {
		t.Errorf("only %d nodes were compared", visited)
	}
}

// TestLevelTwin compares with the twin where there are ties, at values up to a
// little above where something is found.
func TestLevelTwin(t *testing.T) {
	cases := 24
	if testing.Short() {
		cases = 4
	}
	visited := int64(0)
	for i := range cases {
		rng := coretest.Rng(91, i)
		sides := [][]int{{2, 2, 4}, {2, 4, 2}, {4, 2, 2}, {2, 3, 3}, {3, 2, 3}, {2, 2, 5}}[rng.IntN(6)]
		r := levelRouting(t, core.MustTorus(sides...), levelRoutings[rng.IntN(len(levelRoutings))], i%2)
		twin, n := newLevelTwin(r), 2+rng.IntN(6)
		for q := int64(1); ; q++ {
			below := new(big.Rat).SetFrac(big.NewInt(q), r.Denominator())
			got := runAll(levelWalkOf(t, r, n, below))
			if got.nodes > 0 {
				visited += sameAsLevelTwin(t, twin, n, below)
			}
			if got.found != nil {
				break
			}
		}
	}
	if visited < 500 {
		t.Errorf("only %d nodes were compared", visited)
	}
}

// TestLevelLarge compares with the twin where there are more lists, and where a
// set of nodes passes 64.
func TestLevelLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("the slow walk takes seconds")
	}
	for _, c := range []struct {
		sides       []int
		text, below string
		n           int
	}{
		{[]int{2, 5, 7}, "udr", "7/6", 6},
		{[]int{2, 2, 2, 2}, "udr", "3", 9},
		{[]int{2, 2, 3, 2}, "orders:0123+1230", "9/2", 11},
		{[]int{2, 4, 4}, "udr:tie=both", "29/12", 11},
		{[]int{3, 3, 3}, "orders:012+120", "3", 10},
	} {
		r := parsed(t, core.MustTorus(c.sides...), c.text).(*routing.Orders)
		if nodes := sameAsLevelTwin(t, newLevelTwin(r), c.n, fraction(t, c.below)); nodes < 40 {
			t.Errorf("%s %s: only %d nodes were compared", r.Torus(), r, nodes)
		}
	}
}
