// Package censustest holds what tests of several engines share: decisions with known answers, and the comparison of an
// engine with its slow twin. Only tests import it.
package censustest

import (
	"context"
	"math/big"
	"slices"
	"testing"

	"leeway/core"
	"leeway/objective"
	"leeway/search"
	"leeway/search/census"
	"leeway/search/exhaustive"
	"leeway/search/searchtest"
)

// Plan returns the plan of an engine for a question.
func Plan(t *testing.T, e census.Engine, p objective.Problem, below *big.Rat) census.Plan {
	t.Helper()
	q, err := e.Plan(context.Background(), p, below, 2)
	if err != nil {
		t.Fatalf("%s below %s: %v", p, below.RatString(), err)
	}
	return q
}

// Answer walks a whole plan and returns the first placement found, its zero value if there is none.
func Answer(t *testing.T, q census.Plan) core.Placement {
	t.Helper()
	slices := census.Cut(q)
	a := census.Run(context.Background(), q, slices, make([]bool, len(slices)), census.Options{Workers: 1})
	if a.Complete == (a.Found.Size() > 0) {
		t.Fatalf("complete %v, found %v", a.Complete, a.Found.Nodes())
	}
	return a.Found
}

// IsOptimum checks that an engine finds nothing below a value and something of that value one step above.
func IsOptimum(t *testing.T, e census.Engine, p objective.Problem, value *big.Rat) {
	t.Helper()
	if found := Answer(t, Plan(t, e, p, value)); found.Size() > 0 {
		t.Errorf("%s: %v found below the optimum %s", p, found.Nodes(), value.RatString())
	}
	found := Answer(t, Plan(t, e, p, stepAbove(p, value)))
	if v, _ := p.Naive(found).Max(); found.Size() != p.Size || v.Cmp(value) != 0 {
		t.Errorf("%s: %v of E_max %s found, optimum %s", p, found.Nodes(), v.RatString(), value.RatString())
	}
}

// Largest returns the numbers of lines from the largest size to the smallest, lines of one size in their order.
func Largest(sizes []int) []int {
	order := core.Range(len(sizes))
	slices.SortStableFunc(order, func(a, b int) int { return sizes[b] - sizes[a] })
	return order
}

// stepAbove returns the load one step above a value.
func stepAbove(p objective.Problem, value *big.Rat) *big.Rat {
	return new(big.Rat).Add(value, big.NewRat(1, p.Denominator().Int64()))
}

// Optimum returns the best value by the full count, on the smallest tori with the naive evaluator.
func Optimum(t *testing.T, p objective.Problem) *big.Rat {
	t.Helper()
	if p.Torus().N() <= 9 {
		return searchtest.Optimum(p)
	}
	full, err := exhaustive.Method{}.Run(context.Background(), search.Params{Problem: p, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	return full.Value
}

// A Known is a decision with its answer by the full count.
type Known struct {
	Problem objective.Problem
	Below   *big.Rat
	Found   bool
}

// Knowns asks on small tori below the optimum and one step above it, for sizes from 3 to most.
func Knowns(t *testing.T, tori []string, most int) (list []Known) {
	t.Helper()
	for _, torus := range tori {
		for _, r := range []string{"odr", "odr:tie=both", "udr", "udr:tie=both"} {
			for n := 3; n <= most; n++ {
				p := searchtest.Problem(torus, r, n)
				value := Optimum(t, p)
				list = append(list, Known{p, stepAbove(p, value), true}, Known{p, value, false})
			}
		}
	}
	return list
}

// Wrong counts the cases that plans answer wrongly: no placement where there is one, or one that is not below the
// value or breaks a condition.
func Wrong(t *testing.T, cases []Known, plan func(Known) census.Plan) (count int) {
	t.Helper()
	for _, c := range cases {
		found := Answer(t, plan(c))
		if (found.Size() > 0) != c.Found {
			count++
		} else if c.Found {
			if v, _ := c.Problem.Naive(found).Max(); v.Cmp(c.Below) >= 0 || !c.Problem.Admits(found) {
				count++
			}
		}
	}
	return count
}

// A Twin is the tree of an engine by its definition.
type Twin interface {
	Prefixes() [][]int
	// Walk returns the nodes below prefix i, the sum of their hashes, and whether a placement is among them, which ends
	// the walk.
	Walk(i int) (nodes int64, sum uint64, found bool)
}

// Compare holds the prefixes of a plan, and counts and sums below every prefix, against the twin, and returns the nodes
// and whether a placement was found.
func Compare(t *testing.T, p objective.Problem, below *big.Rat, q census.Plan, w Twin) (nodes int64, found bool) {
	t.Helper()
	prefixes := w.Prefixes()
	if !slices.EqualFunc(q.Prefixes(), prefixes, slices.Equal) {
		t.Errorf("%s below %s: prefixes %v, by the definition %v", p, below.RatString(), q.Prefixes(), prefixes)
		return 0, false
	}
	walker := q.Walker()
	for i, prefix := range prefixes {
		got := walker.Walk(i, func(int64) bool { return true })
		count, sum, any := w.Walk(i)
		if (got.Found.Size() > 0) != any || !any && (got.Nodes != count || got.Sum != sum) {
			t.Errorf("%s below %s, prefix %v: %d nodes, sum %x, found %v; by the definition %d, %x, %v",
				p, below.RatString(), prefix,
				got.Nodes, got.Sum, got.Found.Size() > 0, count, sum, any)
		}
		if found = found || any; any {
			if v, _ := p.Naive(got.Found).Max(); got.Found.Size() != p.Size || v.Cmp(below) >= 0 {
				t.Errorf("%s below %s: found %v of E_max %s", p, below.RatString(), got.Found.Nodes(), v.RatString())
			}
		}
		nodes += got.Nodes
	}
	return nodes, found
}

// AroundOptimum compares an engine with its twin below the optimum of a problem and so many steps above it. Nothing is
// found below it, something above. It returns the nodes.
func AroundOptimum(t *testing.T, e census.Engine, p objective.Problem, steps int,
	twin func(below *big.Rat) Twin) (nodes int64) {
	t.Helper()
	below := Optimum(t, p)
	for above := range steps + 1 {
		if below.Sign() > 0 {
			count, found := Compare(t, p, below, Plan(t, e, p, below), twin(below))
			if nodes += count; found != (above > 0) {
				t.Errorf("%s below %s: found %v, %d steps above the optimum", p, below.RatString(), found, above)
			}
		}
		below = stepAbove(p, below)
	}
	return nodes
}
