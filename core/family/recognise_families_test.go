package family_test

import (
	"slices"
	"testing"

	"leeway/core/family"
)

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
		{"4x6", "linear:m=5:r=2", "residue class residues:c=1,1:m=5:r=2, not closed around the sides"},
		{"4x4", "nodes:1,0+3,0+1,2+3,2", "the lattice of 4 nodes spanned by (2,0) (0,2), translated by (1,0)"},
		{"4x4", "nodes:1,3", "the single node (1,3)"},
		{"4x4", "nodes:0,0+2,0+0,2+2,2+1,0+3,0+1,2+3,2+0,1+2,1+0,3+2,3",
			"3 cosets of the lattice of 4 nodes spanned by (2,0) (0,2)"},
		{"4x4", "nodes:0,0+0,1+1,3", "sporadic: 3 nodes that no translation takes to themselves"},
	} {
		if got := family.Recognise(parse(t, c.torus, c.text)).String(); got != c.want {
			t.Errorf("%s on %s: %q, want %q", c.text, c.torus, got, c.want)
		}
	}
}
