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

// TestWrongSymmetryIsCaught takes automorphisms that do not belong to the
// routing: Preserves must refuse each, the group must not hold it, and a
// concrete placement must show the difference in E_max.
func TestWrongSymmetryIsCaught(t *testing.T) {
	for _, c := range []struct {
		what       string
		dims       []int
		routing    string
		perm       []int
		flip       []bool
		processors [][]int
	}{
		{"a transposition reverses the order, so with ties plus it must turn the ties", []int{4, 4}, "odr",
			[]int{1, 0}, []bool{false, false}, nil},
		{"one even side of two", []int{4, 4}, "odr", []int{0, 1}, []bool{true, false}, nil},
		{"both even sides without a permutation", []int{4, 4}, "odr", []int{0, 1}, []bool{true, true}, nil},
		{"one even side before an odd one", []int{4, 3}, "odr", []int{0, 1}, []bool{true, false}, nil},
		{"two of three dimensions swapped", []int{3, 3, 3}, "odr", []int{1, 0, 2}, []bool{false, false, false}, nil},
		{"a cycle that is neither the order nor its reverse", []int{3, 3, 3}, "odr:tie=both", []int{1, 2, 0},
			[]bool{false, false, false}, nil},
		{"a swap that maps two orders to two others", []int{3, 3, 3}, "orders:012+021", []int{1, 0, 2},
			[]bool{false, false, false}, nil},
		{"one even side of two under minimal", []int{4, 4}, "minimal:tie=plus", []int{0, 1}, []bool{true, false}, nil},
		{"one even side of two under avoid", []int{4, 4}, "avoid:tie=plus", []int{0, 1}, []bool{false, true}, nil},
	} {
		torus := core.MustTorus(c.dims...)
		g, r := group(torus, c.routing)
		p := symmetry.Point{Perm: c.perm, Flip: c.flip}
		if symmetry.Preserves(r, p) {
			t.Errorf("%s: Preserves accepts it for %s on %s", c.what, r, torus)
		}
		if contains(t, g, p) {
			t.Errorf("%s: the group of %s on %s holds it", c.what, r, torus)
		}
		if !refuted(t, r, p) {
			t.Errorf("%s: no placement tried has another E_max for %s on %s", c.what, r, torus)
		}
	}
}

// refuted looks for a small placement whose image has another E_max.
func refuted(t *testing.T, r routing.Routing, p symmetry.Point) bool {
	t.Helper()
	image := move(r.Torus(), p, 0)
	for k := range 300 {
		s := coretest.Placement(coretest.Rng(19, k), r.Torus())
		if peak(r, s).Cmp(peak(r, imageOf(s, image))) != 0 {
			return true
		}
	}
	return false
}

// TestTransposeByHand is a small wrong symmetry worked out on paper. Under odr
// with ties plus on 4x4, three of the processors (0,0), (0,2), (1,0), (1,1) reach
// (0,2) over the link (0,1) to (0,2): one from (0,0) by a tie, one from (1,0)
// by a tie after its first step, one from (1,1). Transposed, no link carries
// more than 2, because the messages turn before they can meet.
func TestTransposeByHand(t *testing.T) {
	torus := core.MustTorus(4, 4)
	_, r := group(torus, "odr")
	for _, c := range []struct {
		coords [][]int
		want   string
	}{
		{[][]int{{0, 0}, {0, 2}, {1, 0}, {1, 1}}, "3"},
		{[][]int{{0, 0}, {2, 0}, {0, 1}, {1, 1}}, "2"},
	} {
		p := coretest.Must(core.PlacementFromCoords(torus, c.coords))
		if got := peak(r, p).RatString(); got != c.want {
			t.Errorf("E_max of %v is %s, worked out %s", c.coords, got, c.want)
		}
	}
	if symmetry.Preserves(r, symmetry.Point{Perm: []int{1, 0}, Flip: []bool{false, false}}) {
		t.Error("Preserves accepts the transposition")
	}
}

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
