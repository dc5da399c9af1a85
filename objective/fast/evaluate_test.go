package fast_test

import (
	"context"
	"errors"
	"math/big"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/fast"
)

// sameLoads fails the test unless both evaluations agree on every link.
func sameLoads(t *testing.T, what string, got, want *objective.Loads) {
	t.Helper()
	for l := range got.Torus().M() {
		if g, w := got.Load(core.Link(l)), want.Load(core.Link(l)); g.Cmp(w) != 0 {
			from, to := got.Torus().LinkEnds(core.Link(l))
			t.Fatalf("%s: load of link %v -> %v is %s, naive %s", what, got.Torus().Coords(from),
				got.Torus().Coords(to), g.RatString(), w.RatString())
		}
	}
}

// TestEvaluatorIsReusable evaluates many placements with one evaluator.
func TestEvaluatorIsReusable(t *testing.T) {
	for i := range 80 {
		rng := coretest.Rng(6, i)
		torus := coretest.Torus(rng, 40)
		r := coretest.Routing(rng, torus)
		e := fast.NewEvaluator(objective.Problem{Routing: r})
		for range 5 {
			in := coretest.Instance{Torus: torus, Routing: r, Placement: coretest.Placement(rng, torus)}
			sameLoads(t, in.String(), e.Loads(in.Placement), objective.Naive(r, in.Placement))
		}
	}
}

func TestEvaluateEqualsNaive(t *testing.T) {
	for i := range coretest.Cases(3000, 300) {
		rng := coretest.Rng(1, i)
		in := coretest.Random(rng, 40)
		sameLoads(t, in.String(), fast.Evaluate(objective.Problem{Routing: in.Routing}, in.Placement),
			objective.Naive(in.Routing, in.Placement))
	}
}

// TestWeightedEqualNaive is TestEvaluateEqualsNaive under tables of weighted paths, on all kinds of networks, also
// processor by processor.
func TestWeightedEqualNaive(t *testing.T) {
	for i := range coretest.Cases(400, 60) {
		rng := coretest.Rng(39, i)
		network := coretest.Any(rng, 10)
		r := coretest.Must(routing.NewWeighted(network, coretest.WeightedEntries(rng, network)))
		q, p := objective.Problem{Routing: r}, coretest.Placement(rng, network)
		naive := q.Naive(p)
		sameLoads(t, network.String(), fast.Evaluate(q, p), naive)
		sameLoads(t, network.String()+" pairwise", coretest.Must(q.Pairwise(p, nil, nil)), naive)
		inc, err := fast.NewIncremental(q, network.N())
		if err != nil {
			continue // the denominator is too large
		}
		inc.Reset(nil)
		for _, v := range p.Nodes() {
			inc.Add(v)
		}
		most, links := inc.Peak()
		if want, at := naive.Max(); want.Cmp(big.NewRat(most, inc.Den())) != 0 || links != at && want.Sign() > 0 {
			t.Fatalf("%s %v: incremental has %d/%d on %d links, naive %s on %d", network, p.Nodes(), most, inc.Den(), links,
				want.RatString(), at)
		}
	}
}

// TestNetworksEqualNaive is TestEvaluateEqualsNaive with open dimensions, bandwidths and shifts.
func TestNetworksEqualNaive(t *testing.T) {
	cases, byDisplacement := coretest.Cases(2000, 300), 0
	for i := range cases {
		rng := coretest.Rng(21, i)
		in := coretest.RandomOn(rng, coretest.Any(rng, 40))
		naive := objective.Naive(in.Routing, in.Placement)
		sameLoads(t, in.String(), fast.Evaluate(objective.Problem{Routing: in.Routing}, in.Placement), naive)
		pairwise := coretest.Must(objective.Problem{Routing: in.Routing}.Pairwise(in.Placement, nil, nil))
		sameLoads(t, in.String()+" pairwise", pairwise, naive)
		if displaced := fast.Displaced(objective.Problem{Routing: in.Routing}, in.Placement); displaced != nil {
			sameLoads(t, in.String()+" displaced", displaced, naive)
			byDisplacement++
		}
		sum := new(big.Rat)
		for l := range in.Torus.M() {
			if load := naive.Load(core.Link(l)); in.Torus.HasLink(core.Link(l)) {
				sum.Add(sum, load)
			} else if load.Sign() != 0 {
				t.Fatalf("%s: number %d has no link but load %v", in, l, load)
			}
		}
		if mean := sum.Quo(sum, big.NewRat(int64(in.Torus.Links()), 1)); naive.Mean().Cmp(mean) != 0 {
			t.Fatalf("%s: mean load %v, want %v", in, naive.Mean(), mean)
		}
		if i%4 == 0 && in.Torus.Separable() && routing.Shortest(in.Routing) {
			onDoubled(t, in, naive)
		}
	}
	if byDisplacement < cases/8 {
		t.Errorf("only %d of %d by displacement", byDisplacement, cases)
	}
}

// onDoubled compares with the plain torus whose open sides are doubled: a path loads its links as a ring of twice as
// many places does with all processors in the first half. Loads are divided by the bandwidths after that.
func onDoubled(t *testing.T, in coretest.Instance, naive *objective.Loads) {
	t.Helper()
	dims := in.Torus.Dims()
	for j := range dims {
		if in.Torus.Open(j) {
			dims[j] *= 2
		}
	}
	double := core.MustTorus(dims...)
	r := coretest.Must(routing.Parse(double, in.Routing.String()))
	loads := objective.Naive(r, coretest.Must(core.PlacementFromCoords(double, in.Placement.Coords())))
	for l := range in.Torus.M() {
		from, port := in.Torus.LinkFrom(core.Link(l))
		want := new(big.Rat)
		if in.Torus.HasLink(core.Link(l)) {
			there := coretest.Must(double.Node(in.Torus.Coords(from)...))
			want.Quo(loads.Load(double.Link(there, port.Dim, port.Dir)), big.NewRat(int64(in.Torus.Bandwidth(port.Dim)), 1))
		}
		if naive.Load(core.Link(l)).Cmp(want) != 0 {
			t.Fatalf("%s: link %d has load %v, on %s %v", in, l, naive.Load(core.Link(l)), double, want)
		}
	}
}

// TestNetworksOnLargerTori compares the kernels with each other's slow twin where paths are many.
func TestNetworksOnLargerTori(t *testing.T) {
	for i := range 120 {
		rng := coretest.Rng(22, i)
		torus := coretest.Torus(rng, 400)
		if i%2 == 0 {
			torus = coretest.Opened(rng, torus)
		}
		in := coretest.Instance{Torus: torus, Routing: coretest.Orders(rng, torus),
			Placement: family.Draw(torus, rng.IntN(min(torus.N(), 40)), rng)}
		sameLoads(t, in.String(), fast.Evaluate(objective.Problem{Routing: in.Routing}, in.Placement),
			objective.Naive(in.Routing, in.Placement))
	}
}

// TestAvoidEqualsNaive compares the segments of paths with listed paths on larger networks, with loads that fit words
// and loads that do not; an evaluator is used twice.
func TestAvoidEqualsNaive(t *testing.T) {
	beyond := 0
	for i := range coretest.Cases(150, 60) {
		rng := coretest.Rng(23, i)
		torus := coretest.Network(rng, 400)
		r := routing.NewAvoid(torus, coretest.Tie(rng))
		if i%10 == 0 {
			torus = coretest.Must(core.ParseNetwork([]string{"6x4x8", "4x6x4:bandwidth=1,3,2"}[i/10%2]))
			r = routing.NewAvoid(torus, routing.TieBoth)
		}
		if torus.D() > 3 {
			continue // a denominator of hundreds of digits
		}
		if !fast.Fits(objective.Denominator(r), torus.N(), 1) {
			beyond++
		}
		e := fast.NewEvaluator(objective.Problem{Routing: r})
		for range 2 {
			p := family.Draw(torus, rng.IntN(min(torus.N(), 40)+1), rng)
			sameLoads(t, torus.String()+" "+r.String(), e.Loads(p), objective.Naive(r, p))
		}
	}
	if beyond == 0 {
		t.Error("all loads fit words")
	}
}

// TestBandwidthsInManyDimensions evaluates where there are too many dimensions for marginals of several orders.
func TestBandwidthsInManyDimensions(t *testing.T) {
	torus := coretest.Must(core.ParseNetwork("2^10:bandwidth=1,1,1,1,1,1,1,1,1,2"))
	p := family.Random(torus, 4, 1)
	for _, text := range []string{"odr", "udr"} {
		r := coretest.Must(routing.Parse(torus, text))
		sameLoads(t, torus.String()+" "+text, fast.Evaluate(objective.Problem{Routing: r}, p), objective.Naive(r, p))
	}
}

// TestEvaluateOnLongRings evaluates on rings of the greatest length, where nothing
// that grows with its square has room.
func TestEvaluateOnLongRings(t *testing.T) {
	list := [][]int{{65535}, {65534}, {2, 65535}, {65534, 2}}
	if testing.Short() {
		list = list[:1]
	}
	for _, dims := range list {
		torus := core.MustTorus(dims...)
		p := coretest.Must(family.Parse(torus, "random:n=3:seed=2"))
		for _, text := range []string{"odr", "odr:tie=both"} {
			r := coretest.Must(routing.Parse(torus, text))
			sameLoads(t, torus.String()+" "+text, fast.Evaluate(objective.Problem{Routing: r}, p), objective.Naive(r, p))
		}
	}
}

func TestPairwiseEqualsNaive(t *testing.T) {
	for i := range 300 {
		in := coretest.Random(coretest.Rng(3, i), 30)
		pairwise := coretest.Must(objective.Problem{Routing: in.Routing}.Pairwise(in.Placement, nil, nil))
		sameLoads(t, in.String(), pairwise, objective.Naive(in.Routing, in.Placement))
	}
}

// TestFlowConservation checks that every path of a routing by shortest ones is: the loads along
// a dimension add up to the cyclic distances there.
func TestFlowConservation(t *testing.T) {
	for i := range 500 {
		in := coretest.Random(coretest.Rng(4, i), 48)
		loads := fast.Evaluate(objective.Problem{Routing: in.Routing}, in.Placement)
		for j := range in.Torus.D() {
			if !routing.Shortest(in.Routing) {
				break
			}
			want := int64(0)
			for _, p := range in.Placement.Nodes() {
				for _, q := range in.Placement.Nodes() {
					want += int64(core.CyclicDistance(in.Torus.Coord(p, j), in.Torus.Coord(q, j), in.Torus.Side(j)))
				}
			}
			if got := total(loads, j); got.Cmp(new(big.Rat).SetInt64(want)) != 0 {
				t.Fatalf("%s: loads along dimension %d add up to %s, distances to %d", in, j, got.RatString(), want)
			}
		}
	}
}

// TestLinearLoads checks E_max of the linear placement against values found by
// a separate program that lists every path.
func TestLinearLoads(t *testing.T) {
	columns := []string{"odr", "odr:tie=both", "udr:tie=both", "minimal"}
	for _, row := range []struct {
		k, d int
		want [4]string
	}{
		{4, 2, [4]string{"2", "3/2", "3/4", "5/6"}},
		{5, 2, [4]string{"2", "2", "1", "4/3"}},
		{6, 2, [4]string{"3", "5/2", "5/4", "26/15"}},
		{3, 3, [4]string{"3", "3", "4/3", "4/3"}},
		{4, 3, [4]string{"8", "6", "8/3", "3"}},
		{5, 3, [4]string{"10", "10", "13/3", "16/3"}},
		{3, 4, [4]string{"9", "9", "15/4", "15/4"}},
		{4, 4, [4]string{"32", "24", "10", "56/5"}},
	} {
		dims := make([]int, row.d)
		for j := range dims {
			dims[j] = row.k
		}
		torus := core.MustTorus(dims...)
		p := coretest.Must(family.Parse(torus, "linear"))
		for i, column := range columns {
			r := coretest.Must(routing.Parse(torus, column))
			if got, _ := fast.Evaluate(objective.Problem{Routing: r}, p).Max(); got.RatString() != row.want[i] {
				t.Errorf("linear on %s under %s: E_max %s, want %s", torus, column, got.RatString(), row.want[i])
			}
		}
	}
}

// TestOneOrderOnManyDimensions evaluates a placement that is far too large for
// pairs, and holds the sum of its loads against the pairs that two slabs have.
// total returns the sum of the loads along a dimension, before they are divided by the bandwidth.
func total(loads *objective.Loads, dim int) *big.Rat {
	t, sum := loads.Torus(), new(big.Rat)
	for l := range t.EachLink() {
		if _, port := t.LinkFrom(l); port.Dim == dim {
			sum.Add(sum, loads.Load(l))
		}
	}
	return sum.Mul(sum, big.NewRat(int64(t.Bandwidth(dim)), 1))
}

func TestOneOrderOnManyDimensions(t *testing.T) {
	r, p := instance("2^16", "linear", "odr")
	torus := p.Torus()
	loads := fast.Evaluate(objective.Problem{Routing: r}, p)
	for j := range torus.D() {
		slabs := p.SlabCounts(j)
		want := 2 * int64(slabs[0]) * int64(slabs[1])
		if got := total(loads, j); got.Cmp(new(big.Rat).SetInt64(want)) != 0 {
			t.Errorf("loads along dimension %d add up to %s, not %d", j, got.RatString(), want)
		}
	}
}

// TestTablesEqualNaive holds every evaluator against the definition on random
// tables, by displacement and by pair.
func TestTablesEqualNaive(t *testing.T) {
	for i := range 200 {
		rng := coretest.Rng(93, i)
		torus := coretest.Torus(rng, 24)
		table, p := coretest.Table(rng, torus, i%2 == 0), coretest.Placement(rng, torus)
		in := coretest.Instance{Torus: torus, Routing: table, Placement: p}
		naive := objective.Naive(table, p)
		sameLoads(t, in.String(), fast.Evaluate(objective.Problem{Routing: table}, p), naive)
		pairwise := coretest.Must(objective.Problem{Routing: table}.Pairwise(p, nil, nil))
		sameLoads(t, in.String(), pairwise, naive)
		inc, err := fast.NewIncremental(objective.Problem{Routing: table}, torus.N())
		if err != nil {
			if routing.Invariant(table) {
				t.Fatalf("%s: %v", in, err)
			}
			continue // a table by pair may be refused, but not be wrong
		}
		inc.Reset(p.Nodes())
		most, _ := inc.Peak()
		if want, _ := naive.Max(); inc.Exact() && big.NewRat(most, inc.Den()).Cmp(want) != 0 {
			t.Fatalf("%s: incremental peak %d/%d, naive %s", in, most, inc.Den(), want.RatString())
		}
	}
}

// TestEvaluateEnds ends the context of an evaluator of every kind at its first, second, ...
// look: there is an error, or there are the loads.
func TestEvaluateEnds(t *testing.T) {
	for _, c := range []struct {
		torus, routing string
		size           int
	}{
		{"600x600", "odr", 3000}, {"600x600", "udr:tie=both", 3000},
		{"60x80x70", "odr:order=2,0,1", 500}, {"60x80x70", "udr", 500},
		{"18^4", "orders:0123+3210", 500}, {"8x8", "udr", 9}, {"32x32", "minimal", 8}, {"6^3", "avoid", 30},
	} {
		torus, r := coretest.Parse(c.torus, c.routing)
		p := family.Random(torus, c.size, 3)
		want := coretest.EndsAfter(1 << 30)
		whole, err := fast.EvaluateContext(want, objective.Problem{Routing: r}, p)
		if err != nil {
			t.Fatalf("%s %s: %v", torus, r, err)
		}
		most, links := whole.Max()
		for _, looks := range []int{0, 1, int(want.Looks()) / 2, int(want.Looks()) - 1, int(want.Looks())} {
			if looks < 0 { // a word of nodes takes no look
				continue
			}
			loads, err := fast.EvaluateContext(coretest.EndsAfter(looks), objective.Problem{Routing: r}, p)
			if ends := looks < int(want.Looks()); ends != errors.Is(err, context.Canceled) || ends != (loads == nil) {
				t.Errorf("%s %s: %d of %d looks give %v", torus, r, looks, want.Looks(), err)
			}
			if err != nil {
				continue
			}
			if have, n := loads.Max(); have.Cmp(most) != 0 || n != links {
				t.Errorf("%s %s: E_max %s on %d links after %d looks, want %s on %d", torus, r, have.RatString(), n,
					looks, most.RatString(), links)
			}
		}
		if want.Looks() < 2 && torus.N() > 1<<16 {
			t.Errorf("%s %s: %d looks at the context", torus, r, want.Looks())
		}
	}
}

// TestEverywhere: with processors on all nodes the loads are those of the definition.
func TestEverywhere(t *testing.T) {
	for i := range coretest.Cases(150, 50) {
		rng := coretest.Rng(3570, i)
		on := coretest.Twisted(rng, 20)
		if i%2 == 0 {
			on = coretest.Any(rng, 20)
		}
		in := coretest.RandomOn(rng, on)
		p, full := objective.Problem{Routing: in.Routing}, core.MustPlacement(on, core.Range(on.N()))
		if routing.Covers(in.Routing, full) != nil {
			continue
		}
		sameLoads(t, on.String()+" "+in.Routing.String(), fast.Evaluate(p, full), p.Naive(full))
	}
}
