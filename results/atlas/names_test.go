package atlas

import (
	"math/rand/v2"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/objective/texts"
)

// TestReordered: under another name of a question every placement has the load of its image, by the naive evaluator.
func TestReordered(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	for _, where := range []string{"3x4", "2x4x3", "4x6", "3x4:open=0", "4x3:open=0,1:bandwidth=2,1", "3x4:fixed=0,1",
		"4x5:traffic=clients:request=1:reply=2:reply-routing=odr:order=1,0:tie=plus", "2x3:forbidden=1,2"} {
		for _, way := range []string{"odr", "odr:tie=both", "udr", "minimal:tie=plus", "avoid", "west-first",
			"val:tie=plus", "rlb", "orders:"} {
			p, err := texts.ParseProblem(where, way, 4)
			if way == "orders:" {
				d := 2
				if q, err := texts.ParseProblem(where, "odr", 4); err == nil {
					d = q.Torus().D()
				}
				p, err = texts.ParseProblem(where, map[int]string{2: "odr:order=1,0", 3: "orders:021+201"}[d], 4)
			}
			if err != nil {
				continue // client traffic has another spelling in some, avoid treats none
			}
			for _, order := range routing.EveryOrder(p.Torus().D()) {
				for _, backwards := range []bool{false, true} {
					q, ok := reordered(p, order, backwards)
					if !ok {
						continue
					}
					image := imageOf(p.Torus(), q.Torus(), order, backwards)
					for range 5 {
						nodes := rng.Perm(q.Torus().N())[:4]
						var mapped []int
						for _, v := range nodes {
							mapped = append(mapped, image[v])
						}
						one, other := core.MustPlacement(q.Torus(), nodes), core.MustPlacement(p.Torus(), mapped)
						if q.Admits(one) != p.Admits(other) {
							t.Fatalf("%s is not %s %s", p, q.Where(), q.Routing)
						}
						a, _ := q.Naive(one).Max()
						b, _ := p.Naive(other).Max()
						if a.Cmp(b) != 0 {
							t.Errorf("%s order %v backwards %v: %s, and %s as %s %s", p, order, backwards, b, a, q.Where(),
								q.Routing)
						}
					}
				}
			}
		}
	}
}

// TestFind: cells are found under other names of the same question, and not where the question is another.
func TestFind(t *testing.T) {
	coretest.Alone(t)
	a := coretest.Must(Shipped())
	var rows []row // without other tori of these graphs
	for _, r := range a.now.Load().rows {
		switch r.key.Torus {
		case "4x8", "8x8", "3x4:open=0,1", "4x4x4", "2x3x4":
			rows = append(rows, r)
		}
	}
	a = &Atlas{source: a.source}
	a.now.Store(newSnapshot(rows))
	for _, c := range []struct{ where, way, torus, routing string }{
		{"4x8", "odr", "4x8", "odr:tie=plus"}, {"8x4", "odr:order=1,0", "4x8", "odr:tie=plus"},
		{"8x4", "odr", "4x8", "odr:tie=plus"}, {"8x4", "udr:tie=both", "4x8", "udr:tie=both"},
		{"8x8", "xy", "8x8", "odr:tie=plus"}, {"4x3:open=0,1", "odr", "3x4:open=0,1", "odr:tie=plus"},
		{"2x2x4x4", "minimal", "4x4x4", "minimal:tie=both"}, {"2x2x4x4", "udr", "", ""}, {"8x4:open=0", "udr", "", ""},
		{"7x11", "udr", "", ""},
		{"4x3x2", "orders:012+102", "", ""}} {
		p := coretest.Must(texts.ParseProblem(c.where, c.way, 6))
		cell, image, ok := a.Find(p)
		if c.torus == "" {
			if ok {
				t.Errorf("%s %s is found as %s", c.where, c.way, cell.Key())
			}
			continue
		}
		if !ok || cell.Key() != keyOf(c.torus, c.routing, 6) || (image == nil) != (c.where == c.torus && c.way != "xy") {
			t.Errorf("%s %s is found as %s, %v", c.where, c.way, cell.Key(), ok)
			continue
		}
		d, _, err := a.Detail(cell.Key())
		if err != nil || image == nil {
			continue
		}
		u := coretest.Must(d.Record.ReadGrid())
		placed := coretest.Must(core.PlacementFromCoords(u, d.Record.Nodes))
		var mapped []int
		for _, v := range placed.Nodes() {
			mapped = append(mapped, image[v])
		}
		if most, _ := p.Naive(core.MustPlacement(p.Torus(), mapped)).Max(); most.RatString() != cell.MaxLoad {
			t.Errorf("%s: E_max %s, and %s as %s", p, most.RatString(), cell.MaxLoad, cell.Key())
		}
	}
}
