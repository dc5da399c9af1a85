package symmetry_test

import (
	"fmt"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/core/symmetry"
)

// groupOf returns the group of a network under all shortest paths.
func groupOf(t *testing.T, network *core.Network) *symmetry.Group {
	t.Helper()
	return coretest.Must(symmetry.GroupOf(routing.NewMinimal(network, routing.TieBoth)))
}

// TestGivenOrders compares the orders of groups with known ones: of the graphs of Petersen and Heawood, cubes, complete
// graphs, a star, a path, and tori as lists.
func TestGivenOrders(t *testing.T) {
	ring := func(n int, steps ...int) string {
		text := fmt.Sprintf("%d:links=", n)
		for v := range n {
			for _, s := range steps {
				text += fmt.Sprintf("%d-%d,", v, (v+s)%n)
			}
		}
		return text[:len(text)-1]
	}
	heawood := "14:links="
	for v := range 14 {
		heawood += fmt.Sprintf("%d-%d,", v, (v+1)%14)
		if v%2 == 0 {
			heawood += fmt.Sprintf("%d-%d,", v, (v+5)%14)
		}
	}
	for _, c := range []struct {
		network string
		order   int
	}{
		{"10:links=0-1,1-2,2-3,3-4,4-0,0-5,1-6,2-7,3-8,4-9,5-7,7-9,9-6,6-8,8-5", 120}, // Petersen
		{heawood[:len(heawood)-1], 336},
		{ring(7, 1), 14}, {ring(5, 1, 2), 120}, {ring(13, 1, 3, 4), 78}, // K5; Paley's graph of 13
		{"4:links=0-1,1-2,2-3", 2}, {"6:links=0-1,0-2,0-3,0-4,0-5", 120}, {"3:links=0-1,1-2*2", 1},
		{"3:links=0-1,0-1,1-2,1-2", 2}, {"3:links=0-1,0-1,1-2", 1}, {"4:links=0-1*2,1-2,2-3*2,3-0", 4},
		{"7:links=0-1,1-2,2-3,3-4,4-5,2-6", 1},
	} {
		if got := groupOf(t, coretest.Must(core.ParseNetwork(c.network))).Order(); got != c.order {
			t.Errorf("%s: %d automorphisms, there are %d", c.network, got, c.order)
		}
	}
	for _, c := range []struct {
		torus string
		order int
	}{
		{"2^3", 48}, {"2^4", 384}, {"2^5", 3840}, {"2^6", 46080}, {"5", 10}, {"5x5", 200}, {"8x8", 512}, {"3x3", 72},
		{"4x4", 384}, {"3x5", 60}, {"5x5x5", 6000}, {"4x6:open=0,1", 4}, {"5x5:open=0,1", 8}, {"5x5:bandwidth=2,1", 100},
		{"5x7:open=0", 28},
	} {
		torus := coretest.Must(core.ParseNetwork(c.torus))
		if got := groupOf(t, coretest.Listed(torus)).Order(); got != c.order {
			t.Errorf("%s as a list: %d automorphisms, there are %d", c.torus, got, c.order)
		}
	}
}

// TestGivenGroups compares groups of small random networks with all maps of nodes that preserve links.
func TestGivenGroups(t *testing.T) {
	for i := range coretest.Cases(4000, 200) {
		network := coretest.Given(coretest.Rng(37, i), 6)
		edges := network.Edges()
		preserves := func(image []int) bool {
			images := make([]core.Edge, len(edges))
			for i, e := range edges {
				images[i] = core.Edge{A: min(image[e.A], image[e.B]), B: max(image[e.A], image[e.B]), Bandwidth: e.Bandwidth}
			}
			slices.SortFunc(images, core.Edge.Compare)
			return slices.Equal(images, edges)
		}
		var want []string
		for _, image := range routing.EveryOrder(network.N()) {
			if preserves(image) {
				want = append(want, fmt.Sprint(image))
			}
		}
		var got []string
		group := groupOf(t, network)
		for i := range group.Points() {
			got = append(got, fmt.Sprint(group.Images(i, 0)))
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Fatalf("%s: automorphisms %v, there are %v", network, got, want)
		}
		for _, g := range group.List() {
			for l := range core.Link(network.M()) {
				if !network.HasLink(l) {
					continue
				}
				from, to := network.LinkEnds(l)
				image := g.Edge(network, l, false)
				if a, b := network.LinkEnds(image); a != g.Node(network, from) || b != g.Node(network, to) ||
					network.LinkBandwidth(image) != network.LinkBandwidth(l) || network.Reverse(image) != g.Edge(network, l, true) {
					t.Fatalf("%s: link %d from %d to %d becomes %d", network, l, from, to, image)
				}
			}
		}
	}
}

// TestLargeGroups asks for groups that are too large to list: they are smaller groups then.
func TestLargeGroups(t *testing.T) {
	star := "20:links=0-1"
	for v := 2; v < 20; v++ {
		star += fmt.Sprintf(",0-%d", v)
	}
	for _, network := range []*core.Network{coretest.Must(core.ParseNetwork(star)),
		coretest.Listed(core.MustTorus(2, 2, 2, 2, 2, 2, 2))} {
		points := symmetry.Points(network, 50_000)
		if len(points) < 1_000 || len(points) > 50_000 {
			t.Errorf("%s: %d automorphisms", network.Title(), len(points))
		}
		if !slices.IsSorted(points[0].Perm) {
			t.Errorf("%s: the first is not the identity", network.Title())
		}
	}
}
