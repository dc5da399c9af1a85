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
	for _, text := range []string{"7", "4x4", "3x3x3", "2x2", "4x6", "4x4:open=0", "4x4:twist=2"} {
		torus := coretest.Must(core.ParseNetwork(text))
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
