package bound

import (
	"testing"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
)

// TestMargin checks values that a separate trial of the bound gave for 8x8 and 10x10 under udr:tie=both, and that
// nothing is claimed without a witness.
func TestMargin(t *testing.T) {
	for _, test := range []struct {
		k, n           int
		value, refuted string
	}{{8, 16, "4", "15/4"}, {10, 20, "5", "19/4"}, {8, 1, "0", ""}, {8, 0, "0", ""}} {
		b, err := marginBound(t.Context(), routing.NewUDR(core.MustTorus(test.k, test.k), routing.TieBoth), test.n)
		if err != nil {
			t.Fatal(err)
		}
		if b.Name != objective.BoundMargin || b.Value.RatString() != test.value || b.Witness.Refuted != test.refuted {
			t.Errorf("%dx%d n=%d: %s %s, witness %+v", test.k, test.k, test.n, b.Name, b.Value.RatString(), b.Witness)
		}
		if wrong := b.Witness.Denominator != "4"; b.Witness.Refuted != "" && wrong {
			t.Errorf("%dx%d n=%d: denominator %s", test.k, test.k, test.n, b.Witness.Denominator)
		}
	}
}
