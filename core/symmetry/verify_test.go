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

// TestPreservesAcceptsItsGroup applies Preserves to every point of every group,
// not just to the generators that Of verifies.
func TestPreservesAcceptsItsGroup(t *testing.T) {
	for _, dims := range [][]int{{6}, {4, 4}, {3, 3}, {4, 2}, {2, 2, 2}, {3, 4, 3}} {
		torus := core.MustTorus(dims...)
		for _, text := range routings(len(dims)) {
			g, r := group(torus, text)
			held := 0
			for _, p := range allPoints(torus) {
				if !contains(t, g, p) {
					continue
				}
				if held++; !symmetry.Preserves(r, p) {
					t.Errorf("%s on %s: Preserves refuses %v of the group", text, torus, p)
				}
			}
			if held != g.Points() {
				t.Errorf("%s on %s: the group lists %d points, %d are automorphisms of the kind", text, torus, g.Points(), held)
			}
		}
	}
}

// TestAutomorphismsPreserveAllPaths: what no group of all shortest paths verifies holds on random networks.
func TestAutomorphismsPreserveAllPaths(t *testing.T) {
	for i := range coretest.Cases(2000, 200) {
		rng := coretest.Rng(52, i)
		torus := coretest.AnyNetwork(rng, 20)
		r := routing.NewMinimal(torus, routing.TieBoth)
		g := coretest.Must(symmetry.GroupOf(r))
		for _, p := range g.List() {
			if !symmetry.Preserves(r, p) {
				t.Fatalf("%s: %v changes loads", torus, p)
			}
		}
	}
}

// TestPreservesIsSound accepts no automorphism, of the rules or not, that
// changes E_max of some set.
func TestPreservesIsSound(t *testing.T) {
	for _, name := range []string{"6", "3x3", "4x2", "4x3", "2x2x2", "2x3x2", "3x3:open=0,1", "4x3:open=0", "3x4:open=1",
		"2x4:twist=2", "3x3:twist=1", "1x5:twist=2", "1x10:twist=3"} {
		torus := network(name)
		for _, text := range routings(torus.D()) {
			_, r := group(torus, text)
			if r.DependsOnPlacement() && torus.N() > 8 {
				continue
			}
			peaks := allPeaks(r)
			for _, p := range allPoints(torus) {
				if mask, found := disagreement(peaks, move(torus, p, 0)); found && symmetry.Preserves(r, p) {
					t.Errorf("%s on %s: Preserves accepts %v, which changes E_max of %v", text, torus, p,
						fromMask(torus, mask).Coords())
				}
			}
		}
	}
}

// TestOfEnds ends the context of the verification of a group after ever more looks: there is an
// error, or the whole group.
func TestOfEnds(t *testing.T) {
	torus := core.MustTorus(12, 12)
	for _, r := range []routing.Routing{routing.NewUDR(torus, routing.TieBoth), routing.NewUDR(torus,
		routing.TiePlus)} {
		whole := coretest.Must(symmetry.GroupOf(r))
		all := coretest.EndsAfter(1 << 30)
		if _, err := symmetry.GroupOfContext(all, r); err != nil || all.Looks() < 2 {
			t.Fatalf("%s: %d looks, %v", r, all.Looks(), err)
		}
		for _, looks := range []int{0, int(all.Looks()) / 2, int(all.Looks()) - 1, int(all.Looks())} {
			g, err := symmetry.GroupOfContext(coretest.EndsAfter(looks), r)
			if ends := looks < int(all.Looks()); ends != errors.Is(err, context.Canceled) || ends != (g == nil) ||
				g != nil && g.Order() != whole.Order() {
				t.Errorf("%s: %d of %d looks give %v", r, looks, all.Looks(), err)
			}
		}
	}
}
