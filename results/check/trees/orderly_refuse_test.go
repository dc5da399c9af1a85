package trees

import (
	"context"
	"errors"
	"iter"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/results/check/census"
	"leeway/results/check/meter"
)

// TestOrderlyWalkNeedsTheRightGroup takes an automorphism too many, and one too few: the tree must change.
func TestOrderlyWalkNeedsTheRightGroup(t *testing.T) {
	ctx := context.Background()
	r := parsed(t, core.MustTorus(4, 4), "odr")
	right, err := orderlyPoints(meter.Unlimited(context.Background()), r, 6)
	if err != nil {
		t.Fatal(err)
	}
	transposed := make([]int, 16) // with ties plus it must turn the ties
	for v := range transposed {
		transposed[v] = v%4*4 + v/4
	}
	run := func(points [][]int) census.Tally {
		w, err := listedOrderly(meter.Unlimited(ctx), r, points, 6, big.NewRat(5, 2), false, 1)
		if err != nil {
			t.Fatal(err)
		}
		return w.Run(meter.Unlimited(ctx), 0, len(w.Prefixes()), math.MaxInt64)
	}
	want, fewer := run(right), run(right[:1])
	if want.Nodes == 0 || want.Found != nil {
		t.Fatalf("the tree shows nothing: %+v", want)
	}
	if fewer.Nodes <= want.Nodes {
		t.Errorf("%d lists with translations alone, %d with the group", fewer.Nodes, want.Nodes)
	}
	if wrong := run(append(slices.Clone(right), transposed)); wrong.Nodes >= want.Nodes {
		t.Errorf("%d lists with the transposition besides, %d without", wrong.Nodes, want.Nodes)
	}
}

// TestOrderlyWalkRefuses names what the tree is not defined for.
func TestOrderlyWalkRefuses(t *testing.T) {
	square, large := core.MustTorus(4, 4), core.MustTorus(2, 129)
	for _, c := range []struct {
		r        routing.Routing
		n, split int
		reason   string
	}{
		{routing.NewUDR(large, routing.TieBoth), 4, 1, "up to 256 nodes, this torus has 258"},
		{routing.NewAvoid(core.MustTorus(5, 13), routing.TieBoth), 4, 1, "up to 64 nodes, this torus has 65"},
		{coretest.Table(coretest.Rng(83, 0), square, true), 4, 1, "no translations"},
		{routing.NewUDR(square, routing.TieBoth), 17, 1, "takes 1..16 processors"},
		{routing.NewUDR(square, routing.TieBoth), 4, 0, "the split 0 lies outside 1..4"},
		{routing.NewUDR(square, routing.TieBoth), 4, 5, "the split 5 lies outside 1..4"},
		{routing.NewUDR(square, routing.TieBoth), 0, 0, "takes 1..16 processors"},
	} {
		var wrong *core.InputError
		if _, err := New(meter.Unlimited(context.Background()), c.r, c.n, census.Conditions{}, big.NewRat(2, 1), treeOrderly,
			c.split); !errors.As(err, &wrong) || !strings.Contains(err.Error(), c.reason) {
			t.Errorf("%s on %s n=%d split %d: %v", c.r, c.r.Torus(), c.n, c.split, err)
		}
	}
	twisted := routing.NewAvoid(coretest.Must(core.NewTwisted([]int{4, 4}, [][]int{{0, 2}, {0, 0}})), routing.TieBoth)
	if _, err := New(meter.Unlimited(context.Background()), twisted, 4, census.Conditions{}, big.NewRat(2, 1), treeOrderly,
		1); err != nil {
		t.Errorf("on a twisted torus: %v", err)
	}
	if _, err := newOrderlyLoads(meter.Unlimited(context.Background()), primePaths{routing.NewUDR(core.MustTorus(5, 5),
		routing.TiePlus)}, 4, big.NewRat(2, 1), false); err == nil || !strings.Contains(err.Error(), "62 bits") {
		t.Errorf("sums past 62 bits: %v", err)
	}
}

// primePaths takes one of two paths once and the other so often that every displacement has another prime number of
// paths.
type primePaths struct{ routing.Routing }

func (p primePaths) Paths(from, to int, s core.Set) iter.Seq[[]core.Link] {
	primes := []int{101, 103, 107, 109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167, 173, 179, 181, 191, 193, 197,
		199, 211, 223, 227, 229}
	return func(yield func([]core.Link) bool) {
		often := primes[p.Torus().Displacement(from, to)] - 1
		for path := range p.Routing.Paths(from, to, s) {
			for range often {
				if !yield(path) {
					return
				}
			}
			often = 1
		}
	}
}

// TestOrderlyPrefixesAreBounded takes all sets of seven nodes as prefixes.
func TestOrderlyPrefixesAreBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("a million prefixes take a second")
	}
	r := parsed(t, core.MustTorus(8, 8), "odr")
	if _, err := New(meter.Unlimited(context.Background()), r, 7, census.Conditions{}, big.NewRat(1000, 1), treeOrderly,
		7); err == nil ||
		!strings.Contains(err.Error(), "1048576 prefixes of 7") {
		t.Errorf("error %v", err)
	}
}

// TestOrderlyWalkEnds stops listings and walks by their limits and their context.
func TestOrderlyWalkEnds(t *testing.T) {
	r, most := parsed(t, core.MustTorus(8, 8), "odr"), big.NewRat(7, 1)
	w, err := New(meter.Unlimited(context.Background()), r, 13, census.Conditions{}, most, treeOrderly, 2)
	if err != nil {
		t.Fatal(err)
	}
	if got := w.Run(meter.Unlimited(context.Background()), 0, len(w.Prefixes()), 5000); !got.Ended || got.Nodes != 5001 ||
		got.Found != nil {
		t.Errorf("at most 5000 lists: %+v", got)
	}
	over, cancel := context.WithCancel(context.Background())
	cancel()
	for what, ctx := range map[string]context.Context{"over": over,
		"ending": &patience{Context: context.Background(), left: 3}} {
		if got := w.Run(meter.Unlimited(ctx), 0, len(w.Prefixes()), math.MaxInt64); !got.Ended || got.Found != nil {
			t.Errorf("a context %s: %+v", what, got)
		}
	}
	for left := range 3 {
		ending := func() context.Context { return &patience{Context: context.Background(), left: left} }
		if _, err := New(meter.Unlimited(ending()), r, 13, census.Conditions{}, most, treeOrderly,
			9); !errors.Is(err, context.Canceled) {
			t.Errorf("prefixes under a context that ends: %v", err)
		}
		if _, err := Orbits(meter.Unlimited(ending()), r, 13, census.Conditions{}, most,
			1); !errors.Is(err, context.Canceled) {
			t.Errorf("a count under a context that ends: %v", err)
		}
	}
}

// A patience is a context that ends after it was asked some times.
type patience struct {
	context.Context
	left int
}

func (p *patience) Err() error {
	if p.left--; p.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestOrderlyWalkIsShared runs the slices of one walk side by side.
func TestOrderlyWalkIsShared(t *testing.T) {
	ctx := context.Background()
	w, err := New(meter.Unlimited(ctx), parsed(t, core.MustTorus(6, 6), "udr:tie=both"), 10, census.Conditions{},
		big.NewRat(5, 2), treeOrderly,
		4)
	if err != nil {
		t.Fatal(err)
	}
	whole := w.Run(meter.Unlimited(ctx), 0, len(w.Prefixes()), math.MaxInt64)
	parts := make(chan census.Tally)
	const cuts = 7
	for i := range cuts {
		go func() {
			parts <- w.Run(meter.Unlimited(ctx), i*len(w.Prefixes())/cuts, (i+1)*len(w.Prefixes())/cuts, math.MaxInt64)
		}()
	}
	sum := census.Tally{}
	for range cuts {
		part := <-parts
		sum.Nodes, sum.Sum = sum.Nodes+part.Nodes, sum.Sum+part.Sum
	}
	if len(w.Prefixes()) < cuts || !reflect.DeepEqual(sum, whole) {
		t.Errorf("%+v in slices, %+v in one go", sum, whole)
	}
}
