package orderly

import (
	"context"
	"errors"
	"math/big"
	"reflect"
	"slices"
	"testing"
	"time"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/symmetry"
	"leeway/objective"
	"leeway/search"
	"leeway/search/exhaustive"
	"leeway/search/searchtest"
)

// burnside returns, by size, the number of orbits of node sets: the mean, over the
// automorphisms, of the sets that each maps to itself, which are the unions of its
// cycles.
func burnside(g *symmetry.Group) []int64 {
	n := g.Torus().N()
	total := make([]int64, n+1)
	for i := range g.Points() {
		for shift := range n {
			unions := make([]int64, n+1)
			unions[0] = 1
			for _, length := range cycles(g.Images(i, shift)) {
				for size := n; size >= length; size-- {
					unions[size] += unions[size-length]
				}
			}
			for size, c := range unions {
				total[size] += c
			}
		}
	}
	for size := range total {
		total[size] /= int64(g.Order())
	}
	return total
}

func cycles(image []int) []int {
	var lengths []int
	seen := make([]bool, len(image))
	for v := range image {
		length := 0
		for ; !seen[v]; v = image[v] {
			seen[v] = true
			length++
		}
		if length > 0 {
			lengths = append(lengths, length)
		}
	}
	return lengths
}

// TestLevelsAreBurnsides: without a limit, every level counts all orbits.
func TestLevelsAreBurnsides(t *testing.T) {
	for _, c := range []struct {
		torus, routing string
		size           int
	}{{"3x3", "udr", 9}, {"3x3", "odr", 9}, {"2x2x2", "udr", 8}, {"3x4", "odr", 12}, {"3x4", "minimal", 12}, {"4x4", "udr:tie=both", 8},
		{"4x4", "odr", 6}, {"3x3x3", "udr", 5}, {"2x3x4", "odr:tie=both", 5}, {"5x13", "udr", 4}, {"9x15", "odr", 3}} {
		p := searchtest.Problem(c.torus, c.routing, c.size)
		g, err := symmetry.Of(p.Routing)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Enumerate(context.Background(), p, nil, Options{Whole: true, CountOnly: true, Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		if want := burnside(g)[:c.size+1]; !slices.Equal(r.Levels, want) {
			t.Errorf("%s: levels %v, by Burnside %v", p, r.Levels, want)
		}
		if want := new(big.Int).Binomial(int64(p.Torus().N()), int64(c.size)); r.Labelled.Cmp(want) != 0 {
			t.Errorf("%s: %s placements of %s", p, r.Labelled, want)
		}
	}
}

// TestRepresentativesAreCanonical holds the lists of 4x4 against core/symmetry.
func TestRepresentativesAreCanonical(t *testing.T) {
	p := searchtest.Problem("4x4", "odr", 5)
	g, _ := symmetry.Of(p.Routing)
	r, err := Enumerate(context.Background(), p, nil, Options{})
	if err != nil || len(r.Representatives) == 0 {
		t.Fatal(len(r.Representatives), err)
	}
	for i, nodes := range r.Representatives {
		if form, stabilizer := g.Canonical(nodes); !slices.Equal(form, nodes) || r.OrbitSizes[i] != int64(g.Order()/stabilizer) {
			t.Errorf("%v in an orbit of %d, canonical %v in %d", nodes, r.OrbitSizes[i], form, g.Order()/stabilizer)
		}
	}
	if !slices.IsSortedFunc(r.Representatives, slices.Compare) {
		t.Error("representatives out of order")
	}
}

// TestOneSymmetryTooManyLosesOptima runs odr with the symmetry of udr, which also
// swaps the dimensions and reflects even sides.
func TestOneSymmetryTooManyLosesOptima(t *testing.T) {
	lost := 0
	for n := 2; n <= 8; n++ {
		p := searchtest.Problem("4x4", "odr", n)
		full, err := exhaustive.New().Run(context.Background(), search.Params{Problem: p, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		right, err := Enumerate(context.Background(), p, full.Value, Options{})
		if err != nil || right.Orbits == 0 {
			t.Fatalf("%s: %v", p, err)
		}
		wrong, err := symmetry.Of(searchtest.Problem("4x4", "udr", n).Routing)
		if err != nil {
			t.Fatal(err)
		}
		e := engineWith(p, wrong)
		r, err := e.run(context.Background(), e.units(full.Value), false, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if r.Labelled.Cmp(right.Labelled) != 0 {
			lost++
		}
	}
	if lost == 0 {
		t.Error("a symmetry too many changed no count of 4x4")
	}
}

func TestAgreesWithTheFullCount(t *testing.T) {
	for i, r := range []string{"odr", "odr:tie=both", "udr", "udr:tie=both", "minimal"} {
		for n := 2 + i%2; n <= 14; n += 2 {
			p := searchtest.Problem("4x4", r, n)
			full, err := exhaustive.New().Run(context.Background(), search.Params{Problem: p, Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			out, err := New().Run(context.Background(), search.Params{Problem: p, Workers: 2})
			if err != nil || out.Value.Cmp(full.Value) != 0 || out.Refutation == nil {
				t.Errorf("%s: %v, full count %s, %v", p, out.Value, full.Value.RatString(), err)
			}
		}
	}
}

func TestWorkersChangeNothing(t *testing.T) {
	p := searchtest.Problem("5x5", "udr", 7)
	limit := big.NewRat(5, 2)
	for _, run := range []func(Options) (*Result, error){
		func(o Options) (*Result, error) { return Enumerate(context.Background(), p, limit, o) },
		func(o Options) (*Result, error) { return Decide(context.Background(), p, limit, o) },
	} {
		one, err := run(Options{Workers: 1})
		if err != nil || one.Orbits == 0 {
			t.Fatal(one, err)
		}
		for _, workers := range []int{2, 5} {
			if many, err := run(Options{Workers: workers}); err != nil || !reflect.DeepEqual(one, many) {
				t.Errorf("%d workers: %d orbits, levels %v; one: %d, %v; %v", workers, many.Orbits, many.Levels, one.Orbits, one.Levels, err)
			}
		}
		budget := one.Nodes() / 2
		if r, err := run(Options{Evaluations: budget}); err != nil || r.Nodes() != budget || r.Reason != search.Spent {
			t.Errorf("budget %d: %d lists, reason %s, %v", budget, r.Nodes(), r.Reason, err)
		}
		if r, err := run(Options{Evaluations: one.Nodes()}); err != nil || !reflect.DeepEqual(one, r) {
			t.Errorf("a budget that is just enough: %d lists of %d, reason %s, %v", r.Nodes(), one.Nodes(), r.Reason, err)
		}
	}
}

// TestKnownCounts: 8x8 n=16 has 24 placements with E_max 4 under udr, ties both
// (design notes, by an independent program).
func TestKnownCounts(t *testing.T) {
	if testing.Short() {
		t.Skip("a second")
	}
	r, err := Enumerate(context.Background(), searchtest.Problem("8x8", "udr:tie=both", 16), big.NewRat(4, 1), Options{Workers: 2})
	if err != nil || r.Labelled.Cmp(big.NewInt(24)) != 0 {
		t.Errorf("%v, %v", r, err)
	}
	// k x k, n=k: the degree bound (k-1)/4 is met by k! placements.
	for k, want := range map[int]int64{3: 6, 4: 24, 5: 120, 6: 720, 7: 5040} {
		p := objective.Problem{Routing: searchtest.Problem(core.MustTorus(k, k).String(), "udr:tie=both", k).Routing, Size: k}
		r, err := Enumerate(context.Background(), p, big.NewRat(int64(k-1), 4), Options{Workers: 2})
		if err != nil || r.Labelled.Cmp(big.NewInt(want)) != 0 {
			t.Errorf("%s: %v, %v, want %d", p, r, err, want)
		}
	}
}

func TestRefuses(t *testing.T) {
	for _, p := range []objective.Problem{searchtest.Problem("4x4", "avoid", 4), searchtest.Problem("17x16", "odr", 4), searchtest.Problem("2^7", "udr", 4),
		{Routing: coretest.Table(coretest.Rng(92, 0), core.MustTorus(3, 3), true), Size: 3}} {
		var unsupported *search.UnsupportedError
		if err := New().Supports(p); !errors.As(err, &unsupported) {
			t.Errorf("%s: Supports: %v", p, err)
		}
		if _, err := Enumerate(context.Background(), p, nil, Options{}); !errors.As(err, &unsupported) {
			t.Errorf("%s: Enumerate: %v", p, err)
		}
	}
}

func TestLimitBelowZeroAndZero(t *testing.T) {
	p := searchtest.Problem("3x3", "udr", 1)
	if r, err := Enumerate(context.Background(), p, big.NewRat(-1, 100), Options{}); err != nil || r.Orbits != 0 || !r.Complete() {
		t.Errorf("below 0: %+v, %v", r, err)
	}
	if r, err := Enumerate(context.Background(), p, new(big.Rat), Options{}); err != nil || r.Labelled.Int64() != 9 {
		t.Errorf("at 0: %+v, %v", r, err)
	}
}

// TestStopsWithTheContext ends a walk of many minutes.
func TestStopsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	out, err := New().Run(ctx, search.Params{Problem: searchtest.Problem("8x8", "udr", 20), Workers: 2})
	if err != nil || out.Reason != search.Stopped || out.Refutation != nil || out.Value == nil {
		t.Errorf("%+v, %v", out, err)
	}
}

// TestStartsAreUsed: from an optimal start one walk is enough, and its lists are
// what the refutation counts.
func TestStartsAreUsed(t *testing.T) {
	p := searchtest.Problem("4x4", "udr:tie=both", 6)
	cold, err := Optimum(context.Background(), p, nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	warm, err := Optimum(context.Background(), p, []core.Placement{cold.Best}, Options{})
	if err != nil || warm.Value.Cmp(cold.Value) != 0 || warm.Evaluations != warm.Refutation.Count || !slices.Equal(warm.Census.Levels, cold.Census.Levels) {
		t.Errorf("from the optimum %+v, from nothing %+v, %v", warm, cold, err)
	}
}
