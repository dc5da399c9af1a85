package portfolio_test

import (
	"context"
	"errors"
	"math/big"
	"testing"

	"leeway/core"
	"leeway/objective"
	"leeway/search"
	"leeway/search/census"
	"leeway/search/exhaustive"
	"leeway/search/family"
	"leeway/search/local"
	"leeway/search/portfolio"
	"leeway/search/searchtest"
)

// degree is the bound of seed 001's Lemma 2.1 on a torus with sides above 2.
func degree(torus *core.Torus) func(int) *big.Rat {
	return func(n int) *big.Rat { return big.NewRat(int64(n-1), int64(2*torus.D())) }
}

func constant(text string) func(int) *big.Rat { return func(int) *big.Rat { return fraction(text) } }

func linear(num, den int64) func(int) *big.Rat {
	return func(n int) *big.Rat { return big.NewRat(num*int64(n), den) }
}

// largest is the answer by brute force.
func largest(optima []*big.Rat, limit func(int) *big.Rat) int {
	best := 0
	for n := 1; n < len(optima); n++ {
		if optima[n].Cmp(limit(n)) <= 0 {
			best = n
		}
	}
	return best
}

// TestLargestIsTheLargest holds sizes and upper bounds against the optima of all
// sizes.
func TestLargestIsTheLargest(t *testing.T) {
	for _, c := range []struct{ torus, routing string }{{"3x3", "udr"}, {"3x3", "avoid"}, {"9", "odr"}, {"7", "minimal"}, {"10", "avoid"}} {
		if testing.Short() && c.routing != "avoid" {
			continue
		}
		first := searchtest.Problem(c.torus, c.routing, 1)
		optima := make([]*big.Rat, first.Torus().N()+1)
		for n := 1; n < len(optima); n++ {
			optima[n] = searchtest.Optimum(objective.Problem{Routing: first.Routing, Size: n})
		}
		for name, limit := range map[string]func(int) *big.Rat{"0": constant("0"), "1/2": constant("1/2"), "1": constant("1"), "2": constant("2"),
			"5/2": constant("5/2"), "100": constant("100"), "n/8": linear(1, 8), "n/4": linear(1, 4), "n/3": linear(1, 3), "n/2": linear(1, 2)} {
			s := portfolio.Sizing{Routing: first.Routing, Limit: limit, Lower: degree(first.Torus())}
			got, err := portfolio.Largest(context.Background(), []search.Method{local.Method{}, exhaustive.New()}, search.Params{Seed: 1, Workers: 2, Evaluations: 300_000}, s)
			if err != nil {
				t.Fatal(err)
			}
			value, _ := objective.Naive(first.Routing, got.Best).Max()
			if want := largest(optima, limit); got.Size != want || got.UpperBound != want || got.Reason != search.Complete ||
				got.Best.Size() != want || value.Cmp(limit(want)) > 0 || value.Cmp(got.Value) != 0 {
				t.Errorf("%s %s within %s: size %d..%d, %d nodes of value %s (%s), want %d", c.torus, c.routing, name,
					got.Size, got.UpperBound, got.Best.Size(), got.Value.RatString(), got.Reason, want)
			}
			checkExcluded(t, got, s, optima)
		}
	}
}

// checkExcluded holds proofs against the optima, and sees that with the bounds they
// exclude every size above the upper bound.
func checkExcluded(t *testing.T, got portfolio.Sized, s portfolio.Sizing, optima []*big.Rat) {
	t.Helper()
	for n := got.UpperBound + 1; n < len(optima); n++ {
		over := s.Lower(n).Cmp(s.Limit(n)) > 0
		for _, e := range got.Excluded {
			if e.Size == n || e.Size < n && !s.Routing.DependsOnPlacement() {
				over = over || e.Refutation.Below.Cmp(s.Limit(n)) > 0
			}
		}
		if !over {
			t.Errorf("%s within %s: nothing excludes %d", s.Routing, s.Limit(n).RatString(), n)
		}
	}
	for _, e := range got.Excluded {
		if optima[e.Size].Cmp(e.Refutation.Below) < 0 {
			t.Errorf("%s: size %d has E_max %s, said to be none below %s", s.Routing, e.Size, optima[e.Size].RatString(), e.Refutation.Below.RatString())
		}
	}
}

// TestLargestOnLittle climbs under budgets that would not do for the first size as
// larger ones give it: on 4x4 within 3/2, 6 processors fit and 7 do not, by a full
// count.
func TestLargestOnLittle(t *testing.T) {
	p := searchtest.Problem("4x4", "udr:tie=both", 1)
	s := portfolio.Sizing{Routing: p.Routing, Limit: constant("3/2"), Lower: degree(p.Torus())}
	methods := []search.Method{family.Method{}, local.Method{}, exhaustive.New()}
	for budget, want := range map[int64]int{1: 1, 1000: 6, 8000: 6} {
		got, err := portfolio.Largest(context.Background(), methods, search.Params{Seed: 1, Workers: 1, Evaluations: budget}, s)
		if err != nil || got.Size != want || got.Evaluations > budget {
			t.Errorf("%d evaluations: size %d after %d, want %d, %v", budget, got.Size, got.Evaluations, want, err)
		}
	}
}

// TestLargestWithoutProof keeps to its evaluations, is the same for any workers, and
// starts from what it is given.
func TestLargestWithoutProof(t *testing.T) {
	p := searchtest.Problem("8x8", "udr:tie=both", 1)
	s := portfolio.Sizing{Routing: p.Routing, Limit: constant("4"), Lower: degree(p.Torus()), Recheck: 1}
	methods := []search.Method{family.Method{}, local.Method{}}
	var first portfolio.Sized
	for i, workers := range []int{1, 2, 7} {
		got, err := portfolio.Largest(context.Background(), methods, search.Params{Seed: 1, Workers: workers, Evaluations: 20_000}, s)
		if err != nil {
			t.Fatal(err)
		}
		// 16 processors fit (found by independent programs), the degree bound allows 17.
		if got.Size != 16 || got.UpperBound != 17 || got.Reason != search.Spent || got.Evaluations > 20_000 {
			t.Errorf("%d workers: size %d..%d, %s after %d evaluations", workers, got.Size, got.UpperBound, got.Reason, got.Evaluations)
		}
		if i == 0 {
			first = got
		} else if outcome(t, got.Result) != outcome(t, first.Result) {
			t.Errorf("%d workers: %s, with one %s", workers, outcome(t, got.Result), outcome(t, first.Result))
		}
	}
	again, err := portfolio.Largest(context.Background(), methods, search.Params{Seed: 1, Workers: 1, Evaluations: 1, Starts: []core.Placement{first.Best}}, s)
	if err != nil || again.Size != 16 || again.Method != "start" {
		t.Errorf("size %d by %s, %v", again.Size, again.Method, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	none, err := portfolio.Largest(ctx, methods, search.Params{Workers: 1}, s)
	if err != nil || none.Reason != search.Stopped || none.Size != 1 || none.UpperBound != 64 {
		t.Errorf("after the end: size %d..%d, %s, %v", none.Size, none.UpperBound, none.Reason, err)
	}
}

// TestLargestEndsWithNothingLeft runs a method that looks at little, without any
// budget.
func TestLargestEndsWithNothingLeft(t *testing.T) {
	p := searchtest.Problem("5x5", "udr", 1)
	s := portfolio.Sizing{Routing: p.Routing, Limit: constant("1"), Lower: constant("0")}
	got, err := portfolio.Largest(context.Background(), []search.Method{family.Method{}}, search.Params{Workers: 1}, s)
	if err != nil || got.Reason != search.Complete || got.Size < 5 || got.UpperBound != 25 {
		t.Errorf("size %d..%d, %s, %v", got.Size, got.UpperBound, got.Reason, err)
	}
}

// TestUpperBound takes a bound that says nothing but about one size: it is about all
// larger ones too, unless paths depend on the processors.
func TestUpperBound(t *testing.T) {
	three := func(n int) *big.Rat { return big.NewRat(int64(max(0, 1-max(n-3, 3-n))*9), 1) }
	for routing, want := range map[string]int{"udr": 2, "avoid": 10} {
		s := portfolio.Sizing{Routing: searchtest.Problem("10", routing, 1).Routing, Limit: constant("8"), Lower: three}
		got, err := portfolio.Largest(context.Background(), []search.Method{family.Method{}}, search.Params{Workers: 1, Evaluations: 1}, s)
		if err != nil || got.UpperBound != want {
			t.Errorf("%s: at most %d, want %d, %v", routing, got.UpperBound, want, err)
		}
	}
}

func TestLargestRefuses(t *testing.T) {
	p := searchtest.Problem("5x5", "udr", 1)
	other := core.MustPlacement(core.MustTorus(4, 4), row)
	five := core.MustPlacement(p.Torus(), []int{0, 6, 12, 18, 24}) // has 1
	var input *core.InputError
	var disagreement *census.DisagreementError
	for name, c := range map[string]struct {
		limit, lower func(int) *big.Rat
		starts       []core.Placement
		target       any
	}{
		"a negative limit":              {constant("-1"), constant("0"), nil, &input},
		"a falling limit":               {linear(-1, 1), constant("0"), nil, &input},
		"a start elsewhere":             {constant("1"), constant("0"), []core.Placement{other}, &input},
		"a bound that excludes a start": {constant("1"), linear(1, 4), []core.Placement{five}, &disagreement},
	} {
		s := portfolio.Sizing{Routing: p.Routing, Limit: c.limit, Lower: c.lower}
		_, err := portfolio.Largest(context.Background(), []search.Method{family.Method{}}, search.Params{Workers: 1, Starts: c.starts}, s)
		if !errors.As(err, c.target) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
