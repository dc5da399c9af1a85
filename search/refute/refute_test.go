package refute_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/encode"
	"leeway/encode/cnf/cnftest"
	"leeway/encode/dimacs"
	"leeway/encode/lrat"
	"leeway/objective"
	"leeway/results/check/meter"
	checker "leeway/results/check/sat"
	"leeway/search/refute"
	"leeway/search/sat"
	"leeway/search/searchtest"
)

// random returns a formula of random clauses of up to width literals, most of them of three, with repeated and opposite
// literals among them if loose.
func random(rng *rand.Rand, vars, count, width int, loose bool) cnftest.Clauses {
	f := cnftest.Clauses{Of: vars}
	for range count {
		var clause []int
		size := 3
		if loose {
			size = 1 + rng.IntN(width)
		}
		for len(clause) < size {
			l := 1 + rng.IntN(vars)
			if rng.IntN(2) == 0 {
				l = -l
			}
			if loose || !slices.Contains(clause, l) && !slices.Contains(clause, -l) {
				clause = append(clause, l)
			}
		}
		f.List = append(f.List, clause)
	}
	return f
}

// decide decides a formula, holds a model against every clause and has the proof checked. It returns the proof, nil if
// the formula can be satisfied.
func decide(t *testing.T, f dimacs.Formula) []byte {
	t.Helper()
	answer := coretest.Must(refute.Solve(t.Context(), f, refute.DefaultMemory))
	if answer.Satisfiable {
		err := f.Write(sinkFunc(func(clause []int) error {
			if !slices.ContainsFunc(clause, func(l int) bool { return answer.Holds(max(l, -l)) == (l > 0) }) {
				return fmt.Errorf("the model violates %v", clause)
			}
			return nil
		}))
		if err != nil {
			t.Fatal(err)
		}
		return nil
	}
	var proof bytes.Buffer
	w := lrat.NewWriter(&proof, f.Clauses())
	coretest.Try(answer.WriteProof(w))
	coretest.Try(w.Close())
	verdict, err := checker.Refute(meter.Unlimited(t.Context()), f, bytes.NewReader(proof.Bytes()))
	if err != nil || verdict.Verdict != checker.Verified {
		t.Fatalf("%+v, %v", verdict, err)
	}
	return proof.Bytes()
}

type sinkFunc func(clause []int) error

func (f sinkFunc) Add(clause []int) error { return f(clause) }

func TestEqualsBranching(t *testing.T) {
	counts := map[bool]int{}
	for i := range coretest.Cases(6000, 1500) {
		rng := coretest.Rng(811, i)
		vars := 1 + rng.IntN(12)
		f := random(rng, max(vars, 3), rng.IntN(5*vars+2), 1+rng.IntN(4), rng.IntN(2) == 0)
		if rng.IntN(40) == 0 {
			f.List = append(f.List, nil)
		}
		var plain cnftest.Formula
		f.Write(&plain)
		want := plain.Satisfiable(nil)
		if got := decide(t, f) == nil; got != want {
			t.Fatalf("case %d: %v: satisfiable %v", i, f, got)
		}
		counts[want]++
	}
	if counts[true] < 100 || counts[false] < 100 {
		t.Errorf("too few of a kind: %v", counts)
	}
}

// TestEqualsGini takes formulas that are hard enough for clauses to be forgotten.
func TestEqualsGini(t *testing.T) {
	for i := range coretest.Cases(24, 6) {
		rng := coretest.Rng(812, i)
		vars := 100 + rng.IntN(100)
		f := random(rng, vars, int(4.3*float64(vars)), 3, false)
		answer, _ := sat.Decide(t.Context(), f)
		if got := decide(t, f) == nil; got != (answer == sat.Found) {
			t.Fatalf("case %d: satisfiable %v, gini says %v", i, got, answer)
		}
	}
}

// TestPigeons: n+1 pigeons do not fit into n holes, one each.
func TestPigeons(t *testing.T) {
	for n := 1; n <= 7; n++ {
		f := cnftest.Clauses{Of: n * (n + 1)}
		in := func(pigeon, hole int) int { return 1 + pigeon*n + hole }
		for p := range n + 1 {
			var some []int
			for h := range n {
				some = append(some, in(p, h))
				for other := range p {
					f.List = append(f.List, []int{-in(p, h), -in(other, h)})
				}
			}
			f.List = append(f.List, some)
		}
		if decide(t, f) == nil {
			t.Errorf("%d pigeons have a hole each of %d", n+1, n)
		}
	}
}

// TestPlacements asks about placements below the optimum and at most at it; with the optimum of brute force. The proof
// is the same each time.
func TestPlacements(t *testing.T) {
	for i := range coretest.Cases(150, 40) {
		rng := coretest.Rng(813, i)
		p := searchtest.ConditionedOn(rng, coretest.Any(rng, 12))
		model, err := encode.NewModel(t.Context(), p, encode.Options{BreakSymmetry: rng.IntN(4) == 0})
		if err != nil {
			continue // a routing that depends on the placement
		}
		optimum := searchtest.Optimum(p)
		below := coretest.Must(model.Formula(t.Context(), dimacs.Limit(p, optimum)))
		proof := decide(t, below)
		if proof == nil || !bytes.Equal(proof, decide(t, below)) {
			t.Fatalf("%s below %s: no proof, or two", p, optimum.RatString())
		}
		within := coretest.Must(model.Formula(t.Context(), optimum))
		answer, err := refute.Solve(t.Context(), within, refute.DefaultMemory)
		if err != nil || !answer.Satisfiable {
			t.Fatalf("%s within %s: %+v, %v", p, optimum.RatString(), answer, err)
		}
		placement := coretest.Must(model.Decode(answer.Holds))
		if value, _ := objective.Naive(p.Routing, placement).Max(); value.Cmp(optimum) != 0 {
			t.Fatalf("%s: %v has %s, the optimum is %s", p, placement.Nodes(), value.RatString(), optimum.RatString())
		}
	}
}

// TestLines asks about placements on networks of two dimensions, line by line where the formula is over counts: proofs
// are checked, and models are placements that no link exceeds the limit with.
func TestLines(t *testing.T) {
	refuted, held := 0, 0
	for i := range coretest.Cases(120, 60) {
		rng := coretest.Rng(814, i)
		torus := coretest.Opened(rng, core.MustTorus(3+rng.IntN(3), 3+rng.IntN(4)))
		p := searchtest.ConditionedOn(rng, torus)
		some := p.Fixed.Nodes()
		for _, v := range rng.Perm(torus.N()) {
			if len(some) < p.Size && !slices.Contains(append(p.Forbidden.Nodes(), some...), v) {
				some = append(some, v)
			}
		}
		model, err := encode.NewModel(t.Context(), p, encode.Options{})
		if err != nil {
			continue // a routing that depends on the placement
		}
		reached, _ := objective.Naive(p.Routing, core.MustPlacement(torus, some)).Max()
		eighths := 3 + rng.Int64N(6)
		limit := new(big.Rat).Mul(reached, big.NewRat(eighths, 8))
		f := coretest.Must(model.Formula(t.Context(), limit))
		if !f.OverCounts() {
			continue
		}
		if decide(t, f) != nil {
			refuted++
			if eighths == 8 {
				t.Fatalf("%s: %v has %s", p, some, reached.RatString())
			}
			continue
		}
		held++
		answer, _ := refute.Solve(t.Context(), f, refute.DefaultMemory)
		placement := coretest.Must(model.Decode(answer.Holds))
		if value, _ := objective.Naive(p.Routing, placement).Max(); value.Cmp(limit) > 0 {
			t.Fatalf("%s: %v has %s, above %s", p, placement.Nodes(), value.RatString(), limit.RatString())
		}
	}
	if t.Logf("%d refuted, %d with a model", refuted, held); refuted < 5 || held < 5 {
		t.Error("that is hardly a test")
	}
}

// formulaBelow returns the formula "some placement has E_max below a value".
func formulaBelow(t *testing.T, torus, routing string, size int, value *big.Rat) dimacs.Formula {
	t.Helper()
	p := searchtest.Problem(torus, routing, size)
	model := coretest.Must(encode.NewModel(t.Context(), p, encode.Options{}))
	return coretest.Must(model.Formula(t.Context(), dimacs.Limit(p, value)))
}

// TestKnownOptima: values of other engines, whose proofs the checker repeats (docs/findings.md).
func TestKnownOptima(t *testing.T) {
	for _, c := range []struct {
		torus, routing string
		size           int
		optimum        *big.Rat
	}{
		{"6x6", "udr:tie=both", 12, big.NewRat(3, 1)},
		{"7x7", "udr", 14, big.NewRat(4, 1)},
		{"8x8", "odr:tie=both", 16, big.NewRat(7, 1)},
		{"8x8", "odr", 16, big.NewRat(8, 1)},
		{"3x3x3", "udr", 9, big.NewRat(4, 3)},
		{"6x6:open=0,1", "udr", 6, big.NewRat(5, 2)},
	} {
		f := formulaBelow(t, c.torus, c.routing, c.size, c.optimum)
		if proof := decide(t, f); proof == nil {
			t.Errorf("%+v: a model below the optimum", c)
		} else {
			t.Logf("%s %s n=%d: %d bytes", c.torus, c.routing, c.size, len(proof))
		}
	}
}

func TestRefute(t *testing.T) {
	var proof bytes.Buffer
	f := cnftest.Clauses{Of: 2, List: [][]int{{1, 2}, {1, -2}, {-1, 2}, {-1, -2}}}
	w := lrat.NewWriter(&proof, f.Clauses())
	if err := refute.Refute(t.Context(), f, w); err != nil || w.Close() != nil || !w.Done() {
		t.Errorf("%v, %v", err, w.Close())
	}
	f.List = f.List[1:]
	if err := refute.Refute(t.Context(), f, lrat.NewWriter(&proof, f.Clauses())); !errors.Is(err, lrat.ErrSatisfiable) {
		t.Errorf("three clauses: %v", err)
	}
}

func TestEnds(t *testing.T) {
	f := formulaBelow(t, "8x8", "udr:tie=both", 16, big.NewRat(4, 1))
	var limit *refute.LimitError
	for _, memory := range []int64{0, 1 << 20, 5 << 20} {
		if _, err := refute.Solve(t.Context(), f, memory); !errors.As(err, &limit) || limit.Bytes != memory {
			t.Errorf("%d bytes: %v", memory, err)
		}
	}
	for _, after := range []int{0, 1, 160} {
		if _, err := refute.Solve(&ending{Context: t.Context(), left: after}, f, 1<<30); !errors.Is(err, context.Canceled) {
			t.Errorf("a context that ends after %d looks: %v", after, err)
		}
	}
	broken := cnftest.Clauses{Of: 1, List: [][]int{{1}, {-1}}}
	w := lrat.NewWriter(full{}, broken.Clauses())
	if err := refute.Refute(t.Context(), broken, w); err != nil && !errors.Is(err, os.ErrClosed) {
		t.Errorf("a proof that cannot be written: %v", err)
	} else if !errors.Is(w.Close(), os.ErrClosed) {
		t.Errorf("a proof that cannot be written is closed: %v", w.Close())
	}
}

// full takes nothing.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, os.ErrClosed }

// ending is a context that ends after a given number of looks at it.
type ending struct {
	context.Context
	left int
}

func (c *ending) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

func ExampleRefute() {
	var proof bytes.Buffer
	f := cnftest.Clauses{Of: 2, List: [][]int{{1, 2}, {1, -2}, {-1, 2}, {-1, -2}}}
	w := lrat.NewWriter(&proof, f.Clauses())
	fmt.Println(refute.Refute(context.Background(), f, w), w.Close())
	fmt.Print(proof.String())
	// Output:
	// <nil> <nil>
	// 5 1 0 1 2 0
	// 5 d 1 2 0
	// 6 2 0 5 3 0
	// 6 d 3 0
	// 7 0 5 6 4 0
}
