package routing_test

import (
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/core/routing"
)

// parse returns the routing that a text names and stops the test if it names
// none.
func parse(t testing.TB, torus *core.Torus, text string) routing.Routing {
	t.Helper()
	r, err := routing.Parse(torus, text)
	if err != nil {
		t.Fatalf("%s on %s: %v", text, torus, err)
	}
	return r
}

// allRoutings returns texts of every family with both tie rules for tori of d
// dimensions.
func allRoutings(d int) []string {
	texts := []string{"odr", "udr", "avoid", "minimal"}
	switch d {
	case 2:
		texts = append(texts, "odr:order=1,0", "orders:01+10")
	case 3:
		texts = append(texts, "odr:order=2,0,1", "orders:012+120+201", "orders:012+210", "orders:0,1,2+1,0,2+1,2,0+2,0,1")
	case 4:
		texts = append(texts, "odr:order=3,1,0,2", "orders:0123+3210+1032")
	}
	var all []string
	for _, s := range texts {
		all = append(all, s+":tie=plus", s+":tie=both")
	}
	return all
}

// TestConform runs the suite on sides of 2, odd, even and mixed, in one to four
// dimensions, with a third of the nodes carrying processors.
func TestConform(t *testing.T) {
	tori := [][]int{{2}, {3}, {4}, {7}, {8}, {2, 2}, {3, 3}, {4, 4}, {2, 4}, {5, 3}, {4, 3}, {6, 2},
		{2, 2, 2}, {3, 3, 3}, {2, 3, 4}, {4, 2, 3}, {2, 2, 2, 2}, {2, 3, 2, 3}}
	if testing.Short() {
		tori = [][]int{{2}, {5}, {6}, {2, 4}, {3, 3}, {4, 4}, {2, 3, 2}, {2, 2, 2, 2}}
	}
	for i, dims := range tori {
		torus := core.MustTorus(dims...)
		p := family.Draw(torus, (torus.N()+2)/3, coretest.Rng(11, i))
		for _, text := range allRoutings(torus.D()) {
			coretest.Conform(t, parse(t, torus, text), p.Set())
		}
	}
}

func TestConformRandom(t *testing.T) {
	cases := 40
	if testing.Short() {
		cases = 10
	}
	for i := range cases {
		in := coretest.Random(coretest.Rng(12, i), 20)
		coretest.Conform(t, in.Routing, in.Placement.Set())
	}
}
