package family_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/family"
)

// TestRandomIsReproducible checks that text and function agree, that the seed
// decides, that 1 is the seed without one, and that every size comes out.
func TestRandomIsReproducible(t *testing.T) {
	torus := core.MustTorus(4, 6)
	for n := range torus.N() + 1 {
		p := family.Random(torus, n, 7)
		if p.Size() != n {
			t.Errorf("size %d, want %d", p.Size(), n)
		}
		if !slices.Equal(p.Nodes(), family.Random(torus, n, 7).Nodes()) {
			t.Errorf("size %d: two draws with one seed differ", n)
		}
	}
	seeded := parse(t, "4x6", "random:n=9:seed=7")
	if !slices.Equal(seeded.Nodes(), family.Random(torus, 9, 7).Nodes()) {
		t.Error("the text form draws something else")
	}
	if slices.Equal(seeded.Nodes(), parse(t, "4x6", "random:n=9:seed=8").Nodes()) {
		t.Error("seeds 7 and 8 draw the same 9 of 24 nodes")
	}
	if !slices.Equal(parse(t, "4x6", "random:n=9").Nodes(), parse(t, "4x6", "random:n=9:seed=1").Nodes()) {
		t.Error("the seed is not 1 by default")
	}
	if p := parse(t, "4x6", "random:n=3:seed=18446744073709551615"); p.Size() != 3 {
		t.Errorf("the largest seed draws %d nodes", p.Size())
	}
}

// TestDrawIsUniform draws 2 of 6 nodes 15000 times: each of the 15 pairs is
// expected 1000 times with a standard deviation of 30.6; 5 of those are allowed.
func TestDrawIsUniform(t *testing.T) {
	torus := core.MustTorus(2, 3)
	rng := rand.New(rand.NewPCG(17, 0))
	counts := map[[2]int]int{}
	for range 15000 {
		nodes := family.Draw(torus, 2, rng).Nodes()
		counts[[2]int{nodes[0], nodes[1]}]++
	}
	if len(counts) != 15 {
		t.Errorf("%d different pairs, want 15", len(counts))
	}
	for pair, n := range counts {
		if n < 847 || n > 1153 {
			t.Errorf("nodes %v drawn %d times, expected about 1000", pair, n)
		}
	}
}

func TestDrawPanicsOutsideTheTorus(t *testing.T) {
	for _, n := range []int{-1, 7} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("drawing %d of 6 nodes does not panic", n)
				}
			}()
			family.Random(core.MustTorus(2, 3), n, 1)
		}()
	}
}
