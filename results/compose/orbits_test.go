package compose_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/core/symmetry"
	"leeway/results"
	"leeway/results/compose"
)

// TestOrbitsOf compares orbits with a count of all images of a placement on 4x4 under udr, whose group consists of the
// translations after both orders of the dimensions with all reflections.
func TestOrbitsOf(t *testing.T) {
	torus := core.MustTorus(4, 4)
	rng := rand.New(rand.NewPCG(7, 0))
	var list []core.Placement
	for range 200 {
		nodes := rng.Perm(16)[:1+rng.IntN(6)]
		list = append(list, coretest.Must(core.NewPlacement(torus, nodes)))
	}
	group := coretest.Must(symmetry.GroupOfContext(t.Context(), routing.NewUDR(torus, routing.TieBoth)))
	found := compose.OrbitsOf(group, list)
	for i, p := range list {
		images, fixing, own := map[string]bool{}, int64(0), fmt.Sprint(p.Nodes())
		for element := range 2 * 4 * 16 { // swapped or not, two reflections, the shift
			var image []int
			for _, v := range p.Nodes() {
				a, b := v/4, v%4
				if element&1 != 0 {
					a, b = b, a
				}
				if element&2 != 0 {
					a = 4 - a
				}
				if element&4 != 0 {
					b = 4 - b
				}
				image = append(image, (a+element>>3)%4*4+(b+element>>5)%4)
			}
			slices.Sort(image)
			images[fmt.Sprint(image)] = true
			if fmt.Sprint(image) == own {
				fixing++
			}
		}
		if want := (results.Orbit{Size: int64(len(images)), Stabiliser: fixing}); found[i] != want {
			t.Errorf("%v: %+v, want %+v", p, found[i], want)
		}
	}
}
