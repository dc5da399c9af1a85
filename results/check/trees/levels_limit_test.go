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
	"leeway/results/check/meter"
)

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

// manyLevels returns a walk of some thousand nodes and no placement.
func manyLevels(t *testing.T) *levelsWalk {
	t.Helper()
	return levelsWalkOf(t, parsed(t, core.MustTorus(2, 3, 5), "udr"), 12, fraction(t, "23/6"))
}

// TestLevelsMost ends a walk by its number of nodes, and by its context.
func TestLevelsMost(t *testing.T) {
	w := manyLevels(t)
	last := len(w.Prefixes())
	whole := runAll(w)
	if whole.Ended || whole.Found != nil || whole.Nodes < 1000 {
		t.Fatalf("%+v", whole)
	}
	if got := w.Run(meter.Unlimited(context.Background()), 0, last, whole.Nodes); got.Ended || got.Nodes != whole.Nodes ||
		got.Sum != whole.Sum {
		t.Errorf("with %d nodes at most: %+v, not %+v", whole.Nodes, got, whole)
	}
	if got := w.Run(meter.Unlimited(context.Background()), 0, last, whole.Nodes-1); !got.Ended {
		t.Errorf("with %d nodes at most: %+v", whole.Nodes-1, got)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if got := w.Run(meter.Unlimited(ctx), 0, last, math.MaxInt64); !got.Ended {
		t.Errorf("the context has ended, but not the walk: %+v", got)
	}
	for _, sides := range [][]int{{4, 4, 4}, {4, 4, 16}} { // ends between classes, and between slab counts
		r := parsed(t, core.MustTorus(sides...), "udr")
		if _, err := New(meter.Unlimited(ctx), r, 24, Conditions{}, big.NewRat(100, 1), treeLevels,
			0); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: the context has ended, but listing says %v", r.Torus(), err)
		}
	}
}

// TestLevelsRanges adds up slices that are walked side by side.
func TestLevelsRanges(t *testing.T) {
	w := manyLevels(t)
	whole, last := runAll(w), len(w.Prefixes())
	parts := make([]Tally, 5)
	var wait sync.WaitGroup
	for i := range parts {
		wait.Go(func() {
			parts[i] = w.Run(meter.Unlimited(context.Background()), last*i/len(parts), last*(i+1)/len(parts), math.MaxInt64)
		})
	}
	wait.Wait()
	var total Tally
	for _, part := range parts {
		total.Nodes += part.Nodes
		total.Sum += part.Sum
	}
	if total.Nodes != whole.Nodes || total.Sum != whole.Sum {
		t.Errorf("in parts %+v, in one go %+v", total, whole)
	}
}

// TestLevelsErrors asks for what the tree is not defined for.
func TestLevelsErrors(t *testing.T) {
	for _, test := range []struct {
		sides   []int
		routing string
		n       int
		below   int64
		problem string
	}{
		{[]int{4, 4, 2}, "minimal", 4, 2, "odr, udr and orders only"},
		{[]int{4, 4, 2}, "avoid", 4, 2, "odr, udr and orders only"},
		{[]int{4, 4}, "udr", 4, 2, "three and more dimensions only"},
		{[]int{2, 17, 2}, "udr", 4, 2, "sides up to 16"},
		{[]int{7, 7, 7}, "udr", 4, 2, "up to 256 nodes, this torus has 343"},
		{[]int{4, 4, 2}, "udr", -1, 2, "outside 0..32"},
		{[]int{4, 4, 2}, "udr", 33, 2, "outside 0..32"},
	} {
		r := parsed(t, core.MustTorus(test.sides...), test.routing)
		_, err := New(meter.Unlimited(context.Background()), r, test.n, Conditions{},
			big.NewRat(test.below, 1), treeLevels, 0)
		var input *core.InputError
		if !errors.As(err, &input) || !strings.Contains(err.Error(), test.problem) {
			t.Errorf("%s %s n=%d: %v", r.Torus(), test.routing, test.n, err)
		}
	}
	open, err := core.MustTorus(3, 3, 3).With([]int{1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = New(meter.Unlimited(context.Background()), parsed(t, open, "udr"), 4, Conditions{}, big.NewRat(2, 1),
		treeLevels, 0)
	if err == nil || !strings.Contains(err.Error(), "tori without open dimensions and bandwidths only") {
		t.Errorf("%s: %v", open, err)
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
			big.NewRat(100, 1))
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

// TestLevelsEdges asks for limits that no link is within, for no limit, and for no processors.
func TestLevelsEdges(t *testing.T) {
	r := routing.NewUDR(core.MustTorus(2, 3, 2), routing.TieBoth)
	huge := new(big.Int).Lsh(big.NewInt(1), 200)
	for _, below := range []*big.Rat{new(big.Rat), big.NewRat(-1, 3), new(big.Rat).SetInt(new(big.Int).Neg(huge))} {
		if w := levelsWalkOf(t, r, 4, below); len(w.Prefixes()) != 0 || runAll(w).Nodes != 0 {
			t.Errorf("below %s there are classes", below.RatString())
		}
	}
	for _, n := range []int{0, 1, 5, 12} {
		if got := runAll(levelsWalkOf(t, r, n, new(big.Rat).SetInt(huge))); got.Found == nil || len(got.Found) != n {
			t.Errorf("n=%d without a limit: %+v", n, got)
		}
	}
}
