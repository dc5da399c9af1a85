package symmetry_test

import (
	"errors"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/core/symmetry"
)

// TestTableGroupOrders holds the groups of tables that spell known routings
// against hand counts: what maps all paths to paths, or all to reversed paths.
func TestTableGroupOrders(t *testing.T) {
	for _, c := range []struct {
		dims    []int
		routing string
		want    int
	}{
		{[]int{4, 4}, "udr:tie=both", 16 * 8},
		{[]int{4, 4}, "udr:tie=plus", 16 * 4}, // two permutations, none or all reflected
		{[]int{4, 4}, "odr", 16 * 2},          // identity, and the swap with both reflections
		{[]int{3, 3}, "odr", 9 * 8},
		{[]int{4, 3}, "odr", 12 * 2},
		{[]int{2, 2, 2}, "udr", 8 * 6},
		{[]int{4, 4, 4}, "orders:012+120+201:tie=plus", 64 * 6}, // three rotations; three reversals with all reflections
	} {
		torus := core.MustTorus(c.dims...)
		_, r := group(torus, c.routing)
		g := coretest.Must(symmetry.Of(coretest.TableOf(r.(*routing.Orders))))
		if g.Order() != c.want {
			t.Errorf("table of %s on %v: order %d, want %d", c.routing, c.dims, g.Order(), c.want)
		}
	}
}

// TestTableElementsKeepThePeak evaluates random placements and their images under
// the groups of random tables, and of tables with many symmetries.
func TestTableElementsKeepThePeak(t *testing.T) {
	cases := 40
	if testing.Short() {
		cases = 12
	}
	for i := range cases {
		rng := coretest.Rng(65, i)
		torus := coretest.Torus(rng, 18)
		table := coretest.Table(rng, torus, false)
		if i%2 == 0 {
			table = coretest.TableOf(coretest.Orders(rng, torus))
		}
		g, err := symmetry.Of(table)
		if err != nil {
			t.Fatalf("case %d: %v", i, err)
		}
		p := coretest.Placement(rng, torus)
		want := peak(table, p)
		for point := range g.Points() {
			image := g.Images(point, rng.IntN(torus.N()))
			if got := peak(table, imageOf(p, image)); got.Cmp(want) != 0 {
				t.Fatalf("case %d on %s: E_max of %v is %s, of its image %s", i, torus, p.Nodes(), want, got)
			}
		}
	}
}

// TestTableByPairHasNoGroup refuses by type, and verifies no automorphism.
func TestTableByPairHasNoGroup(t *testing.T) {
	torus := core.MustTorus(3, 3)
	table := coretest.Table(coretest.Rng(66, 0), torus, true)
	var wrong *core.InputError
	if _, err := symmetry.Of(table); !errors.As(err, &wrong) {
		t.Errorf("error %v", err)
	}
	if symmetry.Preserves(table, symmetry.Point{Perm: []int{0, 1}, Flip: []bool{false, false}}) {
		t.Error("an automorphism of a table by pair was verified")
	}
}
