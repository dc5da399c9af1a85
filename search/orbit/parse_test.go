package orbit

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/search"
	"leeway/search/searchtest"
)

// TestParse reads texts and compares order, orbit sizes and the text that comes back.
func TestParse(t *testing.T) {
	for _, c := range []struct {
		torus, text, back string
		order, orbits     int
	}{
		{"4x4", "t=2,0", "t=2,0", 2, 8},
		{"4x4", "t=4,0;t=0,4", "t=0,0;t=0,0", 1, 16},
		{"8x8", "t=4,0;t=0,4", "t=4,0;t=0,4", 4, 16},
		{"8x8", "t=-1,9", "t=7,1", 8, 8},
		{"4x4", "-1", "-1", 2, 10},
		{"4x4", "s=--:t=1,1", "-1:t=1,1", 2, 8},
		{"4x4", "t=0,1:p=1,0:s=+-", "p=1,0:s=+-:t=0,1", 4, 4},
		{"2x2", "s=--", "t=0,0", 1, 4},
		{"2x3", "-1", "-1", 2, 4},
	} {
		g := wholeGroup(t, c.torus, "udr:tie=both")
		s, err := g.parse(c.text)
		if err != nil {
			t.Errorf("%s on %s: %v", c.text, c.torus, err)
			continue
		}
		if s.String() != c.back || s.Order() != c.order || len(s.orbits) != c.orbits {
			t.Errorf("%s on %s: %s of order %d with %d orbits, want %s, %d, %d",
				c.text, c.torus, s, s.Order(), len(s.orbits), c.back, c.order, c.orbits)
		}
	}
}

// TestParseRefuses checks that errors name the part that is wrong.
func TestParseRefuses(t *testing.T) {
	for _, c := range []struct{ torus, routing, text, problem string }{
		{"4x4", "udr", "", "not a part"},
		{"4x4", "udr", "t=1,0;", "not a part"},
		{"4x4", "udr", "t=«1»", "1 numbers for the 2 dimensions"},
		{"4x4", "udr", "t=1,«x»", "not a whole number"},
		{"4x4", "udr", "p=«0,0»", "not a permutation"},
		{"4x4", "udr", "p=«0,2»", "not a permutation"},
		{"4x5", "udr", "p=«1,0»", "dimensions 0 and 1"},
		{"4x4", "udr", "s=«+»", "not 2 signs"},
		{"4x4", "udr", "-1:«s=+-»", "is repeated"},
		{"4x4", "udr", "t=1,0:«t=0,1»", "is repeated"},
		{"4x4", "udr", "«q=1»", "not a part"},
		{"4x4", "odr", "t=2,0;«p=1,0»", "does not preserve the loads of odr:tie=plus"},
		{"4x4", "odr", "«s=+-»", "does not preserve"},
		{"4x4x4", "odr:tie=both", "«p=0,2,1»", "does not preserve"},
	} {
		_, err := wholeGroup(t, c.torus, c.routing).parse(coretest.Unmarked(c.text))
		coretest.Refused(t, err, c.text, c.problem)
	}
	// The swap reverses the one order; with all even sides reflected ties go round the same way.
	if _, err := wholeGroup(t, "4x4", "odr").parse("p=1,0:s=--"); err != nil {
		t.Error(err)
	}
}

// TestRefusals checks what is refused as a problem.
func TestRefusals(t *testing.T) {
	table := coretest.Table(coretest.Rng(43, 0), core.MustTorus(3, 3), true)
	if _, err := Parse(table, "t=1,1"); err == nil {
		t.Error("a table by pair has symmetries")
	}
	s := coretest.Must(Parse(searchtest.Problem("4x4", "odr", 4).Routing, "p=1,0:s=--"))
	var unsupported *search.UnsupportedError
	if _, err := Best(context.Background(), searchtest.Problem("4x4", "avoid", 4), s, nil, 0); !errors.As(err,
		&unsupported) {
		t.Errorf("avoid: %v", err)
	}
	if _, err := Best(context.Background(), searchtest.Problem("40x40", "odr", 4), s, nil, 0); !errors.As(err,
		&unsupported) {
		t.Errorf("1600 nodes: %v", err)
	}
	var input *core.InputError
	if _, err := Best(context.Background(), searchtest.Problem("4x4", "odr:order=0,1", 4), s, nil, 0); err != nil {
		t.Errorf("the same routing: %v", err)
	}
	if _, err := Best(context.Background(), searchtest.Problem("4x5", "odr", 4), s, nil, 0); !errors.As(err, &input) {
		t.Errorf("the symmetry of another torus: %v", err)
	}
}

// FuzzParse checks that any text is read or refused with an error that points into it, and that what was read, printed,
// reads as the same subgroup.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"t=2,4", "t=4,0;t=0,4", "-1", "p=1,0:s=+-:t=0,1", "s=--", "t=-1,9;;", "p=0,1:-1", ":",
		"t=,", "-1:-1", "\xff"} {
		f.Add(s, uint8(0))
		f.Add(s, uint8(1))
	}
	var groups []*group
	for _, sides := range [][]int{{4, 4}, {3, 2}, {2, 2, 3}} {
		g := coretest.Must(groupOf(objective.Problem{Routing: routing.NewUDR(core.MustTorus(sides...), routing.TieBoth)}))
		groups = append(groups, g)
	}
	f.Fuzz(func(t *testing.T, text string, which uint8) {
		g := groups[int(which)%len(groups)]
		s, err := g.parse(text)
		if err != nil {
			var e *core.InputError
			if !errors.As(err, &e) || e.Text != text || e.Part != "" && !strings.HasPrefix(text[e.Offset:], e.Part) {
				t.Fatalf("%q: error %#v does not point into it", text, err)
			}
			return
		}
		again, err := g.parse(s.String())
		if err != nil || again.String() != s.String() || again.Order() != s.Order() ||
			!slices.EqualFunc(again.orbits, s.orbits, slices.Equal) {
			t.Fatalf("%q prints as %q, which reads as %v, %v", text, s, again, err)
		}
	})
}
