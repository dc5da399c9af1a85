package objective_test

import (
	"context"
	"errors"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
)

// TestEvaluateEnds ends the context of an evaluator of every kind at its first, second, ...
// look: there is an error, or there are the loads.
func TestEvaluateEnds(t *testing.T) {
	for _, c := range []struct {
		torus, routing string
		size           int
	}{
		{"600x600", "odr", 3000}, {"600x600", "udr:tie=both", 3000},
		{"60x80x70", "odr:order=2,0,1", 500}, {"60x80x70", "udr", 500},
		{"18^4", "orders:0123+3210", 500}, {"8x8", "udr", 9}, {"32x32", "minimal", 8}, {"6^3", "avoid", 30},
	} {
		torus := coretest.Must(core.ParseTorus(c.torus))
		r := coretest.Must(routing.Parse(torus, c.routing))
		p := family.Random(torus, c.size, 3)
		want := coretest.EndsAfter(1 << 30)
		whole, err := objective.EvaluateContext(want, r, p)
		if err != nil {
			t.Fatalf("%s %s: %v", torus, r, err)
		}
		most, links := whole.Max()
		for _, looks := range []int{0, 1, int(want.Looks()) / 2, int(want.Looks()) - 1, int(want.Looks())} {
			if looks < 0 { // a word of nodes takes no look
				continue
			}
			loads, err := objective.EvaluateContext(coretest.EndsAfter(looks), r, p)
			if ends := looks < int(want.Looks()); ends != errors.Is(err, context.Canceled) || ends != (loads == nil) {
				t.Errorf("%s %s: %d of %d looks give %v", torus, r, looks, want.Looks(), err)
			}
			if err != nil {
				continue
			}
			if have, n := loads.Max(); have.Cmp(most) != 0 || n != links {
				t.Errorf("%s %s: E_max %s on %d links after %d looks, want %s on %d", torus, r, have.RatString(), n,
					looks, most.RatString(), links)
			}
		}
		if want.Looks() < 2 && torus.N() > 1<<16 {
			t.Errorf("%s %s: %d looks at the context", torus, r, want.Looks())
		}
	}
}
