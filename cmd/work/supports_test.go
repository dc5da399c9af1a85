package work

import (
	"runtime"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/objective"
)

// TestSupportsIsCheap: whether a method or an engine can treat a problem is known before any budget begins, so that it
// must take nothing like the tables, formulas and groups that a run makes.
func TestSupportsIsCheap(t *testing.T) {
	most := uint64(1 << 20)
	for _, c := range []struct {
		network, routing, traffic string
		size                      int
		near                      objective.Near
	}{
		{network: "64x64", routing: "udr", size: 1000, near: objective.Near{Radius: 3}},
		{network: "40x40", routing: "minimal", size: 100, near: objective.Near{Distance: 5000}},
		{network: "6x6:open=0,1", routing: "minimal", size: 1, traffic: "clients"},
		{network: "8x8:open=0,1", routing: "minimal", size: 3},
		{network: "8x8", routing: "udr:tie=both", size: 16},
		{network: "4^4", routing: "minimal", size: 20},
		{network: "2^8", routing: "udr", size: 20},
		{network: "16x16:twist=4", routing: "minimal", size: 20},
		{network: "6x6x6", routing: "udr", size: 20},
		{network: "8x8", routing: "avoid", size: 10},
		{network: "1024x1024", routing: "udr", size: 1000},
		{network: "64x64:open=0,1", routing: "odr", size: 100, traffic: "clients"},
	} {
		network := coretest.Must(core.ParseNetwork(c.network))
		p := coretest.Must(objective.NewProblem(coretest.Must(routing.Parse(network, c.routing)), c.size))
		if c.traffic != "" {
			p = coretest.Must(p.WithTraffic(objective.Traffic{Request: 1, Reply: 1}))
		}
		p.Near = c.near
		for _, m := range methods() {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			err := m.Supports(p)
			runtime.ReadMemStats(&after)
			if bytes := after.TotalAlloc - before.TotalAlloc; bytes > most {
				t.Errorf("%s: %s allocates %d bytes to say %v", p, m.Name(), bytes, err)
			}
		}
	}
}
