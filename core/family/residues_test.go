package family_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
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
	numbers := func(list string) (out []int) {
		for n := range strings.SplitSeq(list, ",") {
			out = append(out, coretest.Must(strconv.Atoi(n)))
		}
		return out
	}
	for _, c := range []struct {
		torus, text  string
		coefficients string
		modulus      int
		residues     string
	}{
		{"2x3", "full", "0,0", 1, "0"},
		{"7", "full", "0", 1, "0"},
		{"5x5", "linear", "1,1", 5, "0"},
		{"4x4x4", "linear", "1,1,1", 4, "0"},
		{"6", "linear:r=4", "1", 6, "4"},
		{"5x5x5", "linear:c=1,2,3:r=0", "1,2,3", 5, "0"},
		{"5x5", "linear:r=-1:c=-1,7", "-1,7", 5, "-1"},
		{"6x6", "linear:m=3", "1,1", 3, "0"},
		{"4x6", "linear:m=5:r=12", "1,1", 5, "12"},
		{"8x8", "multilinear:t=2", "1,1", 8, "0,1"},
		{"5x5", "multilinear:t=5", "0,0", 1, "0"},
		{"3x4", "multilinear:m=6:t=3:c=2,-1", "2,-1", 6, "0,1,2"},
		{"8x8", "spaced:t=2", "1,1", 8, "0,4"},
		{"8x8", "spaced:t=3", "1,1", 8, "0,2,5"},     // 0, 8/3, 16/3
		{"7x7", "spaced:t=4", "1,1", 7, "0,1,3,5"},   // 0, 7/4, 14/4, 21/4
		{"7x7", "spaced:t=5", "1,1", 7, "0,1,2,4,5"}, // 0, 7/5, 14/5, 21/5, 28/5
		{"5x5", "spaced:t=1", "1,1", 5, "0"},
		{"4x3", "spaced:t=2:m=12:c=3,4", "3,4", 12, "0,6"},
		{"8x8", "residues:c=1,1:m=8:r=0,4", "1,1", 8, "0,4"},
		{"4x6", "residues:c=1,-2:m=4:r=3,-2,7", "1,-2", 4, "3,-2"},
		{"5x5", "residues:r=1,2", "1,1", 5, "1,2"},
		{"2x2x2", "residues:r=0", "1,1,1", 2, "0"},
		{"3x3", "residues:m=100:r=50", "0,0", 2, "1"},
		{"3x3", "residues:m=67108864:c=-1,0:r=67108863", "1,0", 3, "1"},
	} {
		p := parse(t, c.torus, c.text)
		torus, set := p.Torus(), p.Set()
		for v := range torus.N() {
			sum := 0
			for j, k := range numbers(c.coefficients) {
				sum += k * torus.Coord(v, j)
			}
			want := slices.ContainsFunc(numbers(c.residues), func(r int) bool { return (sum-r)%c.modulus == 0 })
			if set.Has(v) != want {
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
		want := coretest.Must(r.Placement(torus))
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

func TestBaseline(t *testing.T) {
	for _, c := range []struct {
		torus string
		n     int
		want  string
	}{
		{"8x8", 8, "linear"}, {"8x8", 16, "multilinear:t=2"}, {"8x8", 12, ""},
		{"8x8", 64, "multilinear:t=8"},
		{"4x4x4", 16, "linear"}, {"4x6", 4, ""}, {"5", 1, "linear"},
		{"5", 3, "multilinear:t=3"}, {"8x8", 0, ""},
	} {
		torus := coretest.Must(core.ParseTorus(c.torus))
		got, ok := family.Baseline(torus, c.n)
		if got != c.want || ok != (c.want != "") {
			t.Errorf("%s n=%d: %q, %v, want %q", torus, c.n, got, ok, c.want)
		}
		if !ok {
			continue
		}
		if p, err := family.Parse(torus, got); err != nil || p.Size() != c.n {
			t.Errorf("%s on %s: %d processors, %v", got, torus, p.Size(), err)
		}
	}
}

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
