package bound

import (
	"context"
	"errors"
	"math/big"
	"strconv"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/lowerbound"
)

// distance adds up distances pair by pair, in the dimensions asked for; in one, between slabs.
func distance(t *core.Torus, nodes []int, dims ...int) int64 {
	sum := 0
	for _, p := range nodes {
		for _, q := range nodes {
			if t.Twisted() && len(dims) == t.D() {
				sum += t.LeeDistance(p, q)
				continue
			}
			for _, j := range dims {
				if a, b := t.Slab(p, j), t.Slab(q, j); t.Open(j) {
					sum += max(a-b, b-a)
				} else {
					sum += core.CyclicDistance(a, b, t.Slabs(j))
				}
			}
		}
	}
	return int64(sum)
}

// capacity adds up the bandwidths of the links along dimension j, of all links if that is -1, one by one.
func capacity(t *core.Torus, j int) int64 {
	sum := 0
	for l := range t.M() {
		if port := t.Port(l / t.N()); t.HasLink(core.Link(l)) && (j < 0 || port.Dim == j) {
			sum += t.Bandwidth(port.Dim)
		}
	}
	return int64(sum)
}

// TestDistanceBounds checks mean and dimension-mean of a placement against
// distances added up pair by pair.
func TestDistanceBounds(t *testing.T) {
	for i := range coretest.Cases(100, 8) {
		rng := coretest.Rng(12, i)
		in := coretest.Random(rng, 60)
		if i%2 == 1 {
			in = coretest.RandomOn(rng, coretest.AnyNetwork(rng, 60))
		}
		nodes := in.Placement.Nodes()
		bounds := QuickPlacementBounds(in.Placement)
		var all []int
		best := new(big.Rat)
		for j := range in.Torus.D() {
			all = append(all, j)
			if v := big.NewRat(distance(in.Torus, nodes, j), capacity(in.Torus, j)); v.Cmp(best) > 0 {
				best = v
			}
		}
		if want := big.NewRat(distance(in.Torus, nodes, all...), capacity(in.Torus, -1)); bounds[1].Value.Cmp(want) != 0 {
			t.Fatalf("%s: mean %s, want %s", in, bounds[1].Value.RatString(), want.RatString())
		}
		if bounds[2].Value.Cmp(best) != 0 {
			t.Fatalf("%s: dimension-mean %s, want %s", in, bounds[2].Value.RatString(), best.RatString())
		}
	}
}

// TestSizeBoundsAgainstAllPlacements finds the least distances by looking at
// every placement: the dimension-mean is tight, the mean is not above; the degree is the
// least that the bound of a placement can be.
func TestSizeBoundsAgainstAllPlacements(t *testing.T) {
	networks := strings.Fields("7 8 11 12 2x5 3x4 2x6 2x2x3 3x3 7:open=0 12:open=0 3x4:open=0 3x4:open=0,1 " +
		"3x4:open=1:bandwidth=3,2 2x6:open=1 2x5:bandwidth=1,4 2x2x3:open=2:bandwidth=1,2,5 3x3:open=0,1:bandwidth=2,3")
	for i := range coretest.Cases(100, 10) {
		networks = append(networks, coretest.AnyNetwork(coretest.Rng(1103, i), 12).String())
	}
	for _, text := range networks {
		torus := coretest.Must(core.ParseNetwork(text))
		r := routing.NewUDR(torus, routing.TieBoth)
		leastDim := make([][]int64, torus.N()+1)
		leastAll := make([]int64, torus.N()+1)
		most := make([]int, torus.N()+1) // by size: the largest capacity that every processor can have at least
		for mask := uint64(1); mask < 1<<torus.N(); mask++ {
			nodes := core.Set{mask}.Nodes()
			n := len(nodes)
			if leastDim[n] == nil {
				leastDim[n] = make([]int64, torus.D())
				for j := range leastDim[n] {
					leastDim[n][j] = 1 << 60
				}
				leastAll[n] = 1 << 60
			}
			around := 1 << 30
			for _, v := range nodes {
				around = min(around, torus.CapacityAt(v))
			}
			most[n] = max(most[n], around)
			for j := range torus.D() {
				leastDim[n][j] = min(leastDim[n][j], distance(torus, nodes, j))
			}
			leastAll[n] = min(leastAll[n], distance(torus, nodes, core.Range(torus.D())...))
		}
		for n := 1; n <= torus.N(); n++ {
			bounds := SizeBounds(r, n)
			want := new(big.Rat)
			for j := range torus.D() {
				if v := big.NewRat(leastDim[n][j], capacity(torus, j)); v.Cmp(want) > 0 {
					want = v
				}
			}
			if degree := big.NewRat(int64(n-1), int64(most[n])); bounds[0].Value.Cmp(degree) != 0 {
				t.Errorf("%s n=%d: degree %s, the least of all placements is %s", torus, n, bounds[0].Value.RatString(),
					degree.RatString())
			}
			if bounds[2].Value.Cmp(want) != 0 {
				t.Errorf("%s n=%d: dimension-mean %s, least over all placements %s", torus, n,
					bounds[2].Value.RatString(), want.RatString())
			}
			if least := big.NewRat(leastAll[n], capacity(torus, -1)); bounds[1].Value.Cmp(least) > 0 {
				t.Errorf("%s n=%d: mean %s above the least %s", torus, n, bounds[1].Value.RatString(), least.RatString())
			}
		}
	}
}

// TestGranularityRoundsUp takes two processors on a ring of 5: the degree bound
// is 1/2, and under ODR loads are whole numbers.
func TestGranularityRoundsUp(t *testing.T) {
	torus := core.MustTorus(5)
	r := coretest.Must(routing.NewODR(torus, nil, routing.TiePlus))
	bounds := coretest.Must(PlacementBounds(context.Background(), r, core.MustPlacement(torus, nil)))
	last := bounds[len(bounds)-1]
	if last.Name != lowerbound.Granularity || last.Value.Sign() != 0 {
		t.Errorf("no processors: %s is %s", last.Name, last.Value.RatString())
	}
	for _, b := range SizeBounds(r, 2) {
		if b.Name == lowerbound.Granularity && (b.Value.Cmp(big.NewRat(1, 1)) != 0 || b.Witness.Denominator != "1") {
			t.Errorf("granularity %s with %+v", b.Value.RatString(), b.Witness)
		}
	}
	rounded := lowerbound.Bound{Name: lowerbound.Granularity,
		Witness: lowerbound.Witness{From: "degree", Denominator: "1"}}
	if got := rounded.Reason(); got != "degree, rounded up to a whole number" {
		t.Errorf("reason %q", got)
	}
}

// TestBoundsEnd ends the context of all bounds after ever more looks, until they come to
// their own end: an error, or all of them.
func TestBoundsEnd(t *testing.T) {
	torus := core.MustTorus(6, 6)
	r, p := routing.NewUDR(torus, routing.TieBoth), family.Random(torus, 9, 1)
	for _, c := range []struct {
		name string
		ask  func(context.Context) (int, error)
		want int
	}{
		{"for a placement", func(ctx context.Context) (int, error) {
			b, err := PlacementBounds(ctx, r, p)
			return len(b), err
		}, len(coretest.Must(PlacementBounds(context.Background(), r, p)))},
		{"for a size", func(ctx context.Context) (int, error) {
			b, err := ProblemBounds(ctx, objective.Problem{Routing: r, Size: 9})
			return len(b), err
		}, len(SizeBounds(r, 9))},
	} {
		ended := false
		for looks := 0; !ended; looks = 3*looks/2 + 1 {
			n, err := c.ask(coretest.EndsAfter(looks))
			ended = err == nil
			if ended != (n == c.want) || !ended && (n != 0 || !errors.Is(err, context.Canceled)) || looks == 0 && ended {
				t.Errorf("%s, %d looks: %d bounds, %v", c.name, looks, n, err)
			}
		}
	}
}

// TestSizeBoundsOnNetworks compares the bounds of a size with the least E_max of all its placements, which is naive.
// They reach it now and then.
func TestSizeBoundsOnNetworks(t *testing.T) {
	reached, cases := map[string]int{}, coretest.Cases(400, 40)
	for i := range cases {
		rng := coretest.Rng(1104, i)
		torus := coretest.Any(rng, 9)
		r := coretest.Routing(rng, torus)
		least := make([]*big.Rat, torus.N()+1)
		for mask := uint64(1); mask < 1<<torus.N(); mask++ {
			p := core.MustPlacement(torus, core.Set{mask}.Nodes())
			most, _ := objective.Naive(r, p).Max()
			if n := p.Size(); least[n] == nil || most.Cmp(least[n]) < 0 {
				least[n] = most
			}
		}
		for n := 1; n <= torus.N(); n++ {
			for _, b := range SizeBounds(r, n) {
				switch b.Value.Cmp(least[n]) {
				case 1:
					t.Fatalf("case %d, %s %s n=%d: bound %s is %s, the optimum %s", i, torus, r, n, b.Name, b.Value.RatString(),
						least[n].RatString())
				case 0:
					reached[b.Name]++
				}
			}
		}
	}
	for _, name := range []string{"degree", "mean", "dimension-mean", "margin", "granularity"} {
		if reached[name] < cases/2 { // a third of them have no dimensions
			t.Errorf("%s reaches the optimum for %d sizes of %d networks", name, reached[name], cases)
		}
	}
}

// TestFreeBoundsOnNetworks: the bound of single paths, which is rounded up to a multiple of 1/B, holds for those that
// odr takes.
func TestFreeBoundsOnNetworks(t *testing.T) {
	rounded := 0
	for i := range coretest.Cases(2000, 200) {
		rng := coretest.Rng(1106, i)
		torus := coretest.AnyNetwork(rng, 24)
		p := coretest.Placement(rng, torus)
		if p.Size() == 0 {
			continue
		}
		most, _ := objective.Naive(coretest.Must(routing.NewODR(torus, rng.Perm(torus.D()), routing.TiePlus)), p).Max()
		b := QuickBound(objective.FreeProblem(torus, routing.Free{Single: true, MinPaths: 1}).WithSize(p.Size()))
		if b.Value.Cmp(most) > 0 {
			t.Fatalf("case %d, %s, nodes %v: %s is %s, E_max %s", i, torus, p.Nodes(), b.Name, b.Value.RatString(),
				most.RatString())
		}
		if b.Name == lowerbound.Granularity {
			rounded++
		}
	}
	if rounded == 0 {
		t.Error("no bound was rounded up")
	}
}

// TestBoundsOnNetworks: no bound is above E_max, which is naive, and bounds of a size hold for every placement drawn.
func TestBoundsOnNetworks(t *testing.T) {
	for i := range coretest.Cases(3000, 300) {
		rng := coretest.Rng(1101, i)
		in := coretest.RandomOn(rng, coretest.Any(rng, 24))
		most, _ := objective.Naive(in.Routing, in.Placement).Max()
		bounds := coretest.Must(PlacementBounds(context.Background(), in.Routing, in.Placement))
		if n := in.Placement.Size(); n > 0 {
			bounds = append(bounds, SizeBounds(in.Routing, n)...)
			bounds = append(bounds, QuickBound(objective.Problem{Routing: in.Routing, Size: n}))
		}
		for _, b := range bounds {
			if b.Value.Cmp(most) > 0 {
				t.Fatalf("case %d, %s: bound %s is %s, E_max %s", i, in, b.Name, b.Value.RatString(), most.RatString())
			}
		}
	}
}

// BenchmarkSizeBounds bounds E_max for every placement of a size, on tori and on networks of the same sides.
func BenchmarkSizeBounds(b *testing.B) {
	for _, text := range []string{"8x8", "8x8:open=0,1", "8x8:bandwidth=3,2", "16x16", "16x16:open=0,1", "6^3",
		"6^3:open=0,1,2"} {
		r := routing.NewUDR(coretest.Must(core.ParseNetwork(text)), routing.TieBoth)
		b.Run(text, func(b *testing.B) {
			for b.Loop() {
				SizeBounds(r, 2*r.Torus().Side(0))
			}
		})
	}
}

// TestWhatHoldsForMoreRoutingsIsNeverMissing compares bounds under two routings, where what holds under the first holds
// under the second: name by name the second has no less. So has it than a free routing that may choose its paths.
func TestWhatHoldsForMoreRoutingsIsNeverMissing(t *testing.T) {
	values := func(p objective.Problem) map[string]*big.Rat {
		list := map[string]*big.Rat{}
		for _, b := range coretest.Must(ProblemBounds(t.Context(), p)) {
			list[b.Name] = b.Value
		}
		return list
	}
	problems := []objective.Problem{}
	texts := []string{"3x3x3 9", "4x6 9"}
	if coretest.Long() {
		texts = append(texts, "2x2x2x2x2 12", "4x4x4 20", "8x8 20", "6x6x6 72", "5x5x5 60")
	}
	for _, text := range texts {
		where, size, _ := strings.Cut(text, " ")
		torus := coretest.Must(core.ParseNetwork(where))
		n := coretest.Must(strconv.Atoi(size))
		problems = append(problems, objective.Problem{Routing: routing.NewUDR(torus, routing.TieBoth), Size: n})
	}
	for i := range coretest.Cases(60, 10) {
		rng := coretest.Rng(1111, i)
		torus := coretest.AnyNetwork(rng, 64)
		p := objective.Problem{Routing: routing.NewUDR(torus, routing.TieBoth), Size: 1 + rng.IntN(torus.N())}
		if order := rng.Perm(torus.N()); i%3 == 0 {
			fixed := rng.IntN(min(4, p.Size+1))
			p = coretest.Must(p.WithNodes(order[:fixed], order[fixed:fixed+rng.IntN(min(4, torus.N()-p.Size+1))]))
		}
		problems = append(problems, p)
	}
	raised := 0
	for _, p := range problems {
		all := map[string]map[string]*big.Rat{}
		for _, name := range strings.Fields("avoid:tie=both avoid:tie=plus minimal:tie=plus minimal:tie=both " +
			"odr:tie=plus udr:tie=plus odr:tie=both udr:tie=both") {
			p.Routing = coretest.Must(routing.Parse(p.Torus(), name))
			all[name] = values(p)
		}
		for _, pair := range strings.Fields("avoid:tie=both>all avoid:tie=plus>:tie=plus minimal:tie=plus>:tie=plus " +
			"minimal:tie=both>odr:tie=both minimal:tie=both>udr:tie=both") {
			more, within, _ := strings.Cut(pair, ">")
			for name, list := range all {
				if within != "all" && !strings.HasSuffix(name, within) {
					continue
				}
				for of, v := range all[more] {
					switch have := list[of]; {
					case of == lowerbound.Granularity || of == lowerbound.Fixed: // of the given routing
					case have == nil || have.Cmp(v) < 0:
						t.Errorf("%s: %s is %s under %s, %v under %s", p.Where(), of, v.RatString(), more, have, name)
					case have.Cmp(v) > 0:
						raised++
					}
				}
			}
		}
		for name, list := range all {
			free := p
			free.Free = &routing.Free{Single: name == "odr:tie=plus"}
			v := QuickBound(free).Value
			if best := list[lowerbound.Granularity]; v.Cmp(best) > 0 && !strings.HasPrefix(name, "minimal") {
				t.Errorf("%s: %s with free paths, %s under %s", p.Where(), v.RatString(), best.RatString(), name)
			}
		}
	}
	if raised < 20 {
		t.Errorf("only %d values are larger under fewer routings", raised)
	}
}

// TestCorner: on every placement of small networks as much leaves each processor as the bound corner says, and E_max is
// at least that over the capacity; without a placement it is never more, and holds from the first size on for which
// every placement has a processor with others in its row and in its column.
func TestCorner(t *testing.T) {
	for _, text := range []string{"2x2", "2x4", "3x3", "3x4", "2x5", "3x3:open=0,1", "3x4:open=1:bandwidth=2,1"} {
		torus := coretest.Must(core.ParseNetwork(text))
		for _, tie := range []routing.Tie{routing.TiePlus, routing.TieBoth} {
			r := routing.NewUDR(torus, tie)
			from := torus.Side(0) + torus.Side(1) - 1
			lonely := 0 // the most processors none of which is such
			for mask := uint64(1); mask < 1<<torus.N(); mask++ {
				p := core.MustPlacement(torus, core.Set{mask}.Nodes())
				if p.Size() < 2 {
					continue
				}
				loads := objective.Naive(r, p)
				most, _ := loads.Max()
				least := new(big.Rat) // over the processors, the most that leaves one over its capacity
				between := false
				for _, v := range p.Nodes() {
					out, row, column := new(big.Rat), 0, 0
					for i := range torus.Degree() {
						if l := core.Link(i*torus.N() + v); torus.HasLink(l) {
							out.Add(out, new(big.Rat).Mul(loads.Load(l), big.NewRat(int64(torus.Bandwidth(torus.Port(i).Dim)), 1)))
						}
					}
					for _, w := range p.Nodes() {
						if w != v && torus.Coord(w, 0) == torus.Coord(v, 0) {
							row++
						}
						if w != v && torus.Coord(w, 1) == torus.Coord(v, 1) {
							column++
						}
					}
					said := big.NewRat(int64(p.Size()-1+row*column), 1)
					if out.Cmp(said) < 0 {
						t.Fatalf("%s %v: %s leaves %d, not %s", r, p, out.RatString(), v, said.RatString())
					}
					between = between || row*column > 0
					if said.Mul(said, big.NewRat(1, int64(torus.CapacityAt(v)))); said.Cmp(least) > 0 {
						least = said
					}
				}
				if !between {
					lonely = max(lonely, p.Size())
				}
				b := corner(p)
				if b.Value.Cmp(least) != 0 || b.Value.Cmp(most) > 0 {
					t.Fatalf("%s %v: %s, at a processor %s, E_max %s", r, p, b.Value.RatString(), least.RatString(), most.RatString())
				}
				if p.Size() >= from && sizeCorner(torus, p.Size()).Value.Cmp(b.Value) > 0 {
					t.Fatalf("%s %v: %s for its size", r, p, sizeCorner(torus, p.Size()).Value.RatString())
				}
			}
			for n := 1; n <= torus.N(); n++ {
				listed := false
				for _, b := range SizeBounds(r, n) {
					listed = listed || b.Name == lowerbound.Corner
				}
				if listed != (n >= from) {
					t.Errorf("%s n=%d: corner is listed: %v", r, n, listed)
				}
			}
			if lonely != from-1 {
				t.Errorf("%s: %d processors need no corner, not %d", torus, lonely, from-1)
			}
		}
	}
}
