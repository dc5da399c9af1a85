package objective_test

import (
	"fmt"
	"leeway/core/coretest"
	"math/rand/v2"
	"testing"

	"leeway/core"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
)

func instance(torus, placement, routingText string) (routing.Routing, core.Placement) {
	t := coretest.Must(core.ParseTorus(torus))
	p := coretest.Must(family.Parse(t, placement))
	r := coretest.Must(routing.Parse(t, routingText))
	return r, p
}

// BenchmarkEvaluate is the cost of one full evaluation per directed link.
func BenchmarkEvaluate(b *testing.B) {
	for _, torus := range []string{"8x8", "4^3", "8^3", "16^3", "32^3", "64^3", "2^18"} {
		for _, text := range []string{"odr", "udr", "udr:tie=both", "orders:012+120+201"} {
			if torus == "8x8" && text == "orders:012+120+201" || torus == "2^18" && text != "odr" {
				continue
			}
			r, p := instance(torus, "linear", text)
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

// BenchmarkSwap is the cost of one exact evaluation of a swap, and of making one.
func BenchmarkSwap(b *testing.B) {
	for _, c := range []struct {
		torus, routing string
		n              int
	}{{"8x8", "udr:tie=both", 16}, {"4^3", "udr:tie=both", 16}, {"6^3", "udr:tie=both", 36},
		{"10x10", "odr", 20}, {"8x8", "minimal", 16}, {"16^3", "udr", 256}} {
		r, p := instance(c.torus, fmt.Sprintf("random:n=%d:seed=1", c.n), c.routing)
		inc := coretest.Must(objective.NewIncremental(r, c.n))
		nodes, set := p.Nodes(), p.Set()
		inc.Reset(nodes)
		rng := rand.New(rand.NewPCG(1, 1))
		pick := func() (out, in int) {
			for in = rng.IntN(r.Torus().N()); set.Has(in); in = rng.IntN(r.Torus().N()) {
			}
			return nodes[rng.IntN(len(nodes))], in
		}
		name := fmt.Sprintf("%s/n=%d/%s", c.torus, c.n, c.routing)
		b.Run("try/"+name, func(b *testing.B) {
			for b.Loop() {
				inc.TrySwap(pick())
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mswaps/s")
		})
		b.Run("make/"+name, func(b *testing.B) {
			for b.Loop() {
				out, in := pick()
				inc.Swap(out, in)
				inc.Undo()
			}
		})
	}
}
