package portfolio_test

import (
	"context"
	"errors"
	"math/big"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/objective"
	"leeway/search"
	"leeway/search/family"
	"leeway/search/local"
	"leeway/search/portfolio"
	"leeway/search/searchtest"
	"leeway/search/searchtest/exhaustive"
)

// degree is the bound of seed 001's Lemma 2.1 on a torus with sides above 2.
func degree(torus *core.Torus) func(int) *big.Rat {
	return func(n int) *big.Rat { return big.NewRat(int64(n-1), int64(2*torus.D())) }
}

func constant(text string) func(int) *big.Rat { return func(int) *big.Rat { return fraction(text) } }

func linear(num, den int64) func(int) *big.Rat {
	return func(n int) *big.Rat { return big.NewRat(num*int64(n), den) }
}

// limited is a problem with a limit, such as 5/2, or 1/8n for so much a processor.
func limited(p objective.Problem, text string) objective.Problem {
	number, each := strings.CutSuffix(text, "n")
	p.Size, p.Limit = 0, &objective.Limit{Value: fraction(number), PerProcessor: each}
	return p
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

// TestLargestIsTheLargest holds sizes and upper bounds against the optima of all sizes.
func TestLargestIsTheLargest(t *testing.T) {
	for _, c := range []struct{ torus, routing string }{{"3x3", "udr"}, {"3x3", "avoid"}, {"9", "odr"}, {"7", "minimal"},
		{"10", "avoid"}} {
		if testing.Short() && c.routing != "avoid" {
			continue
		}
		first := searchtest.Problem(c.torus, c.routing, 1)
		optima := make([]*big.Rat, first.Torus().N()+1)
		for n := 1; n < len(optima); n++ {
			optima[n] = searchtest.Optimum(objective.Problem{Routing: first.Routing, Size: n})
		}
		for _, name := range []string{"0", "1/2", "1", "2", "5/2", "100", "1/8n", "1/4n", "1/3n", "1/2n"} {
			p := limited(first, name)
			limit, lower := p.Limit.ValueAt, degree(first.Torus())
			got := run(t, search.Params{Problem: p, Seed: 1, Workers: 2, Evaluations: 300_000}, portfolio.Options{Lower: lower},
				local.Method{}, exhaustive.Method{})
			value, _ := objective.Naive(first.Routing, got.Best).Max()
			if want := largest(optima, limit); got.Best.Size() != want || got.UpperBound != want ||
				got.Reason != search.Complete ||
				value.Cmp(limit(want)) > 0 || value.Cmp(got.Value) != 0 {
				t.Errorf("%s %s within %s: size %d..%d of value %s (%s), want %d", c.torus, c.routing, name,
					got.Best.Size(), got.UpperBound, got.Value.RatString(), got.Reason, want)
			}
			checkExcluded(t, got, p, lower, optima)
		}
	}
}

// TestLargestWhereFewAreTooMany: where the limit grows with the size, one processor alone, or the fixed nodes, may be
// above it and more of them within. The answer is by brute force, from loads by listing paths.
func TestLargestWhereFewAreTooMany(t *testing.T) {
	clients := coretest.Must(searchtest.Problem("3x3:open=0,1", "odr", 1).WithTraffic(
		objective.Traffic{Request: 1, Reply: 1}))
	fixed := coretest.Must(searchtest.Problem("3x3", "udr:tie=both", 3).WithNodes([]int{0, 1, 2}, []int{8}))
	for _, c := range []struct {
		problem objective.Problem
		name    string
	}{{clients, "5/4n"}, {clients, "3/2n"}, {clients, "2n"}, {clients, "11/4n"}, {clients, "4n"}, {fixed, "1/5n"},
		{fixed, "1/6n"}, {fixed, "1/4n"}} {
		p := limited(c.problem, c.name)
		want := 0
		for nodes := uint64(1); nodes < 1<<9; nodes++ {
			s := core.MustPlacement(p.Torus(), core.Set{nodes}.Nodes())
			if !p.Admits(s) {
				continue
			}
			if value, _ := p.Naive(s).Max(); value.Cmp(p.Limit.ValueAt(s.Size())) <= 0 {
				want = max(want, s.Size())
			}
		}
		got, err := portfolio.Run(t.Context(), []search.Method{local.Method{}, exhaustive.Method{}},
			search.Params{Problem: p, Seed: 1, Workers: 1, Evaluations: 300_000}, portfolio.Options{})
		var input *core.InputError
		if want == 0 && errors.As(err, &input) {
			continue
		}
		if err != nil || got.Best.Size() != want || got.Reason != search.Complete {
			t.Errorf("%s within %s: size %d..%d, %s, %v, want %d", c.problem, c.name, got.Best.Size(), got.UpperBound,
				got.Reason, err, want)
		}
	}
}

// TestLargestBeginsUntilTheContextEnds: the nodes are tried alone first, which takes long where they are many.
func TestLargestBeginsUntilTheContextEnds(t *testing.T) {
	p := limited(coretest.Must(searchtest.Problem("9x9:open=0,1", "odr", 1).WithTraffic(
		objective.Traffic{Request: 1, Reply: 1})), "1/100n")
	for _, looks := range []int{0, 2} {
		ctx := coretest.EndsAfter(looks)
		got, err := portfolio.Run(ctx, []search.Method{local.Method{}}, search.Params{Problem: p, Workers: 1},
			portfolio.Options{})
		if err != nil || got.Reason != search.Stopped || ctx.Looks() > int64(looks)+8 {
			t.Errorf("%d looks: %s, %v, after %d looks", looks, got.Reason, err, ctx.Looks())
		}
	}
}

// checkExcluded holds proofs against the optima, and sees that with the bounds they
// exclude every size above the upper bound.
func checkExcluded(t *testing.T, got portfolio.Outcome, p objective.Problem, lower func(int) *big.Rat,
	optima []*big.Rat) {
	t.Helper()
	for n := got.UpperBound + 1; n < len(optima); n++ {
		over := lower(n).Cmp(p.Limit.ValueAt(n)) > 0
		for _, e := range got.Excluded {
			if e.Size == n || e.Size < n && !p.Routing.DependsOnPlacement() {
				over = over || e.Refutation.Below.Cmp(p.Limit.ValueAt(n)) > 0
			}
		}
		if !over {
			t.Errorf("%s within %s: nothing excludes %d", p.Routing, p.Limit.ValueAt(n).RatString(), n)
		}
	}
	for _, e := range got.Excluded {
		if optima[e.Size].Cmp(e.Refutation.Below) < 0 {
			t.Errorf("%s: size %d has E_max %s, said to be none below %s", p.Routing, e.Size, optima[e.Size].RatString(),
				e.Refutation.Below.RatString())
		}
	}
}

// TestLargestOnLittle climbs under budgets that would not do for the first size as larger ones give it: on 4x4 within
// 3/2, 6 processors fit and 7 do not, by a full count.
func TestLargestOnLittle(t *testing.T) {
	p := limited(searchtest.Problem("4x4", "udr:tie=both", 1), "3/2")
	for budget, want := range map[int64]int{1: 1, 1000: 6, 8000: 6} {
		got := run(t, search.Params{Problem: p, Seed: 1, Workers: 1, Evaluations: budget}, portfolio.Options{},
			family.Method{}, local.Method{}, exhaustive.Method{})
		if got.Best.Size() != want || got.Evaluations > budget {
			t.Errorf("%d evaluations: size %d after %d, want %d", budget, got.Best.Size(), got.Evaluations, want)
		}
	}
}

// TestLargestWithoutProof keeps to its evaluations, is the same for any workers, and starts from what it is given.
func TestLargestWithoutProof(t *testing.T) {
	p := search.Params{Problem: limited(searchtest.Problem("8x8", "udr:tie=both", 1), "4"), Seed: 1, Evaluations: 20_000}
	o := portfolio.Options{Recheck: 1, Lower: degree(p.Problem.Torus())}
	methods := []search.Method{family.Method{}, local.Method{}}
	var first portfolio.Outcome
	for i, workers := range []int{1, 2, 7} {
		p.Workers = workers
		got := run(t, p, o, methods...)
		// 16 processors fit (found by independent programs), the degree bound allows 17.
		if got.Best.Size() != 16 || got.UpperBound != 17 || got.Reason != search.Spent || got.Evaluations > 20_000 {
			t.Errorf("%d workers: size %d..%d, %s after %d evaluations", workers, got.Best.Size(), got.UpperBound, got.Reason,
				got.Evaluations)
		}
		if i == 0 {
			first = got
		} else if outcome(t, got) != outcome(t, first) {
			t.Errorf("%d workers: %s, with one %s", workers, outcome(t, got), outcome(t, first))
		}
	}
	p.Workers, p.Evaluations, p.Starts = 1, 1, []core.Placement{first.Best}
	if again := run(t, p, o, methods...); again.Best.Size() != 16 || again.Method != "start" {
		t.Errorf("size %d by %s", again.Best.Size(), again.Method)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p.Evaluations, p.Starts = 0, nil
	none, err := portfolio.Run(ctx, methods, p, o)
	if err != nil || none.Reason != search.Stopped || none.Best.Size() != 1 || none.UpperBound != 64 {
		t.Errorf("after the end: size %d..%d, %s, %v", none.Best.Size(), none.UpperBound, none.Reason, err)
	}
}

// TestLargestEndsWithNothingLeft runs a method that looks at little, without any budget.
func TestLargestEndsWithNothingLeft(t *testing.T) {
	p := search.Params{Problem: limited(searchtest.Problem("5x5", "udr", 1), "1"), Workers: 1}
	got := run(t, p, portfolio.Options{Lower: constant("0")}, family.Method{})
	if got.Reason != search.Complete || got.Best.Size() < 5 || got.UpperBound != 25 {
		t.Errorf("size %d..%d, %s", got.Best.Size(), got.UpperBound, got.Reason)
	}
}

// TestUpperBound takes a bound that says nothing but about one size: it is about all
// larger ones too, unless paths depend on the processors.
func TestUpperBound(t *testing.T) {
	three := func(n int) *big.Rat { return big.NewRat(int64(max(0, 1-max(n-3, 3-n))*9), 1) }
	for routing, want := range map[string]int{"udr": 2, "avoid": 10} {
		p := search.Params{Problem: limited(searchtest.Problem("10", routing, 1), "8"), Workers: 1, Evaluations: 1}
		if got := run(t, p, portfolio.Options{Lower: three}, family.Method{}); got.UpperBound != want {
			t.Errorf("%s: at most %d, want %d", routing, got.UpperBound, want)
		}
	}
}

func TestLargestRefuses(t *testing.T) {
	p := searchtest.Problem("5x5", "udr", 1)
	other := core.MustPlacement(core.MustTorus(4, 4), row)
	five := core.MustPlacement(p.Torus(), []int{0, 6, 12, 18, 24}) // has 1
	var input *core.InputError
	var disagreement *search.DisagreementError
	for name, c := range map[string]struct {
		limit  string
		lower  func(int) *big.Rat
		starts []core.Placement
		target any
	}{
		"a negative limit":              {"-1", constant("0"), nil, &input},
		"a falling limit":               {"-1n", constant("0"), nil, &input},
		"a start elsewhere":             {"1", constant("0"), []core.Placement{other}, &input},
		"a bound that excludes a start": {"1", linear(1, 4), []core.Placement{five}, &disagreement},
	} {
		_, err := portfolio.Run(context.Background(), []search.Method{family.Method{}},
			search.Params{Problem: limited(p, c.limit), Workers: 1, Starts: c.starts}, portfolio.Options{Lower: c.lower})
		if !errors.As(err, c.target) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
