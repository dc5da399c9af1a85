package shares

import (
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results/check/meter"
)

// TestDenominatorsAgree: what is counted on listed paths is what routings say of themselves, on which verdicts about
// closed forms rest.
func TestDenominatorsAgree(t *testing.T) {
	for _, network := range []string{"4", "5", "30", "2x2", "2x3", "2x4", "4x4", "4x5", "6x6", "3x8", "8x8", "2x2x2",
		"3x3x3",
		"2x3x4", "4x4x4", "5x5x5", "4^4", "2^5", "3^4", "8^3", "4x4:open=0", "4x4:open=0,1", "4x4x4:open=1", "5x7:open=0,1",
		"8x8:open=0,1", "4x4:bandwidth=2,1", "4x6:bandwidth=3,2", "4x8:twist=4", "2x4:twist=2", "6x6:twist=3", "8x16:twist=8",
		"4x4x8:twist=0,0,4+0,0,4+0,0,0", "16x16"} {
		torus := coretest.Must(core.ParseNetwork(network))
		for _, text := range []string{"odr", "odr:tie=both", "udr", "udr:tie=both", "minimal", "minimal:tie=plus", "avoid",
			"avoid:tie=plus", "orders:012+120+201", "orders:012+021"} {
			r, err := routing.Parse(torus, text)
			if err != nil {
				continue
			}
			listed, said := Denominator(meter.Unlimited(t.Context()), r), objective.Denominator(r)
			if listed == nil || said == nil || listed.Cmp(said) != 0 {
				t.Errorf("%s under %s: %v on its paths, %v by itself", network, r, listed, said)
			}
		}
	}
	for i := range 40 {
		rng := coretest.Rng(91, i)
		r := coretest.Table(rng, coretest.Torus(rng, 12), i%2 == 0)
		listed, said := Denominator(meter.Unlimited(t.Context()), r), objective.Denominator(r)
		if listed == nil || said == nil || listed.Cmp(said) > 0 {
			t.Errorf("a table on %s: %v on its paths, %v by itself", r.Torus(), listed, said)
		}
	}
}
