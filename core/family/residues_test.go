package family_test

import (
	"errors"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
)

// parse returns the placement that a text names and stops the test if it names
// none.
func parse(t testing.TB, torus, text string) core.Placement {
	t.Helper()
	u := coretest.Must(core.ParseTorus(torus))
	p, err := family.Parse(u, text)
	if err != nil {
		t.Fatalf("%s on %s: %v", text, torus, err)
	}
	return p
}

// TestFamiliesByPredicate decides for every node, in plain arithmetic on its
// coordinates, whether it belongs to the family.
func TestFamiliesByPredicate(t *testing.T) {
	in := func(v, m int, residues ...int) bool {
		return slices.ContainsFunc(residues, func(r int) bool { return (v-r)%m == 0 })
	}
	for _, c := range []struct {
		torus, text string
		has         func(c []int) bool
	}{
		{"2x3", "full", func([]int) bool { return true }},
		{"7", "full", func([]int) bool { return true }},
		{"5x5", "linear", func(c []int) bool { return in(c[0]+c[1], 5, 0) }},
		{"4x4x4", "linear", func(c []int) bool { return in(c[0]+c[1]+c[2], 4, 0) }},
		{"6", "linear:r=4", func(c []int) bool { return c[0] == 4 }},
		{"5x5x5", "linear:c=1,2,3:r=0", func(c []int) bool { return in(c[0]+2*c[1]+3*c[2], 5, 0) }},
		{"5x5", "linear:r=-1:c=-1,7", func(c []int) bool { return in(-c[0]+7*c[1], 5, -1) }},
		{"6x6", "linear:m=3", func(c []int) bool { return in(c[0]+c[1], 3, 0) }},
		{"4x6", "linear:m=5:r=12", func(c []int) bool { return in(c[0]+c[1], 5, 12) }},
		{"8x8", "multilinear:t=2", func(c []int) bool { return in(c[0]+c[1], 8, 0, 1) }},
		{"5x5", "multilinear:t=5", func([]int) bool { return true }},
		{"3x4", "multilinear:m=6:t=3:c=2,-1", func(c []int) bool { return in(2*c[0]-c[1], 6, 0, 1, 2) }},
		{"8x8", "spaced:t=2", func(c []int) bool { return in(c[0]+c[1], 8, 0, 4) }},
		{"8x8", "spaced:t=3", func(c []int) bool { return in(c[0]+c[1], 8, 0, 2, 5) }},       // 0, 8/3, 16/3
		{"7x7", "spaced:t=4", func(c []int) bool { return in(c[0]+c[1], 7, 0, 1, 3, 5) }},    // 0, 7/4, 14/4, 21/4
		{"7x7", "spaced:t=5", func(c []int) bool { return in(c[0]+c[1], 7, 0, 1, 2, 4, 5) }}, // 0, 7/5, 14/5, 21/5, 28/5
		{"5x5", "spaced:t=1", func(c []int) bool { return in(c[0]+c[1], 5, 0) }},
		{"4x3", "spaced:t=2:m=12:c=3,4", func(c []int) bool { return in(3*c[0]+4*c[1], 12, 0, 6) }},
		{"8x8", "residues:c=1,1:m=8:r=0,4", func(c []int) bool { return in(c[0]+c[1], 8, 0, 4) }},
		{"4x6", "residues:c=1,-2:m=4:r=3,-2,7", func(c []int) bool { return in(c[0]-2*c[1], 4, 3, -2) }},
		{"5x5", "residues:r=1,2", func(c []int) bool { return in(c[0]+c[1], 5, 1, 2) }},
		{"2x2x2", "residues:r=0", func(c []int) bool { return in(c[0]+c[1]+c[2], 2, 0) }},
		{"3x3", "residues:m=100:r=50", func([]int) bool { return false }},
		{"3x3", "residues:m=67108864:c=-1,0:r=67108863", func(c []int) bool { return c[0] == 1 }},
	} {
		p := parse(t, c.torus, c.text)
		torus, set := p.Torus(), p.Set()
		for v := range torus.N() {
			if want := c.has(torus.Coords(v)); set.Has(v) != want {
				t.Errorf("%s on %s: node %v in the placement: %v, want %v", c.text, c.torus, torus.Coords(v), set.Has(v), want)
			}
		}
	}
}

// TestDefaultModulus checks that m= defaults to the common side exactly where
// there is one.
func TestDefaultModulus(t *testing.T) {
	for _, name := range []string{"linear", "multilinear:t=2", "spaced:t=2", "residues:r=0,1"} {
		if a, b := parse(t, "5x5", name), parse(t, "5x5", name+":m=5"); !slices.Equal(a.Nodes(), b.Nodes()) {
			t.Errorf("%s on 5x5 differs from m=5", name)
		}
		_, err := family.Parse(core.MustTorus(5, 4), name)
		var e *core.InputError
		if !errors.As(err, &e) {
			t.Errorf("%s on 5x4 without m=: %v", name, err)
		}
	}
}

// TestResiduesRoundTrip prints and reads back, and compares the nodes.
func TestResiduesRoundTrip(t *testing.T) {
	torus := core.MustTorus(4, 6)
	for _, r := range []family.Residues{
		{Coefficients: []int{1, -2}, Modulus: 4, Residues: []int{3, -2}},
		{Coefficients: []int{0, 100}, Modulus: 7, Residues: []int{6}},
		{Coefficients: []int{0, 0}, Modulus: 1, Residues: []int{0}},
	} {
		want, err := r.Placement(torus)
		if err != nil {
			t.Fatal(err)
		}
		got := parse(t, "4x6", r.String())
		if !slices.Equal(got.Nodes(), want.Nodes()) {
			t.Errorf("%s reads back as %v, want %v", r, got.Nodes(), want.Nodes())
		}
	}
	if s := (family.Residues{Coefficients: []int{1, -2}, Modulus: 4,
		Residues: []int{3, 0}}).String(); s != "residues:c=1,-2:m=4:r=3,0" {
		t.Errorf("prints as %s", s)
	}
}

// TestResiduesErrors checks what the type refuses by itself.
func TestResiduesErrors(t *testing.T) {
	for _, r := range []family.Residues{
		{Coefficients: []int{1}, Modulus: 4, Residues: []int{0}},
		{Coefficients: []int{1, 1, 1}, Modulus: 4, Residues: []int{0}},
		{Coefficients: []int{1, 1}, Residues: []int{0}},
		{Coefficients: []int{1, 1}, Modulus: -4, Residues: []int{0}},
		{Coefficients: []int{1, 1}, Modulus: core.MaxNodes + 1, Residues: []int{0}},
		{Coefficients: []int{1, 1}, Modulus: 4},
	} {
		_, err := r.Placement(core.MustTorus(4, 4))
		var e *core.InputError
		if !errors.As(err, &e) || e.Problem == "" || e.Hint == "" {
			t.Errorf("%+v: error %v, want an input error with a hint", r, err)
		}
	}
}
