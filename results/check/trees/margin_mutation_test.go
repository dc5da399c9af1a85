package trees

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/core/symmetry"
	"leeway/results/check/census"
	"leeway/results/check/meter"
)

// marginCounts walks many trees of one torus and routing, each changed before the margins are listed, and spells what
// they give.
func marginCounts(t *testing.T, r routing.Routing, change func(*marginWalk)) string {
	t.Helper()
	text := ""
	for n := 4; n <= 10; n++ {
		for q := int64(4); q <= 16; q++ {
			w, err := newMargins(meter.Unlimited(context.Background()), r, n, census.Conditions{}, big.NewRat(q, 4))
			if err != nil {
				t.Fatal(err)
			}
			change(w)
			if err := w.prepare(meter.Unlimited(context.Background())); err != nil {
				t.Fatal(err)
			}
			got := runAll(w)
			text += fmt.Sprintln(n, q, len(w.sides[0].margins), len(w.sides[1].margins), got.Nodes, got.Sum, got.Found != nil)
		}
	}
	return text
}

// TestMarginPointTooMany adds each automorphism of the square that fixes node 0, whether the routing allows it or not.
func TestMarginPointTooMany(t *testing.T) {
	coretest.Alone(t)
	torus := core.MustTorus(4, 4)
	r, err := routing.NewODR(torus, nil, routing.TiePlus)
	if err != nil {
		t.Fatal(err)
	}
	right := marginCounts(t, r, func(*marginWalk) {})
	tried := 0
	for i := range 8 {
		p := symmetry.Point{Perm: []int{i & 1, 1 - i&1}, Flip: []bool{i&2 != 0, i&4 != 0}}
		images := make([]int, torus.N())
		for v := range images {
			images[v] = p.Node(torus, v)
		}
		var had bool
		wrong := marginCounts(t, r, func(w *marginWalk) {
			had = slices.ContainsFunc(w.images, func(have []int) bool { return slices.Equal(have, images) })
			w.images = append(w.images, images)
		})
		if had != (wrong == right) {
			t.Errorf("%+v, an automorphism of the routing: %v, leaves all counts: %v", p, had, wrong == right)
		}
		if !had {
			tried++
		}
	}
	if tried != 6 { // the identity, and both reflections with a swap, are in the group
		t.Errorf("%d points are too many, not 6", tried)
	}
}

// TestMarginClassDropped clears one class of links after the other.
func TestMarginClassDropped(t *testing.T) {
	if testing.Short() {
		t.Skip("walks some 2000 trees")
	}
	torus := core.MustTorus(5, 5)
	// both directions say the same under udr
	for text, classes := range map[string]int{"odr:tie=both": 10, "udr:tie=both": 5} {
		r, err := routing.Parse(torus, text)
		if err != nil {
			t.Fatal(err)
		}
		right := marginCounts(t, r, func(*marginWalk) {})
		for s := range 2 {
			for class := range classes {
				wrong := marginCounts(t, r, func(w *marginWalk) {
					if !dropClass(w.sides[s], class) {
						t.Fatalf("%s: there is no class %d", text, class)
					}
				})
				if wrong == right {
					t.Errorf("%s: nothing changes without class %d of side %d", text, class, s)
				}
			}
		}
	}
}

// dropClass clears what a class of links carries and reports whether that was something.
func dropClass(s *marginSide, class int) (had bool) {
	for x := range s.g {
		for z := range s.g[x] {
			had = had || s.g[x][z].at(class) > 0
			s.g[x][z].set(class, 0)
		}
	}
	for _, set := range s.sets {
		for z := range set.adds {
			set.adds[z].set(class, 0)
		}
	}
	return had
}
