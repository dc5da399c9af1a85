package trees

import (
	"context"
	"fmt"
	"math/big"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/core/symmetry"
	"leeway/results/check/census"
	"leeway/results/check/meter"
)

// levelsCounts walks some trees of one torus and routing, each changed before the slab counts are listed, and spells
// what they give.
func levelsCounts(t *testing.T, r routing.Routing, sizes []int, change func(*levelsWalk)) string {
	t.Helper()
	text := ""
	for _, n := range sizes {
		for q := int64(1); q <= 15; q++ {
			w, err := newLevels(meter.Unlimited(context.Background()), r, n, census.Conditions{}, big.NewRat(q, 3))
			if err != nil {
				t.Fatal(err)
			}
			change(w)
			if err := w.prepare(meter.Unlimited(context.Background())); err != nil {
				t.Fatal(err)
			}
			got := runAll(w)
			text += fmt.Sprintln(n, q, len(w.heads), got.Nodes, got.Sum, got.Found != nil)
		}
	}
	return text
}

// TestLevelsPointTooMany adds automorphisms that the routing allows or not.
func TestLevelsPointTooMany(t *testing.T) {
	coretest.Alone(t)
	torus := core.MustTorus(2, 4, 4)
	r := parsed(t, torus, "odr:tie=plus")
	right := levelsCounts(t, r, []int{6, 7, 8}, func(*levelsWalk) {})
	for _, c := range []struct {
		point symmetry.Point
		had   bool
	}{
		{symmetry.Point{Perm: []int{0, 1, 2}, Flip: []bool{false, false, false}}, true},
		{symmetry.Point{Perm: []int{0, 1, 2}, Flip: []bool{false, true, false}}, false},
		{symmetry.Point{Perm: []int{0, 1, 2}, Flip: []bool{false, false, true}}, false},
		{symmetry.Point{Perm: []int{0, 2, 1}, Flip: []bool{false, false, false}}, false},
	} {
		images := make([]int, torus.N())
		for v := range images {
			images[v] = c.point.Node(torus, v)
		}
		wrong := levelsCounts(t, r, []int{6, 7, 8}, func(w *levelsWalk) { w.images = append(w.images, images) })
		if c.had != (wrong == right) {
			t.Errorf("%+v, an automorphism of the routing: %v, leaves all counts: %v", c.point, c.had, wrong == right)
		}
	}
}

// TestLevelsConditionDropped leaves out what single conditions are made of.
func TestLevelsConditionDropped(t *testing.T) {
	if testing.Short() {
		t.Skip("walks some 200 trees")
	}
	r := parsed(t, core.MustTorus(2, 4, 3), "udr:tie=both")
	sizes := []int{8, 10}
	right := levelsCounts(t, r, sizes, func(*levelsWalk) {})
	for name, change := range map[string]func(*levelsWalk){
		"boundaries":   func(w *levelsWalk) { clearLoads(w.sides[1].cross) },
		"forced loads": func(w *levelsWalk) { clearLoads(w.sides[1].forced) },
		"inner pairs":  func(w *levelsWalk) { clearLoads(w.sides[1].inner) },
		"points":       func(w *levelsWalk) { w.images = w.images[:1] },
		"links":        func(w *levelsWalk) { w.at[0].links = nil },
		"rests":        func(w *levelsWalk) { clear(w.loads.pairs[1]) },
		"lines across": func(w *levelsWalk) { w.lines[0].nodes = nodeMask{} },
	} {
		if levelsCounts(t, r, sizes, change) == right {
			t.Errorf("nothing changes without %s", name)
		}
	}
}

func clearLoads(classes [][][]int64) {
	for _, table := range classes {
		for _, row := range table {
			clear(row)
		}
	}
}
