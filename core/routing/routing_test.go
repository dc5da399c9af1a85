package routing_test

import (
	"context"
	"errors"
	"iter"
	"math/big"
	"reflect"
	"slices"
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

// TestConformNetworks runs the suite on networks with open dimensions.
func TestConformNetworks(t *testing.T) {
	cases := 60
	if testing.Short() {
		cases = 15
	}
	for i := range cases {
		rng := coretest.Rng(13, i)
		in := coretest.RandomOn(rng, coretest.Network(rng, 20))
		conform(t, in.Routing, in.Placement.Set())
		conformPaths(t, coretest.Table(rng, in.Torus, true), in.Placement.Set())
	}
}

// TestOpenIsHalfARing compares the paths on a network with those on the torus whose open sides are doubled, with all
// nodes in the first half: there no way around the ring is as short.
func TestOpenIsHalfARing(t *testing.T) {
	for i := range 200 {
		rng := coretest.Rng(14, i)
		in := coretest.RandomOn(rng, coretest.Network(rng, 40))
		dims := in.Torus.Dims()
		for j := range dims {
			if in.Torus.Open(j) {
				dims[j] *= 2
			}
		}
		double := core.MustTorus(dims...)
		r := parse(t, double, in.Routing.String())
		there := func(v int) int {
			return coretest.Must(double.Node(in.Torus.Coords(v)...))
		}
		processors := core.NewSet(double.N())
		for _, v := range in.Placement.Nodes() {
			processors.Add(there(v))
		}
		p, q := rng.IntN(in.Torus.N()), rng.IntN(in.Torus.N())
		if p == q || !routing.Shortest(in.Routing) { // others also go by way of nodes of the other half
			continue
		}
		got, want := in.Routing.Flow(p, q, in.Placement.Set()), r.Flow(there(p), there(q), processors)
		shares := map[core.Link]*big.Rat{}
		for _, s := range want.Shares {
			shares[s.Link] = new(big.Rat).SetFrac(s.Num, want.Den)
		}
		for _, s := range got.Shares {
			from, port := in.Torus.LinkFrom(s.Link)
			other := shares[double.Link(there(from), port.Dim, port.Dir)]
			if share := new(big.Rat).SetFrac(s.Num, got.Den); other == nil || share.Cmp(other) != 0 {
				t.Fatalf("%s from %d to %d: link %d carries %v, on %s %v", in, p, q, s.Link, share, double, other)
			}
		}
		if len(got.Shares) != len(shares) {
			t.Fatalf("%s from %d to %d: %d links, %d on %s", in, p, q, len(got.Shares), len(shares), double)
		}
	}
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
			conform(t, parse(t, torus, text), p.Set())
		}
	}
}

// TestFlowWatched ends the watch of one large flow of every kind, which would take
// hours under some routings, and compares the small ones with Flow.
func TestFlowWatched(t *testing.T) {
	coretest.Alone(t)
	for _, c := range []struct{ torus, routing string }{{"2^20", "avoid"}, {"2^20", "udr"},
		{"400x400x400", "minimal"}, {"2^20", "minimal"}} {
		torus, r := coretest.Parse(c.torus, c.routing)
		far := 0
		for j := range torus.D() {
			far = torus.Shift(far, j, torus.Side(j)/2)
		}
		ctx := coretest.EndsAfter(2)
		if _, err := routing.FlowWatched(r, 0, far, core.NewSet(torus.N()), core.NewWatch(ctx)); !errors.Is(err,
			context.Canceled) || ctx.Looks() != 3 {
			t.Errorf("%s %s: %v after %d looks", torus, r, err, ctx.Looks())
		}
	}
	for i := range 200 {
		in := coretest.Random(coretest.Rng(91, i), 32)
		nodes := in.Placement.Nodes()
		if len(nodes) < 2 {
			continue
		}
		want := in.Routing.Flow(nodes[0], nodes[1], in.Placement.Set())
		have, err := routing.FlowWatched(in.Routing, nodes[0], nodes[1], in.Placement.Set(),
			core.NewWatch(coretest.EndsAfter(1<<30)))
		if err != nil || have.Den.Cmp(want.Den) != 0 || len(have.Shares) != len(want.Shares) {
			t.Fatalf("%s: %v, %v, want %v", in, have, err, want)
		}
		for j, s := range want.Shares {
			if have.Shares[j].Link != s.Link || have.Shares[j].Num.Cmp(s.Num) != 0 {
				t.Fatalf("%s: share %v, want %v", in, have.Shares[j], s)
			}
		}
	}
}

// TestMinimalDenominator compares the denominator with the least common multiple over all
// displacements, each counted by its flow, and has none where these are too many.
func TestMinimalDenominator(t *testing.T) {
	for _, text := range []string{"5", "8", "4x4", "6x6", "4x6", "3x3x5", "4x4x4", "2x4x4", "2^5", "9x9"} {
		torus := coretest.Must(core.ParseTorus(text))
		for _, tie := range []routing.Tie{routing.TiePlus, routing.TieBoth} {
			r, want := routing.NewMinimal(torus, tie), big.NewInt(1)
			for q := 1; q < torus.N(); q++ {
				den := r.Flow(0, q, nil).Den
				g := new(big.Int).GCD(nil, nil, want, den)
				want.Mul(want, g.Div(den, g))
			}
			if have := r.Denominator(); have.Cmp(want) != 0 {
				t.Errorf("%s %s: %s, want %s", text, r, have, want)
			}
		}
	}
	if d := routing.NewMinimal(core.MustTorus(512, 512), routing.TieBoth).Denominator(); d != nil {
		t.Errorf("512x512: %d bits", d.BitLen())
	}
}

// TestTwisted: on twisted tori the paths are those of the definition, found among all shortest walks: their steps make
// a shortest vector, the largest one with ties plus; for odr, udr and orders those of a dimension stand together, and
// the dimensions in an allowed order. On plain tori the definition says what it did.
func TestTwisted(t *testing.T) {
	coretest.Alone(t)
	for i := range coretest.Cases(300, 60) {
		rng := coretest.Rng(41, i)
		torus := coretest.Twisted(rng, 20)
		if i%4 == 0 {
			torus = coretest.Torus(rng, 20)
		}
		instance := coretest.RandomOn(rng, torus)
		r, processors := instance.Routing, instance.Placement.Set()
		conform(t, r, processors)
		if _, legs := r.(*routing.Legs); legs || r.DependsOnPlacement() {
			continue
		}
		for q := 1; q < torus.N(); q++ {
			got, want := sortedPaths(slices.Collect(clones(r.Paths(0, q, nil)))), sortedPaths(defined(r, q))
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("%s to %v: paths %v, want %v", instance, torus.Coords(q), got, want)
			}
		}
	}
}

// clones yields copies of paths.
func clones(paths iter.Seq2[[]core.Link, int64]) iter.Seq[[]core.Link] {
	return func(yield func([]core.Link) bool) {
		for path := range paths {
			if !yield(slices.Clone(path)) {
				return
			}
		}
	}
}

func sortedPaths(list [][]core.Link) [][]core.Link {
	slices.SortFunc(list, slices.Compare)
	return list
}

// defined returns the paths from node 0 to q by the definition of a routing that depends on pairs only.
func defined(r routing.Routing, q int) (list [][]core.Link) {
	torus := r.Torus()
	var walks [][]core.Link
	for level, steps := [][]core.Link{nil}, 0; len(walks) == 0; steps++ {
		var next [][]core.Link
		for _, walk := range level {
			at := 0
			for _, l := range walk {
				_, at = torus.LinkEnds(l)
			}
			if at == q {
				walks = append(walks, walk)
				continue
			}
			for i := range torus.Degree() {
				next = append(next, append(slices.Clone(walk), core.Link(i*torus.N()+at)))
			}
		}
		level = next
	}
	vector := func(walk []core.Link) []int {
		v := make([]int, torus.D())
		for _, l := range walk {
			_, port := torus.LinkFrom(l)
			v[port.Dim] += int(port.Dir)
		}
		return v
	}
	largest := slices.MaxFunc(walks, func(a, b []core.Link) int { return slices.Compare(vector(a), vector(b)) })
	for _, walk := range walks {
		var dims []int
		for _, l := range walk {
			_, port := torus.LinkFrom(l)
			dims = append(dims, port.Dim)
		}
		dims = slices.Compact(dims)
		orders, isOrders := r.(*routing.Orders)
		allowed := !isOrders
		for _, order := range routing.EveryOrder(torus.D()) {
			inside := slices.DeleteFunc(slices.Clone(order), func(j int) bool { return !slices.Contains(dims, j) })
			allowed = allowed || isOrders && slices.Equal(inside, dims) && (orders.All() || slices.ContainsFunc(orders.List(),
				func(o []int) bool { return slices.Equal(o, order) }))
		}
		if allowed && (r.Tie() == routing.TieBoth || slices.Equal(vector(walk), vector(largest))) {
			list = append(list, walk)
		}
	}
	return list
}
