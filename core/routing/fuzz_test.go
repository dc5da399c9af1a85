package routing_test

import (
	"errors"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/routing"
)

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
