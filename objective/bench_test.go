package objective_test

import (
	"fmt"
	"testing"

	"leeway/core"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
)

func instance(b testing.TB, torus, placement, routingText string) (routing.Routing, core.Placement) {
	t, err := core.ParseTorus(torus)
	if err != nil {
		b.Fatal(err)
	}
	p, err := family.Parse(t, placement)
	if err != nil {
		b.Fatal(err)
	}
	r, err := routing.Parse(t, routingText)
	if err != nil {
		b.Fatal(err)
	}
	return r, p
}

// BenchmarkEvaluate is the cost of one full evaluation per directed link.
func BenchmarkEvaluate(b *testing.B) {
	for _, torus := range []string{"8^3", "16^3", "32^3", "64^3"} {
		for _, text := range []string{"odr", "udr", "udr:tie=both", "orders:012+120+201"} {
			r, p := instance(b, torus, "linear", text)
			b.Run(fmt.Sprintf("%s/%s", torus, text), func(b *testing.B) {
				e := objective.NewEvaluator(r)
				for b.Loop() {
					e.Loads(p)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(r.Torus().M()), "ns/link")
			})
		}
	}
}
