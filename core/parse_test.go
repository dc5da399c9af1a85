package core_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
)

func TestParseTorus(t *testing.T) {
	for text, dims := range map[string][]int{
		"8x8": {8, 8}, "4x6x3": {4, 6, 3}, "30": {30}, "8^3": {8, 8, 8}, "2^26": slices.Repeat([]int{2}, 26),
		"3^2x4": {3, 3, 4}, "65535": {65535}, "2x3^1x2^2": {2, 3, 2, 2}, "8192x8192": {8192, 8192},
		"8X8": {8, 8}, "4×6x2^2": {4, 6, 2, 2},
	} {
		torus, err := core.ParseTorus(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if got := torus.Dims(); !slices.Equal(got, dims) {
			t.Errorf("%q: sides %v, want %v", text, got, dims)
		}
		again, err := core.ParseTorus(torus.String())
		if err != nil || !again.Equal(torus) {
			t.Errorf("%q prints as %q, which reads as %v, %v", text, torus, again, err)
		}
	}
}

func TestParseTorusErrors(t *testing.T) {
	for _, c := range []struct{ text, problem string }{
		{"", "a side is missing"},
		{"x", "a side is missing"},
		{"8x", "a side is missing"},
		{"x8", "a side is missing"},
		{"8xx8", "a side is missing"},
		{"«1»x4", "side 0 is 1"},
		{"11x«1»", "side 1 is 1"},
		{"«0»x0", "side 0 is 0"},
		{"10x«0»", "side 1 is 0"},
		{"3^2x«1^2»", "side 2 is 1"},
		{"«65536»x2", "outside 2..65535"},
		{"«99999999»x99999999", "not a whole number"},
		{"«9999999»x2", "outside 2..65535"},
		{"65535x65535", "more than 67108864 nodes"},
		{"3^26", "more than 67108864 nodes"},
		{"«2^27»", "exponent"},
		{"«2^0»", "exponent"},
		{"«2^»", "exponent"},
		{"«2^-1»", "exponent"},
		{"«2^2^2»", "exponent"},
		{"«^3»", "a side is missing"},
		{"«+8»x8", "not a whole number"},
		{"8x«-8»", "not a whole number"},
		{"«08»x8", "not a whole number"},
		{"«8^03»", "exponent"},
		{"« 8»x8", "not a whole number"},
		{"8x«8 »", "not a whole number"},
		{"«8.0»x8", "not a whole number"},
		{"8x«8,8»", "not a whole number"},
		{"«٨»x8", "not a whole number"},
	} {
		_, err := core.ParseTorus(coretest.Unmarked(c.text))
		coretest.Refused(t, err, c.text, c.problem)
	}
}

// FuzzParseTorus checks that any text is read or refused with an input error
// that points into it, and that parse, print, parse is the identity. A torus is
// a few numbers, whatever its size, so nothing large is allocated.
func FuzzParseTorus(f *testing.F) {
	for _, s := range []string{"8x8", "4x6x3", "30", "8^3", "2^26", "1x4", "0x0", "8x", "x8", "99999999x99999999",
		"08x8", "", "^", "2^99", "11x1", "3^2x4",
		"X", "4X5", "4×5×", "4×5x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		torus, err := core.ParseTorus(s)
		if err != nil {
			var e *core.InputError
			if !errors.As(err, &e) || e.Text != s || e.Offset > len(s) || !strings.HasPrefix(s[e.Offset:], e.Part) {
				t.Fatalf("%q: error %#v does not point into it", s, err)
			}
			return
		}
		again, err := core.ParseTorus(torus.String())
		if err != nil || !again.Equal(torus) || again.String() != torus.String() {
			t.Fatalf("%q prints as %q, which reads as %v, %v", s, torus, again, err)
		}
	})
}

// TestText reads options in any sequence and names the place of each piece.
func TestText(t *testing.T) {
	text := coretest.Must(core.ParseText("name:b=2,30:0,1+2:a=x=y", "write it so"))
	if text.Name != "name" {
		t.Errorf("name %q", text.Name)
	}
	for _, c := range []struct {
		key  string
		want core.Part
	}{{"a", core.Part{Text: "x=y", Offset: 20}}, {"", core.Part{Text: "0,1+2", Offset: 12}},
		{"b", core.Part{Text: "2,30", Offset: 7}}} {
		if got, ok := text.Take(c.key); !ok || got != c.want {
			t.Errorf("option %q is %v, %v, want %v", c.key, got, ok, c.want)
		}
		if _, ok := text.Take(c.key); ok {
			t.Errorf("option %q can be taken twice", c.key)
		}
	}
	if err := text.Unused(); err != nil {
		t.Errorf("nothing is left, but: %v", err)
	}
	got, err := text.Ints(core.Part{Text: "2,30,-4", Offset: 7}, ",")
	if err != nil || !slices.Equal(got, []int{2, 30, -4}) {
		t.Errorf("numbers %v, %v", got, err)
	}
}

// TestTextErrors checks the place and the hint of what Text itself refuses.
func TestTextErrors(t *testing.T) {
	for whole, part := range map[string]string{"n:": "", "n:a=1:": "", "n:a=": "a=", "n:=1": "=1", "n:a=1:a=2": "a=2",
		"n:x:y": "y", ":": ""} {
		_, err := core.ParseText(whole, "write it so")
		coretest.Refused(t, err, strings.TrimSuffix(whole, part)+"«"+part+"»", "")
		var e *core.InputError
		if errors.As(err, &e) && e.Hint != "write it so" {
			t.Errorf("%q: hint %q", whole, e.Hint)
		}
	}
	text := coretest.Must(core.ParseText("n:key=7x:pos", ""))
	coretest.Refused(t, text.Unused(), "n:«key»=7x:pos", "does not take")
	p, _ := text.Take("key")
	_, err := text.Int(p)
	coretest.Refused(t, err, "n:key=«7x»:pos", "not a whole number")
	coretest.Refused(t, text.Unused(), "n:key=7x:«pos»", "does not take")
	for _, s := range []string{"", "+1", "01", "-0", " 1", "1_0", "0x1", "1e1", "9223372036854775808"} {
		_, err = text.Int(core.Part{Text: s})
		if err == nil {
			t.Errorf("%q counts as a whole number", s)
		}
	}
}
