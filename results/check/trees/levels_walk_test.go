package trees

import (
	"context"
	"math"
	"math/big"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/results/check/census"
	"leeway/results/check/meter"
)

// levelsRoutings lists routings of three dimensions.
var levelsRoutings = []string{"odr", "odr:order=1,2,0", "udr", "orders:012+120", "orders:012+201+210", "orders:012+210",
	"minimal"}

func levelsRouting(t *testing.T, torus *core.Torus, text string, tie int) routing.Routing {
	t.Helper()
	return parsed(t, torus, text+[]string{":tie=plus", ":tie=both"}[tie])
}

func levelsWalkOf(t *testing.T, r routing.Routing, n int, below *big.Rat) *levelsWalk {
	t.Helper()
	return levelsWalkUnder(t, r, n, census.Conditions{}, below)
}

func levelsWalkUnder(t *testing.T, r routing.Routing, n int, c census.Conditions, below *big.Rat) *levelsWalk {
	t.Helper()
	w, err := New(meter.Unlimited(context.Background()), r, n, c, below, treeLevels, 0)
	if err != nil {
		t.Fatalf("%s %s n=%d below %s: %v", r.Torus(), r, n, below.RatString(), err)
	}
	return w.(*levelsWalk)
}

// sameAsLevelTwin compares a walk with the twin, prefix by prefix. It returns how many nodes they have visited.
func sameAsLevelsTwin(t *testing.T, twin *levelsTwin, n int, below *big.Rat) (total int64) {
	t.Helper()
	w := levelsWalkUnder(t, twin.r, n, twin.cond, below)
	twin.prepare(n, below)
	classes := twin.classList()
	if !slices.EqualFunc(w.Prefixes(), classes,
		func(a []int, b [][]int) bool { return slices.Equal(a, slices.Concat(b...)) }) {
		t.Fatalf("%s %s n=%d below %s: prefixes %v, twin %v", twin.t, twin.r, n, below.RatString(), w.Prefixes(), classes)
	}
	for i, class := range classes {
		want := twin.run(class)
		got := w.Run(meter.Unlimited(context.Background()), i, i+1, math.MaxInt64)
		total += want.nodes
		switch {
		case len(want.placements) > 0:
			if got.Ended || !slices.Equal(got.Found, want.placements[0]) {
				t.Fatalf("%s %s n=%d below %s, %v: %+v, twin found %v",
					twin.t, twin.r, n, below.RatString(), class, got, want.placements)
			}
			checkFound(t, twin.r, n, below, got.Found)
		case got.Ended || got.Found != nil || got.Nodes != want.nodes || got.Sum != want.sum:
			t.Fatalf("%s %s n=%d below %s, %v: %+v, twin %d nodes, sum %x",
				twin.t, twin.r, n, below.RatString(), class, got, want.nodes, want.sum)
		}
	}
	return total
}

// values returns, by size, the values of E_max that placements with node 0 have, ascending, from what pairs send each
// other.
func (w *levelsTwin) values() [][]*big.Rat {
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

// TestLevelsAnswers holds the answer for every size and every value that occurs on small tori against all placements,
// and the tree at the optimum and at the next value against the twin.
func TestLevelsAnswers(t *testing.T) {
	visited := int64(0)
	for i, sides := range [][]int{{2, 2, 2}, {2, 2, 3}, {2, 3, 2}, {3, 2, 2}} {
		for j, text := range levelsRoutings {
			if testing.Short() && (i > 0 && j != i) {
				continue
			}
			r := levelsRouting(t, core.MustTorus(sides...), text, (i+j)%2) // no ties here
			twin := newLevelsTwin(r, census.Conditions{})
			for n, values := range twin.values() {
				for k, v := range values {
					got := runAll(levelsWalkOf(t, r, n, v))
					if got.Ended || (got.Found != nil) != (k > 0) {
						t.Fatalf("%s %s n=%d below %s: %+v, the optimum is %s",
							r.Torus(), r, n, v.RatString(), got, values[0].RatString())
					}
					checkFound(t, r, n, v, got.Found)
					if k < 2 && (n+j)%4 == 0 {
						visited += sameAsLevelsTwin(t, twin, n, v)
					}
				}
			}
		}
	}
	if visited < 500 {
		t.Errorf("only %d nodes were compared", visited)
	}
}

// TestLevelsOnNetworks holds the answers below the optimum and one step above it against all placements on random
// networks, two of three with fixed and forbidden nodes, and the trees against the twin.
func TestLevelsOnNetworks(t *testing.T) {
	visited := int64(0)
	for i := range coretest.Cases(120, 20) {
		rng := coretest.Rng(92, i)
		sides := [][]int{{2, 2, 2}, {2, 2, 3}, {2, 3, 2}, {3, 2, 2}, {2, 2, 4}, {4, 2, 2}}
		if testing.Short() {
			sides = sides[:4]
		}
		torus := coretest.Opened(rng, core.MustTorus(sides[i/3%len(sides)]...))
		r := levelsRouting(t, torus, levelsRoutings[rng.IntN(len(levelsRoutings))], i%2)
		var c census.Conditions
		order, a := rng.Perm(torus.N()), 0
		if i%3 > 0 {
			if a = rng.IntN(torus.N() / 2); a > 0 {
				c.Fixed = core.MustPlacement(torus, order[:a]).Set()
			}
			if i%3 == 2 { // slab x of one dimension, which symmetries keep
				c.Fixed, a = nil, 0
				s, set := rng.IntN(3), core.NewSet(torus.N())
				for x, v := rng.IntN(torus.Side(s)), 0; v < torus.N(); v++ {
					if torus.Coord(v, s) == x {
						set.Add(v)
					}
				}
				c.Forbidden = set
			} else if b := rng.IntN(torus.N() / 3); b > 0 {
				c.Forbidden = core.MustPlacement(torus, order[a:a+b]).Set()
			}
		}
		n := a + 1 + rng.IntN(torus.N()-a-c.Forbidden.Count())
		twin := newLevelsTwin(r, c)
		best := twin.best(n)
		for j, below := range []*big.Rat{best, new(big.Rat).Add(best, big.NewRat(1, 1000000))} {
			got := runAll(levelsWalkUnder(t, r, n, c, below))
			if got.Ended || (got.Found != nil) != (j > 0) {
				t.Errorf("case %d: %s %s n=%d %v below %s: %+v", i, torus, r, n, c, below.RatString(), got)
			}
			checkFound(t, r, n, below, got.Found)
			if got.Found != nil && c.Problem(core.MustPlacement(torus, got.Found)) != "" {
				t.Errorf("case %d: %s %s n=%d %v: %v does not keep to the conditions", i, torus, r, n, c, got.Found)
			}
			visited += sameAsLevelsTwin(t, twin, n, below)
		}
	}
	if visited < 200 {
		t.Errorf("only %d nodes were compared", visited)
	}
}

// best returns the least E_max of placements of n processors that keep to the conditions.
func (w *levelsTwin) best(n int) (best *big.Rat) {
	for set := range uint64(1) << w.t.N() {
		s := core.MustPlacement(w.t, core.Set{set}.Nodes())
		if s.Size() != n || w.cond.Problem(s) != "" {
			continue
		}
		most := new(big.Rat)
		for l := range w.t.M() {
			load := int64(0)
			for i, p := range s.Nodes() {
				for _, q := range s.Nodes()[:i] {
					load += w.joint[p][q][l]
				}
			}
			if v := new(big.Rat).Quo(big.NewRat(load, w.u), w.bandwidth(l)); v.Cmp(most) > 0 {
				most = v
			}
		}
		if best == nil || most.Cmp(best) < 0 {
			best = most
		}
	}
	return best
}

// TestLevelsTwin compares with the twin where there are ties, at values up to a little above where something is found.
func TestLevelsTwin(t *testing.T) {
	coretest.Alone(t)
	cases := 36
	if testing.Short() {
		cases = 8
	}
	visited := int64(0)
	for i := range cases {
		rng := coretest.Rng(91, i)
		sides := [][]int{{2, 2, 4}, {2, 4, 2}, {4, 2, 2}, {2, 3, 3}, {3, 2, 3}, {2, 2, 5}}[rng.IntN(6)]
		text := levelsRoutings[rng.IntN(len(levelsRoutings))]
		if i%3 == 0 {
			sides, text = [][]int{{3, 4}, {4, 4}, {3, 5}, {2, 6}}[rng.IntN(4)], "minimal"
		}
		r := levelsRouting(t, core.MustTorus(sides...), text, i%2)
		twin, n := newLevelsTwin(r, census.Conditions{}), 2+rng.IntN(6)
		for q := int64(1); ; q++ {
			below := new(big.Rat).SetFrac(big.NewInt(q), r.Denominator())
			got := runAll(levelsWalkOf(t, r, n, below))
			if got.Nodes > 0 {
				visited += sameAsLevelsTwin(t, twin, n, below)
			}
			if got.Found != nil {
				break
			}
		}
	}
	if visited < 300 {
		t.Errorf("only %d nodes were compared", visited)
	}
}

// TestLevelsLarge compares with the twin where there are more lists, and where a set of nodes passes 64.
func TestLevelsLarge(t *testing.T) {
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
		{[]int{5, 5}, "minimal", "29/6", 12},
	} {
		r := parsed(t, core.MustTorus(c.sides...), c.text)
		if nodes := sameAsLevelsTwin(t, newLevelsTwin(r, census.Conditions{}), c.n, fraction(t, c.below)); nodes < 40 {
			t.Errorf("%s %s: only %d nodes were compared", r.Torus(), r, nodes)
		}
	}
}
