package routing_test

import (
	"errors"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
)

// TestParseErrors checks that every refusal names the offending part, where it
// stands, and gives a hint.
func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ torus, text, problem string }{
		{"4x4", "", "unknown routing"},
		{"4x4", "«yz»", "unknown routing"},
		{"4x4", "« odr»", "unknown routing"},
		{"4x4", "«yz»:tie=both", "unknown routing"},
		{"4x4", "odr:", "empty"},
		{"4x4", "odr::tie=both", "empty"},
		{"4x4", "odr:«tie=»", "empty"},
		{"4x4", "odr:«=both»", "empty"},
		{"4x4", "odr:tie=«maybe»", "plus or both"},
		{"4x4", "odr:order=1,0:tie=«Both»", "plus or both"},
		{"4x4", "odr:tie=plus:«tie=both»", "repeated"},
		{"4x4", "odr:order=«0,0»", "each stands once"},
		{"4x4", "odr:order=«0,2»", "each stands once"},
		{"4x4", "odr:order=«-1,0»", "each stands once"},
		{"4x4", "odr:order=«0»", "names 1 dimensions"},
		{"4x4", "odr:order=«0,1,2»", "names 3 dimensions"},
		{"4x4", "odr:order=0,«x»", "not a whole number"},
		{"4x4", "odr:order=0,«01»", "not a whole number"},
		{"4x4", "odr:order=0,", "not a whole number"},
		{"4x4", "odr:order=0,«99999999999999999999»", "not a whole number"},
		{"4x4", "odr:«01»", "does not take"},
		{"4x4", "udr:«order»=0,1", "does not take"},
		{"4x4", "udr:tie=both:«order»=0,1", "does not take"},
		{"4x4", "minimal:«seed»=1", "does not take"},
		{"4x4", "avoid:«0»", "does not take"},
		{"4x4", "orders", "missing"},
		{"4x4", "orders:tie=both", "missing"},
		{"4x4", "orders:01+«00»", "each stands once"},
		{"4x4", "orders:01+«02»", "each stands once"},
		{"4x4", "orders:01+«0»", "names 1 dimensions"},
		{"4x4", "orders:«012»", "names 3 dimensions"},
		{"4x4", "orders:01+", "names 0 dimensions"},
		{"4x4", "orders:01+1«a»", "not a whole number"},
		{"4x4", "orders:01«-»10", "not a whole number"},
		{"4x4", "orders:01:«10»", "repeated"},
		{"4x4", "orders:01+10:«order»=0,1", "does not take"},
		{"4", "orders:«01»", "names 2 dimensions"},
		{"4x4x4", "«o1turn»", "defined in two dimensions, 4x4x4 has 3"},
		{"4", "«o1turn»:tie=both", "defined in two dimensions"},
		{"4x4x4:open=0", "«o1turn»", "4x4x4:open=0 has 3"},
		{"4x4", "xy:«order»=1,0", "does not take"},
		{"4x4", "yx:«order»=1,0", "does not take"},
	} {
		torus := coretest.Must(core.ParseNetwork(c.torus))
		_, err := routing.Parse(torus, coretest.Unmarked(c.text))
		e := coretest.Refused(t, err, c.text, c.problem)
		if !strings.Contains(e.Hint, "odr") && !strings.Contains(e.Hint, "udr") {
			t.Errorf("%q: the hint %q does not show what to write", c.text, e.Hint)
		}
	}
}

// TestNamesOfTheLiterature: XY corrects the horizontal dimension first, which is the last one, YX dimension 0; O1TURN
// (Seo et al., ISCA 2005) takes either order with equal probability.
func TestNamesOfTheLiterature(t *testing.T) {
	for _, c := range []struct{ torus, text, canonical string }{
		{"4x4", "dor", "odr:tie=plus"},
		{"4x4x3", "dimension-order:order=2,0,1", "odr:order=2,0,1:tie=plus"},
		{"8", "xy", "odr:tie=plus"},
		{"4x6:open=0", "xy:tie=both", "odr:order=1,0:tie=both"},
		{"4x4x3", "xy", "odr:order=2,1,0:tie=plus"},
		{"4x4", "yx", "odr:tie=plus"},
		{"4x4x3", "yx:tie=both", "odr:tie=both"},
		{"4x4", "o1turn", "udr:tie=both"},
		{"4x4", "o1turn:tie=plus", "udr:tie=plus"},
	} {
		r, err := routing.Parse(coretest.Must(core.ParseNetwork(c.torus)), c.text)
		if err != nil || r.String() != c.canonical {
			t.Errorf("%s on %s is %v, error %v, want %s", c.text, c.torus, r, err, c.canonical)
		}
	}
}

// TestNewOrdersRefuses checks the constructors that take numbers.
func TestNewOrdersRefuses(t *testing.T) {
	torus := core.MustTorus(3, 3)
	for _, orders := range [][][]int{nil, {}, {{0}}, {{0, 1}, {1, 1}}, {{0, -1}}, {{0, 2}}, {{0, 1, 2}}} {
		_, err := routing.NewOrders(torus, orders, routing.TiePlus)
		var e *core.InputError
		if !errors.As(err, &e) || e.Problem == "" || e.Hint == "" {
			t.Errorf("orders %v: error %v, want an input error with a hint", orders, err)
		}
	}
	if _, err := routing.NewODR(torus, []int{1, 1}, routing.TiePlus); err == nil {
		t.Error("odr in the order 1,1 is accepted")
	}
}

// TestListIsACopy checks that callers cannot change a routing.
func TestListIsACopy(t *testing.T) {
	order := []int{1, 0}
	r := coretest.Must(routing.NewODR(core.MustTorus(3, 3), order, routing.TiePlus))
	order[0], r.List()[0][0] = 0, 0
	if got := r.String(); got != "odr:order=1,0:tie=plus" {
		t.Errorf("the routing became %s", got)
	}
}

// FuzzParseRouting checks that any text is read or refused with an input error
// that points into it, and that parse, print, parse is the identity.
func FuzzParseRouting(f *testing.F) {
	for _, s := range []string{"odr", "odr:order=1,0", "odr:tie=both", "udr", "orders:012+120+201",
		"orders:0,1+1,0:tie=plus",
		"avoid:tie=plus", "minimal", "odr:tie=plus:tie=both", "orders:+", "orders:00", "odr:order=,", "odr::", "\xff",
		"orders:é"} {
		for d := range uint8(4) {
			f.Add(s, d)
		}
	}
	f.Fuzz(func(t *testing.T, s string, d uint8) {
		torus := core.MustTorus([][]int{{4}, {3, 3}, {4, 2, 3}, {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}}[d%4]...)
		r, err := routing.Parse(torus, s)
		if err != nil {
			var e *core.InputError
			if !errors.As(err, &e) {
				t.Fatalf("%q: error %v is no input error", s, err)
			}
			if e.Text == s && e.Part != "" && !strings.HasPrefix(s[e.Offset:], e.Part) {
				t.Fatalf("%q: part %q is not at %d", s, e.Part, e.Offset)
			}
			return
		}
		again, err := routing.Parse(torus, r.String())
		if err != nil || again.String() != r.String() {
			t.Fatalf("%q prints as %q, which reads as %v, %v", s, r, again, err)
		}
	})
}

func TestParseFree(t *testing.T) {
	for text, want := range map[string]routing.Free{"free": {MinPaths: 1}, "free:single-path": {Single: true,
		MinPaths: 1}, "free:min-paths=2": {MinPaths: 2}} {
		if f, free, err := routing.ParseFree(text); f != want || !free || err != nil || f.String() != text {
			t.Errorf("%s: %+v, %v, %v, %s", text, f, free, err, f)
		}
	}
	for _, text := range []string{"free:", "free:min-paths=0", "free:min-paths=02", "free:min-paths=-1",
		"free:min-paths=", "free:single-path:min-paths=2"} {
		var input *core.InputError
		if _, free, err := routing.ParseFree(text); !free || !errors.As(err, &input) {
			t.Errorf("%s: %v, %v", text, free, err)
		}
	}
	for _, text := range []string{"", "udr", "freedom"} {
		if _, free, err := routing.ParseFree(text); free || err != nil {
			t.Errorf("%q: %v, %v", text, free, err)
		}
	}
}

// FuzzParseFree holds what is read against what is written.
func FuzzParseFree(f *testing.F) {
	for _, text := range []string{"free", "free:single-path", "free:min-paths=12", "free:min-paths=+1", "udr"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		free, ok, err := routing.ParseFree(text)
		if !ok || err != nil {
			return
		}
		if again, ok, err := routing.ParseFree(free.String()); again != free || !ok || err != nil {
			t.Errorf("%q gives %+v, read again %+v", text, free, again)
		}
	})
}
