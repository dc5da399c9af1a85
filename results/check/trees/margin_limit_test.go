package trees

import (
	"context"
	"errors"
	"math"
	"math/big"
	"strings"
	"sync"
	"testing"

	"leeway/core"
	"leeway/core/routing"
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

// manyRings returns a walk of 145 nodes and no placement.
func manyMargins(t *testing.T) *marginWalk {
	t.Helper()
	r, err := routing.Parse(core.MustTorus(8, 8), "odr")
	if err != nil {
		t.Fatal(err)
	}
	return marginWalkOf(t, r, 10, big.NewRat(5, 1))
}

// TestMarginMost ends a walk by its number of nodes.
func TestMarginMost(t *testing.T) {
	w := manyMargins(t)
	last := len(w.Prefixes())
	whole := runAll(w)
	if whole.Ended || whole.Found != nil || whole.Nodes < 100 {
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
	if _, err := New(meter.Unlimited(ctx), routing.NewUDR(core.MustTorus(12, 12), routing.TieBoth), 24, Conditions{},
		big.NewRat(7, 1),
		treeMargin, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("the context has ended, but listing says %v", err)
	}
}

// TestMarginRanges adds up slices that are walked side by side.
func TestMarginRanges(t *testing.T) {
	w := manyMargins(t)
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

// TestMarginErrors asks for what the tree is not defined for.
func TestMarginErrors(t *testing.T) {
	for _, test := range []struct {
		sides   []int
		routing string
		n       int
		below   int64
		problem string
	}{
		{[]int{4, 4}, "minimal", 4, 2, "odr, udr and orders only"},
		{[]int{4, 4}, "avoid", 4, 2, "odr, udr and orders only"},
		{[]int{4, 4, 2}, "udr", 4, 2, "two dimensions only"},
		{[]int{12}, "udr", 4, 2, "two dimensions only"},
		{[]int{4, 17}, "udr", 4, 2, "sides up to 16"},
		{[]int{17, 4}, "udr", 4, 2, "sides up to 16"},
		{[]int{4, 4}, "udr", -1, 2, "outside 0..16"},
		{[]int{4, 4}, "udr", 17, 2, "outside 0..16"},
		{[]int{16, 16}, "udr", 100, 1 << 40, "more than 1048576 margins"},
	} {
		if testing.Short() && test.n == 100 {
			continue // lists half a million margins
		}
		torus := core.MustTorus(test.sides...)
		r, err := routing.Parse(torus, test.routing)
		if err != nil {
			t.Fatal(err)
		}
		_, err = New(meter.Unlimited(context.Background()), r, test.n, Conditions{}, big.NewRat(test.below, 1), treeMargin, 0)
		var input *core.InputError
		if !errors.As(err, &input) || !strings.Contains(err.Error(), test.problem) {
			t.Errorf("%s %s n=%d: %v", torus, test.routing, test.n, err)
		}
	}
	r := routing.NewUDR(core.MustTorus(4, 4), routing.TieBoth)
	for _, below := range []*big.Rat{new(big.Rat), big.NewRat(-1, 3),
		new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(-1), 200))} {
		if w := marginWalkOf(t, r, 4, below); len(w.Prefixes()) != 0 || runAll(w).Nodes != 0 {
			t.Errorf("below %s there are margins", below.RatString())
		}
	}
}
