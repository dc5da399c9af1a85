package core_test

import (
	"testing"

	"leeway/core"
	"leeway/core/coretest"
)

func TestSpacing(t *testing.T) {
	for i := range coretest.Cases(600, 200) {
		rng := coretest.Rng(61, i)
		torus := coretest.AnyNetwork(rng, 40)
		p := coretest.Placement(rng, torus)
		radius, packing := 0, 0
		for v := range torus.N() {
			nearest := torus.N()
			for _, w := range p.Nodes() {
				d := torus.LeeDistance(v, w)
				nearest = min(nearest, d)
				if d > 0 && p.Set().Has(v) && (packing == 0 || d < packing) {
					packing = d
				}
			}
			radius = max(radius, nearest)
		}
		if p.Size() == 0 {
			radius = -1
		}
		if r, d := p.Spacing(); r != radius || d != packing {
			t.Fatalf("%s %v: radius %d, packing %d, not %d, %d", torus, p.Nodes(), r, d, radius, packing)
		}
	}
	// The perfect code of Golomb and Welch on 10x10, and a placement of everything and of nothing.
	var code []int
	for v := range 100 {
		if (v/10+2*(v%10))%5 == 0 {
			code = append(code, v)
		}
	}
	for _, c := range []struct {
		torus           *core.Torus
		nodes           []int
		radius, packing int
	}{
		{core.MustTorus(10, 10), code, 1, 3},
		{core.MustTorus(3, 4), core.Range(12), 0, 1},
		{core.MustTorus(3, 4), nil, -1, 0},
		{core.MustTorus(3, 5), []int{4}, 3, 0},
	} {
		if r, d := core.MustPlacement(c.torus, c.nodes).Spacing(); r != c.radius || d != c.packing {
			t.Errorf("%s %v: radius %d, packing %d, not %d, %d", c.torus, c.nodes, r, d, c.radius, c.packing)
		}
	}
}
