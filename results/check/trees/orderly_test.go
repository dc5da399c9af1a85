package trees

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results/check/census"
	"leeway/results/check/meter"
)

// smallTori returns every torus of at most 12 nodes.
func smallTori() []*core.Torus {
	var tori []*core.Torus
	var extend func(dims []int, nodes int)
	extend = func(dims []int, nodes int) {
		if len(dims) > 0 {
			tori = append(tori, core.MustTorus(dims...))
		}
		for k := 2; k*nodes <= 12; k++ {
			extend(append(slices.Clip(dims), k), k*nodes)
		}
	}
	extend(nil, 1)
	return tori
}

// monotone returns routings of all families whose loads grow with processors.
func monotone(t *testing.T, torus *core.Torus, seed int) []routing.Routing {
	rng := coretest.Rng(81, seed)
	list := []routing.Routing{coretest.Orders(rng, torus), coretest.Table(rng, torus, false)}
	for _, text := range []string{"odr:tie=plus", "odr:tie=both", "udr:tie=plus", "udr:tie=both", "minimal:tie=plus",
		"minimal:tie=both"} {
		list = append(list, parsed(t, torus, text))
	}
	return list
}

func parsed(t *testing.T, torus *core.Torus, text string) routing.Routing {
	t.Helper()
	r, err := routing.Parse(torus, text)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestOrderlyWalkEqualsTwin compares prefixes, counts, sums and the first placement with those of the tree as the text
// has it.
func TestOrderlyWalkEqualsTwin(t *testing.T) {
	coretest.Alone(t)
	refuted := int64(0)
	for i, torus := range smallTori() {
		for j, r := range append(monotone(t, torus, i), parsed(t, torus, "avoid:tie=plus"), parsed(t, torus, "avoid")) {
			twin, rng := newOrderlyTwin(r), coretest.Rng(82, 100*i+j)
			for n := 1; n <= torus.N(); n++ {
				if n += rng.IntN(2); n > torus.N() || testing.Short() && (i+j)%12 != 0 ||
					twin.avoid != nil && torus.N() > 10 { // it tries all sets of candidates
					continue
				}
				some, _ := objective.Naive(r, core.MustPlacement(torus, rng.Perm(torus.N())[:n])).Max()
				for _, below := range []*big.Rat{
					big.NewRat(1_000_000, 1),
					new(big.Rat).Add(some, big.NewRat(int64(rng.IntN(9)-6), 2*twin.unit)),
					new(big.Rat).Mul(some, big.NewRat(int64(rng.IntN(4)), 4)),
				} {
					refuted += compareOrbits(t, twin, r, n, below, 1+rng.IntN(n))
				}
			}
		}
	}
	if refuted < 1000 && !testing.Short() {
		t.Errorf("only %d lists are visited where there is nothing to find", refuted)
	}
}

// TestNeedsWalk does so for the tree needs on twisted tori.
func TestNeedsWalk(t *testing.T) {
	refuted := int64(0)
	for i := range coretest.Cases(600, 100) {
		rng := coretest.Rng(84, i)
		torus := coretest.Twisted(rng, 12)
		for torus.CommonBandwidth() > 1 { // of which the text of the twin says nothing
			torus = coretest.Twisted(rng, 12)
		}
		routings := monotone(t, torus, i)
		r := routings[i%len(routings)]
		twin := newOrderlyTwin(r)
		twin.needs = true
		n := 1 + rng.IntN(torus.N())
		some, _ := objective.Naive(r, core.MustPlacement(torus, rng.Perm(torus.N())[:n])).Max()
		below := some.Add(some, big.NewRat(int64(rng.IntN(9)-6), 2*twin.unit))
		refuted += compareOrbits(t, twin, r, n, below, 1+rng.IntN(n))
	}
	if refuted == 0 {
		t.Error("no list is visited where there is nothing to find")
	}
}

// TestOrderlyWalkOnManyNodes does so where a set of nodes passes 64.
func TestOrderlyWalkOnManyNodes(t *testing.T) {
	if testing.Short() {
		t.Skip("the slow walk takes seconds")
	}
	for _, c := range []struct {
		routing, below string
		n              int
	}{{"odr", "100", 3}, {"udr:tie=both", "3/2", 5}} {
		r := parsed(t, core.MustTorus(5, 13), c.routing)
		compareOrbits(t, newOrderlyTwin(r), r, c.n, fraction(t, c.below), 2)
	}
}

func fraction(t *testing.T, text string) *big.Rat {
	t.Helper()
	v, ok := new(big.Rat).SetString(text)
	if !ok {
		t.Fatalf("%q is no fraction", text)
	}
	return v
}

// compareOrbits holds a walk and a count against the twin, and returns how many lists are visited if there is nothing
// to find.
func compareOrbits(t *testing.T, twin *orderlyTwin, r routing.Routing, n int, below *big.Rat, split int) int64 {
	t.Helper()
	ctx := context.Background()
	twin.walk(n, below, split)
	tree := treeOrderly
	if twin.needs {
		tree = treeNeeds
	}
	w, err := New(meter.Unlimited(ctx), r, n, census.Conditions{}, below, tree, split)
	if err != nil {
		t.Fatal(err)
	}
	compareWalks(t, w, twin, fmt.Sprintf("%s on %s n=%d below %s split %d", r, twin.torus, n, below.RatString(), split))
	if twin.needs {
		if len(twin.found) > 0 {
			return 0
		}
		return w.Run(meter.Unlimited(ctx), 0, len(twin.prefixes), math.MaxInt64).Nodes
	}
	halves := 2*twin.limit + int64(n%2) // the limit, or a little more
	have, err := Orbits(meter.Unlimited(ctx), r, n, census.Conditions{}, big.NewRat(halves, 2*twin.unit), 1+n%3)
	if err != nil || have.Orbits != int64(len(twin.found)) {
		t.Fatalf("%s on %s n=%d: %d orbits within %d/%d, %v; by the text %d",
			r, twin.torus, n, have.Orbits, halves, 2*twin.unit, err, len(twin.found))
	}
	if len(twin.found) > 0 {
		return 0
	}
	return w.Run(meter.Unlimited(ctx), 0, len(twin.prefixes), math.MaxInt64).Nodes
}

// compareWalks runs a walk prefix by prefix, and as a whole if there is nothing to find.
func compareWalks(t *testing.T, w census.Walk, twin *orderlyTwin, where string) {
	t.Helper()
	ctx := context.Background()
	if !slices.EqualFunc(w.Prefixes(), twin.prefixes, slices.Equal) {
		t.Fatalf("%s: prefixes %v, by the text %v", where, w.Prefixes(), twin.prefixes)
	}
	whole := census.Tally{}
	for i, want := range twin.tallies {
		got := w.Run(meter.Unlimited(ctx), i, i+1, math.MaxInt64)
		whole.Nodes, whole.Sum = whole.Nodes+got.Nodes, whole.Sum+got.Sum
		hit := slices.IndexFunc(twin.found,
			func(list []int) bool { return slices.Equal(list[:twin.split], twin.prefixes[i]) })
		if hit >= 0 {
			if !slices.Equal(got.Found, twin.found[hit]) || got.Ended {
				t.Fatalf("%s: found %v, by the text %v", where, got.Found, twin.found[hit])
			}
		} else if !reflect.DeepEqual(got, want) {
			t.Fatalf("%s, prefix %v: %+v, by the text %+v", where, twin.prefixes[i], got, want)
		}
	}
	if len(twin.found) > 0 {
		return
	}
	if got := w.Run(meter.Unlimited(ctx), 0, len(twin.prefixes), whole.Nodes); !reflect.DeepEqual(got, whole) {
		t.Fatalf("%s: %+v in one go, %+v by prefixes", where, got, whole)
	}
	if got := w.Run(meter.Unlimited(ctx), 0, len(twin.prefixes), whole.Nodes-1); whole.Nodes > 0 && !got.Ended {
		t.Fatalf("%s: %d lists are visited within a limit of one less", where, got.Nodes)
	}
}
