package opb

import (
	"leeway/core/coretest"
	"math/big"
	"testing"
)

// TestClauseRows: the row of a clause holds exactly where the clause does.
func TestClauseRows(t *testing.T) {
	for _, clause := range [][]int{{1}, {-1}, {1, -2, 3}, {-1, -2, -3}, {}, {2, 3}} {
		var row Row
		if err := (clauseRows{func(r Row) bool { row = r; return true }}).Add(clause); err != nil {
			t.Fatal(err)
		}
		for x := range 8 {
			want := false
			for _, l := range clause {
				want = want || (x>>(max(l, -l)-1)&1 == 1) == (l > 0)
			}
			sum := int64(0)
			for _, term := range row.Terms {
				sum += term.Coef * int64(x>>(term.Var-1)&1)
			}
			if got := sum >= row.Bound && !row.Equal; got != want {
				t.Errorf("clause %v at %b: row %+v holds %v", clause, x, row, got)
			}
		}
	}
	if err := (clauseRows{func(Row) bool { return false }}).Add([]int{1}); err == nil {
		t.Error("a reader that wants no more does not stop the clauses")
	}
}

// TestRowsStop: whoever stops after any row gets no other.
func TestRowsStop(t *testing.T) {
	m := coretest.Must(New(problem("2x3", "udr", 2), big.NewRat(1, 1), Options{Strengthen: true, BreakSymmetry: true}))
	for stop := int64(1); stop <= m.rows; stop++ {
		got := int64(0)
		m.Rows(func(Row) bool { got++; return got < stop })
		if got != stop {
			t.Fatalf("stopped after %d rows of %d, wanted %d", got, m.rows, stop)
		}
	}
}
