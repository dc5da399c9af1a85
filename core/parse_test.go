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
	for _, c := range []struct {
		text, part string
		offset     int
		problem    string
	}{
		{"", "", 0, "a side is missing"},
		{"x", "", 0, "a side is missing"},
		{"8x", "", 2, "a side is missing"},
		{"x8", "", 0, "a side is missing"},
		{"8xx8", "", 2, "a side is missing"},
		{"1x4", "1", 0, "side 0 is 1"},
		{"11x1", "1", 3, "side 1 is 1"},
		{"0x0", "0", 0, "side 0 is 0"},
		{"10x0", "0", 3, "side 1 is 0"},
		{"3^2x1^2", "1^2", 4, "side 2 is 1"},
		{"65536x2", "65536", 0, "outside 2..65535"},
		{"99999999x99999999", "99999999", 0, "not a whole number"},
		{"9999999x2", "9999999", 0, "outside 2..65535"},
		{"65535x65535", "", 0, "more than 67108864 nodes"},
		{"3^26", "", 0, "more than 67108864 nodes"},
		{"2^27", "2^27", 0, "exponent"},
		{"2^0", "2^0", 0, "exponent"},
		{"2^", "2^", 0, "exponent"},
		{"2^-1", "2^-1", 0, "exponent"},
		{"2^2^2", "2^2^2", 0, "exponent"},
		{"^3", "^3", 0, "a side is missing"},
		{"+8x8", "+8", 0, "not a whole number"},
		{"8x-8", "-8", 2, "not a whole number"},
		{"08x8", "08", 0, "not a whole number"},
		{"8^03", "8^03", 0, "exponent"},
		{" 8x8", " 8", 0, "not a whole number"},
		{"8x8 ", "8 ", 2, "not a whole number"},
		{"8.0x8", "8.0", 0, "not a whole number"},
		{"8x8,8", "8,8", 2, "not a whole number"},
		{"٨x8", "٨", 0, "not a whole number"},
	} {
		torus, err := core.ParseTorus(c.text)
		if err == nil {
			t.Errorf("%q reads as %s", c.text, torus)
			continue
		}
		checkInputError(t, err, c.text, c.part, c.offset, c.problem)
	}
}

// FuzzParseTorus checks that any text is read or refused with an input error
// that points into it, and that parse, print, parse is the identity. A torus is
// a few numbers, whatever its size, so nothing large is allocated.
func FuzzParseTorus(f *testing.F) {
	for _, s := range []string{"8x8", "4x6x3", "30", "8^3", "2^26", "1x4", "0x0", "8x", "x8", "99999999x99999999",
		"08x8", "", "^", "2^99", "11x1", "3^2x4"} {
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
		checkInputError(t, err, whole, part, strings.LastIndex(whole, ":")+1, "")
		var e *core.InputError
		if errors.As(err, &e) && e.Hint != "write it so" {
			t.Errorf("%q: hint %q", whole, e.Hint)
		}
	}
	text, err := core.ParseText("n:key=7x:pos", "")
	if err != nil {
		t.Fatal(err)
	}
	checkInputError(t, text.Unused(), "n:key=7x:pos", "key", 2, "does not take")
	p, _ := text.Take("key")
	_, err = text.Int(p)
	checkInputError(t, err, "n:key=7x:pos", "7x", 6, "not a whole number")
	checkInputError(t, text.Unused(), "n:key=7x:pos", "pos", 9, "does not take")
	for _, s := range []string{"", "+1", "01", "-0", " 1", "1_0", "0x1", "1e1", "9223372036854775808"} {
		_, err = text.Int(core.Part{Text: s})
		if err == nil {
			t.Errorf("%q counts as a whole number", s)
		}
	}
}
