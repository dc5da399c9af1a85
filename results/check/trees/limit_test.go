package trees

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"
	"sync"
	"testing"

	"leeway/core"
	"leeway/core/routing"
	"leeway/results/check/census"
	"leeway/results/check/meter"
)

// TestMarginKnown repeats sizes that other programs have closed.
func TestMarginKnown(t *testing.T) {
	for _, test := range []struct{ k, n, below int }{{8, 16, 4}, {8, 15, 4}, {10, 20, 5}, {6, 12, 3}} {
		r := routing.NewUDR(core.MustTorus(test.k, test.k), routing.TieBoth)
		if got := runAll(marginWalkOf(t, r, test.n, big.NewRat(int64(test.below), 1))); got.Found != nil || got.Ended {
			t.Errorf("%dx%d n=%d below %d: %+v", test.k, test.k, test.n, test.below, got)
		}
		if test.k > 8 {
			continue // nothing more to learn, and many margins
		}
		above := big.NewRat(int64(4*test.below+1), 4)
		got := runAll(marginWalkOf(t, r, test.n, above))
		if got.Found == nil {
			t.Errorf("%dx%d n=%d below %s: nothing found", test.k, test.k, test.n, above.RatString())
		}
		checkFound(t, r, test.n, above, got.Found)
	}
}

// TestLevelsKnown repeats sizes that other programs have closed, and finds a placement a little above.
func TestLevelsKnown(t *testing.T) {
	for _, c := range []struct {
		k            int
		text         string
		n            int
		below, above string
	}{
		{4, "udr:tie=both", 8, "7/6", "5/4"},
		{4, "udr:tie=both", 15, "8/3", "11/4"},
		{3, "odr", 9, "3", "10/3"},
		{3, "udr", 9, "4/3", "3/2"},
	} {
		if testing.Short() && c.k > 3 {
			continue
		}
		r := parsed(t, core.MustTorus(c.k, c.k, c.k), c.text)
		if got := runAll(levelsWalkOf(t, r, c.n, fraction(t, c.below))); got.Found != nil || got.Ended {
			t.Errorf("%s %s n=%d below %s: %+v", r.Torus(), r, c.n, c.below, got)
		}
		got := runAll(levelsWalkOf(t, r, c.n, fraction(t, c.above)))
		if got.Found == nil {
			t.Errorf("%s %s n=%d below %s: nothing found", r.Torus(), r, c.n, c.above)
		}
		checkFound(t, r, c.n, fraction(t, c.above), got.Found)
	}
}

// many returns walks of some hundred and some thousand nodes, each without a placement.
func many(t *testing.T) map[string]census.Walk {
	t.Helper()
	return map[string]census.Walk{
		treeMargin: marginWalkOf(t, parsed(t, core.MustTorus(8, 8), "odr"), 10, big.NewRat(5, 1)),
		treeLevels: levelsWalkOf(t, parsed(t, core.MustTorus(2, 3, 5), "udr"), 12, fraction(t, "23/6")),
	}
}

// TestMost ends walks by their number of nodes, and by their context.
func TestMost(t *testing.T) {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	for name, w := range many(t) {
		last := len(w.Prefixes())
		whole := runAll(w)
		if whole.Ended || whole.Found != nil || whole.Nodes < 100 {
			t.Fatalf("%s: %+v", name, whole)
		}
		if got := w.Run(meter.Unlimited(context.Background()), 0, last, whole.Nodes); got.Ended ||
			got.Nodes != whole.Nodes || got.Sum != whole.Sum {
			t.Errorf("%s with %d nodes at most: %+v, not %+v", name, whole.Nodes, got, whole)
		}
		if got := w.Run(meter.Unlimited(context.Background()), 0, last, whole.Nodes-1); !got.Ended {
			t.Errorf("%s with %d nodes at most: %+v", name, whole.Nodes-1, got)
		}
		if got := w.Run(meter.Unlimited(ended), 0, last, math.MaxInt64); !got.Ended {
			t.Errorf("%s: the context has ended, but not the walk: %+v", name, got)
		}
	}
	for _, sides := range [][]int{{12, 12}, {4, 4, 4}, {4, 4, 16}} { // levels end between classes, and between counts
		tree := map[int]string{2: treeMargin, 3: treeLevels}[len(sides)]
		r := routing.NewUDR(core.MustTorus(sides...), routing.TieBoth)
		if _, err := New(meter.Unlimited(ended), r, 24, census.Conditions{}, big.NewRat(100, 1), tree,
			0); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: the context has ended, but listing says %v", r.Torus(), err)
		}
	}
}

// TestRanges adds up slices that are walked side by side.
func TestRanges(t *testing.T) {
	for name, w := range many(t) {
		whole, last := runAll(w), len(w.Prefixes())
		parts := make([]census.Tally, 5)
		var wait sync.WaitGroup
		for i := range parts {
			wait.Go(func() {
				parts[i] = w.Run(meter.Unlimited(context.Background()), last*i/len(parts), last*(i+1)/len(parts), math.MaxInt64)
			})
		}
		wait.Wait()
		var total census.Tally
		for _, part := range parts {
			total.Nodes += part.Nodes
			total.Sum += part.Sum
		}
		if total.Nodes != whole.Nodes || total.Sum != whole.Sum {
			t.Errorf("%s in parts %+v, in one go %+v", name, total, whole)
		}
	}
}

// TestErrors asks for what trees are not defined for.
func TestErrors(t *testing.T) {
	for _, test := range []struct {
		tree    string
		torus   string
		routing string
		n       int
		below   int64
		problem string
	}{
		{treeMargin, "4x4", "minimal", 4, 2, "odr, udr and orders only"},
		{treeMargin, "4x4", "avoid", 4, 2, "odr, udr and orders only"},
		{treeMargin, "4x4x2", "udr", 4, 2, "two dimensions only"},
		{treeMargin, "12", "udr", 4, 2, "two dimensions only"},
		{treeMargin, "4x17", "udr", 4, 2, "sides up to 16"},
		{treeMargin, "17x4", "udr", 4, 2, "sides up to 16"},
		{treeMargin, "4x4", "udr", -1, 2, "outside 0..16"},
		{treeMargin, "4x4", "udr", 17, 2, "outside 0..16"},
		{treeMargin, "16x16", "udr", 100, 1 << 40, "more than 1048576 margins"},
		{treeLevels, "9", "minimal", 4, 2, "two and more dimensions only"},
		{treeLevels, "4x4x2", "avoid", 4, 2, "odr, udr, orders and minimal only"},
		{treeLevels, "4x4", "udr", 4, 2, "three and more dimensions only"},
		{treeLevels, "2x17x2", "udr", 4, 2, "sides up to 16"},
		{treeLevels, "7x7x7", "udr", 4, 2, "up to 256 nodes, this torus has 343"},
		{treeLevels, "4x4x2", "udr", -1, 2, "outside 0..32"},
		{treeLevels, "4x4x2", "udr", 33, 2, "outside 0..32"},
	} {
		if testing.Short() && test.n == 100 {
			continue // lists half a million margins
		}
		torus, err := core.ParseNetwork(test.torus)
		if err != nil {
			t.Fatal(err)
		}
		_, err = New(meter.Unlimited(context.Background()), parsed(t, torus, test.routing), test.n, census.Conditions{},
			big.NewRat(test.below, 1), test.tree, 0)
		var input *core.InputError
		if !errors.As(err, &input) || !strings.Contains(err.Error(), test.problem) {
			t.Errorf("%s of %s %s n=%d: %v", test.tree, test.torus, test.routing, test.n, err)
		}
	}
}

// TestLevelsTooMany lists more than there may be; a side of 5 has 42 slab counts.
func TestLevelsTooMany(t *testing.T) {
	if maxLevelsLists != 1<<20 {
		t.Errorf("%d lists, docs/proofs.md says 2^20", maxLevelsLists)
	}
	for most, problem := range map[int]string{
		5:  "more than 5 lists of counts of 6 processors in 5 slabs",
		60: "more than 60 classes of 6 processors on torus 5x5x5",
	} {
		w, err := newLevels(meter.Unlimited(context.Background()), parsed(t, core.MustTorus(5, 5, 5), "odr"), 6,
			census.Conditions{}, big.NewRat(100, 1))
		if err != nil {
			t.Fatal(err)
		}
		w.most = most
		var input *core.InputError
		if err := w.prepare(meter.Unlimited(context.Background())); !errors.As(err, &input) ||
			!strings.Contains(fmt.Sprint(err), problem) {
			t.Errorf("at most %d: %v", most, err)
		}
	}
}

// TestEdges asks for limits that no link is within, for no limit, and for no processors.
func TestEdges(t *testing.T) {
	flat := routing.NewUDR(core.MustTorus(4, 4), routing.TieBoth)
	deep := routing.NewUDR(core.MustTorus(2, 3, 2), routing.TieBoth)
	huge := new(big.Int).Lsh(big.NewInt(1), 200)
	for _, below := range []*big.Rat{new(big.Rat), big.NewRat(-1, 3), new(big.Rat).SetInt(new(big.Int).Neg(huge))} {
		for name, w := range map[string]census.Walk{treeMargin: marginWalkOf(t, flat, 4, below),
			treeLevels: levelsWalkOf(t, deep, 4, below)} {
			if len(w.Prefixes()) != 0 || runAll(w).Nodes != 0 {
				t.Errorf("%s below %s: there are prefixes", name, below.RatString())
			}
		}
	}
	// One processor sends nothing, whatever its network.
	for mask := range uint64(1<<6 - 1) {
		r := parsed(t, core.MustTorus(2, 3), "minimal")
		w, err := New(meter.Unlimited(context.Background()), r, 1, census.Conditions{Forbidden: core.Set{mask}},
			big.NewRat(1, 100), treeLevels, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := runAll(w); len(got.Found) != 1 {
			t.Errorf("one processor, not on %b: %+v", mask, got)
		}
	}
	for _, n := range []int{0, 1, 5, 12} {
		if got := runAll(levelsWalkOf(t, deep, n, new(big.Rat).SetInt(huge))); got.Found == nil || len(got.Found) != n {
			t.Errorf("n=%d without a limit: %+v", n, got)
		}
	}
}
