package family_test

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/family"
)

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
