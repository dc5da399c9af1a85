package cnf_test

import (
	"errors"
	"slices"
	"testing"

	"leeway/encode/cnf"
	"leeway/encode/cnf/cnftest"
)

func TestBuilderNumbersAndCounts(t *testing.T) {
	var f cnftest.Formula
	b := cnf.NewBuilder(&f, "test", 3, 10)
	if v := b.Var(); v != 4 {
		t.Fatalf("first new variable is %d, want 4", v)
	}
	b.Clause(1, -4)
	b.Clause()
	if b.Clauses() != 2 || b.Vars() != 4 || b.Err() != nil {
		t.Fatalf("%d clauses, %d variables, error %v", b.Clauses(), b.Vars(), b.Err())
	}
	if len(f.Clauses) != 2 || !slices.Equal(f.Clauses[0], []int{1, -4}) || len(f.Clauses[1]) != 0 {
		t.Fatalf("the sink got %v", f.Clauses)
	}
}

func TestBuilderStopsAtItsLimit(t *testing.T) {
	var f cnftest.Formula
	b := cnf.NewBuilder(&f, "test", 1, 2)
	for range 5 {
		b.Clause(1)
	}
	var size *cnf.SizeError
	if !errors.As(b.Err(), &size) || size.Limit != 2 || len(f.Clauses) != 2 {
		t.Fatalf("error %v after %d clauses", b.Err(), len(f.Clauses))
	}
}

type failing struct{ calls int }

var errFull = errors.New("full")

func (f *failing) Add([]int) error { f.calls++; return errFull }

func TestBuilderPassesTheSinksErrorOn(t *testing.T) {
	sink := &failing{}
	b := cnf.NewBuilder(sink, "test", 1, 9)
	b.Clause(1)
	b.Clause(-1)
	if !errors.Is(b.Err(), errFull) || sink.calls != 1 {
		t.Fatalf("error %v after %d calls", b.Err(), sink.calls)
	}
}

// TestSolverOnSmallFormulas checks the test solver itself against all
// assignments of every formula of up to four clauses out of a fixed list.
func TestSolverOnSmallFormulas(t *testing.T) {
	pool := [][]int{{1, 2, 3}, {-1, 2}, {-2, 3}, {-3, -1}, {1}, {-2, -3, 1}, {2, -3}, {}}
	for mask := range 1 << len(pool) {
		var f cnftest.Formula
		for i, c := range pool {
			if mask>>i&1 != 0 {
				f.Add(c)
			}
		}
		want := false
		for x := range 8 {
			want = want || !slices.ContainsFunc(f.Clauses, func(c []int) bool {
				return !slices.ContainsFunc(c, func(l int) bool { return l > 0 == (x>>(max(l, -l)-1)&1 != 0) })
			})
		}
		if got := f.Satisfiable(nil); got != want {
			t.Fatalf("%v: satisfiable %v, want %v", f.Clauses, got, want)
		}
	}
}
