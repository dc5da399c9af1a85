package symmetry_test

import (
	"context"
	"errors"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/core/symmetry"
)

// TestOfEnds ends the context of the verification of a group after ever more looks: there is an
// error, or the whole group.
func TestOfEnds(t *testing.T) {
	torus := core.MustTorus(12, 12)
	for _, r := range []routing.Routing{routing.NewUDR(torus, routing.TieBoth), routing.NewMinimal(torus,
		routing.TieBoth)} {
		whole := coretest.Must(symmetry.Of(r))
		all := coretest.EndsAfter(1 << 30)
		if _, err := symmetry.OfContext(all, r); err != nil || all.Looks() < 2 {
			t.Fatalf("%s: %d looks, %v", r, all.Looks(), err)
		}
		for _, looks := range []int{0, int(all.Looks()) / 2, int(all.Looks()) - 1, int(all.Looks())} {
			g, err := symmetry.OfContext(coretest.EndsAfter(looks), r)
			if ends := looks < int(all.Looks()); ends != errors.Is(err, context.Canceled) || ends != (g == nil) ||
				g != nil && g.Order() != whole.Order() {
				t.Errorf("%s: %d of %d looks give %v", r, looks, all.Looks(), err)
			}
		}
	}
}
