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
		radius, total, packing := 0, 0, 0
		for v := range torus.N() {
			nearest := torus.N()
			for _, w := range p.Nodes() {
				d := torus.LeeDistance(v, w)
				nearest = min(nearest, d)
				if d > 0 && p.Set().Has(v) && (packing == 0 || d < packing) {
					packing = d
				}
			}
			radius, total = max(radius, nearest), total+nearest
		}
		if p.Size() == 0 {
			radius, total = -1, 0
		}
		if r, sum, d := p.Spacing(); r != radius || sum != total || d != packing {
			t.Fatalf("%s %v: radius %d, total %d, packing %d, not %d, %d, %d", torus, p.Nodes(), r, sum, d, radius, total,
				packing)
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
		torus                  *core.Torus
		nodes                  []int
		radius, total, packing int
	}{
		{core.MustTorus(10, 10), code, 1, 80, 3},
		{core.MustTorus(3, 4), core.Range(12), 0, 0, 1},
		{core.MustTorus(3, 4), nil, -1, 0, 0},
		{core.MustTorus(3, 5), []int{4}, 3, 28, 0},
	} {
		if r, sum, d := core.MustPlacement(c.torus, c.nodes).Spacing(); r != c.radius || sum != c.total || d != c.packing {
			t.Errorf("%s %v: radius %d, total %d, packing %d", c.torus, c.nodes, r, sum, d)
		}
	}
}
