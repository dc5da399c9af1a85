package family_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/family"
)

// TestAt checks patterns on other tori, and where there is none.
func TestAt(t *testing.T) {
	for _, c := range []struct{ torus, text, on, want string }{
		{"8x8", "linear:r=5", "9x9", "residues:c=1,1:m=9:r=0"},
		{"6x6", "residues:r=1,4", "8x8", "residues:c=1,1:m=4:r=0"},
		{"6x6", "residues:r=1,4", "9x9", ""}, // 3 of 6 is 9/2 of 9
		{"7x7", "spaced:t=3", "10x10", "residues:c=1,1:m=10:r=0,3,6"},
		{"7x7", "residues:r=1,3,5", "10x10", "residues:c=1,1:m=10:r=0,3,6"}, // spaced, moved
		{"8x8", "multilinear:t=3", "10x10", "residues:c=1,1:m=10:r=0,1,2"},
		{"8x8", "residues:r=1,2,4", "16x16", "residues:c=1,1:m=16:r=0,2,6"},
		{"8x8", "residues:r=0,1,3", "4x4", ""}, // 0 and 1 meet
		{"8x8", "multilinear:t=5", "4x4", ""},
		{"5x5x5", "linear:c=1,2,-2", "7x7x7", "residues:c=2,-1,1:m=7:r=0"},
		{"4x6", "linear:m=12:c=3,2", "8x12", "residues:c=3,2:m=24:r=0"},
		{"4x6", "linear:m=12:c=3,2", "8x6", ""},
		{"4x6", "linear:m=12:c=3,2", "8x8", ""},
		{"8x8", "linear", "8x8x8", ""},
		{"4x6", "linear:m=5", "8x12", ""},
		{"4x6", "full", "3x3x3", "full"},
		{"4x4", "random:n=0", "5x5", ""},
		{"4x4", "nodes:0,0+0,1+1,3", "8x8", ""},
		{"4x4", "nodes:1,0+3,0+1,2+3,2", "8x8", ""},
	} {
		got, ok := family.Recognise(parse(t, c.torus, c.text)).At(torusOf(c.on))
		if got != c.want || ok != (c.want != "") {
			t.Errorf("%s of %s on %s: %q, %v, want %q", c.text, c.torus, c.on, got, ok, c.want)
		}
	}
}

// TestAtKeepsSlabs checks that a pattern on its own torus is the placement itself,
// moved, and that elsewhere its size grows with a slab.
func TestAtKeepsSlabs(t *testing.T) {
	found := 0
	for i := range 400 {
		rng := rand.New(rand.NewPCG(8, uint64(i)))
		torus := torusOf([]string{"8x8", "6x6", "5x5x5", "4x8", "9"}[rng.IntN(5)])
		class := family.Residues{Coefficients: make([]int, torus.D()), Modulus: torus.Side(0),
			Residues: []int{0, rng.IntN(9), rng.IntN(9)}}
		for j := range class.Coefficients {
			class.Coefficients[j] = rng.IntN(9)
		}
		p, err := class.Placement(torus)
		if err != nil {
			t.Fatal(err)
		}
		f := family.Recognise(p)
		text, ok := f.At(torus)
		if !ok {
			if f.Kind == family.ResidueClass && !f.Wraps {
				t.Fatalf("%s on %s: no pattern on its own torus", class, torus)
			}
			continue
		}
		here := parse(t, torus.String(), text)
		same := false
		for v := range torus.N() {
			same = same || slices.Equal(translate(here, v).Nodes(), p.Nodes())
		}
		if !same {
			t.Fatalf("%s on %s: %s is not the placement moved", class, torus, text)
		}
		dims := torus.Dims()
		for j := range dims {
			dims[j] *= 2
		}
		if f.Class.Modulus == 1 {
			continue
		}
		double := core.MustTorus(dims...)
		there, ok := f.At(double)
		if want := p.Size() * double.N() / torus.N() / 2; !ok || parse(t, double.String(), there).Size() != want {
			t.Fatalf("%s on %s: %q on %s, want %d processors", class, torus, there, double, want)
		}
		found++
	}
	if found < 50 {
		t.Errorf("only %d patterns", found)
	}
}
