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
	for _, c := range []struct{ torus, text, problem string }{
		{"4x4", "", "unknown placement"},
		{"4x4", "«diagonal»", "unknown placement"},
		{"4x4", "Rows:at=«2..1»", "not a range"},
		{"4x4", "rows:at=«0..+1»", "not a range"},
		{"4x4", "rows:at=«0..9999999»", "not a range"},
		{"4x4", "«@file.json»", "unknown placement"},
		{"4x4", "linear:", "empty"},
		{"4x4", "linear:«r=»", "empty"},
		{"4x4", "linear:r=0:«r=1»", "repeated"},
		{"4x4", "full:«t»=2", "does not take"},
		{"4x4", "full:«2»", "does not take"},
		{"4x4", "linear:«t»=2", "does not take"},
		{"4x4", "linear:r=«0,1»", "not a whole number"},
		{"4x4", "linear:r=«00»", "not a whole number"},
		{"4x4", "linear:c=«1»", "1 coefficients for 2"},
		{"4x4", "linear:c=«1,2,3»:r=0", "3 coefficients for 2"},
		{"4x4", "linear:c=1,«x»", "not a whole number"},
		{"4x4", "linear:r=0:c=1,", "not a whole number"},
		{"4x4", "linear:m=«0»", "modulus must lie"},
		{"4x4", "linear:m=«-4»", "modulus must lie"},
		{"4x4", "linear:m=«67108865»", "modulus must lie"},
		{"4x6", "linear", "m= is needed"},
		{"4x6", "residues:r=0", "m= is needed"},
		{"4x4", "multilinear", "t= is missing"},
		{"4x4", "spaced", "t= is missing"},
		{"4x4", "spaced:t=«0»", "t must lie in 1..4"},
		{"4x4", "spaced:t=«5»", "t must lie in 1..4"},
		{"4x4", "multilinear:m=3:t=«4»", "t must lie in 1..3"},
		{"4x4", "multilinear:t=«two»", "not a whole number"},
		{"4x4", "residues:c=1,1:m=4", "r= are missing"},
		{"4x4", "residues:r=0,«1.5»", "not a whole number"},
		{"4x4", "random", "n= is missing"},
		{"4x4", "random:seed=3", "n= is missing"},
		{"4x4", "random:n=«17»", "n must lie in 0..16"},
		{"4x4", "random:n=«-1»", "n must lie in 0..16"},
		{"4x4", "random:n=4:seed=«-1»", "not a whole number"},
		{"4x4", "random:n=4:seed=«01»", "not a whole number"},
		{"4x4", "random:n=4:seed=«18446744073709551616»", "not a whole number"},
		{"4x4", "nodes", "nodes are missing"},
		{"4x4", "nodes:", "empty"},
		{"4x4", "nodes:0,0+«0,4»", "coordinate 1 is 4, outside 0..3"},
		{"4x4", "nodes:0,0+«-1,0»", "coordinate 0 is -1"},
		{"4x4", "nodes:0,0+«1»", "has 2 coordinates, not 1"},
		{"4x4", "nodes:«0,0,0»", "has 2 coordinates, not 3"},
		{"4x4", "nodes:1,1+0,0+«1,1»", "twice"},
		{"4x4", "nodes:1,1+", "not a whole number"},
		{"4x4", "nodes:1,1+«a»,0", "not a whole number"},
		{"4x4", "nodes:1,1:«2,2»", "repeated"},
	} {
		torus := coretest.Must(core.ParseTorus(c.torus))
		_, err := family.Parse(torus, coretest.Unmarked(c.text))
		e := coretest.Refused(t, err, c.text, c.problem)
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
