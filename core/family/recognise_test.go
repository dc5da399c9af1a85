package family_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
)

// translate returns p moved by the node by.
func translate(p core.Placement, by int) core.Placement {
	t := p.Torus()
	var nodes []int
	for _, v := range p.Nodes() {
		nodes = append(nodes, t.Displacement(t.Displacement(by, 0), v))
	}
	return core.MustPlacement(t, nodes)
}

// periods returns the translations that take p to itself, by trying all.
func periods(p core.Placement) []int {
	var list []int
	for v := range p.Torus().N() {
		if slices.Equal(translate(p, v).Nodes(), p.Nodes()) {
			list = append(list, v)
		}
	}
	return list
}

// vectors lists the vectors of d numbers below m in lexicographic order.
func vectors(d, m int) [][]int {
	list := [][]int{nil}
	for range d {
		var longer [][]int
		for _, v := range list {
			for x := range m {
				longer = append(longer, append(slices.Clone(v), x))
			}
		}
		list = longer
	}
	return list
}

// classOf returns the residues modulo m that p takes up under c, and whether p
// holds all nodes with these residues.
func classOf(p core.Placement, c []int, m int) ([]int, bool) {
	t, set := p.Torus(), p.Set()
	var in, out []int
	for v := range t.N() {
		r := 0
		for j, x := range t.Coords(v) {
			r += c[j] * x
		}
		if set.Has(v) {
			in = append(in, r%m)
		} else {
			out = append(out, r%m)
		}
	}
	slices.Sort(in)
	in = slices.Compact(in)
	return in, !slices.ContainsFunc(out, func(r int) bool { return slices.Contains(in, r) })
}

// closes reports whether coefficients modulo m respect the sides and the shifts at their ends.
func closes(t *core.Torus, c []int, m int) bool {
	shifts := t.Twist()
	for j, x := range c {
		sum := x * t.Side(j)
		for i, y := range c {
			if shifts != nil {
				sum -= y * shifts[j][i]
			}
		}
		if sum%m != 0 {
			return false
		}
	}
	return true
}

// bruteClass returns the residue class of p of the smallest modulus up to most,
// among coefficients that close or among all.
func bruteClass(p core.Placement, most int, all bool) (c []int, m int) {
	for m = 1; m <= most; m++ {
		for _, c := range vectors(p.Torus().D(), m) {
			if !all && !closes(p.Torus(), c, m) {
				continue
			}
			if _, ok := classOf(p, c, m); ok {
				return c, m
			}
		}
	}
	return nil, 0
}

// checkForm holds a form against the definitions.
func checkForm(t *testing.T, p core.Placement) {
	t.Helper()
	torus := p.Torus()
	f := family.Recognise(p)
	where := fmt.Sprintf("%s, nodes %v: %s", torus, p.Nodes(), f)
	period := periods(p)
	if !slices.Equal(f.Period.Nodes(), period) || len(f.Cosets)*len(period) != p.Size() {
		t.Fatalf("%s: period %v, want %v", where, f.Period.Nodes(), period)
	}
	var nodes []int
	for _, c := range f.Cosets {
		for _, v := range period {
			nodes = append(nodes, torus.Displacement(torus.Displacement(c, 0), v))
		}
	}
	if slices.Sort(nodes); !slices.Equal(nodes, p.Nodes()) {
		t.Fatalf("%s: its cosets give %v", where, nodes)
	}
	if f.Kind == family.ResidueClass {
		if again, err := family.Parse(torus, f.Class.String()); err != nil || !slices.Equal(again.Nodes(), p.Nodes()) {
			t.Fatalf("%s: reads back as %v, %v", where, again.Nodes(), err)
		}
	}
	checkKind(t, where, p, f)
}

// checkKind holds the kind, and the modulus, against trial of all moduli and
// coefficients.
func checkKind(t *testing.T, where string, p core.Placement, f family.Form) {
	t.Helper()
	torus := p.Torus()
	most := torus.N() - 1
	if torus.D() == 1 {
		most++
	}
	largest := slices.Max(torus.Dims())
	_, closed := bruteClass(p, most, false)
	wrapped, modulus := bruteClass(p, largest, true)
	want := family.Sporadic
	switch {
	case p.Size() == 0:
		if m := f.Class.Modulus; m != 2 || f.Kind != family.ResidueClass || f.Wraps {
			t.Fatalf("%s: modulus %d", where, m)
		}
		return
	case closed > 0:
		if f.Kind != family.ResidueClass || f.Wraps || f.Class.Modulus != closed {
			t.Fatalf("%s: want a class modulo %d", where, closed)
		}
		return
	case len(f.Cosets) == 1:
		want = family.Sublattice
	case modulus > 0 && !torus.Twisted():
		if f.Kind != family.ResidueClass || !f.Wraps || f.Class.Modulus != modulus ||
			!slices.Equal(f.Class.Coefficients, wrapped) {
			t.Fatalf("%s: want a wrapped class of %v modulo %d", where, wrapped, modulus)
		}
		return
	case f.Period.Order() > 1:
		want = family.CosetUnion
	}
	if f.Kind != want || f.Wraps {
		t.Fatalf("%s: want %s", where, want)
	}
}

// TestRecogniseAgainstTrial recognises random placements, random unions of cosets
// and random residue classes on small tori.
func TestRecogniseAgainstTrial(t *testing.T) {
	cases := coretest.Cases(700, 150)
	tori := []string{"2", "7", "12", "2x2", "3x3", "4x4", "2x6", "4x5", "3x4", "2x2x2", "4x2x2", "2x3x3",
		"4x4:twist=2", "2x6:twist=2", "3x4:twist=1", "1x9:twist=3", "2x2x2:twist=0,1,0+0,0,0+0,1,0"}
	kinds := map[string]int{}
	for i := range cases {
		rng := rand.New(rand.NewPCG(5, uint64(i)))
		torus := coretest.Must(core.ParseNetwork(tori[rng.IntN(len(tori))]))
		p := family.Draw(torus, rng.IntN(torus.N()+1), rng)
		switch i % 3 {
		case 1:
			l := family.Span(torus, rng.IntN(torus.N()), rng.IntN(torus.N()))
			set := core.NewSet(torus.N())
			for range 1 + rng.IntN(3) {
				for v, by := 0, rng.IntN(torus.N()); v < torus.N(); v++ {
					if l.Contains(torus.Displacement(by, v)) {
						set.Add(v)
					}
				}
			}
			p = core.MustPlacement(torus, set.Nodes())
		case 2:
			m := 1 + rng.IntN(6)
			class := family.Residues{Coefficients: make([]int, torus.D()), Modulus: m, Residues: []int{rng.IntN(m), rng.IntN(m)}}
			for j := range class.Coefficients {
				class.Coefficients[j] = rng.IntN(m)
			}
			var err error
			if p, err = class.Placement(torus); err != nil {
				t.Fatal(err)
			}
		}
		checkForm(t, p)
		f := family.Recognise(p)
		kinds[fmt.Sprint(f.Kind, f.Wraps)]++
	}
	if len(kinds) != 5 {
		t.Errorf("only these kinds occurred: %v", kinds)
	}
}

// TestRecogniseFamilies names the pattern of each family as its definition has it,
// wherever it is moved.
func TestRecogniseFamilies(t *testing.T) {
	for _, c := range []struct {
		torus, text, want string
		cosets            int
	}{
		{"5x5", "full", "residues:c=0,0:m=1:r=0", 1},
		{"8x8", "linear", "residues:c=1,1:m=8:r=0", 1},
		{"8x8", "linear:c=3,3:r=1", "residues:c=1,1:m=8:r=3", 1},
		{"8x8", "linear:c=2,2", "residues:c=1,1:m=4:r=0", 1},
		{"8x8", "linear:c=1,3", "residues:c=1,3:m=8:r=0", 1},
		{"8x8", "spaced:t=2", "residues:c=1,1:m=4:r=0", 1},
		{"8x8", "spaced:t=3", "residues:c=1,1:m=8:r=0,2,5", 3},
		{"8x8", "multilinear:t=2", "residues:c=1,1:m=8:r=0,1", 2},
		{"5x5", "linear:c=1,-1", "residues:c=1,-1:m=5:r=0", 1},
		{"5x5x5", "linear:c=1,2,3", "residues:c=2,-1,1:m=5:r=0", 1},
		{"4x6", "linear:m=12:c=3,2", "residues:c=3,2:m=12:r=0", 1},
		{"4x6", "linear:m=2", "residues:c=1,1:m=2:r=0", 1},
		{"9", "nodes:0+1+3", "residues:c=1:m=9:r=0,1,3", 3},
		{"4x4", "random:n=0", "residues:c=0,0:m=2:r=1", 0},
	} {
		p := parse(t, c.torus, c.text)
		f := family.Recognise(p)
		if f.Kind != family.ResidueClass || f.Class.String() != c.want || len(f.Cosets) != c.cosets {
			t.Errorf("%s on %s: %s, want %s in %d cosets", c.text, c.torus, f, c.want, c.cosets)
		}
		for _, by := range []int{1, p.Torus().N() / 2} {
			moved := translate(p, by)
			g := family.Recognise(moved)
			if again := parse(t, c.torus, g.Class.String()); !slices.Equal(again.Nodes(), moved.Nodes()) ||
				g.Class.Modulus != f.Class.Modulus ||
				!slices.Equal(g.Class.Coefficients, f.Class.Coefficients) {
				t.Errorf("%s on %s, moved: %s, at first %s", c.text, c.torus, g, f)
			}
		}
	}
}

// TestFormStrings checks the words for each kind.
func TestFormStrings(t *testing.T) {
	for _, c := range []struct{ torus, text, want string }{
		{"8x8", "linear", "residue class residues:c=1,1:m=8:r=0"},
		{"8x8", "multilinear:t=2",
			"residue class residues:c=1,1:m=8:r=0,1, 2 cosets of the lattice of 8 nodes spanned by (1,7)"},
		{"4x6", "linear:m=5:r=2", "residue class residues:c=1,1:m=5:r=2, with a seam where the sides wrap around"},
		{"4x4", "nodes:1,0+3,0+1,2+3,2", "the lattice of 4 nodes spanned by (2,0) (0,2), translated by (1,0)"},
		{"4x4", "nodes:1,3", "the single node (1,3)"},
		{"4x4", "nodes:0,0+2,0+0,2+2,2+1,0+3,0+1,2+3,2+0,1+2,1+0,3+2,3",
			"3 cosets of the lattice of 4 nodes spanned by (2,0) (0,2)"},
		{"4x4", "nodes:0,0+0,1+1,3", "no regular form: no translation maps the 3 nodes to themselves"},
	} {
		if got := family.Recognise(parse(t, c.torus, c.text)).String(); got != c.want {
			t.Errorf("%s on %s: %q, want %q", c.text, c.torus, got, c.want)
		}
	}
}
