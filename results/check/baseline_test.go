package check

import (
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
)

// TestBaselineOf: the baseline is the one that the package family names and lists.
func TestBaselineOf(t *testing.T) {
	found := 0
	for _, torus := range []*core.Torus{core.MustTorus(7), core.MustTorus(4, 4), core.MustTorus(3, 3, 3), core.MustTorus(2, 2),
		core.MustTorus(4, 6), coretest.Must(core.ParseNetwork("4x4:open=0")), coretest.Must(core.ParseNetwork("4x4:twist=2"))} {
		for n := range torus.N() + 2 {
			name, p := baselineOf(torus, n)
			want, ok := family.Baseline(torus, n)
			if name != want || ok != (name != "") {
				t.Errorf("%s n=%d: %q, not %q", torus, n, name, want)
			}
			if ok {
				found++
				if q := coretest.Must(family.Parse(torus, name)); !slices.Equal(p.Nodes(), q.Nodes()) {
					t.Errorf("%s %s: %v, not %v", torus, name, p.Nodes(), q.Nodes())
				}
			}
		}
	}
	if found < 20 {
		t.Errorf("only %d baselines", found)
	}
}
