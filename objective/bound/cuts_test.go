package bound

import (
	"iter"
	"math/big"
	"math/bits"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/lowerbound"
)

// cutBounds returns the bounds by node sets, that of the separator first.
func cutBounds(t *testing.T, p core.Placement) []lowerbound.Bound {
	return []lowerbound.Bound{separator(t.Context(), p), slab(p), bisection(t.Context(), p)}
}

// TestCutBoundsHold compares the bounds by node sets with the naive evaluator
// under random routings of every family.
func TestCutBoundsHold(t *testing.T) {
	for i := range coretest.Cases(2000, 400) {
		rng := coretest.Rng(41, i)
		in := coretest.Random(rng, 32)
		if i%2 == 1 {
			in = coretest.RandomOn(rng, coretest.AnyNetwork(rng, 32))
		}
		most, _ := objective.Naive(in.Routing, in.Placement).Max()
		for _, b := range cutBounds(t, in.Placement) {
			if b.Value.Cmp(most) > 0 {
				t.Fatalf("%s: %s is %s, E_max %s", in, b.Name, b.Value.RatString(), most.RatString())
			}
			if b.Name == lowerbound.Slab && in.Torus.Twisted() && b.Value.Sign() == 0 {
				continue // all nodes are one slab
			}
			if in.Placement.Size() >= 2 && (b.Value.Sign() == 0 || b.Witness.Links == 0) {
				t.Fatalf("%s: %s is %s by %d links", in, b.Name, b.Value.RatString(), b.Witness.Links)
			}
		}
	}
}

// TestArcs: no placement is below the bound, by the naive evaluator, under minimal and under odr; on a ring with all
// nodes it is the load.
func TestArcs(t *testing.T) {
	some := 0
	for i := range coretest.Cases(120, 40) {
		torus := coretest.Twisted(coretest.Rng(43, i), 9)
		if i%4 == 0 {
			torus = coretest.Torus(coretest.Rng(43, i), 9)
		}
		if torus.CommonBandwidth() > 1 {
			continue
		}
		for n := 1; n <= torus.N(); n++ {
			lower := Arcs(torus, n)
			if lower.Sign() > 0 {
				some++
			}
			for mask := uint64(1); mask < 1<<torus.N(); mask += 2 {
				if bits.OnesCount64(mask) != n {
					continue
				}
				s := core.MustPlacement(torus, core.Set{mask}.Nodes())
				for _, r := range []routing.Routing{routing.NewMinimal(torus, routing.TieBoth),
					coretest.Must(routing.Parse(torus, "odr"))} {
					if load, _ := objective.Naive(r, s).Max(); load.Cmp(lower) < 0 {
						t.Fatalf("%s: nodes %v have %s under %s, the bound is %s", torus, s.Nodes(), load.RatString(), r,
							lower.RatString())
					}
				}
			}
		}
	}
	if some < 50 {
		t.Errorf("%d bounds above 0", some)
	}
	ring := core.MustTorus(8)
	load, _ := objective.Naive(routing.NewMinimal(ring, routing.TieBoth), core.MustPlacement(ring, core.Range(8))).Max()
	if got := Arcs(ring, 8); got.Cmp(load) != 0 {
		t.Errorf("a ring of 8: %s, the load is %s", got.RatString(), load.RatString())
	}
	if got := Arcs(coretest.Must(core.ParseNetwork("1x83:twist=1")), 9); got.RatString() != "5" {
		t.Errorf("two parallel rings of 83 nodes, 9 processors: %s, but 4*5 messages leave 41 nodes by 4 links", got)
	}
}

// TestSeparatorIsBest: no other bound by node sets is above the separator.
func TestSeparatorIsBest(t *testing.T) {
	for i := range coretest.Cases(300, 50) {
		rng := coretest.Rng(42, i)
		torus := coretest.Torus(rng, 80)
		if i%2 == 1 {
			torus = coretest.Opened(rng, torus)
		}
		p := coretest.Placement(rng, torus)
		bounds := cutBounds(t, p)
		for _, b := range bounds[1:] {
			if s := bounds[0]; b.Value.Cmp(s.Value) > 0 {
				t.Fatalf("%s, nodes %v: %s %s above separator %s", torus, p.Nodes(), b.Name, b.Value.RatString(),
					s.Value.RatString())
			}
		}
	}
}

// TestCutBoundsByHand has values worked out on paper.
func TestCutBoundsByHand(t *testing.T) {
	for _, c := range []struct {
		torus, placement, separator, slab, bisection string
	}{
		{"4x4", "full", "8", "8", "8"},                // 8*8/8: two rows, by 8 links
		{"4", "nodes:0+2", "1/2", "1/2", "1/2"},       // 1*1/2
		{"2", "full", "1", "1", "1"},                  // one link
		{"2x2x2", "full", "4", "4", "4"},              // 4*4/4: a face
		{"5", "full", "3", "3", "3"},                  // 2*3/2: an arc
		{"3x3", "nodes:1,1", "0", "0", "0"},           // nobody to send to
		{"12x12", "nodes:0,0+0,1", "1/4", "1/24", ""}, // a node has 4 links, a slab 24
		{"4x4:open=0,1", "full", "16", "16", "16"},    // 8*8/4: two rows, by 4 links
		{"5:open=0:bandwidth=3", "full", "2", "2", "2"},
		{"4x4:bandwidth=2,1", "full", "8", "8", "8"}, // two columns, by 8 links of bandwidth 1
		{"4x4:bandwidth=2,4", "full", "4", "4", "4"}, // two rows, by 8 links of bandwidth 2
		{"6x6:open=0,1", "nodes:0,0+3,3", "1/2", "1/6", ""},
	} {
		torus := coretest.Must(core.ParseNetwork(c.torus))
		p := coretest.Must(family.Parse(torus, c.placement))
		for i, b := range cutBounds(t, p) {
			if want := []string{c.separator, c.slab, c.bisection}[i]; want != "" && b.Value.RatString() != want {
				t.Errorf("%s %s: %s is %s, want %s", c.torus, c.placement, b.Name, b.Value.RatString(), want)
			}
		}
	}
}

// TestCutBoundsOnLargeTori repeats the arithmetic of the bounds from their sets on the
// largest tori for which they look hard.
func TestCutBoundsOnLargeTori(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for i, sides := range []string{"64x64", "16^3", "10x10", "4^3", "2x2048", "2^12", "64x64:open=0,1",
		"16^3:open=0:bandwidth=1,2,3"} {
		if !coretest.Long() && i%2 == 0 {
			continue
		}
		torus := coretest.Must(core.ParseNetwork(sides))
		p := family.Random(torus, torus.N()/4, 3)
		for _, b := range cutBounds(t, p) {
			if want := setBound(p, b.Witness.Set); b.Value.Sign() <= 0 || b.Value.Cmp(want) != 0 {
				t.Errorf("%s: %s is %s, its set gives %s", torus, b.Name, b.Value.RatString(), want.RatString())
			}
		}
	}
}

// setBound returns what must leave a set, spread over the capacity of the links that leave it.
func setBound(p core.Placement, set [][]int) *big.Rat {
	torus, inside, within, out := p.Torus(), core.NewSet(p.Torus().N()), 0, 0
	for _, coords := range set {
		v := coretest.Must(torus.Node(coords...))
		inside.Add(v)
		if p.Set().Has(v) {
			within++
		}
	}
	for l := range torus.M() {
		if from, to := torus.LinkEnds(core.Link(l)); torus.HasLink(core.Link(l)) && inside.Has(from) && !inside.Has(to) {
			out += torus.Bandwidth(torus.Port(l / torus.N()).Dim)
		}
	}
	return big.NewRat(int64(within*(p.Size()-within)), int64(out))
}

// TestCongestionHolds: below E_max of every routing by shortest paths, and by its own arithmetic
// at least the mean, since equal weights are weights too.
func TestCongestionHolds(t *testing.T) {
	for i := range coretest.Cases(400, 100) {
		rng := coretest.Rng(51, i)
		in := coretest.Random(rng, 24)
		if i%2 == 1 {
			in = coretest.RandomOn(rng, coretest.Any(rng, 24))
		}
		b := congestionBound(t.Context(), in.Placement, objective.Traffic{})
		if most, _ := objective.Naive(in.Routing, in.Placement).Max(); routing.Shortest(in.Routing) && b.Value.Cmp(most) > 0 {
			t.Fatalf("case %d, %s: congestion %s, E_max %s", i, in, b.Value.RatString(), most.RatString())
		}
		total := int64(0)
		for _, p := range in.Placement.Nodes() {
			for _, q := range in.Placement.Nodes() {
				total += int64(in.Torus.LeeDistance(p, q))
			}
		}
		if mean := big.NewRat(total, in.Torus.Capacity()); b.Value.Cmp(mean) < 0 {
			t.Fatalf("case %d, %s: congestion %s below the mean %s", i, in, b.Value.RatString(), mean.RatString())
		}
	}
}

// TestCongestionRepeats: the same placement gives the same weights, and a
// reflected one the same value where it is solved exactly.
func TestCongestionRepeats(t *testing.T) {
	torus := core.MustTorus(5, 4)
	p := family.Random(torus, 6, 3)
	var mirrored []int
	for _, v := range p.Nodes() {
		node := coretest.Must(torus.Node(4-torus.Coord(v, 0), torus.Coord(v, 1)))
		mirrored = append(mirrored, node)
	}
	a, b := congestionBound(t.Context(), p, objective.Traffic{}), congestionBound(t.Context(), p, objective.Traffic{})
	c := congestionBound(t.Context(), core.MustPlacement(torus, mirrored), objective.Traffic{})
	if len(a.Witness.Weights) == 0 || len(a.Witness.Weights) != len(b.Witness.Weights) || a.Value.Cmp(c.Value) != 0 {
		t.Errorf("%s with %d weights, again %d, mirrored %s", a.Value.RatString(), len(a.Witness.Weights),
			len(b.Witness.Weights), c.Value.RatString())
	}
	for i := range a.Witness.Weights {
		if a.Witness.Weights[i].Weight != b.Witness.Weights[i].Weight {
			t.Fatalf("weight %d differs", i)
		}
	}
}

// TestCongestionLimits: nothing is claimed for placements past the limits.
func TestCongestionLimits(t *testing.T) {
	for _, in := range []struct{ k, m, n int }{{5, 5, 0}, {5, 5, 1}, {40, 40, 1500}, {60000, 2, 4}, {120, 120, 900}} {
		b := congestionBound(t.Context(), family.Random(core.MustTorus(in.k, in.m), in.n, 1), objective.Traffic{})
		if b.Name != lowerbound.Congestion || b.Value.Sign() != 0 || len(b.Witness.Weights) != 0 {
			t.Errorf("%dx%d n=%d: %s with %d weights", in.k, in.m, in.n, b.Value.RatString(), len(b.Witness.Weights))
		}
	}
}

// TestCongestionOfShiftedDiagonal: seed 001 meets the degree bound (k-1)/4 there.
func TestCongestionOfShiftedDiagonal(t *testing.T) {
	for k := 3; k <= 9; k++ {
		torus := core.MustTorus(k, k)
		p := coretest.Must(family.Parse(torus, "linear"))
		most, _ := objective.Naive(routing.NewUDR(torus, routing.TieBoth), p).Max()
		b := congestionBound(t.Context(), p, objective.Traffic{})
		if b.Value.Cmp(big.NewRat(int64(k-1), 4)) != 0 || b.Value.Cmp(most) != 0 {
			t.Errorf("k=%d: %s, E_max %s", k, b.Value.RatString(), most.RatString())
		}
	}
}

// TestMargin checks values that a separate trial of the bound gave for 8x8 and 10x10 under udr:tie=both, and that
// nothing is claimed without a witness.
func TestMargin(t *testing.T) {
	for _, test := range []struct {
		k, n           int
		value, refuted string
	}{{8, 16, "4", "15/4"}, {10, 20, "5", "19/4"}, {8, 1, "0", ""}, {8, 0, "0", ""}} {
		r := routing.NewUDR(core.MustTorus(test.k, test.k), routing.TieBoth)
		b := coretest.Must(marginBound(t.Context(), r, test.n, nil))
		if b.Name != lowerbound.Margin || b.Value.RatString() != test.value || b.Witness.Refuted != test.refuted {
			t.Errorf("%dx%d n=%d: %s %s, witness %+v", test.k, test.k, test.n, b.Name, b.Value.RatString(), b.Witness)
		}
		if wrong := b.Witness.Denominator != "4"; b.Witness.Refuted != "" && wrong {
			t.Errorf("%dx%d n=%d: denominator %s", test.k, test.k, test.n, b.Witness.Denominator)
		}
	}
}

// TestBestBandIsExact holds the best band of a spread, and the counts that have no better one, against all counts.
func TestBestBandIsExact(t *testing.T) {
	for k, most := range []int{2: 12, 3: 11, 4: 8, 5: 6, 6: 4, 7: 3, 8: 2} {
		for room := 1; room <= most; room++ {
			for _, open := range []bool{false, true} {
				least := make([]int, k*room+1) // by size
				for n := range least {
					least[n] = n
				}
				for counts := range spreads(k, room) {
					n := sum(counts)
					least[n] = min(least[n], largestBand(counts, n, open || k == 2))
				}
				for n, want := range least {
					m, slabs := bestBand(k, room, n, open)
					if m != want {
						t.Errorf("k=%d room=%d n=%d open=%v: %d, want %d", k, room, n, open, m, want)
					}
					if len(slabs) != k || sum(slabs) != n || n > 0 && (slices.Min(slabs) < 0 || slices.Max(slabs) > room) ||
						largestBand(slabs, n, open || k == 2) != want {
						t.Errorf("k=%d room=%d n=%d open=%v: the best band of %v is not %d", k, room, n, open, slabs, want)
					}
				}
			}
		}
	}
}

// spreads yields all counts of up to room processors in each of k slabs.
func spreads(k, room int) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		counts := make([]int, k)
		for i := 0; i < k; {
			if !yield(counts) {
				return
			}
			for i = 0; i < k; i++ {
				if counts[i]++; counts[i] <= room {
					break
				}
				counts[i] = 0
			}
		}
	}
}

// largestBand returns the largest m such that some band has m of n processors inside and m outside, or the reverse; on
// a path only bands up to one cut.
func largestBand(counts []int, n int, open bool) (m int) {
	for from := range counts {
		in := 0
		for length := 1; length < len(counts); length++ {
			in += counts[(from+length-1)%len(counts)]
			if !open || from == 0 {
				m = max(m, min(in, n-in))
			}
		}
	}
	return m
}

// TestBandIsTheLeastSlab: over all placements of small networks the least value of slab is at least that of band, and
// equal to it where there is one dimension; no E_max is below, whatever the routing.
func TestBandIsTheLeastSlab(t *testing.T) {
	for i := range coretest.Cases(60, 12) {
		torus := coretest.Any(coretest.Rng(1109, i), 12)
		least := make([]*big.Rat, torus.N()+1)
		for mask := uint64(1); mask < 1<<torus.N(); mask++ {
			p := core.MustPlacement(torus, core.Set{mask}.Nodes())
			if v := slab(p).Value; least[p.Size()] == nil || v.Cmp(least[p.Size()]) < 0 {
				least[p.Size()] = v
			}
		}
		for n := 1; n <= torus.N(); n++ {
			v := band(torus, n).Value
			if c := v.Cmp(least[n]); c > 0 || c < 0 && torus.D() == 1 {
				t.Errorf("%s n=%d: %s, the least of all placements is %s", torus, n, v.RatString(), least[n].RatString())
			}
		}
	}
}
