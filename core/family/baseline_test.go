package family_test

import (
	"testing"

	"leeway/core"
	"leeway/core/family"
)

func TestBaseline(t *testing.T) {
	for _, c := range []struct {
		dims []int
		n    int
		want string
	}{
		{[]int{8, 8}, 8, "linear"}, {[]int{8, 8}, 16, "multilinear:t=2"}, {[]int{8, 8}, 12, ""},
		{[]int{8, 8}, 64, "multilinear:t=8"},
		{[]int{4, 4, 4}, 16, "linear"}, {[]int{4, 6}, 4, ""}, {[]int{5}, 1, "linear"},
		{[]int{5}, 3, "multilinear:t=3"}, {[]int{8, 8}, 0, ""},
	} {
		torus := core.MustTorus(c.dims...)
		got, ok := family.Baseline(torus, c.n)
		if got != c.want || ok != (c.want != "") {
			t.Errorf("%s n=%d: %q, %v, want %q", torus, c.n, got, ok, c.want)
		}
		if !ok {
			continue
		}
		if p, err := family.Parse(torus, got); err != nil || p.Size() != c.n {
			t.Errorf("%s on %s: %d processors, %v", got, torus, p.Size(), err)
		}
	}
}
