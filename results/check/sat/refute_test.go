package sat

import (
	"errors"
	"math/big"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/routing"
	"leeway/encode"
	"leeway/encode/dimacs"
	"leeway/objective"
)

func problemOf(t *testing.T, torus, text string, size int) objective.Problem {
	t.Helper()
	to, err := core.ParseTorus(torus)
	if err != nil {
		t.Fatal(err)
	}
	r, err := routing.Parse(to, text)
	if err != nil {
		t.Fatal(err)
	}
	p, err := objective.NewProblem(r, size)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// optimumOf evaluates every placement naively.
func optimumOf(p objective.Problem) *big.Rat {
	var best *big.Rat
	for x := range uint64(1) << p.Torus().N() {
		nodes := core.Set{x}.Nodes()
		if len(nodes) != p.Size {
			continue
		}
		if v, _ := objective.Naive(p.Routing, core.MustPlacement(p.Torus(), nodes)).Max(); best == nil || v.Cmp(best) < 0 {
			best = v
		}
	}
	return best
}

// proofOf proves the formula of a problem, nil if it has a model.
func proofOf(t *testing.T, p objective.Problem, below *big.Rat, symmetry bool) []proofStep {
	t.Helper()
	model, err := encode.NewModel(p, encode.Options{BreakSymmetry: symmetry})
	if err != nil {
		t.Fatal(err)
	}
	formula, err := model.Formula(dimacs.Limit(p.Routing, below))
	if err != nil {
		t.Fatal(err)
	}
	f := clauseList{vars: formula.Vars()}
	if err := formula.Write(&f); err != nil {
		t.Fatal(err)
	}
	return prove(f)
}

// Add implements cnf.Sink.
func (f *clauseList) Add(clause []int) error {
	f.list = append(f.list, append([]int(nil), clause...))
	return nil
}

var provedProblems = []struct {
	torus, routing string
	size           int
}{{"4", "odr", 2}, {"7", "udr", 3}, {"2x3", "udr", 3}, {"2x3", "minimal:tie=both", 4},
	{"2x2x2", "orders:012+120+201", 3}, {"3x3", "odr", 3}, {"2x4", "udr:tie=both", 4}, {"3x3", "udr", 4}}

// TestUnsatOfProblems: no placement is below the optimum, which brute force finds, and that can be proved; a step of
// 1/D above it nothing can.
func TestUnsatOfProblems(t *testing.T) {
	for i, c := range provedProblems {
		if testing.Short() && i > 3 {
			continue
		}
		p := problemOf(t, c.torus, c.routing, c.size)
		optimum := optimumOf(p)
		for _, symmetry := range []bool{false, true} {
			steps := proofOf(t, p, optimum, symmetry)
			if steps == nil {
				t.Fatalf("%s: below its optimum %s there is a model", p, optimum.RatString())
			}
			text := dratText(steps)
			if v, err := unsatWithin(t.Context(), p, optimum, symmetry, FormatDRAT, strings.NewReader(text)); err != nil ||
				v.Verdict != Verified {
				t.Errorf("%s below %s: %+v, %v", p, optimum.RatString(), v, err)
			}
			above := new(big.Rat).Add(optimum, big.NewRat(1, 1000))
			if v, err := unsatWithin(t.Context(), p, above, symmetry, FormatDRAT, strings.NewReader(text)); err != nil ||
				v.Verdict != Wrong {
				t.Errorf("%s below %s: %+v, %v", p, above.RatString(), v, err)
			}
			if proofOf(t, p, above, symmetry) != nil {
				t.Errorf("%s: no model below %s, but the optimum is %s", p, above.RatString(), optimum.RatString())
			}
		}
	}
}

// TestUnsatOfAnotherProblem gives a proof to problems that it does not prove, and a proof that uses symmetry to the
// formula without.
func TestUnsatOfAnotherProblem(t *testing.T) {
	p := problemOf(t, "2x3", "udr", 3)
	optimum := optimumOf(p)
	steps := proofOf(t, p, optimum, true)
	for name, other := range map[string]objective.Problem{"size": problemOf(t, "2x3", "udr", 2),
		"torus": problemOf(t, "3x3", "udr", 3)} {
		if optimumOf(other).Cmp(optimum) >= 0 {
			t.Fatalf("another %s: the claim is true", name)
		}
		if v, err := unsatWithin(t.Context(), other, optimum, true, FormatDRAT,
			strings.NewReader(dratText(steps))); err != nil || v.Verdict != Wrong {
			t.Errorf("another %s: %+v, %v", name, v, err)
		}
	}
	if v, err := unsatWithin(t.Context(), p, optimum, false, FormatDRAT, strings.NewReader("0\n")); err != nil ||
		v.Verdict != Wrong {
		t.Errorf("no proof at all: %+v, %v", v, err)
	}
}

func TestUnsatRefuses(t *testing.T) {
	var unsupported *encode.UnsupportedError
	if _, err := unsatWithin(t.Context(), problemOf(t, "3x3", "avoid", 3), big.NewRat(1, 1), true, FormatDRAT,
		strings.NewReader("0")); !errors.As(err, &unsupported) {
		t.Errorf("avoid: %v", err)
	}
	if _, err := unsatWithin(t.Context(), problemOf(t, "3x3", "odr", 3), big.NewRat(1, 1), true, "",
		strings.NewReader("0")); err == nil {
		t.Error("no format")
	}
}
