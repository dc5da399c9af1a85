package bisect_test

import (
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/objective/bisect"
)

// TestCutsEnd ends the context of every search for a cut after ever more looks: there is always
// a cut that fits, never narrower than the exact one, and never called exact if it is not.
func TestCutsEnd(t *testing.T) {
	torus := core.MustTorus(7, 8)
	p := family.Random(torus, 21, 2)
	q := bisect.Half(p)
	exact := bisect.Width(t.Context(), q)
	sparsest, _ := bisect.Sparsest(t.Context(), p)
	for looks := 0; looks < 200; looks = 2*looks + 1 {
		for name, r := range map[string]bisect.Cut{"width": bisect.Width(coretest.EndsAfter(looks), q),
			"quick": bisect.Quick(coretest.EndsAfter(looks), q)} {
			if a, b := r.Processors[0], r.Processors[1]; a+b != 21 || a-b > 1 || b-a > 1 ||
				bisect.CapacityOut(torus, r.Side) != r.Out || r.Out < exact.Out ||
				r.LowerOut > exact.Out || r.Exact && r.Out != exact.Out {
				t.Errorf("%s, %d looks: %d and %d processors, %d links, at least %d, exact %v", name, looks, a, b,
					r.Out, r.LowerOut, r.Exact)
			}
		}
		set, done := bisect.Sparsest(coretest.EndsAfter(looks), p)
		if value(p, set) > value(p, sparsest) || done && value(p, set) != value(p, sparsest) || value(p, set) == 0 {
			t.Errorf("sparsest, %d looks: %v, best %v, done %v", looks, value(p, set), value(p, sparsest), done)
		}
	}
}

// value returns the pairs that a set separates for each link that leaves it.
func value(p core.Placement, set core.Set) float64 {
	in := 0
	for _, v := range p.Nodes() {
		if set.Has(v) {
			in++
		}
	}
	return float64(in*(p.Size()-in)) / float64(bisect.CapacityOut(p.Torus(), set))
}
