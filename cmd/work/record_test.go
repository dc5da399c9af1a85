package work

import "testing"

// TestEngineOf: only a census names an engine, also where a table was found for its placement.
func TestEngineOf(t *testing.T) {
	for how, want := range map[string][2]string{
		"census:margin": {"census", "margin"}, "census": {"census", ""}, "levels": {"levels", ""}, "local": {"local", ""},
		"family, restrict: full symmetry":        {"family, restrict: full symmetry", ""},
		"census:levels, restrict: full symmetry": {"census, restrict: full symmetry", "levels"},
	} {
		if method, engine := engineOf(how); method != want[0] || engine != want[1] {
			t.Errorf("%q: method %q, engine %q", how, method, engine)
		}
	}
}
