package work

import (
	"fmt"
	"math/big"
	"path/filepath"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/results/check"
	"leeway/results/check/kernel"
	"leeway/search/searchtest"
)

// TestLog keeps slices of several proofs and a placement, in a file and in memory: those of a proof come back.
func TestLog(t *testing.T) {
	path, p, below := filepath.Join(t.TempDir(), "work"), searchtest.Problem("4x4", "odr", 4), big.NewRat(3, 2)
	open := func() *Log {
		return coretest.Must(OpenLog(t.Context(), path, p, func(string, ...any) {}))
	}
	for _, file := range []bool{true, false} {
		l := &Log{}
		if file {
			l = open()
		}
		want := []check.Accepted{{Name: []int{}, Steps: 3, Bytes: 9, SHA256: "ab", Left: []kernel.Slice{
			{Name: []int{1}, Bounds: []kernel.Bound{{Set: 2, Lo: 1, Hi: 1}}, Sets: "cd"}}}, {Name: []int{1}, Steps: 4}}
		for _, a := range want {
			l.keep("counts", below, a)
		}
		l.keep("orderly", below, check.Accepted{Steps: 1})
		l.keep("counts", big.NewRat(1, 2), check.Accepted{Steps: 1})
		s := core.MustPlacement(p.Torus(), []int{0, 5, 10, 15})
		if file {
			l.end(s, big.NewRat(3, 2))
			l = open()
			if starts := l.starts(p); len(starts) != 1 || !slices.Equal(starts[0].Nodes(), s.Nodes()) {
				t.Errorf("starts %v", starts)
			}
		}
		if got := l.accepted("counts", below); fmt.Sprint(got) != fmt.Sprint(want) || l.Err() != nil {
			t.Errorf("%v, %v", got, l.Err())
		}
	}
	if (*Log)(nil).accepted("counts", below) != nil {
		t.Error("no log has slices")
	}
}
