package family_test

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
)

func TestNodes(t *testing.T) {
	for _, c := range []struct {
		torus, text string
		want        [][]int
	}{
		{"4x7", "nodes:0,0+1,3+2,6", [][]int{{0, 0}, {1, 3}, {2, 6}}},
		{"4x7", "nodes:3,6+0,1", [][]int{{0, 1}, {3, 6}}},
		{"5", "nodes:4+0", [][]int{{0}, {4}}},
		{"2x2x2", "nodes:1,0,1", [][]int{{1, 0, 1}}},
		{"3x2", "Rows:at=1..2", [][]int{{1, 0}, {1, 1}, {2, 0}, {2, 1}}},
		{"2x5", "columns:at=0,3..4", [][]int{{0, 0}, {0, 3}, {0, 4}, {1, 0}, {1, 3}, {1, 4}}},
	} {
		if got := parse(t, c.torus, c.text).Coords(); !slices.EqualFunc(got, c.want, slices.Equal) {
			t.Errorf("%s on %s: %v, want %v", c.text, c.torus, got, c.want)
		}
	}
}

// TestParseErrors checks that every refusal names the offending part, where it
// stands, and gives a hint.
func TestParseErrors(t *testing.T) {
	for _, c := range []struct {
		torus, text, part string
		offset            int
		problem           string
	}{
		{"4x4", "", "", 0, "unknown placement"},
		{"4x4", "diagonal", "diagonal", 0, "unknown placement"},
		{"4x4", "Rows:at=2..1", "2..1", 8, "not a range"},
		{"4x4", "rows:at=0..+1", "0..+1", 8, "not a range"},
		{"4x4", "rows:at=0..9999999", "0..9999999", 8, "not a range"},
		{"4x4", "@file.json", "@file.json", 0, "unknown placement"},
		{"4x4", "linear:", "", 7, "empty"},
		{"4x4", "linear:r=", "r=", 7, "empty"},
		{"4x4", "linear:r=0:r=1", "r=1", 11, "repeated"},
		{"4x4", "full:t=2", "t", 5, "does not take"},
		{"4x4", "full:2", "2", 5, "does not take"},
		{"4x4", "linear:t=2", "t", 7, "does not take"},
		{"4x4", "linear:r=0,1", "0,1", 9, "not a whole number"},
		{"4x4", "linear:r=00", "00", 9, "not a whole number"},
		{"4x4", "linear:c=1", "1", 9, "1 coefficients for 2"},
		{"4x4", "linear:c=1,2,3:r=0", "1,2,3", 9, "3 coefficients for 2"},
		{"4x4", "linear:c=1,x", "x", 11, "not a whole number"},
		{"4x4", "linear:r=0:c=1,", "", 15, "not a whole number"},
		{"4x4", "linear:m=0", "0", 9, "modulus must lie"},
		{"4x4", "linear:m=-4", "-4", 9, "modulus must lie"},
		{"4x4", "linear:m=67108865", "67108865", 9, "modulus must lie"},
		{"4x6", "linear", "", 0, "m= is needed"},
		{"4x6", "residues:r=0", "", 0, "m= is needed"},
		{"4x4", "multilinear", "", 0, "t= is missing"},
		{"4x4", "spaced", "", 0, "t= is missing"},
		{"4x4", "spaced:t=0", "0", 9, "t must lie in 1..4"},
		{"4x4", "spaced:t=5", "5", 9, "t must lie in 1..4"},
		{"4x4", "multilinear:m=3:t=4", "4", 18, "t must lie in 1..3"},
		{"4x4", "multilinear:t=two", "two", 14, "not a whole number"},
		{"4x4", "residues:c=1,1:m=4", "", 0, "r= are missing"},
		{"4x4", "residues:r=0,1.5", "1.5", 13, "not a whole number"},
		{"4x4", "random", "", 0, "n= is missing"},
		{"4x4", "random:seed=3", "", 0, "n= is missing"},
		{"4x4", "random:n=17", "17", 9, "n must lie in 0..16"},
		{"4x4", "random:n=-1", "-1", 9, "n must lie in 0..16"},
		{"4x4", "random:n=4:seed=-1", "-1", 16, "not a whole number"},
		{"4x4", "random:n=4:seed=01", "01", 16, "not a whole number"},
		{"4x4", "random:n=4:seed=18446744073709551616", "18446744073709551616", 16, "not a whole number"},
		{"4x4", "nodes", "", 0, "nodes are missing"},
		{"4x4", "nodes:", "", 6, "empty"},
		{"4x4", "nodes:0,0+0,4", "0,4", 10, "coordinate 1 is 4, outside 0..3"},
		{"4x4", "nodes:0,0+-1,0", "-1,0", 10, "coordinate 0 is -1"},
		{"4x4", "nodes:0,0+1", "1", 10, "has 2 coordinates, not 1"},
		{"4x4", "nodes:0,0,0", "0,0,0", 6, "has 2 coordinates, not 3"},
		{"4x4", "nodes:1,1+0,0+1,1", "1,1", 14, "twice"},
		{"4x4", "nodes:1,1+", "", 10, "not a whole number"},
		{"4x4", "nodes:1,1+a,0", "a", 10, "not a whole number"},
		{"4x4", "nodes:1,1:2,2", "2,2", 10, "repeated"},
	} {
		torus := coretest.Must(core.ParseTorus(c.torus))
		p, err := family.Parse(torus, c.text)
		var e *core.InputError
		if !errors.As(err, &e) {
			t.Errorf("%q on %s: nodes %v, error %v, want an input error", c.text, c.torus, p.Nodes(), err)
			continue
		}
		if e.Text != c.text || e.Part != c.part || e.Part != "" && e.Offset != c.offset ||
			!strings.Contains(e.Problem, c.problem) {
			t.Errorf("%q on %s: part %q at %d of %q, problem %q; want %q at %d, %q", c.text, c.torus, e.Part,
				e.Offset, e.Text, e.Problem, c.part, c.offset, c.problem)
		}
		if !strings.HasPrefix(e.Text[e.Offset:], e.Part) {
			t.Errorf("%q: part %q is not at %d", c.text, e.Part, e.Offset)
		}
		if !strings.Contains(e.Hint, "linear") {
			t.Errorf("%q: the hint %q does not show what to write", c.text, e.Hint)
		}
	}
}

// largeNumber reports whether a text holds more than five digits in a row. A
// modulus of that size is allowed but costs memory of its size.
func largeNumber(s string) bool {
	run := 0
	for _, c := range s {
		if run++; c < '0' || c > '9' {
			run = 0
		}
		if run > 5 {
			return true
		}
	}
	return false
}

// spell writes a placement as nodes:..., the form that every placement with
// processors has.
func spell(p core.Placement) string {
	var nodes []string
	for _, c := range p.Coords() {
		var digits []string
		for _, x := range c {
			digits = append(digits, strconv.Itoa(x))
		}
		nodes = append(nodes, strings.Join(digits, ","))
	}
	return "nodes:" + strings.Join(nodes, "+")
}

// FuzzParsePlacement checks that any text is read or refused with an input error
// that points into it, that reading repeats, and that the nodes found, written
// out, read back as themselves.
func FuzzParsePlacement(f *testing.F) {
	for _, s := range []string{"full", "linear", "linear:c=1,2:r=0", "multilinear:t=2", "spaced:t=2:m=5",
		"residues:c=1,-1:m=8:r=0,4",
		"random:n=4:seed=7", "nodes:0,0+1,1", "nodes:0+1", "linear:r=-9223372036854775808", "nodes:,+", "spaced:t=0",
		"random:n=99", "::", "\xff"} {
		for d := range uint8(3) {
			f.Add(s, d)
		}
	}
	f.Fuzz(func(t *testing.T, s string, d uint8) {
		if largeNumber(s) {
			return
		}
		torus := core.MustTorus([][]int{{7}, {4, 4}, {4, 2, 3}}[d%3]...)
		p, err := family.Parse(torus, s)
		if err != nil {
			var e *core.InputError
			if !errors.As(err, &e) || e.Text != s || e.Part != "" && !strings.HasPrefix(s[e.Offset:], e.Part) {
				t.Fatalf("%q: error %#v does not point into it", s, err)
			}
			return
		}
		if again, err := family.Parse(torus, s); err != nil || !slices.Equal(again.Nodes(), p.Nodes()) {
			t.Fatalf("%q reads as %v and as %v, %v", s, p.Nodes(), again.Nodes(), err)
		}
		if p.Size() == 0 {
			return // no text names nodes and lists none
		}
		if again, err := family.Parse(torus, spell(p)); err != nil || !slices.Equal(again.Nodes(), p.Nodes()) {
			t.Fatalf("%q written as %q reads as %v, %v", s, spell(p), again.Nodes(), err)
		}
	})
}
